import { MINUTE_MS } from "../../contract/time.ts";
import type { Clock } from "../../platform/clock.ts";

/** Why a forge did not answer, and whether it may answer soon. */
export interface Failure {
  sentence: string;
  isPassing: boolean;
}

/**
 * Failures in a row of hosts and repositories, in memory: after a restart each is asked once more. The rest after each is longer than the one
 * before; after the last try it is no longer called passing.
 */
export interface Failures {
  /** The failure that one of these had, while it rests. */
  resting(keys: readonly string[]): Failure | undefined;
  /** Adds a failure, and answers it with whether it is worth asking again soon. */
  add(key: string, sentence: string): Failure;
  clear(key: string): void;
}

const FIRST_REST_MS = 5 * MINUTE_MS;
/** Shorter than the hour after which images without release notes are studied again. */
const LONGEST_REST_MS = 30 * MINUTE_MS;
const MOST_TRIES = 6;
const MOST_KEYS = 500;

export function createFailures(clock: Clock): Failures {
  const failures = new Map<string, { tries: number; untilMs: number; sentence: string }>();
  const isPassing = ({ tries }: { tries: number }): boolean => tries < MOST_TRIES;

  return {
    resting(keys) {
      for (const key of keys) {
        const failure = failures.get(key);
        if (failure === undefined || failure.untilMs <= clock.now().getTime()) continue;
        if (!isPassing(failure)) return { sentence: failure.sentence, isPassing: false };
        const until = new Date(failure.untilMs).toISOString().slice(11, 16);
        return { sentence: `${failure.sentence} It is not asked again before ${until} UTC.`, isPassing: true };
      }
      return undefined;
    },
    add(key, sentence) {
      const tries = (failures.get(key)?.tries ?? 0) + 1;
      const restMs = Math.min(FIRST_REST_MS * 2 ** (tries - 1), LONGEST_REST_MS);
      const failure = { tries, untilMs: clock.now().getTime() + restMs, sentence };
      remember(failures, { key, value: failure, most: MOST_KEYS });
      return { sentence, isPassing: isPassing(failure) };
    },
    clear: (key) => void failures.delete(key),
  };
}

/** Keeps a value in a map of bounded size: the oldest key gives way. */
export function remember<Value>(map: Map<string, Value>, { key, value, most }: { key: string; value: Value; most: number }): void {
  const [oldest] = map.keys();
  if (!map.has(key) && map.size >= most && oldest !== undefined) map.delete(oldest);
  map.set(key, value);
}
