/** A pending timer of a {@link Clock}. */
export interface Timer {
  cancel(): void;
}

/** The only source of time: everything that waits or reads the time takes a clock, so that tests can set it. */
export interface Clock {
  /** Wall-clock time; it may jump. */
  now(): Date;
  /** Milliseconds that never fall; for durations. */
  monotonicMs(): number;
  /** Calls back once after `delayMs`; does not keep the process alive. */
  after(delayMs: number, callback: () => void): Timer;
}

/** The longest delay of a Node timer. A longer one would fire at once, so it is waited for in steps. */
const LONGEST_TIMER_MS = 2_147_483_647;

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  after(delayMs, callback) {
    let timer = wait(delayMs);
    return { cancel: () => clearTimeout(timer) };

    function wait(leftMs: number): NodeJS.Timeout {
      const stepMs = Math.min(Math.max(leftMs, 0), LONGEST_TIMER_MS);
      const next = setTimeout(() => {
        if (leftMs > stepMs) timer = wait(leftMs - stepMs);
        else callback();
      }, stepMs);
      return next.unref();
    }
  },
};

/** Keeps the process alive, which timers do not do, until the answer is called. */
export function keepAlive(): () => void {
  const timer = setInterval(() => undefined, LONGEST_TIMER_MS);
  return () => clearInterval(timer);
}

/** Resolves after `delayMs`, or at once when the signal is aborted. */
export function pause(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const timer = clock.after(delayMs, done);
    signal?.addEventListener("abort", done, { once: true });
    function done(): void {
      timer.cancel();
      signal?.removeEventListener("abort", done);
      resolve();
    }
  });
}

/** The result of work that may last so long; throws the error of `late` when it lasts longer. */
export async function within<Result>(clock: Clock, limitMs: number, work: Promise<Result> | Result, late: () => Error): Promise<Result> {
  const overdue = Promise.withResolvers<never>();
  const timer = clock.after(limitMs, () => overdue.reject(late()));
  try {
    return await Promise.race([work, overdue.promise]);
  } finally {
    timer.cancel();
  }
}

/** Resolves when the signal is aborted, or at once when it is already. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
}

/** How long work may run before timers, requests and everything else in the event loop get a turn. */
const SLICE_MS = 8;

let beganMs = 0;
let turn: Promise<void> | undefined;

/**
 * To be called between two pieces of long work. undefined while there is time left; else it resolves in the next turn of the event loop. All long
 * work of the process shares one slice, since it shares one event loop.
 */
export function nextTurnWhenDue(): Promise<void> | undefined {
  if (turn === undefined && performance.now() - beganMs >= SLICE_MS) {
    turn = new Promise((resolve) => {
      // The first callback runs in the same turn as data from sockets, before timers.
      setImmediate(() =>
        setImmediate(() => {
          turn = undefined;
          beganMs = performance.now();
          resolve();
        }),
      );
    });
  }
  return turn;
}
