import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { DAY_MS } from "../../src/contract/time.ts";
import { bundleServer, hashOf } from "../build.ts";

const INPUTS = ["{src,test/support,tools}/**/*.ts", "package-lock.json", "tsconfig.json", ".license/public.pem"];
/** Kept between runs, and gone with `npm ci`. */
const KEPT = join(import.meta.dirname, "../../node_modules/.cache/binnacle/servers");
const making = new Map<string, Promise<string>>();

/** The folder with `servers/NAME.ts`, bundled as `NAME.js`. Made once for each state of the sources, since a bundle takes longer than a start. */
export function bundleOf(name: string): Promise<string> {
  const folder = making.get(name) ?? findOrMake(name);
  making.set(name, folder);
  return folder;
}

async function findOrMake(name: string): Promise<string> {
  const folder = join(KEPT, `${name}-${hashOf(INPUTS)}`);
  if (existsSync(folder)) return folder;
  mkdirSync(KEPT, { recursive: true });
  removeOutdated();
  const unfinished = mkdtempSync(join(KEPT, ".making-"));
  await bundleServer({ name, entry: join(import.meta.dirname, `servers/${name}.ts`), folder: unfinished, format: "esm" });
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    // Another process was quicker.
    if (!existsSync(folder)) throw error;
    rmSync(unfinished, { recursive: true });
  }
  return folder;
}

/** Of older states; another checkout may still use those of today. */
function removeOutdated(): void {
  for (const path of readdirSync(KEPT).map((name) => join(KEPT, name)))
    if (statSync(path).mtimeMs < Date.now() - DAY_MS) rmSync(path, { recursive: true, force: true });
}
