import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import type { Reading } from "../../../test/support/readings.ts";
import { startWatching, type Watching } from "../../../test/support/resources.ts";
import type { Edition } from "../../editions/edition.ts";
import type { Database } from "../../storage/database.ts";
import type { TopQuery } from "./top.ts";
import { createYesterday } from "./top.ts";

const YESTERDAY = new Date("2026-03-01T12:10:00Z");
const TODAY = new Date("2026-03-02T12:40:00Z");

/** On a host with two CPUs. */
function use(memoryBytes: number, cpuPercent: number): Reading {
  return { memoryBytes, memoryLimitBytes: 1_000, cpuPercent, cpuCoresUsed: cpuPercent / 50 };
}

onBothDatabases((databases) => {
  let clock: FakeClock;
  let edition: Edition;
  let database: Database;
  let watching: Watching;

  beforeEach(async () => {
    edition = "pro";
    clock = createFakeClock(YESTERDAY);
    database = await databases.create();
    watching = await startWatching({ database, clock, edition: () => edition });
    const old = [
      { externalId: "a", name: "web" },
      { externalId: "b", name: "db" },
      { externalId: "c", name: "stopped" },
    ];
    await watching.show(...old);
    await watching.tick({ a: use(100, 10), b: use(600, 50) });
    clock.jump(new Date(YESTERDAY.getTime() + 10_000));
    await watching.tick({ a: use(300, 10), b: use(600, 50) });
    clock.jump(TODAY);
    await watching.show(
      ...old,
      { externalId: "d", name: "new", createdAt: new Date("2026-03-02T09:00:00Z") },
      { externalId: "e", name: "found", createdAt: new Date("2026-01-01T09:00:00Z") },
    );
    await watching.tick({ a: use(500, 40), b: use(550, 25), c: use(400, 0), d: use(250, 5), e: use(300, 6) });
  });
  afterEach(() => watching.stop());

  const top = (query: Partial<TopQuery>) =>
    watching.resources.service.top({ sort: "memory", by: "growth", limit: 10, agentId: undefined, ...query });
  const rows = async (query: Partial<TopQuery>) =>
    (await top(query)).consumers.map(({ name, rank, since_yesterday: since }) => [name, rank, since?.state, since?.change]);

  it("ranks by growth since the same hour of yesterday, new containers with all they use, unknown ones last", async () => {
    assert.deepEqual(await rows({}), [
      ["web", 1, "measured", 300],
      ["new", 2, "new", null],
      ["db", 3, "measured", -50],
      ["stopped", 4, "unknown", null],
      ["found", 5, "unknown", null],
    ]);
    assert.deepEqual(await rows({ limit: 1 }), [["web", 1, "measured", 300]]);
  });

  it("ranks by use with the same change, and says what it was compared with", async () => {
    const { consumers, yesterday, by } = await top({ by: "use", limit: 2 });
    assert.deepEqual([by, yesterday], ["use", { from: "2026-03-01T12:00:00.000Z", to: "2026-03-01T13:00:00.000Z" }]);
    assert.partialDeepStrictEqual(consumers, [
      { name: "db", value: 550, since_yesterday: { state: "measured", value: 600, change: -50, change_percent: -8.33 } },
      { name: "web", value: 500, since_yesterday: { state: "measured", value: 200, change: 300, change_percent: 150 } },
    ]);
  });

  it("compares CPU in cores, at the allocation of now", async () => {
    const { consumers } = await top({ sort: "cpu", limit: 3 });
    assert.partialDeepStrictEqual(consumers, [
      { name: "web", value: 0.8, since_yesterday: { value: 0.2, change: 0.6, change_percent: 300 } },
      { name: "new", value: 0.1, since_yesterday: { state: "new" } },
      { name: "db", value: 0.5, since_yesterday: { value: 1, change: -0.5, change_percent: -50 } },
    ]);
    clock.jump(new Date(TODAY.getTime() + 10_000));
    await watching.tick({ a: use(500, 0) });
    assert.deepEqual(await rows({ sort: "cpu", limit: 1 }), [["web", 1, "unknown", null]], "without a use now its CPUs are not known");
  });

  it("looks back below the Pro edition no more than charts do", async () => {
    edition = "personal";
    const { yesterday, consumers } = await top({ by: "use", limit: 1 });
    assert.equal(yesterday, null);
    assert.partialDeepStrictEqual(consumers, [{ name: "db", value: 550, since_yesterday: null }]);
    await assert.rejects(top({}), { code: "EDITION_REQUIRED", details: { capability: "history_24h", required_edition: "pro" } });
  });

  it("compares with the next hour once it is that late", async () => {
    assert.deepEqual((await rows({ limit: 1 }))[0], ["web", 1, "measured", 300]);
    clock.jump(new Date("2026-03-02T13:00:00Z"));
    await watching.tick({ a: use(500, 40) });
    assert.deepEqual(await rows({ limit: 1 }), [["web", 1, "unknown", null]]);
  });

  it("ranks by use without the database, and says that growth needs it", async () => {
    await database.stop();
    assert.partialDeepStrictEqual(await top({ by: "use", limit: 1 }), {
      yesterday: null,
      consumers: [{ name: "db", since_yesterday: null }],
    });
    await assert.rejects(top({}), { code: "storage_unavailable" });
    await database.start();
  });

  it("reads each container once an hour, however many ask", async () => {
    const asked: (readonly number[])[] = [];
    const yesterday = createYesterday({
      clock,
      series: {
        readEach(query) {
          asked.push(query.ids);
          return watching.series.readEach(query);
        },
      },
    });
    const [web, db] = ["a", "b"].map((externalId) => ({ id: watching.id(externalId), firstSeenAt: YESTERDAY }));
    assert.ok(web !== undefined && db !== undefined);
    const [one, other] = await Promise.all([yesterday([web]), yesterday([web, db])]);
    assert.equal((await yesterday([db])).meansOf(db.id)?.memoryBytes, 600);
    assert.deepEqual(
      [one, other].map(({ meansOf }) => meansOf(web.id)),
      [
        { cpuPercent: 10, memoryBytes: 200 },
        { cpuPercent: 10, memoryBytes: 200 },
      ],
    );
    assert.deepEqual(asked, [[web.id], [db.id], []]);
    assert.equal((await yesterday([{ id: 99, firstSeenAt: TODAY }])).meansOf(99), undefined);
    assert.deepEqual(asked.at(-1), [], "one that came since is not looked for");
    clock.jump(new Date(TODAY.getTime() + 3_600_000));
    await yesterday([web]);
    assert.deepEqual(asked.at(-1), [web.id]);
  });
});
