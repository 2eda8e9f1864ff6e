import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, describe, it } from "node:test";
import { rpmDatabase, rpmHeader } from "../../../../test/support/rpm-database.ts";
import { fc } from "../../../../test/support/seed.ts";
import { isOfLanguage } from "../layers/file.ts";
import { readApkInstalled } from "./apk.ts";
import { readDpkgFiles, readDpkgStatus } from "./dpkg.ts";
import { readNpmLock, readNpmPackage, readPythonMetadata } from "./languages.ts";
import { readRpmDatabase, readRpmHeader } from "./rpm.ts";
import { readSqliteTable } from "./sqlite-table.ts";

describe("dpkg", () => {
  it("lists what is there, with its source where it is another", () => {
    const { packages } = readDpkgStatus(`Package: libc6
Status: install ok installed
Source: glibc (2.36-9)
Version: 2.36-9+b1
Description: text
 Package: not-a-field
 .

Package: bash
Status: install ok half-configured
Version: 5.2

Package: gone
Status: deinstall ok config-files
Version: 1

Package: libssl3
Source: openssl
Version: 3.0`);
    assert.deepEqual(packages, [
      { name: "libc6", version: "2.36-9+b1", source: { name: "glibc", version: "2.36-9" } },
      { name: "bash", version: "5.2", source: null },
      { name: "libssl3", version: "3.0", source: { name: "openssl", version: "3.0" } },
    ]);
  });

  it("names the files of languages that it owns", () => {
    const list =
      "/.\n/usr/lib/python3/dist-packages/PyYAML-6.0.dist-info/METADATA\n/usr/bin/x\n/usr/share/nodejs/node_modules/a/package.json\n";
    assert.deepEqual(readDpkgFiles(list, isOfLanguage).owned, [
      "usr/lib/python3/dist-packages/PyYAML-6.0.dist-info/METADATA",
      "usr/share/nodejs/node_modules/a/package.json",
    ]);
  });
});

it("apk lists packages with their origin and the files that it owns", () => {
  const text = `C:Q1xyz=
P:libcrypto3
V:3.1.4-r5
A:x86_64
o:openssl
F:lib
R:libcrypto.so.3

P:musl
V:1.2.4-r2
o:musl

P:py3-yaml
V:6.0-r1
o:py3-yaml
F:usr/lib/python3.11/site-packages/PyYAML-6.0.dist-info
R:METADATA
Z:Q1abc=
`;
  assert.deepEqual(readApkInstalled(text, isOfLanguage), {
    packages: [
      { name: "libcrypto3", version: "3.1.4-r5", source: { name: "openssl", version: "3.1.4-r5" } },
      { name: "musl", version: "1.2.4-r2", source: null },
      { name: "py3-yaml", version: "6.0-r1", source: null },
    ],
    owned: ["usr/lib/python3.11/site-packages/PyYAML-6.0.dist-info/METADATA"],
  });
});

describe("npm", () => {
  it("reads what is installed", () => {
    assert.deepEqual(readNpmPackage('\uFEFF{"name":"@a/b","version":"1.2.3","x":1}'), { ecosystem: "npm", name: "@a/b", version: "1.2.3" });
    assert.equal(readNpmPackage('{"type":"module"}'), undefined);
  });

  it("reads locks of all versions, without what only development needs", () => {
    const newer = {
      lockfileVersion: 3,
      packages: {
        "": { name: "app", version: "1.0.0" },
        "node_modules/a": { version: "1.0.0" },
        "node_modules/a/node_modules/@s/b": { version: "2.0.0" },
        "node_modules/alias": { name: "real", version: "3.0.0" },
        "node_modules/dev": { version: "4.0.0", dev: true },
        "node_modules/link": { resolved: "packages/link", link: true },
        "node_modules/git": { version: "git+ssh://x" },
      },
    };
    assert.deepEqual(
      readNpmLock(JSON.stringify(newer)).map(({ name, version }) => `${name}@${version}`),
      ["a@1.0.0", "@s/b@2.0.0", "real@3.0.0"],
    );
    const older = {
      lockfileVersion: 1,
      dependencies: { a: { version: "1.0.0", dependencies: { b: { version: "2.0.0" } } }, c: { version: "3.0.0", dev: true } },
    };
    assert.deepEqual(
      readNpmLock(JSON.stringify(older)).map(({ name }) => name),
      ["a", "b"],
    );
  });

  it("reads this project's own lock as npm wrote it", () => {
    const installed = readNpmLock(readFileSync("package-lock.json", "utf8"));
    const { version } = JSON.parse(readFileSync("node_modules/fastify/package.json", "utf8")) as { version: string };
    assert.ok(installed.some((one) => one.name === "fastify" && one.version === version));
    assert.ok(!installed.some((one) => one.name === "typescript"));
  });
});

it("python's metadata is read to the first empty line", () => {
  assert.deepEqual(readPythonMetadata("Metadata-Version: 2.1\r\nName: Foo.Bar_baz\r\nVersion: 1.0\r\n\r\nName: other\r\n"), {
    ecosystem: "PyPI",
    name: "foo-bar-baz",
    version: "1.0",
  });
  assert.equal(readPythonMetadata("Name: x\n\nVersion: 1\n"), undefined);
});

describe("SQLite's tables", () => {
  const folder = mkdtempSync(join(tmpdir(), "binnacle-test-"));
  after(() => rmSync(folder, { recursive: true }));

  function made(name: string, pageSize: number, rows: readonly Buffer[], wal = false): Buffer {
    const path = join(folder, name);
    const database = new DatabaseSync(path);
    database.exec(`PRAGMA page_size = ${pageSize}; ${wal ? "PRAGMA journal_mode = WAL;" : ""}
      CREATE TABLE other (x TEXT); INSERT INTO other VALUES ('y');
      CREATE TABLE Packages (hnum INTEGER PRIMARY KEY AUTOINCREMENT, blob BLOB NOT NULL);
      CREATE INDEX i ON Packages (hnum);`);
    const insert = database.prepare("INSERT INTO Packages (blob) VALUES (?)");
    for (const row of rows) insert.run(row);
    database.close();
    return readFileSync(path);
  }
  const blobs = (file: Buffer) => [...readSqliteTable(file, "Packages")].map(([, blob]) => blob);

  for (const pageSize of [512, 1024, 4096, 65_536]) {
    it(`of pages of ${pageSize} bytes are read as SQLite reads them`, () => {
      // Sizes about each border: within a page, just beyond it, over many pages.
      const sizes = [0, 1, 100, 470, 476, 477, 478, 480, pageSize - 36, pageSize - 35, pageSize - 34, pageSize, pageSize * 3, 100_000];
      const rows = Array.from({ length: 300 }, (_, index) => Buffer.alloc(sizes[index % sizes.length] ?? 0, index % 251));
      assert.deepEqual(blobs(made(`p${pageSize}.db`, pageSize, rows, pageSize === 4096)), rows);
    });
  }

  it("are distinguished from others", () => {
    assert.throws(() => blobs(Buffer.alloc(4096)), /no SQLite database/);
    assert.throws(() => [...readSqliteTable(made("x.db", 512, []), "Missing")], /no table/);
  });

  it("of broken files end in an error, and never in circles", () => {
    const whole = made(
      "w.db",
      512,
      Array.from({ length: 60 }, (_, index) => Buffer.alloc(300 * (index % 5), index)),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 20 }), fc.nat(whole.length), (changes, length) => {
        const file = Buffer.from(whole.subarray(0, length));
        for (const [at, value] of changes) if (at < file.length) file[at] = value;
        let rows = 0;
        try {
          for (const _row of readSqliteTable(file, "Packages")) rows += 1;
        } catch (error) {
          assert.ok(error instanceof Error);
        }
        assert.ok(rows <= file.length);
      }),
    );
  });
});

describe("rpm", () => {
  it("reads headers", () => {
    const blob = rpmHeader({
      name: "openssl-libs",
      version: "3.0.7",
      release: "24.el9",
      epoch: 1,
      sourceRpm: "openssl-3.0.7-24.el9.src.rpm",
      files: ["/usr/lib/python3.9/site-packages/x-1.dist-info/METADATA", "/usr/lib64/libssl.so.3"],
    });
    assert.deepEqual(readRpmHeader(blob, isOfLanguage), {
      name: "openssl-libs",
      version: "3.0.7",
      release: "24.el9",
      epoch: 1,
      sourceRpm: "openssl-3.0.7-24.el9.src.rpm",
      files: ["usr/lib/python3.9/site-packages/x-1.dist-info/METADATA"],
    });
  });

  it("does not trust a header", () => {
    const whole = rpmHeader({ name: "a", version: "1", release: "2", epoch: 3, sourceRpm: "a-1-2.src.rpm", files: ["/b/c"] });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 8 }), fc.nat(whole.length), (changes, length) => {
        const blob = Buffer.from(whole.subarray(0, length));
        for (const [at, value] of changes) if (at < blob.length) blob[at] = value;
        readRpmHeader(blob, () => true);
      }),
    );
  });

  it("lists packages, and not the keys", () => {
    const file = rpmDatabase([
      { name: "glibc-common", version: "2.34", release: "60.el9", sourceRpm: "glibc-2.34-60.el9.src.rpm" },
      { name: "gpg-pubkey", version: "1", release: "2" },
      { name: "bash", version: "5.1.8", release: "6.el9", sourceRpm: "bash-5.1.8-6.el9.src.rpm" },
    ]);
    assert.deepEqual(readRpmDatabase(file, isOfLanguage).packages, [
      { name: "glibc-common", version: "2.34-60.el9", source: { name: "glibc", version: "2.34-60.el9" } },
      { name: "bash", version: "5.1.8-6.el9", source: null },
    ]);
  });
});
