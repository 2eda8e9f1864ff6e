import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { scanOf, startCertificates, unreachable, type WatchedCertificates } from "../../../test/support/certificates.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { body } from "../../../test/support/endpoints.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { turnUntil } from "../../../test/support/turn-until.ts";
import type { Database } from "../../storage/database.ts";

const NOON = new Date("2026-03-02T12:00:00Z");

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

  const checkedAt = (minutes: number): Promise<void> => {
    const at = new Date(NOON.getTime() + minutes * 60_000);
    const isChecked = (): boolean => {
      const [lastCheckAt] = watched.list().map(({ last_check_at }) => last_check_at);
      return typeof lastCheckAt === "string" && new Date(lastCheckAt) >= at;
    };
    return turnUntil(clock, isChecked, { stepMs: 10_000, mostMs: minutes * 60_000 + 120_000 });
  };
  const published = (): string[] =>
    watched.events.flatMap(({ type, data }) => {
      if (type === "certificate.alert") return [`alert ${data.alert}`];
      return type === "certificate.recovery" ? [`${data.reason} ${data.alert}`] : [];
    });
  const announced = (): unknown[] => watched.certificates.announce().map(({ data }) => "alert" in data && data.alert);

  describe("a server whose certificate cannot be seen", () => {
    for (const interval of [60, 43_200])
      it(`is alerted once after ten minutes, looked at every ${interval} s, also over a restart, until it is reached`, async () => {
        watched.shows(unreachable);
        await watched.create({ check_interval_seconds: interval });
        if (interval === 60) await checkedAt(8);
        assert.deepEqual([published(), announced()], [[], []]);
        await checkedAt(10);
        assert.deepEqual(
          [published(), announced(), watched.list()[0]?.alerting],
          [["alert unreachable"], ["unreachable"], ["unreachable"]],
        );
        await watched.stop();
        watched = await startCertificates({ database, clock });
        watched.shows(unreachable);
        assert.deepEqual(announced(), ["unreachable"]);
        // What is wrong is looked at every hour at least.
        await checkedAt(interval === 60 ? 15 : 70);
        assert.deepEqual(published(), []);
        watched.shows(scanOf());
        await turnUntil(clock, () => published().length > 0, { stepMs: 60_000, mostMs: 3_700_000 });
        assert.deepEqual([published(), announced()], [["reached unreachable"], []]);
      });

    it("stays alerted when the clock is set back", async () => {
      watched.shows(unreachable);
      await watched.create({ check_interval_seconds: 60 });
      await checkedAt(10);
      clock.jump(new Date(clock.now().getTime() - 3_600_000));
      const before = watched.list()[0]?.last_check_at;
      await turnUntil(clock, () => watched.list()[0]?.last_check_at !== before, { stepMs: 10_000, mostMs: 600_000 });
      assert.deepEqual([published(), announced()], [["alert unreachable"], ["unreachable"]]);
    });

    it("is not alerted for where an endpoint leads to it, which is alerted itself", async () => {
      watched.shows(unreachable);
      await watched.endpoints.service.create(body({ target: "https://web.test/" }));
      await checkedAt(15);
      assert.deepEqual([published(), watched.list()[0]?.alerting], [[], []]);
    });

    const asks = { certificates: [{ domain: "web.test", port: 443, serverName: "web.test" }] };
    const stopped = { ...asks, state: "exited", stopRequested: true } as const;
    /** Its first check comes a moment after its label is seen. */
    const isPublished = (count: number): Promise<void> =>
      turnUntil(clock, () => published().length >= count, { stepMs: 10_000, mostMs: 780_000 });
    const checkedAfter = (minutes: number): Promise<void> => checkedAt((clock.now().getTime() - NOON.getTime()) / 60_000 + minutes);

    it("is alerted for the label of a container, until it is reached", async () => {
      watched.shows(unreachable);
      await watched.show(asks);
      await checkedAt(9);
      assert.deepEqual(published(), []);
      await isPublished(1);
      assert.deepEqual([published(), announced(), watched.list()[0]?.source], [["alert unreachable"], ["unreachable"], "label"]);
      watched.shows(scanOf());
      await isPublished(2);
      assert.deepEqual([published(), announced()], [["alert unreachable", "reached unreachable"], []]);
    });

    it("is not alerted for a container that does not run, whose ten minutes begin with its start", async () => {
      watched.shows(unreachable);
      await watched.show(stopped);
      await checkedAt(15);
      await watched.show(asks);
      await checkedAfter(8);
      assert.deepEqual([published(), announced()], [[], []]);
      await isPublished(1);
      await watched.show(stopped);
      await checkedAfter(3);
      assert.deepEqual([published(), announced()], [["alert unreachable"], ["unreachable"]]);
    });

    it("is over when the container whose label asked is removed for good", async () => {
      watched.shows(unreachable);
      await watched.show(asks);
      await isPublished(1);
      await watched.show();
      await checkedAfter(9);
      assert.deepEqual(published(), ["alert unreachable"]);
      await checkedAfter(2);
      await watched.show();
      await turnUntil(clock, () => published().length > 1, { stepMs: 1_000, mostMs: 5_000 });
      assert.deepEqual([published(), watched.list()], [["alert unreachable", "removed unreachable"], []]);
    });

    it("is left to an endpoint that comes to lead there, and taken back from it", async () => {
      watched.shows(unreachable);
      await watched.show(asks);
      await isPublished(1);
      const { id } = await watched.endpoints.service.create(body({ target: "https://web.test/" }));
      await isPublished(2);
      assert.deepEqual([published(), announced()], [["alert unreachable", "changed unreachable"], []]);
      await watched.endpoints.service.remove(id);
      await isPublished(3);
      assert.deepEqual(published(), ["alert unreachable", "changed unreachable", "alert unreachable"]);
    });

    it("is over when its monitor is deleted", async () => {
      watched.shows(unreachable);
      const { certificate } = await watched.create();
      await checkedAt(10);
      await watched.certificates.service.remove(certificate.id);
      assert.deepEqual(published(), ["alert unreachable", "removed unreachable"]);
    });

    it("is alerted for the certificate that was seen last when that expires unseen", async () => {
      watched.shows(scanOf({ expiresAt: new Date(NOON.getTime() + 5 * 60_000) }));
      await watched.create();
      watched.shows(unreachable);
      await checkedAt(6);
      assert.deepEqual(published(), ["alert expiring", "alert expired"]);
    });
  });
});
