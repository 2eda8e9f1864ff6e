import { type Clock, within } from "../platform/clock.ts";
import { messageOf } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";

/** A part of the program with a beginning or an end. */
export interface Part {
  start?(): Promise<void> | void;
  stop?(): Promise<unknown> | void;
}

export interface PartOptions {
  /** It is stopped also when it has not started. */
  isAlwaysStopped?: boolean;
}

/** Starts parts in the order they were added and stops them in reverse. */
export interface Lifecycle {
  /** Registers a part, in the order in which parts are to start. */
  add(name: string, part: Part, options?: PartOptions): void;
  /** When a part fails to start, stops those that had started and throws its error. */
  start(): Promise<void>;
  /** Stops all that has started, and what is always stopped, once however often it is called; resolves to the names of parts that failed or took too long. */
  stop(): Promise<string[]>;
}

/** `stopWithinMs` bounds the whole stop: each part may take what is left of it, and at least a tenth. */
export function createLifecycle({ clock, log, stopWithinMs }: { clock: Clock; log: Log; stopWithinMs: number }): Lifecycle {
  const parts: { name: string; part: Part; isAlwaysStopped: boolean }[] = [];
  const started = new Set<Part>();
  let starting: Promise<void> | undefined;
  let stopping: Promise<string[]> | undefined;

  async function startAll(): Promise<void> {
    for (const each of parts) {
      if (stopping !== undefined) return;
      await each.part.start?.();
      started.add(each.part);
    }
  }

  async function stopAll(): Promise<string[]> {
    const endsAtMs = clock.monotonicMs() + stopWithinMs;
    const failed: string[] = [];
    // A running start is waited for, so that nothing it begins is left behind; start itself reports why it failed.
    await attempt("start", () => starting?.catch(() => undefined));
    for (const { name, part, isAlwaysStopped } of parts.toReversed())
      if (isAlwaysStopped || started.has(part)) await attempt(name, () => part.stop?.());
    return failed;

    async function attempt(name: string, end: () => Promise<unknown> | void): Promise<void> {
      try {
        const limitMs = Math.max(endsAtMs - clock.monotonicMs(), stopWithinMs / 10);
        await within(clock, limitMs, end(), () => new Error(`still stopping after ${Math.round(limitMs)} ms`));
      } catch (error) {
        failed.push(name);
        log.error({ part: name, reason: messageOf(error) }, "part did not stop cleanly");
      }
    }
  }

  function stop(): Promise<string[]> {
    stopping ??= stopAll();
    return stopping;
  }

  return {
    add(name, part, { isAlwaysStopped = false } = {}) {
      parts.push({ name, part, isAlwaysStopped });
    },
    async start() {
      try {
        starting = startAll();
        await starting;
      } catch (error) {
        await stop();
        throw error;
      }
    },
    stop,
  };
}
