import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { instrument } from "./instrument.ts";

const ROOT = pathToFileURL(join(import.meta.dirname, "../..")).href;
/** What is instrumented: our sources and the reader of protobuf. Messages are data, and only take time. */
const INSTRUMENTED = [`${ROOT}/src/`, `${ROOT}/node_modules/@bufbuild/protobuf/dist/esm/`];
const LEFT_OUT = "/wire/gen/";
const MOST_COUNTERS = 262_144;

/** What inputs reach in the modules that are imported after this was made. */
export interface Coverage {
  /** Texts that stand in the sources. */
  words(): string[];
  clear(): void;
  /** What the run since `clear` reached: a number for each branch and for how often it was taken, roughly. */
  features(): number[];
}

/** Instruments what is imported from now on. */
export function startCoverage(): Coverage {
  const hits = new Uint32Array(MOST_COUNTERS);
  Object.defineProperty(globalThis, "__hits", { value: hits });
  const words = new Set<string>();
  let used = 0;
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!INSTRUMENTED.some((folder) => url.startsWith(folder)) || url.includes(LEFT_OUT) || loaded.source == null) return loaded;
      const source = typeof loaded.source === "string" ? loaded.source : Buffer.from(loaded.source as Uint8Array).toString("utf8");
      const made = instrument(source, { first: used, language: url.endsWith(".ts") ? "ts" : "js" });
      used += made.counters;
      if (used > MOST_COUNTERS) throw new Error("the sources have more branches than there are counters");
      for (const word of made.words) words.add(word);
      return { ...loaded, source: made.source };
    },
  });
  return {
    words: () => [...words],
    clear: () => void hits.fill(0, 0, used),
    features() {
      const found: number[] = [];
      for (let at = 0; at < used; at += 1) {
        const count = hits[at] ?? 0;
        if (count > 0) found.push(at * 8 + bucketOf(count));
      }
      return found;
    },
  };
}

/** Once, twice, three times, some times, often: as AFL buckets runs of a loop. */
function bucketOf(count: number): number {
  if (count <= 3) return count - 1;
  return count < 8 ? 3 : count < 16 ? 4 : count < 32 ? 5 : count < 128 ? 6 : 7;
}
