import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { zipOf } from "../../../../test/support/osv.ts";
import { fc } from "../../../../test/support/seed.ts";
import { readZipEntry, zipEntries, ZipError } from "./zip.ts";

const folder = mkdtempSync(join(tmpdir(), "binnacle-zip-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** All files of a zip file; throws what reading it throws. */
async function contents(bytes: Buffer, maxBytes = 100_000): Promise<Record<string, string>> {
  const path = join(folder, "some.zip");
  writeFileSync(path, bytes);
  const file = await open(path);
  try {
    const found: Record<string, string> = {};
    for await (const entry of zipEntries(file)) found[entry.name] = (await readZipEntry(file, entry, maxBytes)).toString();
    return found;
  } finally {
    await file.close();
  }
}

const files = { "A-1.json": '{"id":"A-1"}', "ordner/Ü.json": "x".repeat(5000), "empty.json": "" };

describe("zip files", () => {
  it("are read, stored and deflated, whatever stands at their end", async () => {
    assert.deepEqual(await contents(zipOf(files)), files);
    assert.deepEqual(await contents(zipOf(files, { comment: "made manually" })), files);
    assert.deepEqual(await contents(zipOf(files, { zip64: true })), files);
    assert.deepEqual(await contents(zipOf({})), {});
  });

  it("may hold more of each file than its name, as the times that zip programs add", async () => {
    const time = Buffer.from("UT\u0005\u0000\u0001\u0000\u0000\u0000\u0000", "latin1");
    assert.deepEqual(await contents(zipOf(files, { extra: time })), files);
    const long = Buffer.concat([Buffer.from("XX\u00fc\u0003", "latin1"), Buffer.alloc(1020)]);
    assert.deepEqual(await contents(zipOf(files, { extra: long })), files);
  });

  it("may have a directory that is larger than what is read at once", async () => {
    const many = Object.fromEntries(Array.from({ length: 25_000 }, (_, index) => [`${"long/".repeat(8)}A-${index}.json`, ""]));
    const path = join(folder, "many.zip");
    writeFileSync(path, zipOf(many, { zip64: true }));
    const file = await open(path);
    const names: string[] = [];
    for await (const { name } of zipEntries(file)) names.push(name);
    await file.close();
    assert.deepEqual(names, Object.keys(many));
  });

  it("do not unpack to more than is allowed", async () => {
    await assert.rejects(contents(zipOf({ "bomb.json": Buffer.alloc(5_000_000) })), /damaged or too large/);
    await assert.rejects(contents(zipOf({ a: "", "big.json": Buffer.alloc(200_000) })), /too large/);
  });

  it("that are none, cut off or encrypted are refused", async () => {
    const whole = zipOf(files);
    await assert.rejects(contents(Buffer.from("{}")), /no zip file/);
    await assert.rejects(contents(whole.subarray(0, whole.length - 4)), ZipError);
    await assert.rejects(contents(whole.subarray(100)), ZipError);
    const encrypted = Buffer.from(whole);
    encrypted.writeUInt16LE(1, 6);
    await assert.rejects(contents(encrypted), /encrypted/);
    const strange = Buffer.from(whole);
    strange.writeUInt16LE(93, 8);
    await assert.rejects(contents(strange), /unknown compression method/);
  });

  it("with any byte changed are read or refused, never more", async () => {
    const whole = zipOf(files, { zip64: true });
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), async (at, value) => {
        const changed = Buffer.from(whole);
        changed[at] = value;
        await contents(changed).catch((error: unknown) => assert.ok(error instanceof ZipError, String(error)));
      }),
      { numRuns: 300 },
    );
  });
});
