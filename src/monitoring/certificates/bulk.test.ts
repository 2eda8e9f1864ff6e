import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { bulkServer } from "../../../test/support/bulk.ts";
import { scanOf, startCertificates, type WatchedCertificates } from "../../../test/support/certificates.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { body } from "../../../test/support/endpoints.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { watchedDatabase } from "../../../test/support/heartbeats.ts";
import { turnUntil } from "../../../test/support/turn-until.ts";
import { until } from "../../../test/support/until.ts";
import type { Database } from "../../storage/database.ts";
import { certificateBody, certificateChange } from "./api.ts";
import type { CertificateBulkAnswer } from "./answers.ts";

const site = (index: number, facts: object = {}) => ({ key: `site-${index}`, domain: `site-${index}.test`, ...facts });

onBothDatabases((databases) => {
  let database: Database;
  let databaseWatch: ReturnType<typeof watchedDatabase>;
  let clock: FakeClock;
  let watched: WatchedCertificates;
  let bulk: ReturnType<typeof bulkServer>;

  async function start(): Promise<void> {
    databaseWatch = watchedDatabase(database);
    watched = await startCertificates({ database: databaseWatch.seen, clock });
    bulk = bulkServer({ routes: watched.certificates.routes, list: "certificates", clock });
  }

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock();
    await start();
  });
  afterEach(async () => {
    await bulk.server.stop();
    await watched.stop();
  });

  const rows = (): Promise<object[]> => database.tables<{ certificates: object }>().read.selectFrom("certificates").selectAll().execute();
  const counts = ({ created, updated, unchanged }: Record<string, unknown>) => [created, updated, unchanged];
  const named = (key: string) => watched.list().find((each) => each.key === key);
  const allScanned = (): Promise<unknown> => until(() => watched.list().every(({ last_check_at }) => last_check_at !== null));

  it("sets up many by one request, which are checked soon; again it changes nothing and costs nothing", async () => {
    const sites = Array.from({ length: 200 }, (_, index) => site(index));
    const first = await bulk.put(sites);
    assert.equal(first.status, 200, JSON.stringify(first.body.error));
    assert.deepEqual(counts(first.body), [200, 0, 0]);
    for (const { key, id, outcome } of (first.body as unknown as CertificateBulkAnswer).certificates)
      assert.deepEqual([outcome, named(key)?.id], ["created", id]);
    assert.partialDeepStrictEqual(named("site-7"), { domain: "site-7.test", port: 443, server_name: "site-7.test", source: "standalone" });
    await allScanned();
    assert.deepEqual([watched.scanned.length, watched.published("certificate.created").length, bulk.audited.length], [200, 200, 200]);
    assert.ok(watched.mostAtOnce() <= 8);
    assert.partialDeepStrictEqual(bulk.audited[7], { entity: { type: "certificate", name: "site-7.test" }, after: { key: "site-7" } });

    const stored = await rows();
    const [writes, events] = [databaseWatch.writes(), watched.events.length];
    const second = await bulk.put(sites);
    assert.deepEqual(counts(second.body), [0, 0, 200]);
    assert.deepEqual(await rows(), stored);
    assert.deepEqual([databaseWatch.writes(), watched.events.length, bulk.audited.length], [writes, events, 200]);
  });

  it("changes those that differ, also after a restart; another address starts over", async () => {
    watched.shows(scanOf({ expiresAt: new Date(clock.now().getTime() - 1000) }));
    await bulk.put([site(1), site(2), site(3)]);
    await allScanned();
    await bulk.server.stop();
    await watched.stop();
    await start();
    watched.shows(scanOf());
    const before = [1, 2, 3].map((index) => named(`site-${index}`));
    assert.equal(before[0]?.status, "expired");
    const reply = await bulk.put([site(1, { domain: "moved.test", port: 8443 }), site(2), site(3, { alert_thresholds_days: [60, 60, 5] })]);
    assert.deepEqual(counts(reply.body), [0, 2, 1]);
    const { id } = named("site-1") ?? {};
    assert.equal(id, before[0]?.id);
    assert.partialDeepStrictEqual(watched.published("certificate.recovery")[0], { id, reason: "changed", alert: "expired" });
    assert.deepEqual(named("site-3")?.alert_thresholds_days, [60, 5]);
    await until(() => named("site-1")?.status === "valid" && named("site-3")?.status === "valid");
    assert.deepEqual(watched.scanned.map(({ domain }) => domain).toSorted(), ["moved.test", "site-3.test"]);
    assert.equal(named("site-2")?.status, "expired");
  });

  it("takes over a monitor of the same domain, port and server name that has no key", async () => {
    const { certificate: made } = await watched.create({ domain: "site-1.test" });
    await watched.endpoints.service.create(body({ target: "https://site-2.test/" }));
    await turnUntil(clock, () => watched.list().length === 2, { stepMs: 1000, mostMs: 60_000 });
    const followed = watched.list().find(({ domain }) => domain === "site-2.test");
    assert.equal(followed?.source, "endpoint");
    const reply = await bulk.put([site(1), site(2)]);
    assert.deepEqual(counts(reply.body), [0, 2, 0]);
    assert.deepEqual([named("site-1")?.id, named("site-2")?.id], [made.id, followed.id]);
    assert.partialDeepStrictEqual(named("site-2"), { source: "standalone", endpoint_id: null });
    // It stays what the program asked for while the endpoint comes and goes.
    const [endpoint] = watched.endpoints.present();
    await watched.endpoints.service.remove(endpoint?.id ?? 0);
    await clock.advance(120_000);
    assert.deepEqual(counts((await bulk.put([site(1), site(2)])).body), [0, 0, 2]);
  });

  it("keeps what it takes over from endpoints and labels that change at the same time", async () => {
    for (const index of [1, 2]) await watched.endpoints.service.create(body({ target: `https://site-${index}.test/` }));
    await turnUntil(clock, () => watched.list().length === 2, { stepMs: 1000, mostMs: 60_000 });
    await allScanned();
    const [gone] = watched.endpoints.present();
    await watched.endpoints.service.remove(gone?.id ?? 0);
    const held = databaseWatch.holdNext();
    const reply = bulk.put([site(1), site(2)]);
    await held.arrived;
    // The endpoint of the first is gone, and a label asks for the second.
    const observed = watched.show({ certificates: [{ domain: "site-2.test", port: 443, serverName: "site-2.test" }] });
    await clock.advance(1000);
    held.release();
    assert.deepEqual(counts((await reply).body), [0, 2, 0]);
    await observed;
    await clock.advance(1000);
    for (const key of ["site-1", "site-2"]) assert.partialDeepStrictEqual(named(key), { source: "standalone", endpoint_id: null });
    assert.deepEqual(
      (await rows()).map((row) => (row as { source: string }).source),
      ["standalone", "standalone"],
    );
  });

  it("writes nothing when items have mistakes, and names all of them", async () => {
    await bulk.put([site(1), site(2)]);
    await allScanned();
    const [stored, events] = [await rows(), watched.events.length];
    const taken = await bulk.put([
      site(3, { domain: "site-1.test" }),
      site(2, { domain: "site-1.test", port: 8443 }),
      site(1, { domain: "SITE-2.test" }),
    ]);
    assert.deepEqual([taken.status, taken.body.error?.code], [409, "unusable_values"]);
    assert.deepEqual(bulk.faultsOf(taken), ["certificates.0.domain site-3", "certificates.2.domain site-1"]);
    assert.match(taken.body.error?.details?.[0]?.message ?? "", /by monitor \d+ under the key site-1/);
    const twice = await bulk.put([
      site(4),
      site(5, { domain: "site-4.test", server_name: "site-4.test" }),
      site(6, { port: 0 }),
      site(4, { domain: "other.test" }),
      site(7, { domain: "not a host" }),
    ]);
    assert.deepEqual(bulk.faultsOf(twice).toSorted(), [
      "certificates.1.domain site-5",
      "certificates.2.port site-6",
      "certificates.3.key site-4",
      "certificates.4.domain site-7",
    ]);
    assert.deepEqual([await rows(), watched.events.length], [stored, events]);
  });

  it("is one with what happens at the same time", async () => {
    const [reply, other] = await Promise.all([
      bulk.put([site(1), site(2)]),
      bulk.put([site(1), site(3)]),
      watched.certificates.service.create(certificateBody.parse({ domain: "site-2.test" })).catch(() => undefined),
    ]);
    assert.deepEqual([reply.status, other.status], [200, 200]);
    assert.deepEqual(
      watched
        .list()
        .map(({ key }) => key)
        .toSorted(),
      ["site-1", "site-2", "site-3"],
    );
    await allScanned();
    const id = named("site-3")?.id ?? 0;
    // A peer that somebody else takes while the items wait to be saved is no defect.
    const moves = await Promise.all([
      bulk.put([site(4, { domain: "wanted.test" })]),
      watched.certificates.service.update(id, certificateChange.parse({ domain: "wanted.test" })).catch(() => undefined),
    ]);
    assert.ok([200, 409].includes(moves[0].status));
    assert.equal(watched.list().filter(({ domain }) => domain === "wanted.test").length, 1);
  });
});
