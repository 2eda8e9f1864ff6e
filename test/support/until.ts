/** Resolves once the condition holds; fails with its text after the deadline. */
export async function until<Value>(
  condition: () => Value | Promise<Value>,
  { withinMs = 30_000, everyMs = 10, what = String(condition) } = {},
): Promise<NonNullable<Value>> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
