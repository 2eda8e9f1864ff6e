import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** What this process holds in memory once all that nobody needs any more is collected, in bytes. */
export function heldMemory(): NodeJS.MemoryUsage {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  // Buffers are freed beside the first collection, and the second waits until that is done.
  collect();
  collect();
  return process.memoryUsage();
}
