/** A function that runs `run` once for many calls: `quietMs` after the last of them, but no later than `longestMs` after the first. */
export function coalesce(
  run: () => void,
  { quietMs, longestMs }: { quietMs: number; longestMs: number },
): { call(): void; cancel(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let firstMs = 0;

  function cancel(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  return {
    call() {
      const nowMs = performance.now();
      if (timer === undefined) firstMs = nowMs;
      clearTimeout(timer);
      const waitMs = Math.max(0, Math.min(quietMs, firstMs + longestMs - nowMs));
      timer = setTimeout(() => {
        timer = undefined;
        run();
      }, waitMs);
    },
    cancel,
  };
}
