import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { bulkServer } from "../../../test/support/bulk.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { openHeartbeats, type OpenedHeartbeats, watchedDatabase } from "../../../test/support/heartbeats.ts";
import type { Database } from "../../storage/database.ts";
import type { HeartbeatBulkAnswer } from "./answers.ts";

const job = (index: number, facts: object = {}) => ({ key: `job-${index}`, name: `Job ${index}`, interval_seconds: 3600, ...facts });

onBothDatabases((databases) => {
  let database: Database;
  let watched: ReturnType<typeof watchedDatabase>;
  let clock: FakeClock;
  let opened: OpenedHeartbeats;
  let bulk: ReturnType<typeof bulkServer>;

  async function start(): Promise<void> {
    watched = watchedDatabase(database);
    opened = await openHeartbeats(watched.seen, clock);
    bulk = bulkServer({ routes: opened.routes, list: "heartbeats", clock });
  }

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock();
    await start();
  });
  afterEach(() => bulk.server.stop());

  const rows = (): Promise<object[]> => database.tables<{ heartbeats: object }>().read.selectFrom("heartbeats").selectAll().execute();
  const counts = ({ created, updated, unchanged }: Record<string, unknown>) => [created, updated, unchanged];
  const named = (key: string) => opened.list().heartbeats.find((each) => each.key === key);

  it("sets up five hundred by one request, which again changes nothing and costs nothing", async () => {
    const jobs = Array.from({ length: 500 }, (_, index) => job(index));
    const first = await bulk.put(jobs);
    assert.equal(first.status, 200, JSON.stringify(first.body.error));
    assert.deepEqual(counts(first.body), [500, 0, 0]);
    const listed = new Map(opened.list().heartbeats.map((each) => [each.key, each]));
    for (const { key, id, outcome, ping_url } of (first.body as unknown as HeartbeatBulkAnswer).heartbeats)
      assert.deepEqual([outcome, listed.get(key)?.id, listed.get(key)?.ping_url], ["created", id, ping_url]);
    assert.deepEqual([opened.published("heartbeat.created").length, bulk.audited.length], [500, 500]);
    assert.partialDeepStrictEqual(bulk.audited[3]?.after, { key: "job-3", name: "Job 3", ping_url: "***" });

    const stored = await rows();
    const [writes, events] = [watched.writes(), opened.events.length];
    await clock.advance(1000);
    const second = await bulk.put(jobs);
    assert.deepEqual(counts(second.body), [0, 0, 500]);
    assert.deepEqual((second.body["heartbeats"] as object[]).length, 500);
    assert.deepEqual(await rows(), stored);
    assert.deepEqual([watched.writes(), opened.events.length, bulk.audited.length], [writes, events, 500]);
  });

  it("changes those that differ, also after a restart; what is left out takes its default", async () => {
    await bulk.put([job(1, { tags: ["shop"], grace_seconds: 60 }), job(2)]);
    await bulk.server.stop();
    await start();
    const before = named("job-1");
    const unchanged = named("job-2");
    assert.ok(before !== undefined && unchanged !== undefined);
    await opened.ping(before);
    const { body } = await bulk.put([job(3, { cron: "0 3 * * *", interval_seconds: null }), job(2), job(1, { interval_seconds: 600 })]);
    assert.partialDeepStrictEqual(body["heartbeats"], [
      { key: "job-3", outcome: "created" },
      { key: "job-2", id: unchanged.id, outcome: "unchanged" },
      { key: "job-1", id: before.id, outcome: "updated" },
    ]);
    assert.deepEqual(named("job-2"), unchanged);
    assert.partialDeepStrictEqual(named("job-1"), {
      uuid: before.uuid,
      status: "up",
      interval_seconds: 600,
      grace_seconds: 300,
      tags: [],
      next_expected_at: new Date(clock.now().getTime() + 600_000).toISOString(),
    });
    assert.deepEqual([opened.published("heartbeat.created").length, opened.published("heartbeat.updated").length], [1, 1]);
    assert.deepEqual(
      bulk.audited.map(({ entity, before: found }) => [entity?.id, found?.["interval_seconds"]]),
      [
        [String(named("job-3")?.id), undefined],
        [String(before.id), 3600],
      ],
    );
    const after = named("job-1");
    await bulk.server.stop();
    await start();
    assert.deepEqual(named("job-1"), after);
  });

  it("writes nothing when items have mistakes, and names all of them", async () => {
    await bulk.put([job(1)]);
    const [stored, events] = [await rows(), opened.events.length];
    const reply = await bulk.put([
      job(1, { name: "Other" }),
      job(2, { interval_seconds: 1, grace: 5 }),
      job(3, { cron: "61 * * * *", interval_seconds: null }),
      job(4, { timezone: "Mars/Base", cron: "0 3 * * *" }),
      job(1),
      { key: "job-5", name: "No schedule" },
    ]);
    assert.deepEqual([reply.status, reply.body.error?.code], [400, "validation_failed"]);
    assert.deepEqual(bulk.faultsOf(reply).toSorted(), [
      "heartbeats.1.grace job-2",
      "heartbeats.1.interval_seconds job-2",
      "heartbeats.2.cron job-3",
      "heartbeats.3.cron job-4",
      "heartbeats.3.timezone job-4",
      "heartbeats.4.key job-1",
      "heartbeats.5.schedule job-5",
    ]);
    const unusable = await bulk.put([job(1, { name: "Other" }), job(3, { cron: "61 * * * *", interval_seconds: null })]);
    assert.deepEqual(
      [unusable.status, unusable.body.error?.code, bulk.faultsOf(unusable)],
      [409, "unusable_values", ["heartbeats.1.cron job-3"]],
    );
    assert.deepEqual([await rows(), opened.events.length], [stored, events]);
  });

  it("takes a key again whose heartbeat was deleted, while its rows still wait", async () => {
    await bulk.put([job(1)]);
    await opened.service.remove(named("job-1")?.id ?? 0);
    const { body } = await bulk.put([job(1)]);
    assert.deepEqual([counts(body), (await rows()).length, opened.list().total], [[1, 0, 0], 2, 1]);
  });
});
