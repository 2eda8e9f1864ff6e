import { type Clock, pause } from "../../platform/clock.ts";
import { RegistryError } from "../registry-error.ts";

/** Of one registry: so many questions at a time, and none while it wants to be left alone. */
export interface Lane {
  /** Waits its turn. Throws a RegistryError at once when the registry rests for long or too many wait. */
  run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
  /** Nobody asks it for so long; who comes meanwhile gets the reason. */
  rest(forMs: number, reason: RegistryError["reason"], sentence: string): void;
  isResting(): boolean;
}

const AT_A_TIME = 2;
const MOST_WAITING = 1000;
const MOST_LANES = 500;
/** A rest so short is waited out. */
export const SHORT_REST_MS = 5000;
export const LONGEST_REST_MS = 900_000;
/** After so many failures to reach it in a row, a registry is not asked for a while: else each image would wait for its own. */
const FAILURES = { inARow: 3, restMs: 60_000 };

export function createLanes(clock: Clock): (registry: string) => Lane {
  const lanes = new Map<string, { lane: Lane; isIdle(): boolean }>();
  return (registry) => {
    const known = lanes.get(registry);
    if (known !== undefined) return known.lane;
    for (const [name, { isIdle }] of lanes.size < MOST_LANES ? [] : lanes) if (isIdle()) lanes.delete(name);
    const made = createLane(registry, clock);
    lanes.set(registry, made);
    return made.lane;
  };
}

function createLane(registry: string, clock: Clock): { lane: Lane; isIdle(): boolean } {
  const waiting: (() => void)[] = [];
  let active = 0;
  let failures = 0;
  let resting: { untilMs: number; reason: RegistryError["reason"]; sentence: string } | undefined;

  function restLeftMs(): number {
    return resting === undefined ? 0 : Math.max(0, resting.untilMs - clock.monotonicMs());
  }

  /** A turn is handed from who leaves to who waits the longest. */
  async function enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (active < AT_A_TIME) {
      active += 1;
      return;
    }
    if (waiting.length >= MOST_WAITING) throw new RegistryError("unavailable", `Too many questions to ${registry} wait already.`);
    const turn = Promise.withResolvers<void>();
    const take = (): void => turn.resolve();
    const leave = (): void => {
      const place = waiting.indexOf(take);
      if (place === -1) return;
      waiting.splice(place, 1);
      turn.reject(signal.reason);
    };
    waiting.push(take);
    signal.addEventListener("abort", leave, { once: true });
    try {
      await turn.promise;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  function exit(): void {
    const next = waiting.shift();
    if (next === undefined) active -= 1;
    else next();
  }

  async function restOut(signal: AbortSignal): Promise<void> {
    for (let leftMs = restLeftMs(); leftMs > 0; leftMs = restLeftMs()) {
      if (resting !== undefined && (leftMs > SHORT_REST_MS || resting.reason !== "rate_limited"))
        throw new RegistryError(resting.reason, resting.sentence);
      await pause(clock, leftMs, signal);
      signal.throwIfAborted();
    }
  }

  const rest: Lane["rest"] = (forMs, reason, sentence) => {
    const untilMs = clock.monotonicMs() + Math.min(forMs, LONGEST_REST_MS);
    if (untilMs > (resting?.untilMs ?? 0)) resting = { untilMs, reason, sentence };
  };

  const lane: Lane = {
    rest,
    isResting: () => restLeftMs() > 0,
    async run(signal, work) {
      if (restLeftMs() > SHORT_REST_MS) await restOut(signal);
      await enter(signal);
      try {
        await restOut(signal);
        const result = await work();
        failures = 0;
        return result;
      } catch (error) {
        const isFailure = error instanceof RegistryError && (error.reason === "timeout" || error.reason === "unreachable");
        failures = isFailure ? failures + 1 : 0;
        if (isFailure && failures >= FAILURES.inARow) rest(FAILURES.restMs, error.reason, error.message);
        throw error;
      } finally {
        exit();
      }
    },
  };
  return { lane, isIdle: () => active === 0 && restLeftMs() === 0 };
}
