import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { hostReading } from "../../../test/support/readings.ts";
import { startWatching, type Watching } from "../../../test/support/resources.ts";
import { callTool, checkTools } from "../../../test/support/tools.ts";
import { type Edition, grants, historyRangesOf } from "../../editions/edition.ts";
import type { Tool } from "../../mcp/tool.ts";
import type { Severity } from "../../observations.ts";
import type { Database, DatabaseStatus } from "../../storage/database.ts";
import type { RuntimeStatusRecord } from "./answers.ts";
import { healthTools } from "./tools.ts";

const RUNTIME: RuntimeStatusRecord = {
  watched: true,
  runtime: "docker",
  connected: true,
  version: "29.0.0",
  api_version: "1.52",
  error: null,
  since: "2026-03-01T11:00:00.000Z",
  address: "unix:///var/run/docker.sock",
  capabilities: { events: true, stats: true, logs: true, swarm: false, metrics: false },
  missing: [],
};

onBothDatabases((databases) => {
  const clock = createFakeClock(new Date("2026-03-01T12:00:00Z"));
  let database: Database;
  let outage: DatabaseStatus | undefined;
  let watching: Watching;
  let edition: Edition;
  let runtime: RuntimeStatusRecord;
  let alerts: { severity: Severity }[];
  let tools: Tool[];

  beforeEach(async () => {
    edition = "community";
    runtime = RUNTIME;
    alerts = [];
    outage = undefined;
    database = await databases.create();
    watching = await startWatching({ database, clock });
    tools = healthTools({
      version: "1.2.3",
      mode: "embedded",
      database: { capabilities: database.capabilities, status: () => outage ?? database.status() },
      clock,
      editions: {
        edition: () => edition,
        grants: (capability) => grants(edition, capability),
        historyRanges: () => historyRangesOf(edition),
      },
      runtimeStatus: () => runtime,
      containers: watching.containers.service.counts,
      activeAlerts: () => alerts,
      agents: () => ({ connected: 2, disconnected: 1 }),
    });
  });
  afterEach(() => watching.stop());

  const health = (): Promise<Record<string, unknown>> => callTool(tools, "get_health");

  it("is declared as clients need it", () => checkTools(tools));

  it("get_health summarizes everything in a few numbers", async () => {
    await watching.see(null, { kind: "host.sampled", observedAt: clock.now(), host: hostReading() });
    await watching.show(
      { externalId: "a", name: "web", health: "unhealthy" },
      { externalId: "b", name: "db", state: "exited", exitCode: 1 },
    );
    alerts = [{ severity: "critical" }, { severity: "warning" }, { severity: "warning" }];
    assert.deepEqual(await health(), {
      now: "2026-03-01T12:00:00.000Z",
      version: "1.2.3",
      mode: "embedded",
      edition: "community",
      history_ranges: ["1h", "6h"],
      storage: { engine: databases.name, connected: true, error: null },
      runtime: {
        watched: true,
        runtime: "docker",
        connected: true,
        version: "29.0.0",
        error: null,
        since: "2026-03-01T11:00:00.000Z",
        missing: [],
      },
      containers: {
        total: 2,
        by_state: { created: 0, running: 1, paused: 0, restarting: 0, exited: 1, completed: 0, dead: 0 },
        unhealthy: 1,
        in_restart_loop: 0,
      },
      active_alerts: { total: 3, critical: 1, warning: 2, info: 0 },
      hosts: { total: 1, connected: 1, disconnected: 0 },
    });
  });

  it("get_health counts the hosts that the edition knows", async () => {
    edition = "pro";
    assert.partialDeepStrictEqual(await health(), {
      hosts: { total: 4, connected: 3, disconnected: 1 },
      history_ranges: ["1h", "6h", "24h", "7d", "30d"],
    });
    runtime = { ...RUNTIME, connected: false, error: "The socket is not there." };
    assert.partialDeepStrictEqual(await health(), {
      hosts: { total: 4, connected: 2, disconnected: 2 },
      runtime: { error: "The socket is not there." },
    });
    runtime = { ...RUNTIME, watched: false, connected: false };
    assert.partialDeepStrictEqual(await health(), { hosts: { total: 3, connected: 2, disconnected: 1 } });
  });

  it("get_health answers without a database", async () => {
    outage = { connected: false, error: "The server does not answer." };
    assert.partialDeepStrictEqual(await health(), { storage: { engine: databases.name, ...outage } });
  });
});
