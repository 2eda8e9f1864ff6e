import assert from "node:assert/strict";
import { after, afterEach, beforeEach, describe, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { type OsvServer, osvRecord, startOsvServer, VECTORS } from "../../../test/support/osv.ts";
import { turnUntil } from "../../../test/support/turn-until.ts";
import { until } from "../../../test/support/until.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import { createOutbound, type Outbound } from "../../platform/outbound.ts";
import type { Database } from "../../storage/database.ts";
import type { Package, PackageList } from "../image.ts";
import { createVulnerabilities, type Vulnerabilities } from "./index.ts";
import { createKeptRecords } from "./online/kept-records.ts";
import { readRecord } from "./record.ts";
import { createRecordStore } from "./store.ts";

const signal = new AbortController().signal;
const DAY_MS = 86_400_000;

function list(...packages: Package[]): PackageList {
  return { source: "layers", packages, complete: true, note: null };
}

function npm(name: string, version = "1.0.0"): Package {
  return { ecosystem: "npm", name, version, source: null };
}

const libssl: Package = { ecosystem: "Debian:12", name: "libssl3", version: "3.0.11-1", source: { name: "openssl", version: "3.0.11-1" } };
const left = osvRecord({
  id: "GHSA-1111-2222-3333",
  ecosystem: "npm",
  name: "left",
  fixed: "1.0.1",
  vector: VECTORS.high,
  aliases: ["CVE-2026-1111"],
});

onBothDatabases((databases) => {
  let database: Database;
  let server: OsvServer;
  let clock: FakeClock;
  let outbound: Outbound;
  const parts: Vulnerabilities[] = [];

  beforeEach(async () => {
    database = await databases.create();
    server = await startOsvServer();
    clock = createFakeClock();
    outbound = createOutbound({
      allowPrivate: false,
      clock: systemClock,
      privateHosts: [{ host: "127.0.0.1", port: server.port, plain: true }],
    });
  });
  afterEach(async () => {
    outbound.stop();
    await server.stop();
  });
  after(() => {
    for (const part of parts) part.stop();
  });

  function finder(): Vulnerabilities {
    const made = createVulnerabilities({ outbound, osvUrl: server.url, osvDir: undefined, database, clock, log: silentLog });
    parts.push(made);
    return made;
  }

  const asked = (method: string): string[] =>
    server.requests.filter((request) => request.method === method).map(({ path, body }) => (method === "POST" ? body : path));

  describe("vulnerabilities from the database", () => {
    it("are found, with what fixes them; only ecosystem, name and version are asked", async () => {
      server.records.set(left.id, left);
      const found = await finder().find(list(npm("left"), npm("right")), signal);
      assert.equal(found.known, true);
      assert.equal(found.note, null);
      assert.deepEqual(
        found.vulnerabilities.map(({ id, osvId, package: name, score, fixedIn }) => ({ id, osvId, name, score, fixedIn })),
        [{ id: "CVE-2026-1111", osvId: "GHSA-1111-2222-3333", name: "left", score: 7.5, fixedIn: "1.0.1" }],
      );
      assert.deepEqual(JSON.parse(asked("POST")[0] ?? ""), {
        queries: [
          { package: { ecosystem: "npm", name: "left" }, version: "1.0.0" },
          { package: { ecosystem: "npm", name: "right" }, version: "1.0.0" },
        ],
      });
      for (const { headers } of server.requests)
        assert.deepEqual([headers["user-agent"], headers.cookie, headers.authorization, headers.referer], Array(4).fill(undefined));
    });

    it("are asked about by the source of a package", async () => {
      server.records.set(
        "DEBIAN-CVE-2026-1",
        osvRecord({ id: "DEBIAN-CVE-2026-1", ecosystem: "Debian:12", name: "openssl", fixed: "3.0.14-1", specific: { urgency: "low" } }),
      );
      const { vulnerabilities } = await finder().find(list(libssl), signal);
      assert.deepEqual(
        vulnerabilities.map(({ package: name, severity, fixedIn }) => ({ name, severity, fixedIn })),
        [{ name: "libssl3", severity: "low", fixedIn: "3.0.14-1" }],
      );
    });

    it("are fetched once for each modification", async () => {
      server.records.set(left.id, left);
      await finder().find(list(npm("left")), signal);
      const again = await finder().find(list(npm("left")), signal);
      assert.equal(again.vulnerabilities[0]?.fixedIn, "1.0.1");
      assert.equal(asked("GET").length, 1);
      server.records.set(left.id, { ...left, modified: "2026-02-02T00:00:00Z", summary: "More is known" });
      const changed = await finder().find(list(npm("left")), signal);
      assert.equal(changed.vulnerabilities[0]?.summary, "More is known");
      assert.equal(asked("GET").length, 2);
    });

    it("are read page by page, within a bound", async () => {
      const records = ["1", "2", "3"].map((number) => osvRecord({ id: `GHSA-${number}`, ecosystem: "npm", name: "left" }));
      for (const record of records) server.records.set(record.id, record);
      server.find = ({ package: named }) => (named?.name === "left" ? records.map(({ id }) => [id]) : []);
      const found = await finder().find(list(npm("right"), npm("left")), signal);
      assert.equal(found.vulnerabilities.length, 3);
      assert.equal(asked("POST").length, 3);
      assert.equal(JSON.parse(asked("POST")[1] ?? "").queries.length, 1);

      server.find = () => Array.from({ length: 1000 }, () => ["GHSA-1"]);
      const endless = await finder().find(list(npm("left")), signal);
      assert.equal(asked("POST").length, 23);
      assert.match(endless.note ?? "", /has more on 1 package than was read/);
      assert.equal(endless.known, false);
    });

    it("are asked about in parts of a thousand", async () => {
      await finder().find(list(...Array.from({ length: 1001 }, (_, index) => npm(`p${index}`))), signal);
      assert.deepEqual(
        asked("POST").map((body) => JSON.parse(body).queries.length),
        [1000, 1],
      );
    });

    it("have the score of their CVE where the distribution gives none, which is noted", async () => {
      server.records.set("DEBIAN-CVE-2026-7777", osvRecord({ id: "DEBIAN-CVE-2026-7777", ecosystem: "Debian:12", name: "openssl" }));
      server.records.set("CVE-2026-7777", {
        id: "CVE-2026-7777",
        modified: "2026-02-01T00:00:00Z",
        severity: [{ type: "CVSS_V3", score: VECTORS.critical }],
      });
      const found = await finder().find(list(libssl), signal);
      assert.equal(found.vulnerabilities[0]?.score, 9.8);
      assert.equal(found.vulnerabilities[0]?.osvId, "DEBIAN-CVE-2026-7777");
      assert.match(found.note ?? "", /For 1 vulnerability record the score is that of the CVE/);
      server.records.delete("CVE-2026-7777");
      await finder().find(list(libssl), signal);
      assert.equal(asked("GET").filter((path) => path === "/v1/vulns/CVE-2026-7777").length, 1, "kept");
    });

    it("have no score when nobody gives one; that there is none is asked once", async () => {
      server.records.set(
        "DEBIAN-CVE-2026-8888",
        osvRecord({ id: "DEBIAN-CVE-2026-8888", ecosystem: "Debian:12", name: "openssl", specific: { urgency: "not yet assigned" } }),
      );
      for (let time = 0; time < 2; time += 1) {
        const { vulnerabilities } = await finder().find(list(libssl), signal);
        assert.deepEqual([vulnerabilities[0]?.score, vulnerabilities[0]?.severity, vulnerabilities[0]?.vector], [null, null, null]);
      }
      assert.equal(asked("GET").filter((path) => path === "/v1/vulns/CVE-2026-8888").length, 1);
      clock.jump(new Date(clock.now().getTime() + 8 * DAY_MS));
      await finder().find(list(libssl), signal);
      assert.equal(asked("GET").filter((path) => path === "/v1/vulns/CVE-2026-8888").length, 2, "after a week");
    });

    it("say of how many CVEs the record could not be read, which is not that there is none", async () => {
      server.records.set("DEBIAN-CVE-2026-9999", osvRecord({ id: "DEBIAN-CVE-2026-9999", ecosystem: "Debian:12", name: "openssl" }));
      server.instead = ({ path }, response) => {
        if (path !== "/v1/vulns/CVE-2026-9999") return false;
        response.writeHead(403).end();
        return true;
      };
      const found = await finder().find(list(libssl), signal);
      assert.deepEqual([found.known, found.vulnerabilities[0]?.severity], [true, null]);
      assert.match(found.note ?? "", /The records of 1 CVE were not read/);
    });

    it("leave out a record that is none, and say so", async () => {
      server.records.set(left.id, left);
      server.records.set("GHSA-bad", { ...osvRecord({ id: "GHSA-bad", ecosystem: "npm", name: "left" }), affected: "everything" });
      server.records.set("GHSA-other", { ...left, id: "GHSA-not-it" });
      server.find = () => [[left.id, "GHSA-bad", "GHSA-other", "GHSA-gone", "../etc"]];
      const found = await finder().find(list(npm("left")), signal);
      assert.equal(found.known, true);
      assert.equal(found.vulnerabilities.length, 1);
      assert.match(found.note ?? "", /1 record of the vulnerability database could not be read/);
      assert.match(found.note ?? "", /3 records of the vulnerability database could not be read/);
      assert.deepEqual(found.unread, [{ ecosystem: "npm", names: ["left"] }]);
    });

    it("name the package of which a record is gone when it is fetched, by its source as well, and no other", async () => {
      server.records.set(left.id, left);
      server.find = ({ package: named }) => [named?.name === "openssl" ? ["DEBIAN-CVE-2026-404"] : named?.name === "left" ? [left.id] : []];
      const found = await finder().find(list(libssl, npm("left"), npm("right")), signal);
      assert.deepEqual(found.unread, [{ ecosystem: "Debian:12", names: ["openssl", "libssl3"] }]);
      server.find = ({ package: named }) => [named?.name === "right" ? ["../etc"] : []];
      const strange = await finder().find(list(npm("left"), npm("right")), signal);
      assert.deepEqual(strange.unread, [{ ecosystem: "npm", names: ["right"] }]);
    });

    it("are not known when the packages are not, and nothing is asked", async () => {
      const found = await finder().find({ source: null, packages: [], complete: false, note: "No layer could be read." }, signal);
      assert.deepEqual([found.known, found.vulnerabilities.length, server.requests.length], [false, 0, 0]);
      assert.match(found.note ?? "", /not known/);
      const leftOut = await finder().find({ ...list(), complete: false, note: "2 packages without a usable name are left out." }, signal);
      assert.equal(leftOut.known, false);
      assert.equal((await finder().find(list(), signal)).known, true, "it has none");
    });
  });

  describe("a database that does not answer", () => {
    async function whileTimePasses<Result>(work: Promise<Result>): Promise<Result> {
      let done = false;
      void work.finally(() => (done = true)).catch(() => undefined);
      await turnUntil(clock, () => done, { stepMs: 10_000, mostMs: 600_000 });
      return work;
    }

    it("is asked again after a pause, when it is busy", async () => {
      server.records.set(left.id, left);
      server.instead = ({ index }, response) => {
        if (index > 1) return false;
        response.writeHead(index === 0 ? 429 : 503, { "retry-after": "7" }).end("busy");
        return true;
      };
      const work = finder().find(list(npm("left")), signal);
      await until(() => server.requests.length === 1);
      await clock.advance(6000);
      assert.equal(server.requests.length, 1);
      const found = await whileTimePasses(work);
      assert.equal(found.known, true);
      assert.equal(found.vulnerabilities.length, 1);
    });

    it("is given up after three attempts, and left alone for a minute", async () => {
      server.instead = (_, response) => {
        response.writeHead(429, { "retry-after": "3600" }).end();
        return true;
      };
      const made = finder();
      const found = await whileTimePasses(made.find(list(npm("left")), signal));
      assert.equal(found.known, false);
      assert.match(found.note ?? "", /could not be asked\. It answered with status 429\./);
      assert.equal(server.requests.length, 3);
      assert.equal((await made.find(list(npm("left")), signal)).known, false);
      assert.equal(server.requests.length, 3);
      server.instead = () => false;
      await clock.advance(61_000);
      assert.equal((await made.find(list(npm("left")), signal)).known, true);
    });

    const answers: [string, (response: import("node:http").ServerResponse) => void, RegExp][] = [
      ["HTML", (response) => void response.writeHead(200, { "content-type": "text/html" }).end("<html>"), /cannot be read/],
      ["an answer to another number of questions", (response) => void response.writeHead(200).end('{"results":[{},{}]}'), /cannot be read/],
      ["a refusal", (response) => void response.writeHead(400).end("{}"), /status 400/],
      ["nothing but a closed connection", (response) => void response.destroy(), /closed the connection/],
      ["too much", (response) => void response.writeHead(200).end(Buffer.alloc(9 * 1_048_576, " ")), /longer than/],
      [
        "a redirect to a private address",
        (response) => void response.writeHead(302, { location: "http://169.254.169.254/x" }).end(),
        /could not be asked/,
      ],
    ];
    for (const [what, answer, note] of answers)
      it(`is reported to give ${what}`, async () => {
        server.instead = (_, response) => {
          answer(response);
          return true;
        };
        const found = await whileTimePasses(finder().find(list(npm("left")), signal));
        assert.deepEqual([found.known, found.vulnerabilities.length], [false, 0]);
        assert.match(found.note ?? "", note);
        assert.ok(server.requests.length <= 3);
      });

    it("in the middle leaves a list that is marked as incomplete", async () => {
      const records = Array.from({ length: 20 }, (_, index) =>
        osvRecord({ id: `GHSA-${index}`, ecosystem: "npm", name: "left", vector: VECTORS.high }),
      );
      for (const record of records) server.records.set(record.id, record);
      server.instead = ({ path }, response) => {
        if (path !== "/v1/vulns/GHSA-3") return false;
        response.writeHead(500).end();
        return true;
      };
      const found = await whileTimePasses(finder().find(list(npm("left")), signal));
      assert.equal(found.known, false);
      assert.ok(found.vulnerabilities.length > 0 && found.vulnerabilities.length < 20);
      assert.match(
        found.note ?? "",
        /of 20 records are missing\. The vulnerability database could not be asked\. It answered with status 500\./,
      );
    });

    it("does not hold up whoever goes", async () => {
      server.instead = () => true;
      const gone = new AbortController();
      const work = finder().find(list(npm("left")), gone.signal);
      await until(() => server.requests.length === 1);
      gone.abort(new Error("enough"));
      await assert.rejects(work, /enough/);
    });
  });

  describe("kept records", () => {
    it("go when they were not used for long, and when they are too many", async () => {
      const store = createRecordStore(database);
      const kept = createKeptRecords({ store, clock, log: silentLog });
      const record = readRecord(left);
      assert.ok(record);
      await kept.save(Array.from({ length: 1200 }, (_, index) => ({ id: `OLD-${index}`, modified: "m", record })));
      clock.jump(new Date(clock.now().getTime() + 20 * DAY_MS));
      await kept.save([{ id: "NEW", modified: "m", record: null }]);
      assert.equal((await kept.read(["OLD-7", "NEW"])).size, 2);
      clock.jump(new Date(clock.now().getTime() + 15 * DAY_MS));
      await kept.prune(signal);
      assert.deepEqual([...(await kept.read(["OLD-7", "OLD-8", "NEW"])).keys()].sort(), ["NEW", "OLD-7"]);
      assert.equal(await store.count(), 2);
      await kept.save([{ id: "NEWER", modified: "m", record: null }]);
      await kept.prune(signal, 1);
      assert.equal(await store.count(), 1);
    });

    it("come back as they were but for their list of versions", async () => {
      const kept = createKeptRecords({ store: createRecordStore(database), clock, log: silentLog });
      const record = readRecord(left);
      assert.ok(record);
      await kept.save([
        { id: left.id, modified: "m", record: { ...record, affected: record.affected.map((each) => ({ ...each, versions: ["1.0.0"] })) } },
      ]);
      assert.deepEqual((await kept.read([left.id, "x"])).get(left.id), { record, modified: "m", fetchedAt: clock.now().getTime() });
    });

    it("out of reach are fetched again", async () => {
      server.records.set(left.id, left);
      const made = finder();
      await database.stop();
      assert.equal((await made.find(list(npm("left")), signal)).vulnerabilities.length, 1);
    });
  });
});
