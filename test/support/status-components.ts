import type { MaintenanceRecord } from "../../src/alerting/suppression/answers.ts";
import type { Event } from "../../src/events.ts";
import { createBus } from "../../src/platform/bus.ts";
import type { Log } from "../../src/platform/log.ts";
import { createScheduler } from "../../src/platform/scheduler.ts";
import type { ComponentRecord } from "../../src/publishing/status/components/answers.ts";
import { createComponents, type Monitors } from "../../src/publishing/status/components/index.ts";
import type { ComponentStatus, Monitor, MonitorType } from "../../src/publishing/status/vocabulary.ts";
import type { Database } from "../../src/storage/database.ts";
import { declaredRoutes } from "./declared-routes.ts";
import type { FakeClock } from "./fake-clock.ts";
import { watchTasks } from "./watched-tasks.ts";
import { createMemoryLog, createTestServer } from "./http-server.ts";

export const GROUPS = "/api/v1/status/groups";
export const COMPONENTS = "/api/v1/status/components";
export const ORDER = "/api/v1/status/order";

/** Later than any clock of a test: components take it as now. */
const ALWAYS = new Date(8.64e15);

interface FakeMonitor {
  /** null: not since the start. */
  lastObservedAt: Date | null;
  name: string;
  agentId: string | null;
  status: ComponentStatus | null;
}

/** Monitors and windows that the test plays; they outlive a restart of the components. */
export function createFakeWorld() {
  const monitors = new Map<string, FakeMonitor & { type: MonitorType; id: number }>();
  const windows: MaintenanceRecord[] = [];
  const keyOf = ({ type, id }: Monitor): string => `${type} ${id}`;
  const world = {
    windows,
    monitors: {
      look(monitor) {
        const found = monitors.get(keyOf(monitor));
        if (found === undefined) return undefined;
        const { name, agentId, status, lastObservedAt } = found;
        const entities = [
          { type: monitor.type, id: String(monitor.id) },
          { type: "agent", id: agentId ?? "local" },
        ];
        return { name, agentId, status, lastObservedAt, entities };
      },
      scopesOf: () => [],
      mayReturn: ({ type }) => type === "container",
      successors: () => (gone) =>
        [...monitors.values()].find((each) => each.type === gone.type && each.name === gone.name && each.agentId === gone.agentId)?.id,
    } satisfies Monitors,
    /** Sets how a container stands, or another monitor. */
    set(
      id: number,
      status: ComponentStatus | null,
      {
        type = "container",
        name = `web-${id}`,
        agentId = null,
        lastObservedAt = ALWAYS,
      }: Partial<FakeMonitor & { type: MonitorType }> = {},
    ) {
      monitors.set(keyOf({ type, id }), { type, id, name, agentId, status, lastObservedAt });
    },
    remove(id: number, type: MonitorType = "container") {
      monitors.delete(keyOf({ type, id }));
    },
    plan(window: Partial<MaintenanceRecord> & { starts_at: string; ends_at: string }) {
      const at = window.starts_at;
      const facts = { description: "", components: [], entities: [], status: "scheduled" as const, created_at: at, updated_at: at };
      windows.push({ id: windows.length + 1, title: "disk swap", ...facts, ...window });
    },
  };
  return world;
}

export type FakeWorld = ReturnType<typeof createFakeWorld>;

/** The feature as after a start of the program. */
export async function openComponents(
  database: Database,
  clock: FakeClock,
  world: Pick<FakeWorld, "windows"> & { monitors: Monitors },
  log: Log = createMemoryLog(),
) {
  const events: Event[] = [];
  const bus = createBus<Event>(log);
  bus.subscribe("test", (event) => void events.push(event));
  const { scheduler, idle } = watchTasks(createScheduler(clock, log));
  const components = createComponents({ database, bus, clock, scheduler, monitors: world.monitors, windows: () => world.windows });
  let changes = 0;
  // As the page does, which is rendered again then.
  components.onChange(() => {
    changes += 1;
    components.board();
  });
  await components.start();
  await clock.advance(0);
  await idle();
  const server = createTestServer({ routes: components.routes });
  const routes = declaredRoutes(server, components.routes);
  return {
    ...components,
    bus,
    events,
    log,
    routes,
    changes: () => changes,
    /** Lets the clock run, second by second; what the database does meanwhile takes none of its time. */
    async pass(seconds: number): Promise<void> {
      for (let left = seconds; left > 0; left -= 1) {
        await clock.advance(1000);
        await idle();
      }
    },
    published: () => events.map(({ type }) => type),
    /** Says that something of a container changed, as monitoring does. */
    hint(id: number, type: "container.removed" | "container.updated" = "container.updated") {
      const data = {
        id,
        agent_id: null,
        name: `web-${id}`,
        timestamp: "",
        runtime: "docker" as const,
        image: "web",
        group: "",
        labels: {},
      };
      bus.publish({ type, data: { ...data, alert_severity: "warning", alert_channels: [], alert_tags: [] } });
    },
    create: async (body: Record<string, unknown> = {}): Promise<ComponentRecord> =>
      (await routes.check("POST", COMPONENTS, {}, { name: "Shop", monitor_type: "container", monitor_id: 1, ...body })) as ComponentRecord,
    update: async (id: number, body: Record<string, unknown>): Promise<ComponentRecord> =>
      (await routes.check("PUT", `${COMPONENTS}/{id}`, { id }, body)) as ComponentRecord,
    list: async (): Promise<ComponentRecord[]> => (await routes.check("GET", COMPONENTS))["components"] as ComponentRecord[],
    /** As a crash ends it: nothing is saved any more. */
    async kill(): Promise<void> {
      await scheduler.stop();
      await server.stop();
    },
    async quit(): Promise<void> {
      await components.stop();
      await scheduler.stop();
      await server.stop();
    },
  };
}

export type OpenedComponents = Awaited<ReturnType<typeof openComponents>>;
