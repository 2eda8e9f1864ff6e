/** Runs work with at most `slots` pieces under way; the rest waits in order. */
export type Limiter = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function createLimiter(slots: number): Limiter {
  let free = slots;
  const waiting: (() => void)[] = [];

  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
