/** Runs work once, on first use, and keeps its result; after a failure the next call starts it again. */
export function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let begun: Promise<Result> | undefined;
  return () =>
    (begun ??= work().catch((error: unknown) => {
      begun = undefined;
      throw error;
    }));
}
