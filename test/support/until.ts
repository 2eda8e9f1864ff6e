/** Of the time waited so far, the share that passes before the condition is asked for again: what waits long leaves the processor to what it waits for. */
const PATIENCE = 0.1;
const RARELY_MS = 250;

interface Waiting {
  withinMs?: number;
  everyMs?: number;
  steady?: boolean;
  what?: string | (() => string | Promise<string>);
}

/**
 * Resolves once the condition holds; fails with `what` after the deadline: the text of the condition by default, or what a function says of the
 * state that was there instead. It is asked for less and less often, unless `steady`.
 */
export async function until<Value>(
  condition: () => Value | Promise<Value>,
  { withinMs = 30_000, everyMs = 10, steady = false, what = String(condition) }: Waiting = {},
): Promise<NonNullable<Value>> {
  const startedMs = performance.now();
  for (;;) {
    const value = await condition();
    if (value) return value;
    const waitedMs = performance.now() - startedMs;
    if (waitedMs > withinMs) throw new Error(`not within ${withinMs} ms: ${typeof what === "string" ? what : await what()}`);
    const patienceMs = steady ? 0 : Math.min(waitedMs * PATIENCE, RARELY_MS);
    await new Promise((resolve) => setTimeout(resolve, Math.max(everyMs, patienceMs)));
  }
}
