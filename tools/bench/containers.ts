import type { TestEngine } from "../../test/support/engine.ts";
import { importBusybox } from "../../test/support/images.ts";

const STARTED_AT_ONCE = 6;

/** Runs so many containers that idle; answers their ids. */
export async function runContainers(engine: TestEngine, count: number): Promise<string[]> {
  const image = await importBusybox(engine);
  const ids: string[] = [];
  while (ids.length < count) {
    const some = Math.min(STARTED_AT_ONCE, count - ids.length);
    ids.push(...(await Promise.all(Array.from({ length: some }, () => engine.docker("run", "-d", image, "sleep", "3600")))));
  }
  return ids;
}
