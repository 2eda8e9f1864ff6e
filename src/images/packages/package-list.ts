import { MINUTE_MS } from "../../contract/time.ts";
import { counted } from "../../platform/text.ts";
import type { Package, PackageList } from "../image.ts";

const MIB = 1024 * 1024;

/** What reading an image may cost. Beyond them the image is not read, and the note says so. */
export interface Bounds {
  /** All layers as they are stored. */
  compressedBytes: number;
  /** All layers unpacked. */
  unpackedBytes: number;
  /** How many times larger than stored a layer may be, once it is larger than `ratioFromBytes`. */
  ratio: number;
  ratioFromBytes: number;
  layers: number;
  /** Files, directories and links of all layers. */
  entries: number;
  /** Files that are kept in memory at once. */
  files: number;
  packages: number;
  timeMs: number;
}

export const BOUNDS: Bounds = {
  compressedBytes: 1024 * MIB,
  unpackedBytes: 6 * 1024 * MIB,
  ratio: 500,
  ratioFromBytes: 128 * MIB,
  layers: 256,
  entries: 2_000_000,
  files: 100_000,
  packages: 50_000,
  timeMs: 10 * MINUTE_MS,
};

/** Images that are read at the same time. */
export const IMAGES_AT_ONCE = 2;

/** A file's largest size: beyond it the file is not read, and a note says so. */
export const FILE_BYTES = {
  /** One that lists many packages. */
  database: 32 * MIB,
  /** Those of rpm hold each package's whole description. */
  rpmDatabase: 64 * MIB,
  /** One that describes a single package. */
  description: MIB,
} as const;

/** What is kept in the database. */
export const CACHE = {
  rows: 5000,
  bytes: 64 * MIB,
  unusedDays: 90,
  /** What is not complete is read again after this: a list of packages may have been attached since. */
  incompleteDays: 7,
} as const;

/** Neither white space nor what cannot be seen, and none of the marks of HTML and shells: no package is called so. */
const PLAUSIBLE = /^[^\s\p{C}<>"'`\\]{1,255}$/u;

/** Makes the list of what was found: hostile names out, each once, in a settled order, at most so many. */
export function packageList(source: "sbom" | "layers", found: Iterable<Package>, notes: Notes, most: number): PackageList {
  const packages = new Map<string, Package>();
  let implausible = 0;
  let tooMany = 0;
  for (const one of found) {
    if (!isPlausible(one)) implausible += 1;
    else if (packages.size < most) packages.set(keyOf(one), one);
    else if (!packages.has(keyOf(one))) tooMany += 1;
  }
  if (implausible > 0)
    notes.add(`${counted(implausible, "package")} without a usable name or version ${implausible === 1 ? "is" : "are"} left out.`);
  if (tooMany > 0) notes.add(onlyTheFirst(most));
  const sorted = [...packages].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
  const note = notes.text();
  return { source, packages: sorted, complete: note === null, note };
}

export function onlyTheFirst(most: number): string {
  return `Only the first ${most} packages are looked at.`;
}

/** Nothing is known of an image's packages, and why. */
export function unknownPackages(note: string): PackageList {
  return { source: null, packages: [], complete: false, note };
}

function isPlausible({ ecosystem, name, version, source }: Package): boolean {
  return (
    ecosystem.length <= 255 &&
    [name, version, ...(source === null ? [] : [source.name, source.version])].every((text) => PLAUSIBLE.test(text))
  );
}

function keyOf({ ecosystem, name, version, source }: Package): string {
  return [ecosystem, name, version, source?.name ?? "", source?.version ?? ""].join("\0");
}

const MOST = 8;
const LONGEST = 1000;

/** What is missing, as sentences, each once. */
export interface Notes {
  add(sentence: string): void;
  /** All of them as one text; null when nothing is missing. */
  text(): string | null;
}

export function createNotes(): Notes {
  const sentences = new Set<string>();
  return {
    add(sentence) {
      if (sentences.size < MOST) sentences.add(sentence);
    },
    text() {
      return sentences.size === 0 ? null : [...sentences].join(" ").slice(0, LONGEST);
    },
  };
}
