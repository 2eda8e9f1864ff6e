import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, afterEach, beforeEach, describe, it } from "node:test";
import { createFakeClock, type FakeClock } from "../../../../test/support/fake-clock.ts";
import { osvRecord, type TestRecord, VECTORS, zipOf } from "../../../../test/support/osv.ts";
import { systemClock } from "../../../platform/clock.ts";
import { silentLog } from "../../../platform/log.ts";
import type { Database } from "../../../storage/database.ts";
import { openSqlite } from "../../../storage/sqlite.ts";
import type { Package, VulnerabilityList } from "../../image.ts";
import { createVulnerabilities, type Vulnerabilities } from "../index.ts";
import { questionsOf } from "../findings.ts";
import { createOfflineSource } from "./offline.ts";

const signal = new AbortController().signal;
const root = mkdtempSync(join(tmpdir(), "binnacle-osv-"));
let number = 0;
let folder: string;
let clock: FakeClock;
let finder: Vulnerabilities;
let database: Database;

/** Nothing may be asked of the network when there is a folder. */
const outbound = { open: () => assert.fail("something was asked of the network") };

function put(path: string, content: string | Buffer | object): void {
  const full = join(folder, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, typeof content === "string" || Buffer.isBuffer(content) ? content : JSON.stringify(content));
}

function zipped(...records: TestRecord[]): Buffer {
  return zipOf(Object.fromEntries(records.map((record) => [`${record.id}.json`, JSON.stringify(record)])));
}

function find(...packages: Package[]): Promise<VulnerabilityList> {
  return finder.find({ source: "layers", packages, complete: true, note: null }, signal);
}

async function idsOf(...packages: Package[]): Promise<string[]> {
  return (await find(...packages)).vulnerabilities.map(({ id }) => id).sort();
}

function create(path = folder): Vulnerabilities {
  return createVulnerabilities({ outbound, osvUrl: "https://osv.invalid", osvDir: path, database, clock, log: silentLog });
}

const libssl: Package = {
  ecosystem: "Debian:12",
  name: "libssl3",
  version: "3.0.11-1~deb12u2",
  source: { name: "openssl", version: "3.0.11-1~deb12u2" },
};
const lodash: Package = { ecosystem: "npm", name: "lodash", version: "4.17.20", source: null };
const jinja: Package = { ecosystem: "PyPI", name: "Jinja2", version: "3.1.2", source: null };
const busybox: Package = {
  ecosystem: "Alpine:v3.20",
  name: "ssl_client",
  version: "1.36.1-r28",
  source: { name: "busybox", version: "1.36.1-r28" },
};

const debian = osvRecord({
  id: "DEBIAN-CVE-2024-5535",
  ecosystem: "Debian:12",
  name: "openssl",
  fixed: "3.0.14-1~deb12u1",
  upstream: ["CVE-2024-5535"],
  specific: { urgency: "not yet assigned" },
});
const npm = osvRecord({
  id: "GHSA-35jh-r3h4-6jhm",
  ecosystem: "npm",
  name: "lodash",
  fixed: "4.17.21",
  vector: "CVSS:3.1/AV:N/AC:L/PR:H/UI:N/S:U/C:H/I:H/A:H",
  aliases: ["CVE-2021-23337"],
});
const python = osvRecord({
  id: "PYSEC-2024-9",
  ecosystem: "PyPI",
  name: "jinja2",
  fixed: "3.1.3",
  aliases: ["CVE-2024-22195"],
  vector: VECTORS.medium,
});
const alpine = osvRecord({ id: "ALPINE-CVE-2023-42364", ecosystem: "Alpine:v3.20", name: "busybox", fixed: "1.36.1-r29" });

describe("vulnerabilities from a folder", () => {
  beforeEach(async () => {
    number += 1;
    folder = join(root, String(number));
    mkdirSync(folder);
    clock = createFakeClock();
    database = openSqlite({ path: join(root, `${number}.db`), clock: systemClock, log: silentLog });
    await database.start();
    finder = create();
  });
  afterEach(async () => {
    finder.stop();
    await database.stop();
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  it("are found in files and zip files of any ecosystem, with nothing asked of the network", async () => {
    put("debian/DEBIAN-CVE-2024-5535.json", debian);
    put("npm/all.zip", zipped(npm, osvRecord({ id: "GHSA-else", ecosystem: "npm", name: "else" })));
    put("a/b/c/d/python.json", python);
    put("alpine.zip", zipped(alpine));
    put("a/b/c/d/e/too-deep.json", osvRecord({ id: "DEEP-1", ecosystem: "npm", name: "lodash" }));
    put("README.md", "not a record");
    symlinkSync(folder, join(folder, "itself"));
    const found = await find(libssl, lodash, jinja, busybox);
    assert.equal(found.known, false, "one folder is too deep");
    assert.deepEqual(
      found.vulnerabilities.map(({ id, package: name, score, severity, fixedIn }) => [id, name, score, severity, fixedIn]),
      [
        ["CVE-2021-23337", "lodash", 7.2, "high", "4.17.21"],
        ["CVE-2024-22195", "Jinja2", 6.1, "medium", "3.1.3"],
        ["CVE-2023-42364", "ssl_client", null, null, "1.36.1-r29"],
        ["CVE-2024-5535", "libssl3", null, null, "3.0.14-1~deb12u1"],
      ],
    );
    assert.equal(found.note, "The folder of vulnerability records has more than can be read; some are left out.");
  });

  it("are not those of versions that are fixed, nor withdrawn ones", async () => {
    put("all.zip", zipped(debian, { ...npm, withdrawn: "2025-01-01T00:00:00Z" }));
    const fixed = { name: "openssl", version: "3.0.14-1~deb12u1" };
    assert.deepEqual(await idsOf({ ...libssl, version: fixed.version, source: fixed }, lodash), []);
  });

  it("have the score of their CVE when its record is there", async () => {
    put("debian.json", debian);
    put("nvd/CVE-2024-5535.json", {
      id: "CVE-2024-5535",
      modified: "2026-01-01T00:00:00Z",
      severity: [{ type: "CVSS_V3", score: VECTORS.critical }],
    });
    const { vulnerabilities, note } = await find(libssl);
    assert.deepEqual(
      [vulnerabilities[0]?.score, vulnerabilities[0]?.severity, vulnerabilities[0]?.osvId],
      [9.8, "critical", "DEBIAN-CVE-2024-5535"],
    );
    assert.match(note ?? "", /For 1 vulnerability record the score/);
  });

  it("say of how many CVEs the record was not looked up, which are too many", async () => {
    const many = Array.from({ length: 1002 }, (_, index) => {
      const cve = `CVE-2024-${10_000 + index}`;
      return osvRecord({ id: `DEBIAN-${cve}`, ecosystem: "Debian:12", name: "openssl", upstream: [cve] });
    });
    put("all.zip", zipped(...many));
    const { known, vulnerabilities, note } = await find(libssl);
    assert.deepEqual([known, vulnerabilities.length], [true, 1002]);
    assert.match(note ?? "", /The records of 2 CVEs were not read/);
  });

  it("change with the folder, within a minute", async () => {
    put("all.zip", zipped(debian));
    assert.deepEqual(await idsOf(libssl, lodash), ["CVE-2024-5535"]);
    put("new.zip", zipped(debian, npm));
    renameSync(join(folder, "new.zip"), join(folder, "all.zip"));
    put("more/python.json", python);
    assert.deepEqual(await idsOf(libssl, lodash, jinja), ["CVE-2024-5535"], "not looked at yet");
    clock.jump(clock.now());
    await clock.advance(61_000);
    assert.deepEqual(await idsOf(libssl, lodash, jinja), ["CVE-2021-23337", "CVE-2024-22195", "CVE-2024-5535"]);
    rmSync(join(folder, "all.zip"));
    await clock.advance(61_000);
    assert.deepEqual(await idsOf(libssl, lodash, jinja), ["CVE-2024-22195"]);
  });

  it("are read again when a file was changed in its place", async () => {
    put("lodash.json", npm);
    assert.deepEqual(await idsOf(lodash), ["CVE-2021-23337"]);
    put("lodash.json", { ...npm, aliases: ["CVE-2021-99999"] });
    assert.deepEqual(await idsOf(lodash), ["CVE-2021-99999"]);
  });

  it("say what could not be read or looked up", async () => {
    put("good.json", npm);
    put("broken.json", '{"id": "A-1", ');
    put("strange.json", '["no", "record"]');
    put("half.json", { ...npm, id: "GHSA-half", affected: [{ package: { ecosystem: "npm", name: "lodash" }, ranges: "all" }] });
    put("big.json", { ...npm, id: "GHSA-big", details: "x".repeat(3_000_000) });
    put("bomb.zip", zipOf({ "bomb.json": Buffer.alloc(20_000_000, " ") }));
    put("../outside.json", python);
    put("traversal.zip", zipOf({ "../../../etc/evil.json": JSON.stringify(python) }));
    put("maven.json", osvRecord({ id: "GHSA-maven", ecosystem: "Maven", name: "g:a", fixed: "2" }));
    execFileSync("mkfifo", [join(folder, "pipe.json")]);
    symlinkSync("/dev/zero", join(folder, "endless.json"));
    const found = await find(lodash, libssl, { ...lodash, version: "link:../lodash" }, { ...lodash, ecosystem: "Maven", name: "g:a" });
    assert.equal(found.known, true);
    assert.deepEqual([...new Set(found.vulnerabilities.map(({ id }) => id))], ["CVE-2021-23337"]);
    assert.deepEqual(found.absent, ["Debian:12"]);
    const note = found.note ?? "";
    assert.deepEqual(found.unread, [
      { ecosystem: "npm", names: ["lodash"] },
      { ecosystem: "npm", names: ["lodash"] },
    ]);
    assert.match(note, /files with vulnerability records could not be read/);
    assert.match(note, /no records of Debian:12: 1 package not looked up/);
    assert.match(note, /Versions of Maven are only found where a record lists them/);
    assert.match(note, /Versions of 1 package could not be compared/);
    assert.match(note, /\d records? could not be read/);
  });

  it("are not the whole truth when a zip file cannot be read", async () => {
    put("npm.zip", zipped(npm));
    assert.equal((await find(lodash)).known, true);
    put("cut.zip", zipped(debian).subarray(0, 60));
    await clock.advance(61_000);
    const found = await find(lodash);
    assert.deepEqual([found.known, found.vulnerabilities.length], [false, 1]);
    assert.match(found.note ?? "", /These zip files of vulnerability records could not be read: cut\.zip/);
  });

  it("are not known without a folder, without records, or without any of the image's ecosystem", async () => {
    assert.match((await find(lodash)).note ?? "", /has none that can be read/);
    put("debian.json", debian);
    await clock.advance(61_000);
    const other = await find(lodash);
    assert.deepEqual([other.known, other.vulnerabilities.length], [false, 0]);
    finder.stop();
    finder = create(join(root, "nowhere"));
    const gone = await find(lodash);
    assert.equal(gone.known, false);
    assert.match(gone.note ?? "", /could not be read: ENOENT/);
    mkdirSync(join(root, "nowhere"));
    writeFileSync(join(root, "nowhere", "x.json"), JSON.stringify(npm));
    assert.equal((await find(lodash)).known, true);
  });

  it("let go whoever goes, and read on for the others", async () => {
    put("all.zip", zipped(npm));
    const gone = new AbortController();
    const one = finder.find({ source: "sbom", packages: [lodash], complete: true, note: null }, gone.signal);
    const other = idsOf(lodash);
    gone.abort(new Error("enough"));
    await assert.rejects(one, /enough/);
    assert.deepEqual(await other, ["CVE-2021-23337"]);
  });

  it("survive a zip file that is written over while it is read from", async () => {
    put("all.zip", zipped(npm, debian));
    await find(lodash);
    put("all.zip", Buffer.alloc(1000, 1));
    appendFileSync(join(folder, "all.zip"), "end");
    for (const each of [libssl, lodash]) {
      const found = await find(each);
      assert.deepEqual([found.vulnerabilities, found.unread?.length], [[], 1]);
      assert.match(found.note ?? "", /could not be read/);
    }
  });

  it("are indexed without holding up anything for long", async () => {
    const details = "A long story of what went wrong. ".repeat(60);
    const records = Array.from({ length: 2000 }, (_, index) =>
      osvRecord({ id: `GHSA-${index}`, ecosystem: "npm", name: `package-${index % 500}`, fixed: "9.0.0", vector: VECTORS.high, details }),
    );
    const large = osvRecord({ id: "GHSA-large", ecosystem: "npm", name: "package-1", details: "x".repeat(1_900_000) });
    put("npm/all.zip", zipped(...records, large));
    await find(lodash);
    const turns = watchTurns();
    const packages = Array.from({ length: 500 }, (_, index) => ({ ...lodash, name: `package-${index}` }));
    const { questions } = questionsOf(packages);
    const source = createOfflineSource({ folder, clock, log: silentLog });
    const found = await source.records(questions, signal);
    const { longestMs, allMs } = turns.stop();
    source.stop();
    assert.equal(found.records.flat().length, 2001);
    // In one turn it would be nearly all of the work, however fast the machine is.
    assert.ok(longestMs < allMs / 3, `${longestMs} of ${allMs} ms`);
  });

  it("are the same for who reads on while the folder changes", async () => {
    const records = Array.from({ length: 300 }, (_, index) => osvRecord({ id: `GHSA-${index}`, ecosystem: "npm", name: `p${index}` }));
    put("all.zip", zipped(...records));
    const { questions } = questionsOf(records.map((_, index) => ({ ...lodash, name: `p${index}` })));
    const source = createOfflineSource({ folder, clock, log: silentLog });
    await source.records(questions.slice(0, 1), signal);
    const slow = source.records(questions, signal);
    put("new.zip", zipped(npm, ...records));
    renameSync(join(folder, "new.zip"), join(folder, "all.zip"));
    clock.jump(new Date(clock.now().getTime() + 61_000));
    await clock.advance(61_000);
    const [first, second] = await Promise.all([slow, source.records(questions.slice(0, 1), signal)]);
    source.stop();
    assert.deepEqual([first.records.flat().length, first.notes, second.records.flat().length], [300, [], 1]);
  });
});

/** Measures how long the longest turn of the event loop worked, and all of them, by the processor's time: others on this machine do not count. */
function watchTurns(): { stop(): { longestMs: number; allMs: number } } {
  const worked: number[] = [];
  let running = true;
  let before = process.threadCpuUsage();
  function turn(): void {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    worked.push((user + system) / 1000);
    if (running) setImmediate(turn);
  }
  setImmediate(turn);
  return {
    stop() {
      running = false;
      return { longestMs: worked.reduce((longest, ms) => Math.max(longest, ms), 0), allMs: worked.reduce((sum, ms) => sum + ms, 0) };
    },
  };
}
