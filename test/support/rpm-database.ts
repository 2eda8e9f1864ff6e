/** Headers of rpm, written after the LSB Core specification, "Package File Format". */
import { DatabaseSync } from "node:sqlite";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface RpmPackage {
  name: string;
  version: string;
  release: string;
  epoch?: number;
  sourceRpm?: string;
  files?: readonly string[];
}

const INT32 = 4;
const STRING = 6;
const BINARY = 7;
const STRINGS = 8;

/** A header as it stands in rpm's database: with the region that encloses its entries, as rpm writes it. */
export function rpmHeader({ name, version, release, epoch, sourceRpm, files = [] }: RpmPackage): Buffer {
  const folders = [...new Set(files.map((file) => `${dirname(file)}/`))];
  const entries: [tag: number, type: number, count: number, bytes: Buffer][] = [
    [1000, STRING, 1, strings(name)],
    [1001, STRING, 1, strings(version)],
    [1002, STRING, 1, strings(release)],
    ...(epoch === undefined ? [] : [[1003, INT32, 1, numbers(epoch)] as [number, number, number, Buffer]]),
    ...(sourceRpm === undefined ? [] : [[1044, STRING, 1, strings(sourceRpm)] as [number, number, number, Buffer]]),
    [1116, INT32, files.length, numbers(...files.map((file) => folders.indexOf(`${dirname(file)}/`)))],
    [1117, STRINGS, files.length, strings(...files.map((file) => file.slice(file.lastIndexOf("/") + 1)))],
    [1118, STRINGS, folders.length, strings(...folders)],
  ];
  const count = entries.length + 1;
  const index: Buffer[] = [];
  let store = Buffer.alloc(0);
  for (const [tag, type, items, bytes] of entries) {
    if (type === INT32) store = Buffer.concat([store, Buffer.alloc((4 - (store.length % 4)) % 4)]);
    index.push(numbers(tag, type, store.length, items));
    store = Buffer.concat([store, bytes]);
  }
  // The region stands first in the index, and its trailer last in the store.
  index.unshift(numbers(63, BINARY, store.length, 16));
  const trailer = Buffer.alloc(16);
  trailer.writeUInt32BE(63, 0);
  trailer.writeUInt32BE(BINARY, 4);
  trailer.writeInt32BE(-count * 16, 8);
  trailer.writeUInt32BE(16, 12);
  store = Buffer.concat([store, trailer]);
  return Buffer.concat([numbers(count, store.length), ...index, store]);
}

/** rpm's database in its SQLite form, made by SQLite, of packages or of headers. */
export function rpmDatabase(packages: readonly (RpmPackage | Buffer)[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "binnacle-test-"));
  const path = join(folder, "rpmdb.sqlite");
  const database = new DatabaseSync(path);
  database.exec("PRAGMA journal_mode = WAL; CREATE TABLE Packages (hnum INTEGER PRIMARY KEY AUTOINCREMENT, blob BLOB NOT NULL)");
  const insert = database.prepare("INSERT INTO Packages (blob) VALUES (?)");
  for (const one of packages) insert.run(Buffer.isBuffer(one) ? one : rpmHeader(one));
  database.close();
  const bytes = readFileSync(path);
  rmSync(folder, { recursive: true });
  return bytes;
}

function strings(...texts: string[]): Buffer {
  return Buffer.from(texts.map((text) => `${text}\0`).join(""), "utf8");
}

function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
}
