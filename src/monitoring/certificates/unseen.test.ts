import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { scanOf, startCertificates, unreachable, type WatchedCertificates } from "../../../test/support/certificates.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { sighting } from "../../../test/support/sightings.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/time.ts";
import { turnUntil } from "../../../test/support/turn-until.ts";
import type { CertificateScan } from "../../observations.ts";
import type { Database } from "../../storage/database.ts";

const A = "0b9c54a0-0000-4000-8000-00000000000a";
const NOON = new Date("2026-03-01T12:00:00Z");
const TARGET = { domain: "web.test", port: 443, serverName: "web.test" };

onBothDatabases((databases) => {
  let database: Database;
  let clock: FakeClock;
  let watched: WatchedCertificates;

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock(NOON);
    watched = await startCertificates({ database, clock });
    const containers = [sighting({ certificates: [TARGET] })];
    await watched.see(A, { kind: "container.inventory", observedAt: NOON, containers });
  });
  afterEach(() => watched.stop());

  const after = (ms: number): Date => new Date(NOON.getTime() + ms);
  const see = (scan: CertificateScan, observedAt = clock.now()): Promise<void> =>
    watched.see(A, { kind: "certificate.scanned", observedAt, target: TARGET, scan });
  /** Its host sends nothing, and then something is published. */
  async function beSilent(until: Date, alert: string): Promise<void> {
    clock.jump(until);
    const isPublished = (): boolean => alerts().at(-1)?.join(" ") === alert;
    await turnUntil(clock, isPublished, { stepMs: MINUTE_MS, mostMs: 30 * MINUTE_MS });
  }
  const only = () => watched.list()[0] ?? assert.fail("there is no certificate");
  const alerts = () => watched.published("certificate.alert").map(({ alert, threshold_days }) => [alert, threshold_days ?? "now"]);
  const recoveries = () => watched.published("certificate.recovery").map(({ alert, reason }) => [alert, reason]);

  describe("the certificate of a host that is disconnected", () => {
    it("is expiring and expired on time, and was not checked", async () => {
      await see(scanOf({ expiresAt: after(31 * DAY_MS) }));
      await beSilent(after(DAY_MS), "expiring 30");
      assert.partialDeepStrictEqual(only(), {
        status: "expiring",
        alerting: ["expiring"],
        message: "The certificate that was seen last expires on 2026-04-01 12:00 UTC.",
        last_check_at: NOON.toISOString(),
      });
      for (const days of [14, 7, 3, 1]) await beSilent(after((31 - days) * DAY_MS), `expiring ${days}`);
      await beSilent(after(31 * DAY_MS), "expired now");
      assert.deepEqual(alerts(), [...[30, 14, 7, 3, 1].map((days) => ["expiring", days]), ["expired", "now"]]);
      assert.partialDeepStrictEqual(only(), {
        status: "expired",
        alerting: ["expiring", "expired"],
        message: "The certificate that was seen last expired on 2026-04-01 12:00 UTC.",
        last_check_at: NOON.toISOString(),
      });
      assert.deepEqual(
        watched.events.flatMap(({ type, data }) => (type === "certificate.updated" && "status" in data ? [data.status] : [])).at(-1),
        "expired",
      );
      await watched.stop();
      watched = await startCertificates({ database, clock });
      assert.equal(only().status, "expired");
    });

    it("stays unreachable, or wrong, and its dates are alerted all the same", async () => {
      await see(scanOf({ expiresAt: after(31 * DAY_MS) }));
      await clock.advance(MINUTE_MS);
      await see(unreachable);
      await beSilent(after(2 * DAY_MS), "expiring 30");
      assert.partialDeepStrictEqual(only(), {
        status: "unreachable",
        message: "web.test:443 refused the connection. The certificate that was seen last expires on 2026-04-01 12:00 UTC.",
      });
      await see(scanOf({ fingerprint: "BB:02", expiresAt: after(31 * DAY_MS), chainValid: false, chainError: "It is self-signed." }));
      await beSilent(after(20 * DAY_MS), "expiring 14");
      assert.partialDeepStrictEqual(only(), { status: "chain_invalid", message: "It is self-signed." });
      await beSilent(after(32 * DAY_MS), "expired now");
      assert.equal(only().status, "expired");
    });

    it("is alerted once: neither a restart nor a scan that was late says it again", async () => {
      await see(scanOf({ expiresAt: after(DAY_MS) }));
      await beSilent(after(DAY_MS + HOUR_MS), "expired now");
      await see(scanOf({ expiresAt: after(DAY_MS) }), after(DAY_MS - MINUTE_MS));
      await see(scanOf({ expiresAt: after(DAY_MS) }));
      assert.deepEqual([alerts().length, recoveries()], [2, []]);
      await watched.stop();
      watched = await startCertificates({ database, clock });
      for (let minute = 0; minute < 10; minute += 1) await clock.advance(MINUTE_MS);
      assert.deepEqual([...alerts(), ...recoveries()], []);
      assert.equal(only().status, "expired");
    });

    it("is well again when it was renewed, and agents have time to say so after a start", async () => {
      await see(scanOf({ expiresAt: after(DAY_MS) }));
      await watched.stop();
      clock.jump(after(2 * DAY_MS));
      watched = await startCertificates({ database, clock });
      for (let minute = 0; minute < 4; minute += 1) await clock.advance(MINUTE_MS);
      assert.deepEqual([only().status, alerts()], ["expiring", []]);
      await see(scanOf({ fingerprint: "BB:02" }));
      assert.deepEqual([only().status, alerts(), recoveries()], ["valid", [], [["expiring", "renewed"]]]);
    });
  });
});
