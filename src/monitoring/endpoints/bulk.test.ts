import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { bulkServer } from "../../../test/support/bulk.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { type CheckedEndpoints, success, startEndpoints } from "../../../test/support/endpoints.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { watchedDatabase } from "../../../test/support/heartbeats.ts";
import { standaloneEndpointKey } from "../../observations.ts";
import type { Database } from "../../storage/database.ts";
import type { EndpointBulkAnswer } from "./answers.ts";

/** As a program lists them from its inventory. */
const shop = (index: number, facts: object = {}) => ({
  key: `shop-${index}`,
  type: "http",
  name: `Shop ${index}`,
  target: `https://shop-${index}.example/health`,
  ...facts,
});
const thousand = Array.from({ length: 1000 }, (_, index) => shop(index));

onBothDatabases((databases) => {
  let database: Database;
  let watched: ReturnType<typeof watchedDatabase>;
  let clock: FakeClock;
  let checked: CheckedEndpoints;
  let bulk: ReturnType<typeof bulkServer>;

  async function start(): Promise<void> {
    watched = watchedDatabase(database);
    checked = await startEndpoints({ database: watched.seen, clock });
    bulk = bulkServer({ routes: checked.endpoints.routes, list: "endpoints", clock });
  }

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock();
    await start();
  });
  afterEach(async () => {
    await bulk.server.stop();
    await checked.stop();
  });

  const rows = (): Promise<object[]> => database.tables<{ endpoints: object }>().read.selectFrom("endpoints").selectAll().execute();
  const counts = ({ created, updated, unchanged }: Record<string, unknown>) => [created, updated, unchanged];

  it("sets up a thousand by one request, which again changes nothing and costs nothing", async () => {
    const first = await bulk.put(thousand);
    assert.equal(first.status, 200, JSON.stringify(first.body.error));
    const answer = first.body as unknown as EndpointBulkAnswer;
    assert.deepEqual(counts(first.body), [1000, 0, 0]);
    assert.deepEqual(
      answer.endpoints.map(({ key, outcome }) => [key, outcome]),
      thousand.map(({ key }) => [key, "created"]),
    );
    const listed = new Map(checked.list().map((each) => [each.key, each]));
    for (const { key, id } of answer.endpoints) assert.equal(listed.get(key)?.id, id);
    assert.equal(listed.get("shop-7")?.target, "https://shop-7.example/health");
    assert.deepEqual([checked.probes.checks.size, checked.published("endpoint.created").length, bulk.audited.length], [1000, 1000, 1000]);
    assert.partialDeepStrictEqual(bulk.audited[7], {
      operation: "put_api_v1_endpoints_bulk",
      entity: { type: "endpoint", id: String(listed.get("shop-7")?.id), name: "Shop 7" },
      before: null,
      after: { key: "shop-7", target: "https://shop-7.example/health" },
    });

    const stored = await rows();
    const [writes, events] = [watched.writes(), checked.events.length];
    await clock.advance(1000);
    const second = await bulk.put(thousand);
    assert.deepEqual(counts(second.body), [0, 0, 1000]);
    assert.deepEqual(await rows(), stored);
    assert.deepEqual([watched.writes(), checked.events.length, bulk.audited.length], [writes, events, 1000]);
  });

  it("changes those that differ, and them alone, also after a restart", async () => {
    await bulk.put([shop(1), shop(2, { headers: { Authorization: "Bearer abcdef" } })]);
    await bulk.server.stop();
    await checked.stop();
    await start();
    const [first, second] = [1, 2].map((index) => checked.list().find(({ key }) => key === `shop-${index}`));
    await clock.advance(1000);
    await checked.checked(standaloneEndpointKey(first?.id ?? 0), success);
    const masked = { headers: { Authorization: second?.config.headers?.["Authorization"] } };
    const { body } = await bulk.put([shop(3), shop(1, { name: "Store", interval_seconds: 60 }), shop(2, masked)]);
    assert.partialDeepStrictEqual(body["endpoints"], [
      { key: "shop-3", outcome: "created" },
      { key: "shop-1", id: first?.id, outcome: "updated" },
      { key: "shop-2", id: second?.id, outcome: "unchanged" },
    ]);
    const changed = checked.list().find(({ key }) => key === "shop-1");
    assert.partialDeepStrictEqual(changed, { name: "Store", status: "up", config: { interval_seconds: 60, timeout_seconds: 10 } });
    assert.deepEqual([checked.published("endpoint.created").length, checked.published("endpoint.updated").length], [1, 2]);
    assert.deepEqual(
      bulk.audited.map(({ entity, before, after }) => [entity?.name, before, after?.["name"]]),
      [
        ["Shop 3", null, "Shop 3"],
        ["Store", bulk.audited[1]?.before, "Store"],
      ],
    );
    assert.equal(bulk.audited[1]?.before?.["name"], "Shop 1");
    assert.equal(checked.probes.checks.get(standaloneEndpointKey(second?.id ?? 0))?.http?.headers["Authorization"], "Bearer abcdef");
  });

  it("writes nothing when items have mistakes, and names all of them", async () => {
    await bulk.put([shop(1)]);
    const stored = await rows();
    const unusable = await bulk.put([
      shop(1, { name: "Store" }),
      shop(2, { headers: { Authorization: "***" } }),
      shop(3),
      shop(4, { interval_seconds: 5, timeout_seconds: 10 }),
    ]);
    // What contradicts itself is found before what is kept is asked.
    assert.deepEqual([unusable.status, bulk.faultsOf(unusable)], [409, ["endpoints.3.timeout_seconds shop-4"]]);
    const masked = await bulk.put([shop(1), shop(2, { headers: { a: "***", b: "***" } }), shop(5, { target: "https://***@b.example/" })]);
    assert.deepEqual(
      [masked.status, bulk.faultsOf(masked)],
      [409, ["endpoints.1.headers.a shop-2", "endpoints.1.headers.b shop-2", "endpoints.2.target shop-5"]],
    );
    const invalid = await bulk.put([
      shop(1, { name: "Store" }),
      shop(2, { target: "nowhere", retries: 3 }),
      shop(3, { interval_seconds: 1 }),
      shop(1),
      { ...shop(6), key: "with space" },
      shop(7, { interval_seconds: 5, timeout_seconds: 10 }),
      { type: "tcp", target: "db.example:5432" },
    ]);
    assert.deepEqual([invalid.status, invalid.body.error?.code], [400, "validation_failed"]);
    assert.deepEqual(bulk.faultsOf(invalid).toSorted(), [
      "endpoints.1.retries shop-2",
      "endpoints.1.target shop-2",
      "endpoints.2.interval_seconds shop-3",
      "endpoints.3.key shop-1",
      "endpoints.4.key with space",
      "endpoints.5.timeout_seconds shop-7",
      "endpoints.6.key",
    ]);
    assert.deepEqual(await rows(), stored);
    assert.deepEqual([checked.published("endpoint.created").length, checked.published("endpoint.updated").length], [1, 0]);
    assert.deepEqual(
      bulk.audited.map(({ outcome, error }) => error ?? outcome),
      ["done", "unusable_values", "unusable_values", "validation_failed"],
    );
  });

  it("leaves alone what others made, and takes a key again that was given back", async () => {
    await checked.create({ target: "https://shop-1.example/health", name: "Shop 1" });
    const made = (await bulk.put([shop(1)])).body as unknown as EndpointBulkAnswer;
    assert.deepEqual([made.created, checked.list().length], [1, 2]);
    await checked.endpoints.service.remove(made.endpoints[0]?.id ?? 0);
    const again = await bulk.put([shop(1)]);
    assert.deepEqual(counts(again.body), [1, 0, 0]);
    const { id } = (again.body as unknown as EndpointBulkAnswer).endpoints[0] ?? { id: 0 };
    await checked.endpoints.service.setPaused(id, true);
    const kept = await bulk.put([shop(1, { name: "Store" })]);
    assert.deepEqual(counts(kept.body), [0, 1, 0]);
    assert.partialDeepStrictEqual(await checked.endpoints.service.detail(id), { name: "Store", paused: true, key: "shop-1" });
  });
});
