import { z } from "zod";
import { editionView } from "../../editions/answers.ts";
import type { Editions } from "../../editions/index.ts";
import { CONTAINER_STATES } from "../../events.ts";
import { timestamp } from "../../http/schemas.ts";
import { tool, type Tool } from "../../mcp/tool.ts";
import type { ContainerCounts } from "../../monitoring/containers/index.ts";
import type { Severity } from "../../observations.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../storage/database.ts";
import { type Health, health, runtimeStatus, type RuntimeStatusRecord } from "./answers.ts";

export interface HealthToolDependencies {
  version: string;
  mode: Health["mode"];
  database: Pick<Database, "capabilities" | "status">;
  clock: Pick<Clock, "now">;
  editions: Pick<Editions, "edition" | "grants" | "historyRanges">;
  runtimeStatus(): RuntimeStatusRecord;
  /** Without the ignored ones. */
  containers(): ContainerCounts;
  activeAlerts(): readonly { severity: Severity }[];
  /** Without the revoked ones. */
  agents(): { connected: number; disconnected: number };
}

const count = z.number().int().min(0);

/** What an assistant may ask of the program itself. */
export function healthTools({
  version,
  mode,
  database,
  clock,
  editions,
  runtimeStatus: describeRuntime,
  containers,
  activeAlerts,
  agents,
}: HealthToolDependencies): Tool[] {
  return [
    tool({
      name: "get_health",
      title: "Get an overview",
      description:
        "The state of everything in a few numbers: containers by state, active alerts by severity, hosts connected, and whether the monitor itself can see and " +
        "store. Begin with it. For what the numbers count use list_alerts, list_containers and list_agents.",
      input: z.strictObject({}),
      output: z.object({
        now: timestamp.describe("The server's clock, which all other moments go by."),
        version: z.string().meta({ description: "Of Binnacle.", ours: true }),
        mode: health.shape.mode,
        edition: editionView.shape.edition,
        history_ranges: z.array(z.string().meta({ ours: true })).describe("What get_resources takes as `range` in this edition."),
        storage: health.shape.storage.extend({ error: z.string().nullable().describe("Why the database is not connected.") }),
        runtime: runtimeStatus
          .pick({ watched: true, runtime: true, connected: true, version: true, error: true, since: true, missing: true })
          .describe("What runs the containers of the server's own host."),
        containers: z
          .object({
            total: count,
            by_state: z.object(eachState(() => count)),
            unhealthy: count.describe("By their health checks."),
            in_restart_loop: count,
          })
          .describe("Of all hosts, without the ignored ones."),
        active_alerts: z.object({ total: count, critical: count, warning: count, info: count }),
        hosts: z
          .object({ total: count, connected: count, disconnected: count })
          .describe("The server's own, if it is watched, and those with an agent."),
      }),
      handle() {
        const runtime = describeRuntime();
        const { total, byState, unhealthy, inRestartLoop } = containers();
        return {
          now: clock.now().toISOString(),
          version,
          mode,
          edition: editions.edition(),
          history_ranges: editions.historyRanges(),
          storage: { engine: database.capabilities.engine, ...database.status() },
          runtime: {
            watched: runtime.watched,
            runtime: runtime.runtime,
            connected: runtime.connected,
            version: runtime.version,
            error: runtime.error,
            since: runtime.since,
            missing: runtime.missing,
          },
          containers: { total, by_state: byState, unhealthy, in_restart_loop: inRestartLoop },
          active_alerts: alertCounts(activeAlerts()),
          hosts: hostCounts(runtime, editions.grants("agents") ? agents() : { connected: 0, disconnected: 0 }),
        };
      },
    }),
  ];
}

function alertCounts(alerts: readonly { severity: Severity }[]) {
  const counts = { total: alerts.length, critical: 0, warning: 0, info: 0 };
  for (const { severity } of alerts) counts[severity] += 1;
  return counts;
}

function hostCounts({ watched, connected }: RuntimeStatusRecord, agents: { connected: number; disconnected: number }) {
  const local = { connected: Number(watched && connected), disconnected: Number(watched && !connected) };
  const all = { connected: agents.connected + local.connected, disconnected: agents.disconnected + local.disconnected };
  return { total: all.connected + all.disconnected, ...all };
}

function eachState<Schema>(schemaOf: () => Schema): Record<(typeof CONTAINER_STATES)[number], Schema> {
  // One entry for each state is all that the type asks for.
  return Object.fromEntries(CONTAINER_STATES.map((state) => [state, schemaOf()])) as Record<(typeof CONTAINER_STATES)[number], Schema>;
}
