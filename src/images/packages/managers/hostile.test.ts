import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { rpmDatabase, rpmHeader } from "../../../../test/support/rpm-database.ts";
import { isOfLanguage } from "../layers/file.ts";
import { readApkInstalled } from "./apk.ts";
import { readDpkgStatus } from "./dpkg.ts";
import { readRpmDatabase, readRpmHeader } from "./rpm.ts";
import { readSqliteTable } from "./sqlite-table.ts";

const LONG = "a".repeat(500_000);

/** Runs something that takes minutes where time grows with the square of the size. */
function soon<Result>(run: () => Result): Result {
  const before = process.threadCpuUsage();
  const result = run();
  const { user, system } = process.threadCpuUsage(before);
  assert.ok((user + system) / 1000 < 3000, `took ${(user + system) / 1000} ms of processor time`);
  return result;
}

describe("files of package managers that were made to take long", () => {
  it("dpkg: spaces within a field", () => {
    const { packages } = soon(() => readDpkgStatus(`Package: a\nVersion: 1${" ".repeat(300_000)}2\n`));
    assert.equal(packages.length, 1);
  });

  it("apk: a long folder with many files", () => {
    const text = `P:a\nV:1\nF:${LONG}\n${"R:b\n".repeat(300_000)}`;
    assert.equal(soon(() => readApkInstalled(text, isOfLanguage)).packages.length, 1);
  });

  it("rpm: a long folder with many files", () => {
    const many = rpmHeader({ name: "a", version: "1", release: "2", files: Array.from({ length: 3 }, () => `/${LONG}/x`) });
    const header = soon(() => readRpmHeader(withFiles(many, { name: "x", count: 60_000 }), () => true));
    assert.deepEqual(header?.files, []);
  });

  it("rpm: more files of packages than a call may have arguments", () => {
    const one = rpmHeader({ name: "a", version: "1", release: "2", files: ["/usr/lib/node_modules/p/package.json"] });
    const database = rpmDatabase([withFiles(one, { name: "package.json", count: 150_000 })]);
    assert.equal(readRpmDatabase(database, isOfLanguage).owned.length, 150_000);
  });

  it("SQLite: a page whose cells are all one row", () => {
    const database = rpmDatabase([{ name: "a", version: "1", release: "2" }]);
    assert.equal([...readSqliteTable(database, "Packages")].length, 1);
    assert.throws(() => [...readSqliteTable(withRepeatedRow(database), "Packages")], /rows of it overlap/);
  });
});

/** The header with so many files of one name in its first folder. */
function withFiles(header: Buffer, { name, count }: { name: string; count: number }): Buffer {
  const entries = header.readUInt32BE(0);
  const store = header.subarray(8 + entries * 16);
  const names = Buffer.from(`${name}\0`.repeat(count));
  const folders = Buffer.alloc(count * 4);
  const changed = Buffer.from(header.subarray(0, 8 + entries * 16));
  changed.writeUInt32BE(store.length + names.length + folders.length, 4);
  for (let at = 8; at < changed.length; at += 16) {
    const offset = { 1117: store.length, 1116: store.length + names.length }[changed.readUInt32BE(at)];
    if (offset === undefined) continue;
    changed.writeUInt32BE(offset, at + 8);
    changed.writeUInt32BE(count, at + 12);
  }
  return Buffer.concat([changed, store, names, folders]);
}

/** The page of the table with its one cell named a hundred times. */
function withRepeatedRow(database: Buffer): Buffer {
  const file = Buffer.from(database);
  const pageSize = file.readUInt16BE(16);
  const page = [...Array(file.length / pageSize).keys()].findLast((index) => index > 0 && isLeafWithRows(file, index * pageSize));
  assert.ok(page !== undefined);
  const start = page * pageSize;
  const cell = file.readUInt16BE(start + 8);
  file.writeUInt16BE(100, start + 3);
  for (let index = 0; index < 100; index += 1) file.writeUInt16BE(cell, start + 8 + index * 2);
  return file;
}

function isLeafWithRows(file: Buffer, start: number): boolean {
  return file[start] === 0x0d && file.readUInt16BE(start + 3) === 1 && file.includes("a\0", start);
}
