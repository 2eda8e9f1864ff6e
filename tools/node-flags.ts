import { readFileSync } from "node:fs";
import { join } from "node:path";

const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8")) as { scripts: { start: string } };
/** The program is the last of the commands. */
const words = (scripts.start.split(" && ").at(-1) ?? "").split(" ");

/** With which `npm start` runs the program. */
export const NODE_FLAGS: readonly string[] = words.filter((word) => word.startsWith("--"));

/** In which `npm start` runs the program, beside what there is. */
export const NODE_ENVIRONMENT: Readonly<Record<string, string>> = Object.fromEntries(
  words.filter((word) => /^[A-Z_]+=/.test(word)).map((word) => word.split("=", 2) as [string, string]),
);
