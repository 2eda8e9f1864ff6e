import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { sql } from "kysely";
import { scanOf, unreachable } from "../../../test/support/certificates.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { checkedObservation, failure, httpCheck, labelled } from "../../../test/support/endpoints.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { type OpenedHosts, openHosts } from "../../../test/support/hosts.ts";
import { hostReading, sampled } from "../../../test/support/readings.ts";
import { insertRemoteRows } from "../../../test/support/remote-rows.ts";
import { sighting } from "../../../test/support/sightings.ts";
import { turnUntil } from "../../../test/support/turn-until.ts";
import { until } from "../../../test/support/until.ts";
import { labelEndpointKey, type Observation } from "../../observations.ts";
import { ServiceError } from "../../platform/errors.ts";
import type { Database } from "../../storage/database.ts";

const A = "0b9c54a0-0000-4000-8000-00000000000a";
const B = "0b9c54a0-0000-4000-8000-00000000000b";
const HOSTS = [null, A, B];
const NOON = new Date("2026-03-01T12:00:00Z");
const LABEL = "service.endpoint.http";

type Rows = Record<string, Record<string, unknown>[]>;

onBothDatabases((databases) => {
  let database: Database;
  let clock: FakeClock;
  let hosts: OpenedHosts;

  const open = async (): Promise<OpenedHosts> =>
    openHosts({ database, clock, agents: { local: true, ids: () => [A, B], labelOf: (id) => (id === A ? "Alpha" : undefined) } });

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock(NOON);
    await insertRemoteRows(database, [A, B], NOON);
    hosts = await open();
    await fill();
  });

  afterEach(() => hosts.stop());

  const tables = () => database.tables<Record<string, Record<string, unknown>>>();

  const at = (seconds: number): Date => new Date(NOON.getTime() + seconds * 1000);
  const observe = (agentId: string | null, ...observations: Observation[]): Promise<void> =>
    agentId === null
      ? Promise.all([hosts.containers, hosts.resources, hosts.endpoints, hosts.certificates]).then(async (features) => {
          for (const feature of features) await feature.observe(null, observations);
        })
      : hosts.intake.live(agentId, observations);

  /** Containers of all hosts share bundles of series: they come in turn. */
  async function fill(): Promise<void> {
    for (let round = 0; round < 3; round += 1) {
      for (const agentId of HOSTS) {
        const shown = Array.from({ length: round + 1 }, (_, index) =>
          sighting({ externalId: `c${index}`, name: `c${index}`, health: index === 0 ? "unhealthy" : null, endpoints: [labelled(LABEL)] }),
        );
        await observe(
          agentId,
          { kind: "container.inventory", observedAt: at(round), containers: shown },
          { kind: "host.watched", since: NOON, observedAt: at(round) },
        );
      }
    }
    for (const agentId of HOSTS) {
      const id = hosts.containers.present.find(agentId, "c0")?.id ?? 0;
      await hosts.resources.service.setThresholds(id, { cpu_threshold: 10, memory_threshold: null, debounce_seconds: 0 });
    }
    await measure(3600);
    clock.jump(at(2 * 3600));
    // What was measured until here is sealed; what follows is in the journals.
    await clock.advance(31 * 60_000);
    for (const table of ["series_chunks", "endpoint_chunks"]) await until(async () => Number((await count(table)).total) > 0);
    // The journal is emptied after the last chunk of an hour, by the next turn where one was still under way when this one came.
    const isSealed = async (): Promise<boolean> => Number((await count("series_journal")).total) === 0;
    await turnUntil(clock, isSealed, { stepMs: 30_000, mostMs: 600_000, everyMs: 200 });
    await measure(3 * 3600);
    clock.jump(at(4 * 3600));
    for (const agentId of HOSTS) await observe(agentId, { kind: "container.gone", observedAt: at(4 * 3600), externalId: "c2" });
  }

  async function measure(fromSeconds: number): Promise<void> {
    clock.jump(at(fromSeconds));
    for (const agentId of HOSTS) {
      const key = labelEndpointKey("c0", LABEL);
      const busy = { cpuPercent: 50, cpuCoresUsed: 1, memoryBytes: 100, memoryLimitBytes: 200 };
      const checks = [0, 30, 60].map((second) => checkedObservation(key, at(fromSeconds + second), { ...failure, error: `of ${agentId}` }));
      await observe(
        agentId,
        { kind: "host.sampled", observedAt: at(fromSeconds), host: hostReading({ hostname: "harbour" }) },
        sampled(at(fromSeconds), { c0: busy, c1: busy, c2: busy }),
        ...checks,
      );
      if (agentId !== null) {
        await hosts.intake.replay(agentId, [
          sampled(at(fromSeconds - 600), { c0: busy, c1: busy }),
          checkedObservation(key, at(fromSeconds - 600)),
          { kind: "container.seen", observedAt: at(fromSeconds - 500), container: sighting({ externalId: `short ${fromSeconds}` }) },
        ]);
      }
    }
  }

  async function count(table: string): Promise<{ total: unknown }> {
    return tables()
      .read.selectFrom(table)
      .select(({ fn }) => fn.countAll().as("total"))
      .executeTakeFirstOrThrow();
  }

  async function dump(): Promise<Rows> {
    const { rows: names } = await sql<{ name: string }>`${sql.raw(
      databases.name === "sqlite"
        ? "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        : "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
    )}`.execute(tables().read);
    const all: Rows = {};
    for (const { name } of names) all[name] = await tables().read.selectFrom(name).selectAll().execute();
    return all;
  }

  const remove = (agentId: string): Promise<void> =>
    hosts.removal.remove(agentId, (purge) => database.tables<object>().write((tx) => purge(tx)));

  /** What a row refers to, by the tables whose rows carry an agent. */
  const REFERENCES = {
    container_id: "containers",
    endpoint_id: "endpoints",
    certificate_id: "certificates",
    heartbeat_id: "heartbeats",
  } as const;

  it("removes every row of an agent, and none of the others", async () => {
    const before = await dump();
    const ownersOf = (table: string): Map<unknown, unknown> => new Map((before[table] ?? []).map((row) => [row["id"], row["agent_id"]]));
    const owners = new Map(Object.values(REFERENCES).map((table) => [table, ownersOf(table)]));
    const ownerOf = (row: Record<string, unknown>): unknown => {
      if ("agent_id" in row) return row["agent_id"];
      const [column, table] = Object.entries(REFERENCES).find(([name]) => name in row) ?? [];
      return column === undefined || table === undefined ? undefined : owners.get(table)?.get(row[column]);
    };
    const ofFeatures = Object.keys(before).filter((table) => (before[table] ?? []).some((row) => ownerOf(row) === A));
    assert.deepEqual(
      ofFeatures.toSorted(),
      [
        ...[
          "certificate_checks",
          "certificate_facts",
          "certificates",
          "container_generations",
          "containers",
          "endpoint_chunks",
          "endpoint_days",
          "endpoints",
        ],
        ...["heartbeat_days", "heartbeat_pauses", "heartbeat_pings", "heartbeats", "resource_breaches", "resource_thresholds"],
        ...["transitions", "watched_spans"],
      ],
      "there is something of it everywhere",
    );
    const journals = [before["endpoint_journal"]?.length ?? 0, before["series_journal"]?.length ?? 0];
    assert.ok(
      journals.every((rows) => rows > 0),
      `rows of the journals: ${journals}`,
    );
    const ids = (of: unknown): number[] =>
      (before["containers"] ?? []).flatMap((row) => (row["agent_id"] === of ? [Number(row["id"])] : []));
    const figures = (id: number) => hosts.series.read({ id, fromMs: NOON.getTime(), toMs: NOON.getTime() + 4 * 3_600_000, stepMs: 10_000 });
    const others = [...ids(null), ...ids(B)];
    const figuresBefore = await Promise.all(others.map(figures));

    await remove(A);

    const after = await dump();
    for (const [table, rows] of Object.entries(before)) {
      if (/^(series|endpoint_journal)/.test(table)) continue;
      assert.deepEqual(
        after[table],
        rows.filter((row) => ownerOf(row) !== A),
        table,
      );
    }
    assert.ok(
      !JSON.stringify(after, (_, value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : value)).includes(
        A,
      ),
    );
    const isMeasured = async (id: number): Promise<boolean> =>
      (await figures(id)).some(({ mean }) => mean.some((value) => !Number.isNaN(value)));
    assert.deepEqual(
      await Promise.all(ids(A).map(isMeasured)),
      ids(A).map(() => false),
    );
    assert.deepEqual(await Promise.all(others.map(figures)), figuresBefore);
    assert.ok((await Promise.all(others.map(isMeasured))).some(Boolean));

    await hosts.stop();
    hosts = await open();
    assert.deepEqual(
      await Promise.all(ids(A).map(isMeasured)),
      ids(A).map(() => false),
      "not after a start either",
    );
    assert.deepEqual(await Promise.all(others.map(figures)), figuresBefore);
  });

  it("forgets it in memory, and publishes only what ends alerts", async () => {
    const present = ["c0", "c1"].map((externalId) => hosts.containers.present.find(A, externalId)?.id ?? 0);
    hosts.events.length = 0;
    await remove(A);
    const types = hosts.events.map(({ type }) => type);
    assert.deepEqual(Object.fromEntries([...Map.groupBy(types, (type) => type)].map(([type, all]) => [type, all.length])), {
      "certificate.deleted": 1,
      "endpoint.recovery": 1,
      "endpoint.removed": 3,
      "heartbeat.deleted": 1,
      "container.archived": 2,
      "container.removed": 3,
    });
    assert.ok(hosts.events.every(({ data }) => "agent_id" in data && data.agent_id === A));
    const announced = [hosts.containers, hosts.resources, hosts.endpoints, hosts.certificates, hosts.heartbeats].flatMap((each) =>
      each.announce(),
    );
    assert.ok(announced.length > 0);
    assert.deepEqual(
      announced.filter(({ data }) => "agent_id" in data && data.agent_id === A),
      [],
    );
    assert.deepEqual([...hosts.containers.present.hosts()], [null, B]);
    assert.deepEqual(
      present.map((id) => hosts.containers.present.get(id)),
      present.map(() => undefined),
    );
    assert.equal(hosts.resources.service.thresholdList(undefined).total, 2);
    hosts.events.length = 0;
    await hosts.intake.live(B, [{ kind: "container.gone", observedAt: at(4 * 3600 + 1), externalId: "c1" }]);
    assert.ok(hosts.events.length > 0, "the others continue");
  });

  it("changes nothing when the unit fails, and the agent continues", async () => {
    const before = await dump();
    hosts.events.length = 0;
    const failing = hosts.removal.remove(A, (purge) =>
      database.tables<object>().write(async (tx) => {
        await purge(tx);
        throw new ServiceError("conflict", "not now");
      }),
    );
    await assert.rejects(failing, { code: "conflict" });
    assert.deepEqual(await dump(), before);
    assert.deepEqual(hosts.events, []);
    await hosts.intake.live(A, [{ kind: "container.gone", observedAt: at(4 * 3600 + 1), externalId: "c1" }]);
    assert.deepEqual(
      hosts.events.map(({ type }) => type).filter((type) => type === "container.archived"),
      ["container.archived"],
    );
  });

  it("a removed agent that is enrolled again begins with nothing", async () => {
    await remove(A);
    await hosts.intake.live(A, [
      { kind: "container.inventory", observedAt: at(4 * 3600), containers: [sighting({ externalId: "c0", endpoints: [labelled(LABEL)] })] },
    ]);
    const container = hosts.containers.present.find(A, "c0");
    assert.deepEqual(container?.firstSeenAt, at(4 * 3600));
    assert.equal(hosts.endpoints.present().filter(({ agentId }) => agentId === A).length, 1);
  });

  it("what its labels asked to be watched goes with it, and comes back by its own word alone", async () => {
    const target = { domain: "shop.test", port: 443, serverName: "shop.test" };
    const secure = labelled("service.endpoint.2.http", httpCheck({ target: "https://pay.test/" }));
    const shown = [sighting({ externalId: "c0", endpoints: [labelled(LABEL), secure], certificates: [target] })];
    const inventory = (): Observation => ({ kind: "container.inventory", observedAt: clock.now(), containers: shown });
    const watched = (agentId: string): string[] =>
      hosts.certificates.service
        .list({ agent_id: agentId })
        .certificates.map(({ domain }) => domain)
        .toSorted();
    for (const agentId of [A, B]) {
      await hosts.intake.live(agentId, [inventory()]);
      await hosts.intake.live(agentId, [{ kind: "certificate.scanned", observedAt: clock.now(), target, scan: scanOf() }]);
    }
    await clock.advance(2_000);
    assert.deepEqual(watched(A), ["pay.test", "shop.test", "web.test"]);
    const status = (): string[] => hosts.certificates.service.list({ agent_id: A, search: "shop" }).certificates.map((each) => each.status);
    assert.deepEqual(status(), ["valid"]);
    const old: Observation = { kind: "certificate.scanned", observedAt: clock.now(), target, scan: unreachable };
    const connection = { runtime: "docker", connected: false, version: null, apiVersion: null, error: "gone", since: NOON } as const;
    await hosts.intake.replay(A, [old, { kind: "runtime.changed", observedAt: clock.now(), status: connection }]);
    await hosts.intake.live(A, [{ kind: "runtime.changed", observedAt: clock.now(), status: connection }]);
    assert.deepEqual(status(), ["valid"], "neither is anything of the past");
    await hosts.intake.live(A, [inventory()]);
    // Its endpoints have just changed, and the scheduler's turn comes while it is being removed.
    const removing = remove(A);
    await clock.advance(61_000);
    await removing;
    await clock.advance(300_000);
    assert.deepEqual([watched(A), watched(B)], [[], ["pay.test", "shop.test", "web.test"]]);
    const { rows } = await sql<{ id: number }>`SELECT id FROM certificates WHERE agent_id = ${A}`.execute(tables().read);
    assert.deepEqual(rows, []);
    await hosts.intake.live(A, [inventory()]);
    await clock.advance(2_000);
    assert.deepEqual(watched(A), ["pay.test", "shop.test"]);
    assert.ok(!hosts.looked.scanned.has("shop.test"));
  });

  it("every list takes a host: an agent, the local one, or all", async () => {
    const { containers, endpoints, certificates, heartbeats, resources } = hosts;
    await heartbeats.service.create({ name: "local job", interval_seconds: 3600 } as Parameters<typeof heartbeats.service.create>[0]);
    const parsed = (body: Buffer): Record<string, unknown> => JSON.parse(String(body)) as Record<string, unknown>;
    const agentsIn = (value: unknown): unknown[] => {
      const found = new Set<unknown>();
      JSON.stringify(value, (key, each: unknown) => (key === "agent_id" ? (found.add(each), each) : each));
      return [...found].toSorted();
    };
    const agentOf = (id: number): string | null => containers.present.get(id)?.agentId ?? null;
    const lists: Record<string, (agent_id: string | undefined) => Promise<unknown[]>> = {
      containers: async (agent_id) => agentsIn(parsed(await containers.service.list({ archived: false, ignored: false, agent_id }))),
      "archived containers": async (agent_id) =>
        agentsIn(parsed(await containers.service.list({ archived: true, ignored: false, agent_id }))),
      endpoints: async (agent_id) => agentsIn(endpoints.service.list({ inactive: false, agent_id })),
      certificates: async (agent_id) => agentsIn(certificates.service.list({ agent_id })),
      heartbeats: async (agent_id) => agentsIn(parsed(heartbeats.service.list({ agent_id }))),
      top: async (agent_id) =>
        agentsIn(await resources.service.top({ sort: "cpu", by: "use", limit: 100, agentId: agent_id === "local" ? null : agent_id })),
      thresholds: async (agent_id) =>
        [
          ...new Set(
            resources.service
              .thresholdList(agent_id === "local" ? null : agent_id)
              .thresholds.map(({ container_id }) => agentOf(container_id)),
          ),
        ].toSorted(),
    };
    const c = await certificates.service.create({
      domain: "web.test",
      port: 443,
      alert_thresholds_days: [30],
      check_interval_seconds: 3600,
    });
    assert.equal(c.certificate.agent_id, null);
    for (const [name, list] of Object.entries(lists)) {
      assert.deepEqual(await list(A), [A], `${name} of A`);
      assert.deepEqual(await list("local"), [null], `${name} of the local host`);
      assert.deepEqual(await list(undefined), [A, B, null].toSorted(), `${name} of all`);
      assert.deepEqual(await list("0b9c54a0-0000-4000-8000-00000000000c"), [], `${name} of nobody`);
    }
  });

  it("lists every host with what people call it, and one that is enrolled before it says anything", async () => {
    const { resources } = hosts;
    assert.deepEqual(
      resources.service
        .hosts()
        .hosts.map(({ agent_id, label, hostname, running_containers }) => [agent_id, label, hostname, running_containers]),
      [
        [null, "harbour", "harbour", 2],
        [A, "Alpha", "harbour", 2],
        [B, "harbour", "harbour", 2],
      ],
    );
    assert.equal(resources.service.summary(A).label, "Alpha");
    await remove(A);
    assert.deepEqual(
      resources.service
        .hosts()
        .hosts.map(({ agent_id, hostname, available }) => [agent_id, hostname, available])
        .slice(1, 2),
      [[A, null, false]],
    );
  });
});
