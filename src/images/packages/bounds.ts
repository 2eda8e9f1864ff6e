import { MINUTE_MS } from "../../contract/time.ts";

const MIB = 1024 * 1024;

/** What reading an image may cost. Beyond them nothing is said of it but that. */
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
  /** Files that are kept in mind at once. */
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

/** A file's largest size: beyond it the file is not read, and that is said. */
export const FILE_BYTES = {
  /** One that lists many packages. */
  database: 32 * MIB,
  /** Those of rpm hold each package's whole description. */
  rpmDatabase: 64 * MIB,
  /** One that tells of a single package. */
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
