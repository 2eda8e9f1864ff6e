/** A real host with something of everything, for assistants to ask about. */
import assert from "node:assert/strict";
import type { AlertRecord } from "../../src/alerting/alerts/api.ts";
import type { ActiveAlerts } from "../../src/alerting/alerts/answers.ts";
import type { ContainerRecord } from "../../src/monitoring/containers/api.ts";
import type { ContainerList } from "../../src/monitoring/containers/answers.ts";
import type { EndpointList } from "../../src/monitoring/endpoints/answers.ts";
import type { TestEngine } from "./engine.ts";
import { createTestContainers, type TestContainers } from "./images.ts";
import type { McpProgram } from "./mcp-program.ts";
import { takePort } from "./ports.ts";
import { until } from "./until.ts";

/** Within the limits of the API. */
const SELDOM = { everyMs: 100, withinMs: 60_000 };

export const HEARTBEAT = "nightly backup";
export const INCIDENT = "The checkout is slow";
export const RUNBOOK = "Restart it, then call Mia.";

export interface WatchedHost {
  containers: TestContainers;
  /** A container that runs and is checked, with a runbook. */
  web: ContainerRecord;
  /** Its endpoint. */
  endpointId: number;
  /** Alerts that nobody acknowledged yet. */
  alerts: AlertRecord[];
}

/** Fills a host; `alerts` containers end badly, which needs SERVICE_CONTAINER_DOWN_AFTER. */
export async function fillHost(engine: TestEngine, program: McpProgram, { alerts: count }: { alerts: number }): Promise<WatchedHost> {
  const containers = createTestContainers(engine);
  const port = await takePort();
  const labels = [`service.endpoint.http=http://127.0.0.1:${port}/`, `service.runbook=${RUNBOOK}`];
  await containers.run(
    "web",
    ["-p", `0.0.0.0:${port}:80`, ...labels.flatMap((label) => ["--label", label])],
    ...["sh", "-c", "mkdir -p /tmp/www; echo fine > /tmp/www/index.html; echo listening; exec httpd -f -p 80 -h /tmp/www"],
  );
  for (let number = 1; number <= count; number += 1)
    await containers.run(`broken-${number}`, [], "sh", "-c", "echo no disk >&2; sleep 1; exit 3");
  await create(program, "/api/v1/heartbeats", { name: HEARTBEAT, interval_seconds: 3600 });
  await create(program, "/api/v1/status/incidents", { title: INCIDENT, severity: "minor", message: "We are looking into it." });
  const web = await until(
    async () => {
      const found = await findContainer(program, `${containers.prefix}-web`);
      return found?.resources === null ? undefined : found;
    },
    { ...SELDOM, what: "the first figures of the container" },
  );
  const endpoint = await until(
    async () =>
      (await program.get<EndpointList>("/api/v1/endpoints")).endpoints.find((each) => each.container_id === web.id && each.status === "up"),
    { ...SELDOM, what: "the endpoint of the container" },
  );
  const alerts = await until(
    async () => {
      const active = (await program.get<ActiveAlerts>("/api/v1/alerts/active")).alerts.filter(({ event }) => event === "down");
      return active.length === count ? active : undefined;
    },
    { ...SELDOM, what: `${count} alerts` },
  );
  return { containers, web, endpointId: endpoint.id, alerts };
}

export async function findContainer(program: Pick<McpProgram, "get">, name: string): Promise<ContainerRecord | undefined> {
  const { groups } = await program.get<ContainerList>(`/api/v1/containers?search=${encodeURIComponent(name)}`);
  return groups.flatMap((group) => group.containers).find((each) => each.name === name);
}

async function create(program: McpProgram, path: string, body: object): Promise<void> {
  const answer = await fetch(program.url + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  assert.equal(answer.status, 201, `${path}: ${await answer.text()}`);
}
