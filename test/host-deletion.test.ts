import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { sql } from "kysely";
import { purgeTokens } from "../src/fleet/enrollment/index.ts";
import { labelEndpointKey } from "../src/observations.ts";
import type { Database } from "../src/storage/database.ts";
import { inTables } from "../src/storage/statements.ts";
import { onBothDatabases } from "./support/databases.ts";
import { checkedObservation, failure, labelled } from "./support/endpoints.ts";
import { createFakeClock, type FakeClock } from "./support/fake-clock.ts";
import { EVERYWHERE, IN_TRANSIT, KEPT_OF_OTHERS } from "./support/places-of-hosts.ts";
import { hostReading, sampled } from "./support/readings.ts";
import { clusterEvent, nothing, sighting as cluster } from "./support/kubernetes-topology.ts";
import { type Receiver, startReceiver } from "./support/receivers.ts";
import { insertAgentRows, insertRemoteRows } from "./support/remote-rows.ts";
import { sighting } from "./support/sightings.ts";
import { turnUntil } from "./support/turn-until.ts";
import { until } from "./support/until.ts";
import { openWholeServer, type WholeServer } from "./support/whole-server.ts";

const A = "0b9c54a0-0000-4000-8000-00000000000a";
const B = "0b9c54a0-0000-4000-8000-00000000000b";
const HOSTS = [null, A, B];
const LABELS = new Map([
  [A, "alpha"],
  [B, "beta"],
]);
const NOON = new Date("2026-03-01T12:00:00Z");
const LABEL = "service.endpoint.http";
/** Unhealthy, busy, exposed, and its endpoint fails. */
const ALERTS_OF_A_HOST = 4;

type Row = Record<string, unknown>;
type Tables = Record<string, Row>;

onBothDatabases((databases) => {
  let database: Database;
  let clock: FakeClock;
  let receiver: Receiver;
  let server: WholeServer;

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock(NOON);
    receiver = await startReceiver();
    await insertRemoteRows(database, [A, B], NOON);
    await insertAgentRows(database, [A, B], NOON);
    server = await openWholeServer({ database, clock, labels: LABELS });
    await fill();
  });

  afterEach(async () => {
    await server.stop();
    await receiver.stop();
  });

  const tables = () => database.tables<Tables>();

  async function post(path: string, body: object): Promise<Row> {
    const { status, body: answer } = await server.ask("POST", path, body);
    assert.ok(status < 300, `${path}: ${status} ${JSON.stringify(answer)}`);
    return answer;
  }

  const idOf = (agentId: string | null, externalId: string): number => server.containers.present.find(agentId, externalId)?.id ?? 0;

  /** On every host the same: a container that is unhealthy, exposed, busy and pinned, and one that was re-created with another image. */
  async function fill(): Promise<void> {
    const channel = await post("/api/v1/channels", { name: "pager", type: "webhook", url: `${receiver.url}/hook` });
    await post(`/api/v1/channels/${String(channel["id"])}/rules`, {});
    await post("/api/v1/escalation-policies", { name: "Nights", levels: [{ delay_seconds: 0, channel_ids: [channel["id"]] }] });
    for (const agentId of HOSTS) await observeHost(agentId);
    // What is bad already when it is first seen is published once a minute.
    await clock.advance(60_000);
    await until(() => server.alerting.active().length === ALERTS_OF_A_HOST * HOSTS.length);
    for (const agentId of HOSTS) {
      const id = idOf(agentId, "c0");
      await post(`/api/v1/updates/pin/${id}`, { reason: "stays" });
      const finding = { finding_type: "port_exposed_all_interfaces", finding_key: "8080/tcp" };
      await post("/api/v1/security/acknowledgments", { container_id: id, ...finding, acknowledged_by: "Ada", reason: "known" });
      await post("/api/v1/silence", {
        reason: "quiet",
        ends_at: "2026-03-02T12:00:00Z",
        matchers: { agent_id: agentId ?? "local", source: "heartbeat" },
      });
      const monitor = { monitor_type: "container", monitor_id: id };
      await post("/api/v1/status/components", { name: `Shop ${LABELS.get(agentId ?? "") ?? "here"}`, ...monitor, auto_incident: true });
      await post("/api/v1/status/components", { name: "Host", monitor_type: "agent", monitor_id: agentId ?? "local" });
    }
    // Postures are saved, thresholds judged, incidents opened, levels notified.
    for (let seconds = 0; seconds < 60; seconds += 5) {
      await clock.advance(5_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await until(async () => {
      const rows = await rowsOf("deliveries");
      return rows.length >= ALERTS_OF_A_HOST * HOSTS.length && rows.every(({ status }) => status === "sent");
    });
    await until(async () => (await rowsOf("security_posture_days")).some(({ host }) => host === B));
    await until(async () => (await rowsOf("status_incident_alerts")).length > 0);
    await until(async () => (await remains(A, await containerIds(A))).length === EVERYWHERE.length);
  }

  async function observeHost(agentId: string | null): Promise<void> {
    const at = (seconds: number): Date => new Date(NOON.getTime() + seconds * 1000);
    const shown = sighting({
      externalId: "c0",
      name: "web",
      health: "unhealthy",
      endpoints: [labelled(LABEL)],
      ports: [{ containerPort: 8080, protocol: "tcp", hostIp: "0.0.0.0", hostPort: 8080 }],
    });
    const before = sighting({ externalId: "c1", name: "db", image: "shop/db:1" });
    const after = sighting({ externalId: "c2", name: "db", image: "shop/db:2", createdAt: at(1), startedAt: at(2) });
    const key = labelEndpointKey("c0", LABEL);
    await server.observe(agentId, { kind: "container.inventory", observedAt: NOON, containers: [shown, before] });
    await server.observe(agentId, { kind: "host.watched", since: NOON, observedAt: at(1) });
    await until(() => idOf(agentId, "c1") > 0);
    await server.resources.service.setThresholds(idOf(agentId, "c0"), { cpu_threshold: 10, memory_threshold: null, debounce_seconds: 0 });
    const scope = { entity_type: "agent", entity_id: agentId ?? "local" } as const;
    await server.resources.service.setScopeThresholds(scope, { cpu_threshold: null, memory_threshold: 99, debounce_seconds: 0 });
    await server.observe(agentId, { kind: "container.gone", observedAt: at(1), externalId: "c1" });
    await server.observe(agentId, { kind: "container.seen", observedAt: at(2), container: after });
    await server.observe(agentId, { kind: "host.sampled", observedAt: NOON, host: hostReading({ hostname: "harbour" }) });
    const busy = { cpuPercent: 50, cpuCoresUsed: 1, memoryBytes: 100, memoryLimitBytes: 200 };
    await server.observe(agentId, sampled(NOON, { c0: busy, c2: busy }));
    for (const second of [3, 33, 63]) await server.observe(agentId, checkedObservation(key, at(second), failure));
    const objects = { ...nothing(), events: [clusterEvent()] };
    const clusterId = `cluster of ${LABELS.get(agentId ?? "") ?? "here"}`;
    await server.observe(agentId, { kind: "kubernetes.observed", observedAt: NOON, kubernetes: cluster({ clusterId, objects }) });
    await until(() => idOf(agentId, "c2") > 0);
  }

  async function tableNames(): Promise<string[]> {
    const listed =
      databases.name === "sqlite" ? "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'" : PG_TABLES;
    return (await sql<{ name: string }>`${sql.raw(listed)}`.execute(tables().read)).rows.map(({ name }) => name).toSorted();
  }

  const rowsOf = (table: string, from: Pick<ReturnType<typeof tables>["read"], "selectFrom"> = tables().read): Promise<Row[]> =>
    from.selectFrom(table).selectAll().execute();

  /** Which rows name an agent, or one of these containers, in whichever column of whichever table; `table.column`, sorted. */
  async function remains(agentId: string, ids: readonly number[], from?: Parameters<typeof rowsOf>[1]): Promise<string[]> {
    const found = new Set<string>();
    for (const table of await tableNames()) {
      for (const row of await rowsOf(table, from)) {
        for (const [column, value] of Object.entries(row)) {
          const isOfContainer = column === "container_id" && ids.includes(Number(value));
          const isAmong = column === "container_ids" && (JSON.parse(String(value)) as number[]).some((id) => ids.includes(id));
          if (isOfContainer || isAmong || textOf(value).includes(agentId)) found.add(`${table}.${column}`);
        }
      }
    }
    return [...found].toSorted();
  }

  async function containerIds(agentId: string | null): Promise<number[]> {
    return (await rowsOf("containers")).filter((row) => row["agent_id"] === agentId).map(({ id }) => Number(id));
  }

  const remove = (agentId: string): Promise<void> =>
    server.removal.remove(agentId, (purge) =>
      database.tables<object>().write(async (tx) => {
        await purge(tx);
        await purgeTokens(tx, agentId);
        await inTables<Tables>(tx).deleteFrom("agents").where("id", "=", agentId).execute();
      }),
    );

  describe("deleting a host", () => {
    it("leaves no row that names it in any table, and all rows of the others", async () => {
      const ids = await containerIds(A);
      const before = await remains(A, ids);
      assert.deepEqual(before, EVERYWHERE, "there is something of it everywhere");
      const others = async (): Promise<unknown[]> => {
        const kept = [];
        for (const table of Object.keys(KEPT_OF_OTHERS)) {
          const rows = (await rowsOf(table)).filter((row) =>
            KEPT_OF_OTHERS[table]?.some((column) => [B, null, "local"].includes(row[column] as string)),
          );
          kept.push([table, rows.length]);
        }
        return kept;
      };
      const keptBefore = await others();
      receiver.received.length = 0;

      await remove(A);

      assert.deepEqual(await others(), keptBefore);
      assert.deepEqual(
        (await remains(A, ids)).filter((place) => !IN_TRANSIT.includes(place)),
        [],
      );
      // Messages that were on their way are gone when they arrived.
      await until(
        async () => {
          await clock.advance(31_000);
          return (await remains(A, ids)).length === 0;
        },
        { everyMs: 100 },
      );
      assert.ok((await containerIds(B)).length > 0);
    });

    it("is not done when one feature is left out", async () => {
      const ids = await containerIds(A);
      const undone = new Error("taken back");
      for (const left of Object.keys(server.features)) {
        let found: string[] = [];
        const unit = database.tables<object>().write(async (tx) => {
          for (const [name, feature] of Object.entries(server.features)) if (name !== left) await feature.purgeHost(tx, A);
          const from = inTables<Tables>(tx);
          await purgeTokens(tx, A);
          await from.deleteFrom("agents").where("id", "=", A).execute();
          found = (await remains(A, ids, from)).filter((place) => !IN_TRANSIT.includes(place));
          throw undone;
        });
        await assert.rejects(unit, undone);
        // A swarm is in memory alone.
        assert.equal(found.length === 0, left === "swarm", left);
      }
    });

    it("ends its alerts for pages and for whoever was notified of them, and forgets them", async () => {
      const active = server.alerting.active().filter(({ agentId }) => agentId === A);
      const others = server.alerting.active().length - active.length;
      assert.ok(active.length === ALERTS_OF_A_HOST && others === 2 * ALERTS_OF_A_HOST, `${active.length} of it, ${others} of the others`);
      const notifications = receiver.received.map(
        ({ json }) => json as { event: string; host?: string; alert: { id: number; agent_id: string | null } },
      );
      assert.deepEqual(
        new Set(notifications.map(({ alert, host }) => `${alert.agent_id} ${host}`)),
        new Set(["null undefined", `${A} alpha`, `${B} beta`]),
      );
      server.events.length = 0;
      receiver.received.length = 0;

      await remove(A);

      const ended = server.events.flatMap((event) => (event.type === "alert.resolved" ? [event.data] : []));
      assert.deepEqual(ended.map(({ id }) => id).toSorted(), active.map(({ id }) => id).toSorted());
      assert.ok(ended.every(({ agent_id, status }) => agent_id === A && status === "resolved"));
      assert.deepEqual(
        server.alerting.active().filter(({ agentId }) => agentId === A),
        [],
      );
      assert.equal(server.alerting.active().length, others);
      const list = async (query: string): Promise<Row> => (await server.ask("GET", `/api/v1/alerts?${query}`)).body;
      assert.equal((await list(`agent_id=${A}`))["total"], 0);
      assert.equal((await list("limit=1"))["total"], (await rowsOf("alerts")).length);
      assert.equal((await server.ask("GET", `/api/v1/alerts/${active[0]?.id ?? 0}`)).status, 404);
      const isEnd = ({ json }: { json: unknown }): boolean => (json as { event: string }).event === "alert.resolved";
      const notified = new Set(active.filter(({ id }) => notifications.some((each) => each.alert.id === id)).map(({ id }) => id));
      assert.ok(notified.size > 0);
      await until(() => receiver.received.filter(isEnd).length >= notified.size);
      assert.deepEqual(new Set(receiver.received.filter(isEnd).map(({ json }) => (json as { alert: { id: number } }).alert.id)), notified);
      await turnUntil(
        clock,
        async () => (await rowsOf("status_incident_alerts")).every(({ alert_id: id }) => !active.some((alert) => alert.id === id)),
        { stepMs: 1_000, mostMs: 60_000 },
      );
    });

    it("leaves a component of the public page that stands for nothing, whatever else is called so", async () => {
      const component = async (): Promise<Row | undefined> => (await rowsOf("status_components")).find(({ name }) => name === "Shop alpha");
      const before = await component();
      assert.equal(before?.["agent_id"], A);
      await remove(A);
      await turnUntil(clock, async () => (await component())?.["needs_attention"] === 1, { stepMs: 1_000, mostMs: 60_000 });
      // The local host has a container of that name.
      await server.observe(null, {
        kind: "container.seen",
        observedAt: clock.now(),
        container: sighting({ externalId: "new", name: "web" }),
      });
      await until(() => idOf(null, "new") > 0);
      for (let second = 0; second < 3; second += 1) await clock.advance(1_000);
      const after = await component();
      assert.equal(after?.["monitor_id"], before?.["monitor_id"]);
      const { body } = await server.ask("GET", "/api/v1/status/components");
      const shown = (body["components"] as Row[]).find(({ name }) => name === "Shop alpha");
      assert.deepEqual([shown?.["agent_id"], shown?.["needs_attention"]], [null, true]);
      const host = (body["components"] as Row[]).find(({ monitor_id: id }) => id === "");
      assert.deepEqual([host?.["monitor_name"], host?.["needs_attention"]], ["alpha", true]);
    });

    it("takes with it what was waiting to become an alert", async () => {
      const see = async (agentId: string, name: string, health: "healthy" | "unhealthy"): Promise<void> => {
        await server.observe(agentId, {
          kind: "container.seen",
          observedAt: new Date(clock.now().getTime() + (health === "healthy" ? 0 : 1000)),
          container: sighting({ externalId: name, name, health }),
        });
      };
      const names = Array.from({ length: 40 }, (_, index) => `x${index}`);
      for (const name of names) await see(A, name, "healthy");
      await until(() => names.every((name) => idOf(A, name) > 0));
      for (const name of names) await see(A, name, "unhealthy");
      await remove(A);
      await see(B, "last", "healthy");
      await see(B, "last", "unhealthy");
      await until(() => server.alerting.active().some(({ entityName }) => entityName === "last"));
      assert.deepEqual(
        (await rowsOf("alerts")).filter((row) => row["agent_id"] === A),
        [],
      );
      assert.deepEqual(
        server.alerting.active().filter(({ agentId }) => agentId === A),
        [],
      );
    });

    it("changes nothing when it fails", async () => {
      const before = server.alerting.active().length;
      const places = await remains(A, await containerIds(A));
      server.events.length = 0;
      await assert.rejects(
        server.removal.remove(A, (purge) =>
          database.tables<object>().write(async (tx) => {
            await purge(tx);
            throw new Error("not now");
          }),
        ),
        /not now/,
      );
      assert.equal(server.alerting.active().length, before);
      assert.deepEqual(await remains(A, await containerIds(A)), places);
      assert.deepEqual(server.events, []);
      const alert = server.alerting.active().find(({ agentId, acknowledgedAt }) => agentId === A && acknowledgedAt === null);
      await server.alerting.acknowledge(alert?.id ?? 0, { by: "Ada", note: "" });
    });
  });

  describe("lists by host", () => {
    const LISTS = ["alerts", "updates", "security/insights", "security/acknowledgments", "security/posture/containers"];

    it("show a host, the local one, or all, and say whose each is", async () => {
      for (const path of LISTS) {
        for (const [query, agents] of [
          [`agent_id=${A}`, [A]],
          ["agent_id=local", [null]],
          ["", [A, B, null]],
        ] as const) {
          const { status, body } = await server.ask("GET", `/api/v1/${path}?${query}`);
          assert.equal(status, 200, path);
          const found = new Set<unknown>();
          JSON.stringify(body, (key, value: unknown) => (key === "agent_id" ? (found.add(value), value) : value));
          assert.deepEqual(new Set(found), new Set<unknown>(agents), `${path}?${query}`);
        }
        assert.equal((await server.ask("GET", `/api/v1/${path}?agent_id=elsewhere`)).status, 400, path);
      }
    });
  });
});

const PG_TABLES = "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'";

function textOf(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : String(value);
}
