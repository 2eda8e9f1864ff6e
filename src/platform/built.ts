import { readFile } from "node:fs/promises";
import { codeOf } from "./errors.ts";

/** Reads what the build made and put next to the program as `NAME.json`; makes it here without a build, as in a run from source. */
export async function built<Value>(name: string, make: () => Promise<Value>): Promise<Value> {
  if (import.meta.url.endsWith(".ts")) return make();
  try {
    return JSON.parse(await readFile(new URL(`./${name}.json`, import.meta.url), "utf8")) as Value;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return make();
    throw error;
  }
}
