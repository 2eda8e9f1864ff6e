import { writeSync } from "node:fs";

const PATIENCE_MS = 1;
const clock = new Int32Array(new SharedArrayBuffer(4));

/** Writes a line to standard output and answers once it is with whoever reads it: the stream would still hold it when this process is killed. */
export function say(line: string): void {
  let rest: Uint8Array = Buffer.from(`${line}\n`);
  while (rest.length > 0) rest = rest.subarray(written(rest));
}

function written(bytes: Uint8Array): number {
  try {
    return writeSync(1, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    // Nobody has read for a while.
    Atomics.wait(clock, 0, 0, PATIENCE_MS);
    return 0;
  }
}
