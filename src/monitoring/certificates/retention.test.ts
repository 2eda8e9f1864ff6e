import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { scanOf, startCertificates, type WatchedCertificates } from "../../../test/support/certificates.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { turnUntil } from "../../../test/support/turn-until.ts";
import type { Database } from "../../storage/database.ts";
import { createCertificateStore } from "./store.ts";

const NOON = new Date("2026-03-01T12:00:00Z");
const DAY_S = 86_400;

/** What is deleted with time. */
onBothDatabases((databases) => {
  let database: Database;
  let clock: FakeClock;
  let watched: WatchedCertificates;

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock(NOON);
    watched = await startCertificates({ database, clock });
  });
  afterEach(() => watched.stop());

  const after = (seconds: number): Date => new Date(NOON.getTime() + seconds * 1000);
  const checks = (id: number, page = {}) => watched.certificates.service.checks(id, { limit: 50, offset: 0, ...page });
  const passes = (seconds: number, condition: () => boolean): Promise<unknown> =>
    turnUntil(clock, () => condition(), { stepMs: seconds * 1000, mostMs: seconds * 300_000 });

  it("forgets what only checks showed that others deleted", async () => {
    const { certificate } = await watched.create();
    watched.shows(scanOf({ fingerprint: "BB:02" }));
    await passes(30, () => watched.list()[0]?.fingerprint_sha256 === "BB:02");
    const { read, write } = database.tables<{ certificate_facts: { id: number }; certificate_checks: { id: number; facts_id: number } }>();
    const facts = async (): Promise<number[]> =>
      (await read.selectFrom("certificate_facts").select("id").orderBy("id").execute()).map(({ id }) => id);
    const [first = 0, second] = await facts();
    await write((tx) => tx.deleteFrom("certificate_checks").where("facts_id", "=", first).execute());
    assert.equal(await createCertificateStore(database).prune(after(-DAY_S)), false);
    assert.deepEqual(await facts(), [second]);
    assert.equal((await checks(certificate.id)).checks[0]?.fingerprint_sha256, "BB:02");
  });

  it("forgets checks after 400 days, and what only they showed", async () => {
    const { certificate } = await watched.create();
    watched.shows(scanOf({ fingerprint: "BB:02", expiresAt: after(1000 * DAY_S) }));
    clock.jump(after(401 * DAY_S));
    await passes(30, () => watched.list()[0]?.fingerprint_sha256 === "BB:02");
    const { read } = database.tables<{ certificate_facts: { id: number } }>();
    await turnUntil(clock, async () => (await read.selectFrom("certificate_facts").select("id").execute()).length === 1, {
      stepMs: 60_000,
      mostMs: 600_000,
    });
    assert.equal(
      (await checks(certificate.id, { since: after(-1).toISOString() })).checks.every(
        ({ fingerprint_sha256 }) => fingerprint_sha256 === "BB:02",
      ),
      true,
    );
  });
});
