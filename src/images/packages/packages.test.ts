import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { beforeEach, it } from "node:test";
import { gzipSync } from "node:zlib";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { installedByDpkg } from "../../../test/support/dpkg.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import {
  imageOf,
  type LayerEntry,
  layerOf,
  layerOfBytes,
  type MadeLayer,
  type MemoryRegistry,
  memoryRegistry,
} from "../../../test/support/image-layers.ts";
import { until } from "../../../test/support/until.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import type { Database } from "../../storage/database.ts";
import { type PlatformImage, RegistryError } from "../image.ts";
import { CACHE } from "./package-list.ts";
import { createPackageReader } from "./index.ts";
import { createPackageStore } from "./store.ts";

const NEVER = new AbortController().signal;
const NOON = new Date("2026-03-01T12:00:00Z");
const DAY_MS = 86_400_000;

const OS_RELEASE: LayerEntry = ["etc/os-release", 'ID=debian\nVERSION_ID="12"\n'];
const status = (...packages: string[]): LayerEntry => [
  "var/lib/dpkg/status",
  packages.map((name) => `Package: ${name}\nStatus: install ok installed\nVersion: 1.0-1\n`).join("\n"),
];

onBothDatabases((databases) => {
  let database: Database;
  let clock: FakeClock;

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock(NOON);
  });

  const reader = (registry: Pick<MemoryRegistry, "registries">) =>
    createPackageReader({ registries: registry.registries, database, clock, log: silentLog });
  const timesRead = (registry: MemoryRegistry): number => [...registry.asked.values()].reduce((sum, times) => sum + times, 0);

  async function small(...packages: string[]): Promise<{ image: PlatformImage; registry: MemoryRegistry; layers: MadeLayer[] }> {
    const layers = [await layerOf([OS_RELEASE, status(...packages)])];
    return { image: imageOf(layers), registry: memoryRegistry(layers), layers };
  }

  it("reads this machine's own packages as dpkg lists them", async () => {
    const layers = [
      await layerOf([["etc/os-release", readFileSync("/etc/os-release")]]),
      await layerOf([["var/lib/dpkg/status", readFileSync("/var/lib/dpkg/status")]], "zstd"),
    ];
    const { packages, source, complete, note } = await reader(memoryRegistry(layers)).packagesOf(imageOf(layers), NEVER);
    const expected = installedByDpkg()
      .map((line) => line.split("\t"))
      .filter(([state]) => state !== "config-files" && state !== "not-installed" && state !== "half-installed")
      .map(([, ...rest]) => rest.join(" "));
    assert.ok(expected.length > 100);
    assert.deepEqual({ source, complete, note }, { source: "layers", complete: true, note: null });
    assert.deepEqual(
      packages.map(({ name, version, source: from }) => [name, version, from?.name ?? name, from?.version ?? version].join(" ")).sort(),
      [...new Set(expected)].sort(),
    );
    assert.deepEqual([...new Set(packages.map(({ ecosystem }) => ecosystem))], ["Debian:12"]);
  });

  it("reads an image once and remembers it over a restart", async () => {
    const { image, registry } = await small("one", "two");
    const first = await reader(registry).packagesOf(image, NEVER);
    assert.deepEqual(
      first.packages.map(({ name }) => name),
      ["one", "two"],
    );
    assert.deepEqual(await reader(registry).packagesOf(image, NEVER), first);
    assert.equal(timesRead(registry), 1);
  });

  it("reads attached lists of an earlier version again, and layers not", async () => {
    const { image, registry } = await small("one");
    await reader(registry).packagesOf(image, NEVER);
    const attached = imageOf([], { digest: "sha256:attached" });
    registry.bills.push({
      format: "spdx",
      document: {
        spdxVersion: "SPDX-2.3",
        packages: ["pkg:npm/a@1", "pkg:generic/b@1"].map((url) => ({
          externalRefs: [{ referenceType: "purl", referenceLocator: url }],
        })),
      },
    });
    const store = createPackageStore(database);
    const list = await reader(registry).packagesOf(attached, NEVER);
    assert.equal(list.complete, false);
    const before = (await store.find(image.digest)) ?? assert.fail("it was not kept");
    const stale = (await store.find(attached.digest)) ?? assert.fail("it was not kept");
    const complete = gzipSync(JSON.stringify({ source: "sbom", complete: true, note: null, packages: [["npm", "a", "1"]] }));
    await store.save({ ...before, format: 1 });
    await store.save({ ...stale, format: 1, complete: 1, bytes: complete });
    assert.deepEqual(await reader(registry).packagesOf(attached, NEVER), list);
    await reader(registry).packagesOf(image, NEVER);
    assert.equal(timesRead(registry), 1);
  });

  it("reads what was incomplete again after a week, and what was complete not", async () => {
    const { image, registry } = await small("one");
    const broken = [await layerOf([OS_RELEASE, status("one"), ["app/package-lock.json", "{"]])];
    const brokenImage = imageOf(broken);
    const brokenRegistry = memoryRegistry(broken);
    const list = await reader(brokenRegistry).packagesOf(brokenImage, NEVER);
    assert.equal(list.complete, false);
    await reader(registry).packagesOf(image, NEVER);
    clock.jump(new Date(NOON.getTime() + (CACHE.incompleteDays + 1) * DAY_MS));
    assert.deepEqual(await reader(brokenRegistry).packagesOf(brokenImage, NEVER), list);
    await reader(registry).packagesOf(image, NEVER);
    assert.deepEqual([timesRead(brokenRegistry), timesRead(registry)], [2, 1]);
  });

  it("does not remember that a registry failed", async () => {
    const { image, registry, layers } = await small("one");
    const digest = layers[0]?.layer.digest ?? "";
    registry.instead.set(digest, () => Promise.reject(new RegistryError("unavailable", "The registry is being repaired.")));
    assert.deepEqual(await reader(registry).packagesOf(image, NEVER), {
      source: null,
      packages: [],
      complete: false,
      note: "The image's layers could not be fetched: The registry is being repaired.",
    });
    registry.instead.clear();
    assert.equal((await reader(registry).packagesOf(image, NEVER)).source, "layers");
  });

  it("says that attached lists could not be fetched, and asks for them again after a week", async () => {
    const { image, registry } = await small("one");
    let reason: RegistryError["reason"] = "unavailable";
    const billsOfMaterials = () => Promise.reject(new RegistryError(reason, "The registry is being repaired."));
    const read = () => reader({ registries: { ...registry.registries, billsOfMaterials } }).packagesOf(image, NEVER);
    const { source, complete, note } = await read();
    assert.deepEqual([source, complete], ["layers", false]);
    assert.equal(note, "Lists of packages that may be attached to the image could not be fetched: The registry is being repaired.");
    await read();
    assert.equal(timesRead(registry), 1);
    reason = "unauthorized";
    clock.jump(new Date(NOON.getTime() + (CACHE.incompleteDays + 1) * DAY_MS));
    assert.equal((await read()).complete, true, "what time does not mend is no reason to read it again");
  });

  it("takes nothing of a layer that is not what its digest says", async () => {
    const { image, registry, layers } = await small("one");
    const other = await layerOf([OS_RELEASE, status("evil")]);
    const digest = layers[0]?.layer.digest ?? "";
    registry.instead.set(digest, () =>
      memoryRegistry([{ ...other, layer: { ...other.layer, digest } }]).registries.blob(image, digest, { maxBytes: 1e6, signal: NEVER }),
    );
    const list = await reader(registry).packagesOf(image, NEVER);
    assert.equal(list.source, null);
    assert.equal(registry.open(), 0);
  });

  it("prunes what was not used for long, and the oldest beyond the bounds", async () => {
    const store = createPackageStore(database);
    const row = (digest: string, used_at: number, size: number) =>
      store.save({ digest, format: 1, complete: 1, size, bytes: Buffer.from("x"), created_at: used_at, used_at });
    const now = NOON.getTime();
    await row("unused", now - (CACHE.unusedDays + 1) * DAY_MS, 10);
    await row("old", now - 3 * DAY_MS, CACHE.bytes / 2);
    await row("newer", now - 2 * DAY_MS, CACHE.bytes / 2);
    await row("newest", now - DAY_MS, CACHE.bytes / 2);
    await reader(memoryRegistry([])).prune(NEVER);
    const left = await Promise.all(["unused", "old", "newer", "newest"].map((digest) => store.find(digest)));
    assert.deepEqual(
      left.map((found) => found?.digest),
      [undefined, undefined, "newer", "newest"],
    );
  });

  it("prunes more rows than one unit deletes", async () => {
    const store = createPackageStore(database);
    const row = { format: 1, complete: 1, size: 1, bytes: Buffer.from("x"), created_at: 0, used_at: 0 };
    await Promise.all(Array.from({ length: 210 }, (_, index) => store.save({ digest: `d${index}`, ...row })));
    await reader(memoryRegistry([])).prune(NEVER);
    assert.deepEqual(await store.sums(), { rows: 0, bytes: 0 });
  });

  it("remembers that an image was used", async () => {
    const { image, registry } = await small("one");
    await reader(registry).packagesOf(image, NEVER);
    clock.jump(new Date(NOON.getTime() + 2 * DAY_MS));
    await reader(registry).packagesOf(image, NEVER);
    assert.equal((await createPackageStore(database).find(image.digest))?.used_at, NOON.getTime() + 2 * DAY_MS);
  });

  it("reads without the database", async () => {
    const { image, registry } = await small("one");
    await database.stop();
    assert.equal((await reader(registry).packagesOf(image, NEVER)).source, "layers");
  });

  it("reads two images at a time", async () => {
    const images = await Promise.all(["a", "b", "c", "d", "e"].map((name) => small(name)));
    const registry = memoryRegistry(images.flatMap(({ layers }) => layers));
    let underWay = 0;
    let most = 0;
    const bothAreThere = Promise.withResolvers<void>();
    const blob: typeof registry.registries.blob = async (...args) => {
      underWay += 1;
      most = Math.max(most, underWay);
      if (most === 2) bothAreThere.resolve();
      await bothAreThere.promise;
      const stream = await registry.registries.blob(...args);
      stream.on("close", () => (underWay -= 1));
      return stream;
    };
    const shared = reader({ registries: { ...registry.registries, blob } });
    const lists = await Promise.all(images.map(({ image }) => shared.packagesOf(image, NEVER)));
    assert.deepEqual(
      lists.map(({ packages }) => packages.map(({ name }) => name).join()),
      ["a", "b", "c", "d", "e"],
    );
    assert.equal(most, 2);
  });
});

onBothDatabases((databases) => {
  it("ends when it is aborted, and leaves nothing open", async () => {
    const database = await databases.create();
    const endless = layerOfBytes(Buffer.alloc(1024));
    const registry = memoryRegistry([]);
    registry.instead.set(endless.layer.digest, () => new Readable({ read() {} }));
    const abort = new AbortController();
    const reader = createPackageReader({ registries: registry.registries, database, clock: systemClock, log: silentLog });
    // Two are read, the third waits for its turn.
    const readings = ["sha256:a", "sha256:b", "sha256:c"].map((digest) => reader.packagesOf(imageOf([endless], { digest }), abort.signal));
    const all = Promise.allSettled(readings);
    await until(() => registry.open() === 2);
    abort.abort(new Error("aborted by the test"));
    for (const reading of await all) assert.match(reading.status === "rejected" ? String(reading.reason) : "", /aborted by the test/);
    assert.equal(registry.open(), 0);
  });
});
