import { isApiError } from "./client.ts";

/** So many requests are under way at a time. */
export const AT_ONCE = 4;
/** How long a place stays taken after its answer: at most 30 requests a second, so that reading the page again has the rest of the server's 50. */
export const SPACING_MS = (AT_ONCE * 1000) / 30;
/** A server that asks for a longer rest has locked this address out. */
const LONGEST_REST_MS = 10_000;
const MOST_TRIES = 10;

interface SendQueue {
  /** Settles as `send` does, once it had its turn. What the rate limit refuses is sent again later. */
  add(send: () => Promise<void>): Promise<void>;
  /** Sends all at once: nobody is left to send the others when one is answered. */
  flush(): void;
}

interface Job {
  send: () => Promise<void>;
  tries: number;
  settle: (result: Promise<void>) => void;
}

/** Sends a few at a time, more slowly than the server's rate limit. */
export function createSendQueue(later: (run: () => void, delayMs: number) => void): SendQueue {
  const queue: Job[] = [];
  let underWay = 0;
  let isResting = false;

  function drain(): void {
    while (!isResting && underWay < AT_ONCE && queue.length > 0) sendFirst();
  }

  function sendFirst(): void {
    const job = queue.shift();
    if (job === undefined) return;
    underWay += 1;
    job.tries += 1;
    const result = job.send();
    result
      .then(
        () => undefined,
        (error: unknown) => restOf(error, job.tries),
      )
      .then((restMs) => {
        if (restMs === undefined) job.settle(result);
        else rest(job, restMs);
        later(() => {
          underWay -= 1;
          drain();
        }, SPACING_MS);
      });
  }

  function rest(job: Job, restMs: number): void {
    queue.push(job);
    if (isResting) return;
    isResting = true;
    later(() => {
      isResting = false;
      drain();
    }, restMs);
  }

  return {
    add(send) {
      return new Promise((settle) => {
        queue.push({ send, tries: 0, settle });
        drain();
      });
    },
    flush() {
      // Not for ever: what is refused meanwhile is added again.
      for (let left = queue.length; left > 0; left -= 1) sendFirst();
    },
  };
}

/** How long the server asks to wait before the same may be sent again; undefined when it is not to be sent again. */
function restOf(error: unknown, tries: number): number | undefined {
  if (!isApiError(error, "rate_limited") || error.retryAfterMs === undefined) return undefined;
  return tries < MOST_TRIES && error.retryAfterMs <= LONGEST_REST_MS ? error.retryAfterMs : undefined;
}
