import type { TestEngine } from "./engine.ts";
import { importNode } from "./node-image.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** Builds the product's image of `dist/` on an engine, as deploy/Dockerfile says. */
export async function buildProductImage(engine: TestEngine, name: string): Promise<void> {
  const args = [`NODE_IMAGE=${await importNode(engine)}`, "PREBUILT=1"].flatMap((argument) => ["--build-arg", argument]);
  await engine.docker("build", "--quiet", "--file", `${ROOT}deploy/Dockerfile`, ...args, "--tag", name, ROOT);
}
