import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { readBoundedFile } from "./files.ts";

const folder = mkdtempSync(join(tmpdir(), "binnacle-test-"));
after(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(content: string | Buffer): string {
  const path = join(folder, "file");
  writeFileSync(path, content);
  return path;
}

test("reads up to its bound, and not a byte more", () => {
  assert.equal(readBoundedFile(fileOf(""), 5), "");
  assert.equal(readBoundedFile(fileOf("12345"), 5), "12345");
  assert.throws(() => readBoundedFile(fileOf("123456"), 5), /larger than 5 bytes/);
  assert.equal(readBoundedFile(fileOf("x".repeat(300_000)), 300_000).length, 300_000);
});

test("counts bytes, and keeps characters whole", () => {
  assert.equal(readBoundedFile(fileOf("né🚢"), 7), "né🚢");
  assert.throws(() => readBoundedFile(fileOf("né🚢"), 6), /larger than 6 bytes/);
});

test("does not believe a size: devices have none", () => {
  assert.equal(readBoundedFile("/dev/null", 5), "");
  assert.throws(() => readBoundedFile("/dev/zero", 100), /larger than 100 bytes/);
  assert.match(readBoundedFile("/proc/self/status", 100_000), /^Name:/);
});

test("what is no file is an error that names the path", () => {
  assert.throws(() => readBoundedFile(join(folder, "none"), 5), /ENOENT.*none/);
  assert.throws(() => readBoundedFile(folder, 5), /EISDIR/);
});
