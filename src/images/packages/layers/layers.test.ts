import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { describe, it } from "node:test";
import { gzipSync, zstdCompressSync } from "node:zlib";
import {
  archive,
  type Compression,
  imageOf,
  type LayerEntry,
  layerOf,
  layerOfArchive,
  layerOfBytes,
  type MadeLayer,
  memoryRegistry,
} from "../../../../test/support/image-layers.ts";
import { rpmDatabase } from "../../../../test/support/rpm-database.ts";
import { chanceOf } from "../../../../test/support/seed.ts";
import { systemClock } from "../../../platform/clock.ts";
import type { PackageList } from "../../image.ts";
import { BOUNDS, type Bounds } from "../package-list.ts";
import { createImageReading } from "./image.ts";
import { readInThread } from "./thread.ts";

const DEBIAN: LayerEntry = ["etc/os-release", 'ID=debian\nVERSION_ID="12"\n'];
const npm = (name: string, version = "1.0.0"): LayerEntry => [`app/node_modules/${name}/package.json`, JSON.stringify({ name, version })];
const status = (...packages: string[]): string => packages.map((name) => `Package: ${name}\nVersion: 1\n`).join("\n");

async function read(layers: readonly MadeLayer[], bounds: Partial<Bounds> = {}): Promise<PackageList> {
  const reading = createImageReading({ ...BOUNDS, ...bounds });
  for (const { bytes } of layers) {
    let at = 0;
    await reading.layer(async () => {
      const piece = bytes.subarray(at, at + 1000);
      at += piece.length;
      return piece.length === 0 ? undefined : piece;
    });
    assert.equal(at, bytes.length, "a layer is taken to its end");
  }
  return reading.result();
}
const image = async (...layers: (readonly LayerEntry[])[]): Promise<PackageList> =>
  read(await Promise.all(layers.map((entries) => layerOf(entries))));
const names = ({ packages }: PackageList): string => packages.map(({ name }) => name).join(" ");

describe("layers over each other", () => {
  it("the upper file wins", async () => {
    const list = await image([DEBIAN, ["var/lib/dpkg/status", status("old")]], [["./var/lib/dpkg/status", status("new")]]);
    assert.equal(names(list), "new");
  });

  it("a whiteout takes a file away, and one of a folder all of it", async () => {
    const base = [npm("a"), npm("b"), npm("@s/c"), npm("@s/d")];
    assert.equal(names(await image(base, [["app/node_modules/a/.wh.package.json", ""]])), "@s/c @s/d b");
    assert.equal(names(await image(base, [["app/node_modules/.wh.@s", ""]])), "a b");
    assert.equal(names(await image(base, [["./.wh.app", ""], npm("e")])), "e");
  });

  it("a whiteout is of what lies below, wherever in its own layer it stands", async () => {
    const opaque: LayerEntry = ["app/node_modules/.wh..wh..opq", ""];
    assert.equal(names(await image([npm("a")], [npm("b"), opaque, npm("c")])), "b c");
    assert.equal(names(await image([npm("a"), npm("x")], [npm("a", "2.0.0"), ["app/node_modules/.wh.a", ""]])), "a x");
  });

  it("an opaque root hides everything, and aufs' own files nothing", async () => {
    assert.equal(names(await image([npm("a")], [[".wh..wh..opq", ""], npm("b")])), "b");
    assert.equal(
      names(
        await image(
          [npm("a")],
          [
            ["app/.wh..wh.plnk", ""],
            ["app/node_modules/.wh..wh.aufs", ""],
          ],
        ),
      ),
      "a",
    );
  });

  it("a link or a file in the place of a folder hides what was in it", async () => {
    assert.equal(names(await image([npm("a"), npm("b")], [{ name: "app/node_modules/a", type: "symlink", linkname: "/elsewhere" }])), "b");
    assert.equal(names(await image([npm("a")], [["app", "a file"]], [npm("b")])), "b");
    assert.equal(
      names(await image([["app/node_modules/a/package.json", "{}"]], [["app/node_modules/a/package.json/", ""], npm("b")])),
      "b",
    );
  });
});

describe("links", () => {
  it("to a file of the image describe what it describes", async () => {
    const link = { name: "other/node_modules/b/package.json", type: "link" as const, linkname: "app/node_modules/a/package.json" };
    assert.equal(names(await image([npm("a"), link], [["app/.wh.node_modules", ""]])), "a");
  });

  it("to anywhere else are not followed", async () => {
    const list = await image([
      npm("a"),
      { name: "etc/os-release", type: "symlink", linkname: "/etc/os-release" },
      { name: "var/lib/dpkg/status", type: "symlink", linkname: "../../../../../../var/lib/dpkg/status" },
      { name: "lib/apk/db/installed", type: "link", linkname: "/etc/shadow" },
      { name: "x/node_modules/y/package.json", type: "link", linkname: "../../../work/main/package.json" },
    ]);
    assert.equal(names(list), "a");
    assert.match(list.note ?? "", /"lib\/apk\/db\/installed" is a link to a file that was not read/);
  });
});

describe("what is read", () => {
  for (const compression of ["gzip", "zstd", "none"] satisfies Compression[]) {
    it(`in ${compression}`, async () => {
      assert.equal(names(await read([await layerOf([npm("a"), [`x/${"long/".repeat(40)}file`, "x"], npm("b")], compression)])), "a b");
    });
  }

  it("in many frames of Zstandard and members of gzip", async () => {
    const tar = await archive([npm("a"), npm("b"), ["fill", Buffer.alloc(300_000, "x")]]);
    const skipped = Buffer.concat([Buffer.from([0x50, 0x2a, 0x4d, 0x18, 5, 0, 0, 0]), Buffer.from("hello")]);
    const parts = [tar.subarray(0, 700), tar.subarray(700, 701), tar.subarray(701, 5000), tar.subarray(5000)];
    const frames = parts.flatMap((part) => [skipped, zstdCompressSync(part)]);
    assert.equal(names(await read([layerOfBytes(Buffer.concat([...frames, skipped]))])), "a b");
    assert.equal(names(await read([layerOfBytes(Buffer.concat(parts.map((part) => gzipSync(part))))])), "a b");
  });

  it("of images without a package manager: each package in a file", async () => {
    const list = await image([
      ["usr/lib/os-release", "ID=debian\nVERSION_ID=12\n"],
      ["var/lib/dpkg/status.d/base-files", "Package: base-files\nVersion: 12.4\n"],
      ["var/lib/dpkg/status.d/base-files.md5sums", "Package: no\nVersion: 1\n"],
      ["var/lib/dpkg/status.d/libssl3", "Package: libssl3\nSource: openssl\nVersion: 3.0.11-1\n"],
    ]);
    assert.deepEqual(list.packages[1], {
      ecosystem: "Debian:12",
      name: "libssl3",
      version: "3.0.11-1",
      source: { name: "openssl", version: "3.0.11-1" },
    });
    assert.equal(list.complete, true);
  });

  it("of Alpine, in its old and its new place", async () => {
    for (const folder of ["lib", "usr/lib"]) {
      const list = await image([
        ["etc/os-release", "ID=alpine\nVERSION_ID=3.20.3\n"],
        [`${folder}/apk/db/installed`, "P:libssl3\nV:3.3.2-r0\no:openssl\n\n"],
      ]);
      assert.deepEqual(list.packages, [
        { ecosystem: "Alpine:v3.20", name: "libssl3", version: "3.3.2-r0", source: { name: "openssl", version: "3.3.2-r0" } },
      ]);
    }
  });

  it("of rpm's distributions, and that a form is not known", async () => {
    const release: LayerEntry = ["etc/os-release", 'ID="rocky"\nVERSION_ID="9.4"\n'];
    const database = rpmDatabase([{ name: "bash", version: "5.1.8", release: "6.el9", sourceRpm: "bash-5.1.8-6.el9.src.rpm" }]);
    const list = await image([release, ["var/lib/rpm/rpmdb.sqlite", database], ["var/lib/rpm/rpmdb.sqlite-wal", ""]]);
    assert.deepEqual(list, {
      source: "layers",
      packages: [{ ecosystem: "Rocky Linux:9", name: "bash", version: "5.1.8-6.el9", source: null }],
      complete: true,
      note: null,
    });
    const unknown = await image([release, ["usr/lib/sysimage/rpm/Packages.db", "ndb"]]);
    assert.equal(unknown.source, null);
    assert.match(unknown.note ?? "", /Packages\.db" has a form of rpm's database that is not known here/);
  });

  it("of languages, but what the distribution installed", async () => {
    const python = "usr/lib/python3/dist-packages/PyYAML-6.0.dist-info/METADATA";
    const list = await image([
      DEBIAN,
      ["var/lib/dpkg/status", status("python3-yaml")],
      ["var/lib/dpkg/info/python3-yaml.list", `/.\n/${python}\n`],
      [python, "Name: PyYAML\nVersion: 6.0\n\n"],
      ["usr/local/lib/python3.11/site-packages/requests-2.0.dist-info/METADATA", "Name: requests\nVersion: 2.0\n\n"],
      ["opt/x.egg-info", "Name: x\nVersion: 1\n"],
      npm("a"),
      ["app/node_modules/a/dist/package.json", '{"name":"inner","version":"1"}'],
      ["app/node_modules/.bin/package.json", '{"name":"bin","version":"1"}'],
      ["app/package.json", '{"name":"app","version":"1"}'],
    ]);
    assert.equal(names(list), "python3-yaml requests x a");
  });

  it("of a lock only where nothing is installed", async () => {
    const lock: LayerEntry = ["app/package-lock.json", JSON.stringify({ packages: { "node_modules/locked": { version: "1.0.0" } } })];
    assert.equal(names(await image([lock])), "locked");
    assert.equal(names(await image([lock], [npm("a")])), "a");
  });
});

describe("what is not known is noted", () => {
  it("without a distribution", async () => {
    const list = await image([["var/lib/dpkg/status", status("a", "b")], npm("c")]);
    assert.equal(names(list), "c");
    assert.match(list.note ?? "", /does not say which distribution it is, so its dpkg packages are left out/);
    const none = await image([["var/lib/dpkg/status", status("a", "b")]]);
    assert.deepEqual([none.source, none.packages.length], [null, 0]);
    assert.match(none.note ?? "", /2 packages could not be looked up/);
  });

  it("without any list", async () => {
    assert.deepEqual(await image([["bin/app", "x"]]), {
      source: null,
      packages: [],
      complete: false,
      note: "No list of packages was found in the image.",
    });
  });

  it("of a file that is too large or broken", async () => {
    const list = await image([
      npm("a"),
      ["app/node_modules/b/package.json", Buffer.alloc(1024 * 1024 + 1)],
      ["app/node_modules/c/package.json", "{"],
      ["app/node_modules/d/package.json", '["not", "one"]'],
    ]);
    assert.equal(names(list), "a");
    assert.match(list.note ?? "", /b\/package\.json" is too large.*c\/package\.json" cannot be read/);
  });
});

describe("nasty archives", () => {
  it("names that lead out are passed over", async () => {
    const list = await image([
      ["../../etc/os-release", "ID=evil"],
      ["/etc/../../var/lib/dpkg/status", status("evil")],
      ["//app//./node_modules/a/package.json", '{"name":"a","version":"1"}'],
    ]);
    assert.equal(names(list), "a");
  });

  it("a broken layer is noted, and the others count", async (context) => {
    const good = await layerOf([npm("a")]);
    const whole = await layerOf([npm("b"), ["fill", chanceOf(context).bytes(500_000)], npm("c")], "none");
    for (const bytes of [
      whole.bytes.subarray(0, 300_000),
      gzipSync(whole.bytes).subarray(0, 250_000),
      zstdCompressSync(whole.bytes).subarray(0, 250_000),
      Buffer.concat([whole.bytes.subarray(0, 512 * 3), Buffer.alloc(5000, 0xff)]),
    ]) {
      const list = await read([good, layerOfBytes(bytes), await layerOf([npm("d")])]);
      assert.match(names(list), /^a (b )?d$/);
      assert.equal(list.note, "Layer 2 of the image is broken: what follows in it is left out.");
    }
    assert.match((await read([good, layerOfBytes(Buffer.from("<html>not found</html>"))])).note ?? "", /broken/);
  });

  it("an empty layer is none", async () => {
    assert.equal(names(await read([await layerOf([npm("a")]), layerOfArchive(Buffer.alloc(1024)), layerOfBytes(Buffer.alloc(0))])), "a");
  });

  it("bombs go off at the bounds", async () => {
    const bomb = Buffer.alloc(8 * 1024 * 1024);
    for (const compression of ["gzip", "zstd"] satisfies Compression[]) {
      const layer = await layerOf([npm("a"), ["zeros", bomb]], compression);
      const byRatio = await read([layer], { ratio: 50, ratioFromBytes: 1024 * 1024 });
      assert.match(byRatio.note ?? "", /Layer 1 of the image grows beyond reason/);
      assert.deepEqual([byRatio.source, byRatio.packages], [null, []]);
      assert.match((await read([layer, layer], { unpackedBytes: 10 * 1024 * 1024 })).note ?? "", /too large/);
    }
  });

  it("as many files, packages and listing files as are allowed", async () => {
    const layer = await layerOf(Array.from({ length: 30 }, (_, index) => npm(`p${index}`)));
    assert.match((await read([layer], { entries: 29 })).note ?? "", /more than 29 files/);
    const fewer = await read([layer], { packages: 10 });
    assert.deepEqual([fewer.packages.length, fewer.complete], [10, false]);
    assert.equal((await read([layer], { files: 5 })).packages.length, 5);
  });
});

describe("in a thread", () => {
  const NEVER = new AbortController().signal;
  const open = (layers: readonly MadeLayer[]) => {
    const { registries } = memoryRegistry(layers);
    return (index: number) =>
      registries.blob({ registry: "", repository: "" }, layers[index]?.layer.digest ?? "", { maxBytes: 1e9, signal: NEVER });
  };
  const inThread = (layers: readonly MadeLayer[], bounds: Partial<Bounds> = {}): Promise<PackageList> =>
    readInThread({
      sizes: imageOf(layers).layers.map(({ size }) => size),
      open: open(layers),
      signal: NEVER,
      clock: systemClock,
      bounds: { ...BOUNDS, ...bounds },
    });

  it("an image is read as without one, broken layers too", async () => {
    const layers = [
      await layerOf([npm("a")]),
      layerOfBytes(gzipSync(await archive([npm("b"), ["fill", Buffer.alloc(90_000, "ab")]])).subarray(0, 400)),
      await layerOf([npm("c")], "zstd"),
    ];
    assert.deepEqual(await inThread(layers), await read(layers));
  });

  it("a reading ends when its time is over", async () => {
    const reading = readInThread({
      sizes: [100],
      open: async () => new Readable({ read() {} }),
      signal: NEVER,
      clock: systemClock,
      bounds: { ...BOUNDS, timeMs: 50 },
    });
    await assert.rejects(reading, { reason: "time" });
  });

  it("a reading that was given up before it began opens no layer", async () => {
    let opened = 0;
    const reading = readInThread({
      sizes: [100],
      open: async () => {
        opened += 1;
        return new Readable({ read() {} });
      },
      signal: AbortSignal.abort(new Error("enough")),
      clock: systemClock,
      bounds: { ...BOUNDS, timeMs: 2_000 },
    });
    await assert.rejects(reading, /enough/);
    assert.equal(opened, 0);
  });

  it("a layer that is larger than it should be ends it", async () => {
    const layer = await layerOf([npm("a")]);
    await assert.rejects(inThread([{ ...layer, layer: { ...layer.layer, size: layer.layer.size - 1 } }]), RangeError);
  });
});
