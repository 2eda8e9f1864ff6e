import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { onBothDatabases } from "../../../../test/support/databases.ts";
import {
  checkedObservation,
  type CheckedEndpoints,
  failure,
  labelled,
  startEndpoints,
  success,
} from "../../../../test/support/endpoints.ts";
import { createFakeClock, type FakeClock } from "../../../../test/support/fake-clock.ts";
import { defaultSettings, sighting } from "../../../../test/support/sightings.ts";
import { COMPONENTS, createFakeWorld, openComponents, type OpenedComponents } from "../../../../test/support/status-components.ts";
import { type ContainerSighting, labelEndpointKey } from "../../../observations.ts";
import type { Database } from "../../../storage/database.ts";
import { type MonitoringFeatures, monitorsOf } from "./index.ts";

type Certificate = NonNullable<ReturnType<MonitoringFeatures["certificates"]["find"]>>;

const AGENT = "0190c7a4-0000-7000-8000-000000000001";
const OTHER = "0190c7a4-0000-7000-8000-000000000002";
const NAMES = new Map<string | null, string>([
  [null, "Local"],
  [AGENT, "edge-1"],
]);

function of(group: string, name: string, facts: Partial<ContainerSighting> = {}): ContainerSighting {
  const project = { name: group, source: "compose" } as const;
  return sighting({ externalId: name.padEnd(64, "0"), name, project, ...facts });
}

onBothDatabases((databases) => {
  describe("components of groups and hosts", () => {
    let database: Database;
    let clock: FakeClock;
    let watched: CheckedEndpoints;
    let opened: OpenedComponents;
    let observedAt: Map<string | null, Date>;
    let names: Map<string | null, string>;
    let certificates: Map<number, Certificate>;
    const { windows } = createFakeWorld();

    const open = async (): Promise<void> => {
      const monitors = monitorsOf(
        {
          ...watched,
          heartbeats: { find: () => undefined },
          certificates: { find: (id) => certificates.get(id), all: () => certificates.values() },
          hosts: {
            lastObservedAt: (agentId) => observedAt.get(agentId) ?? clock.now(),
            lastReportedAt: (agentId) => observedAt.get(agentId) ?? clock.now(),
          },
          hostName: (agentId) => names.get(agentId),
        },
        clock,
      );
      opened = await openComponents(database, clock, { windows, monitors });
    };

    beforeEach(async () => {
      database = await databases.create();
      clock = createFakeClock();
      watched = await startEndpoints({ database, clock });
      observedAt = new Map();
      names = new Map(NAMES);
      certificates = new Map();
      windows.length = 0;
      await open();
    });
    afterEach(async () => {
      await opened.quit();
      await watched.stop();
    });

    /** What a host shows from now on; components receive the events of it as in the program, not only by their look of each second. */
    async function show(agentId: string | null, ...containers: ContainerSighting[]): Promise<void> {
      clock.jump(new Date(clock.now().getTime() + 1000));
      watched.events.length = 0;
      await watched.see(agentId, { kind: "container.inventory", observedAt: clock.now(), containers });
      for (const event of watched.events.splice(0)) opened.bus.publish(event);
      await opened.pass(1);
    }
    const create = (type: string, id: string) => opened.create({ name: id, monitor_type: type, monitor_id: id });
    /** `degraded unobserved`, in the order of the page. */
    const shown = (): string[] => opened.board().components.map(({ status, observed }) => `${status}${observed ? "" : " unobserved"}`);
    const refused = async (body: object): Promise<unknown> => {
      const { status, body: answer } = await opened.routes.ask("POST", COMPONENTS, { name: "Shop", ...body });
      const { details } = answer["error"] as { details: { path: string; message: string }[] };
      return [status, ...details.map(({ path, message }) => `${path}: ${message}`)];
    };

    it("are as bad as all that is in them: partly out while some is, and whoever comes later counts too", async () => {
      await show(null, of("shop", "web"), of("shop", "db"), of("mail", "smtp"));
      const { id } = await create("group", "shop");
      await create("agent", "local");
      assert.partialDeepStrictEqual(await opened.list(), [
        { id, monitor_type: "group", monitor_id: "shop", monitor_name: "shop", agent_id: null, status: "operational", observed: true },
        { monitor_type: "agent", monitor_id: "local", monitor_name: "Local", agent_id: null, status: "operational" },
      ]);
      const failed = { state: "exited", exitCode: 1 } as const;
      await show(null, of("shop", "web", failed), of("shop", "db"), of("mail", "smtp"));
      assert.deepEqual(shown(), ["partial_outage", "partial_outage"]);
      await show(null, of("shop", "web", failed), of("shop", "db", failed), of("mail", "smtp"));
      assert.deepEqual(shown(), ["major_outage", "partial_outage"]);
      await show(null, of("shop", "web"), of("shop", "db", { health: "unhealthy" }), of("mail", "smtp", { health: "unhealthy" }));
      assert.deepEqual(shown(), ["degraded", "degraded"]);
      await show(null, of("shop", "web"), of("shop", "db"), of("mail", "smtp"), of("shop", "cache", failed));
      assert.deepEqual(shown(), ["partial_outage", "partial_outage"]);
      await show(null, of("shop", "web"), of("shop", "db"), of("mail", "smtp"));
      assert.deepEqual(shown(), ["operational", "operational"], "the one that was out is gone");
      await show(AGENT, of("shop", "replica", failed));
      assert.deepEqual(shown(), ["partial_outage", "operational"], "a group may be on several hosts");
      await show(AGENT, of("shop", "replica", { ...failed, settings: { ...defaultSettings, ignored: true } }));
      assert.deepEqual(shown(), ["operational", "operational"], "nobody looks at what is ignored");
    });

    it("have no data while nothing is in them, whatever was before", async () => {
      await create("group", "shop");
      await create("agent", AGENT);
      assert.deepEqual(shown(), ["degraded unobserved", "degraded unobserved"]);
      await show(AGENT, of("shop", "web"));
      assert.deepEqual(shown(), ["operational", "operational"]);
      await show(AGENT);
      assert.deepEqual(shown(), ["degraded unobserved", "degraded unobserved"]);
      await opened.pass(60);
      await opened.quit();
      await open();
      assert.deepEqual(shown(), ["degraded unobserved", "degraded unobserved"], "after a restart too");
      await show(AGENT, of("shop", "web", { state: "exited", exitCode: 1 }));
      assert.deepEqual(shown(), ["major_outage", "major_outage"]);
      await show(AGENT);
      assert.deepEqual(shown(), ["degraded unobserved", "degraded unobserved"], "nothing is out any more");
      const [shop] = opened.board().components;
      assert.partialDeepStrictEqual(shop?.days.at(-1), { worst: "major_outage" }, "its own account is kept");
    });

    it("have no data when one that was well is not observed, unless something is known to be worse", async () => {
      await show(null, of("shop", "web"));
      await show(AGENT, of("shop", "replica"));
      await create("group", "shop");
      await create("agent", AGENT);
      await create("agent", "local");
      observedAt.set(AGENT, clock.now());
      await opened.pass(299);
      assert.deepEqual(shown(), ["operational", "operational", "operational"]);
      await opened.pass(2);
      assert.deepEqual(shown(), ["degraded unobserved", "degraded unobserved", "operational"]);
      await show(null, of("shop", "web", { health: "unhealthy" }));
      assert.deepEqual(shown(), ["degraded", "degraded unobserved", "degraded"]);
    });

    it("are made of endpoints and certificates of their containers too", async () => {
      const endpoints = [labelled()];
      await show(null, of("shop", "web", { endpoints }), of("mail", "smtp"));
      await create("group", "shop");
      await create("group", "mail");
      assert.deepEqual(shown(), ["operational", "operational"], "one that was not checked yet says nothing");
      const key = labelEndpointKey("web".padEnd(64, "0"), labelled().labelKey);
      for (let checks = 0; checks < 3; checks += 1) {
        await watched.see(null, checkedObservation(key, clock.now(), failure));
        await opened.pass(1);
      }
      assert.deepEqual(shown(), ["partial_outage", "operational"]);
      for (let checks = 0; checks < 3; checks += 1) {
        await watched.see(null, checkedObservation(key, clock.now(), success));
        await opened.pass(1);
      }
      assert.deepEqual(shown(), ["operational", "operational"]);
      const [endpoint] = watched.list();
      const state = { status: "expiring", lastCheckAt: clock.now() };
      const certificate = {
        id: 1,
        name: "shop.example",
        agentId: null,
        container: null,
        endpointId: endpoint?.id,
        checkIntervalMs: 3_600_000,
        state,
      };
      certificates.set(1, certificate as unknown as Certificate);
      await opened.pass(1);
      assert.deepEqual(shown(), ["degraded", "operational"]);
    });

    it("are in maintenance with all that is in them, or as far as it is", async () => {
      await show(null, of("shop", "web"), of("shop", "db"));
      await show(AGENT, of("mail", "smtp"));
      for (const [type, id] of [["group", "shop"], ["group", "mail"], ["agent", AGENT]] as const) await create(type, id); // prettier-ignore
      const web = watched.containers.present.find(null, "web".padEnd(64, "0"))?.id;
      const plan = (type: string, id: string): void => {
        const now = clock.now().getTime();
        const [starts_at, ends_at] = [new Date(now).toISOString(), new Date(now + 60_000).toISOString()];
        const facts = { id: 1, title: "disk swap", description: "", components: [], status: "scheduled" as const };
        windows.push({
          ...facts,
          starts_at,
          ends_at,
          created_at: starts_at,
          updated_at: starts_at,
          entities: [{ entity_type: type, entity_id: id }],
        });
      };
      plan("group", "shop");
      await opened.pass(1);
      assert.deepEqual(shown(), ["maintenance", "operational", "operational"]);
      windows.length = 0;
      plan("agent", AGENT);
      await opened.pass(1);
      assert.deepEqual(shown(), ["operational", "maintenance", "maintenance"], "all that is in the group is on that host");
      windows.length = 0;
      plan("container", String(web));
      await show(null, of("shop", "web", { state: "exited", exitCode: 1 }), of("shop", "db"));
      assert.deepEqual(shown(), ["maintenance", "operational", "operational"], "what is worked on is not out");
      assert.equal((await opened.list())[0]?.monitor_status, "partial_outage");
      await show(null, of("shop", "web", { state: "exited", exitCode: 1 }), of("shop", "db", { state: "exited", exitCode: 1 }));
      assert.deepEqual(shown(), ["partial_outage", "operational", "operational"], "the other one is");
    });

    it("are found for what is in them, by alerts and by maintenance of their component", async () => {
      await show(AGENT, of("shop", "web", { endpoints: [labelled()] }));
      const shop = await opened.create({ name: "Shop", monitor_type: "group", monitor_id: "shop", auto_incident: true });
      const host = await opened.create({ name: "Edge", monitor_type: "agent", monitor_id: AGENT.toUpperCase(), auto_incident: true });
      await create("group", "mail");
      const ids = (monitor: Parameters<typeof opened.automaticFor>[0]): number[] => opened.automaticFor(monitor).map(({ id }) => id);
      const [container = 0] = watched.containers.present.ids();
      const endpoint = watched.list()[0]?.id ?? 0;
      assert.deepEqual(ids({ type: "container", id: container }), [shop.id, host.id]);
      assert.deepEqual(ids({ type: "endpoint", id: endpoint }), [shop.id, host.id]);
      assert.deepEqual(ids({ type: "agent", id: AGENT }), [host.id]);
      assert.deepEqual(ids({ type: "agent", id: "local" }), []);
      assert.deepEqual(ids({ type: "heartbeat", id: container }), []);
      assert.deepEqual(opened.coverOf([shop.id, host.id]), [
        { type: "group", id: "shop" },
        { type: "agent", id: AGENT },
      ]);
    });

    it("are refused for a host that is not known, and for an id of another kind, with the field", async () => {
      assert.deepEqual(await refused({ monitor_type: "agent", monitor_id: OTHER }), [409, `monitor_id: There is no host ${OTHER}`]);
      assert.deepEqual(await refused({ monitor_type: "agent", monitor_id: 7 }), [
        409,
        "monitor_id: Must be `local` or the UUID of an agent",
      ]);
      assert.deepEqual(await refused({ monitor_type: "group", monitor_id: 7 }), [409, "monitor_id: Must be the name of a group, as text"]);
      assert.deepEqual(await refused({ monitor_type: "container", monitor_id: "shop" }), [409, "monitor_id: Must be a number"]);
      for (const monitor_id of ["", "\u200b", "x".repeat(256), null, 1.5])
        assert.match(JSON.stringify(await refused({ monitor_type: "group", monitor_id })), /^\[400,"monitor_id: /);
      const { id } = await create("group", "shop");
      const changed = await opened.update(id, { monitor_type: "agent", monitor_id: "local" });
      assert.partialDeepStrictEqual(changed, { monitor_type: "agent", monitor_id: "local", monitor_name: "Local" });
      assert.equal((await opened.routes.ask("PUT", `${COMPONENTS}/${id}`, { monitor_type: "group", monitor_id: 3 })).status, 409);
    });

    it("outlive a restart, and leave the page with their host", async () => {
      await show(AGENT, of("it's 100%: a/b", "web"));
      await create("group", "it's 100%: a/b");
      await create("agent", AGENT);
      await opened.pass(61);
      await opened.quit();
      await open();
      assert.partialDeepStrictEqual(await opened.list(), [
        { monitor_type: "group", monitor_id: "it's 100%: a/b", monitor_name: "it's 100%: a/b", needs_attention: false },
        { monitor_type: "agent", monitor_id: AGENT, monitor_name: "edge-1", agent_id: AGENT, needs_attention: false },
      ]);
      names.delete(AGENT);
      await opened.pass(1);
      assert.partialDeepStrictEqual(await opened.list(), [{ needs_attention: false }, { needs_attention: true, monitor_name: "edge-1" }]);
    });
  });
});
