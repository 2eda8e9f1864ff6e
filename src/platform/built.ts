import { readFile } from "node:fs/promises";

/** What the build made and laid beside the program as `NAME.json`; where it did not, as in a run from source, it is made here. */
export async function built<Value>(name: string, make: () => Promise<Value>): Promise<Value> {
  if (import.meta.url.endsWith(".ts")) return make();
  try {
    return JSON.parse(await readFile(new URL(`./${name}.json`, import.meta.url), "utf8")) as Value;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return make();
    throw error;
  }
}
