import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const MOST_KEPT = 50;

/** Inputs that are part of the repository. */
export function keptFolder(name: string): string {
  return join(ROOT, "test/fixtures/fuzz", name);
}

/** Inputs of earlier runs on this machine. */
export function workFolder(name: string): string {
  return join(ROOT, "node_modules/.cache/binnacle/fuzz", name);
}

export interface Kept {
  name: string;
  bytes: Buffer;
}

/** The files of a folder by name; none when there is no such folder. */
export function readCorpus(folder: string): Kept[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
}

/** Writes an input under the hash of its bytes, and returns the path. */
export function saveInput(folder: string, bytes: Uint8Array, prefix = ""): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, prefix + createHash("sha256").update(bytes).digest("hex").slice(0, 12));
  writeFileSync(path, bytes);
  return path;
}

/** An input and what it reaches. */
export interface Reaching {
  bytes: Buffer;
  features: readonly number[];
}

/** A small part of the inputs that reaches what all reach: each time the input that adds most, the shorter where two add the same. */
export function smallestCover(inputs: readonly Reaching[]): Reaching[] {
  const missing = new Set(inputs.flatMap(({ features }) => features));
  const waiting = new Set(inputs.toSorted((a, b) => a.bytes.length - b.bytes.length));
  const chosen: Reaching[] = [];
  while (missing.size > 0 && chosen.length < MOST_KEPT) {
    let best: Reaching | undefined;
    let mostAdded = 0;
    for (const input of waiting) {
      const added = input.features.filter((feature) => missing.has(feature)).length;
      if (added === 0) waiting.delete(input);
      if (added > mostAdded) [best, mostAdded] = [input, added];
    }
    if (best === undefined) break;
    chosen.push(best);
    waiting.delete(best);
    for (const feature of best.features) missing.delete(feature);
  }
  return chosen;
}

/** Replaces the kept inputs by others. Named ones, such as reproducers, stay. */
export function replaceKept(name: string, inputs: readonly Reaching[]): void {
  const folder = keptFolder(name);
  for (const { name: file } of readCorpus(folder)) if (/^[0-9a-f]{12}$/.test(file)) rmSync(join(folder, file));
  for (const { bytes } of inputs) saveInput(folder, bytes);
}
