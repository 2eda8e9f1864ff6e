import { tmpdir } from "node:os";

const MIN_MEMORY_BYTES = 4 * 1024 ** 3;

/** Where databases of tests are: in memory where there is plenty of it, on the mount of a lane's own, which goes with the lane. They wait for no disk there. */
export function fastFolder(): string {
  return process.env["BINNACLE_TEST_ISOLATED"] === "1" && process.availableMemory() >= MIN_MEMORY_BYTES ? "/run" : tmpdir();
}
