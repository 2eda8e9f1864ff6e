import { readFileSync } from "node:fs";
import { join } from "node:path";

const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8")) as { scripts: { start: string } };

/** With which `npm start` runs the program. */
export const NODE_FLAGS: readonly string[] = scripts.start.split(" ").filter((word) => word.startsWith("--"));
