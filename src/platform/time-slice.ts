/** How long work may take before others are served: timers, requests, and what else waits for the event loop. */
const SLICE_MS = 8;

let beganMs = 0;
let turn: Promise<void> | undefined;

/**
 * Asked between two pieces of long work. undefined: there is time left. Else it resolves in the next turn of the event loop. All long work of the process
 * shares one slice, since it shares one event loop.
 */
export function nextTurnWhenDue(): Promise<void> | undefined {
  if (turn === undefined && performance.now() - beganMs >= SLICE_MS) {
    turn = new Promise((resolve) => {
      // The first comes in the same turn as what was read from a socket, before timers are.
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
