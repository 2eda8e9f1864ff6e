import { sourceBeside, type SystemPackage, type SystemPackages } from "../distribution.ts";
import { readSqliteTable } from "./sqlite-table.ts";

/** Public keys stand in the database like packages. */
const KEYS = "gpg-pubkey";

/** Reads rpm's database in its SQLite form: a table `Packages` with a header a row. Throws when it is none. */
export function readRpmDatabase(bytes: Buffer, isOfLanguage: (path: string) => boolean): SystemPackages {
  const packages: SystemPackage[] = [];
  const owned: string[] = [];
  for (const [, blob] of readSqliteTable(bytes, "Packages")) {
    if (!Buffer.isBuffer(blob)) continue;
    const header = readRpmHeader(blob, isOfLanguage);
    if (header === undefined || header.name === KEYS) continue;
    const { name, epoch } = header;
    const version = versionOfRpm(epoch, `${header.version}-${header.release}`);
    packages.push({ name, version, source: sourceBeside(name, version, sourceOfRpm(header.sourceRpm, epoch)) });
    for (const file of header.files) owned.push(file);
  }
  return { packages, owned };
}

/** `1:3.0.7-27.el9`; without an epoch the version stands alone, which means the epoch 0. */
export function versionOfRpm(epoch: number, versionAndRelease: string): string {
  return Number.isInteger(epoch) && epoch > 0 ? `${epoch}:${versionAndRelease}` : versionAndRelease;
}

/** Takes the name of a source package's file apart: `glibc-2.34-60.el9.src.rpm`. Its epoch is nearly always that of what was built from it. */
export function sourceOfRpm(file: string, epoch: number): { name: string; version: string } | null {
  const [, name, version] = /^(.+)-([^-]+-[^-]+)\.(?:no)?src\.rpm$/.exec(file) ?? [];
  return name === undefined || version === undefined ? null : { name, version: versionOfRpm(epoch, version) };
}

/** Tags and types of an rpm header. Source: the LSB Core specification, "Package File Format", and rpm's rpmtag.h. */
const TAG = {
  name: 1000,
  version: 1001,
  release: 1002,
  epoch: 1003,
  sourceRpm: 1044,
  folderOfFile: 1116,
  files: 1117,
  folders: 1118,
} as const;
const TYPE = { int32: 4, string: 6, strings: 8 } as const;
const ENTRY_BYTES = 16;
const MOST_ENTRIES = 65_535;
const MOST_STRINGS = 1_000_000;
/** What Linux takes for a path. A folder is repeated for each of its files, so a long one would cost its length each time. */
const LONGEST_FOLDER = 4096;

interface RpmHeader {
  name: string;
  version: string;
  release: string;
  epoch: number;
  sourceRpm: string;
  /** The paths of its files that pass. */
  files: string[];
}

/**
 * Reads a header as rpm's database holds it: the number of entries, the size of their store, the entries (tag, type, offset, count), the store;
 * all in network order. Undefined when it is none. No offset is trusted.
 */
export function readRpmHeader(blob: Buffer, keepFile: (path: string) => boolean): RpmHeader | undefined {
  if (blob.length < 8) return undefined;
  const count = blob.readUInt32BE(0);
  const size = blob.readUInt32BE(4);
  const start = 8 + count * ENTRY_BYTES;
  if (count > MOST_ENTRIES || start + size > blob.length) return undefined;
  const store = blob.subarray(start, start + size);
  const entries = new Map<number, Entry>();
  for (let index = 0; index < count; index += 1) {
    const at = 8 + index * ENTRY_BYTES;
    entries.set(blob.readUInt32BE(at), {
      type: blob.readUInt32BE(at + 4),
      offset: blob.readUInt32BE(at + 8),
      count: blob.readUInt32BE(at + 12),
    });
  }
  const text = (tag: number): string => stringsAt(store, entries.get(tag), TYPE.string)[0] ?? "";
  const [name, version, release] = [text(TAG.name), text(TAG.version), text(TAG.release)];
  if (name === "" || version === "" || release === "") return undefined;
  const epoch = numbersAt(store, entries.get(TAG.epoch))[0] ?? 0;
  return { name, version, release, epoch, sourceRpm: text(TAG.sourceRpm), files: filesOf(store, entries).filter(keepFile) };
}

interface Entry {
  type: number;
  offset: number;
  count: number;
}

function filesOf(store: Buffer, entries: ReadonlyMap<number, Entry>): string[] {
  const folders = stringsAt(store, entries.get(TAG.folders), TYPE.strings);
  const folderOfFile = numbersAt(store, entries.get(TAG.folderOfFile));
  const files = stringsAt(store, entries.get(TAG.files), TYPE.strings);
  return files.flatMap((file, index) => {
    const folder = folders[folderOfFile[index] ?? -1] ?? "/";
    return folder.length > LONGEST_FOLDER ? [] : `${folder}${file}`.slice(1);
  });
}

function stringsAt(store: Buffer, entry: Entry | undefined, type: number): string[] {
  if (entry?.type !== type) return [];
  const found: string[] = [];
  let at = entry.offset;
  while (found.length < Math.min(entry.count, MOST_STRINGS) && at < store.length) {
    const end = store.indexOf(0, at);
    if (end === -1) break;
    found.push(store.toString("utf8", at, end));
    at = end + 1;
  }
  return found;
}

function numbersAt(store: Buffer, entry: Entry | undefined): number[] {
  if (entry?.type !== TYPE.int32 || entry.count > MOST_STRINGS || entry.offset + entry.count * 4 > store.length) return [];
  return Array.from({ length: entry.count }, (_, index) => store.readUInt32BE(entry.offset + index * 4));
}
