import type { AuditLog } from "../administration/audit/index.ts";
import type { Alerting } from "../alerting/index.ts";
import type { Editions } from "../editions/index.ts";
import type { Event } from "../events.ts";
import type { Agents } from "../fleet/agents/index.ts";
import type { McpResources, McpPrompt } from "../mcp/resource.ts";
import type { Tool } from "../mcp/tool.ts";
import type { Certificates } from "../monitoring/certificates/index.ts";
import type { Containers } from "../monitoring/containers/index.ts";
import type { Endpoints } from "../monitoring/endpoints/index.ts";
import type { Heartbeats } from "../monitoring/heartbeats/index.ts";
import type { Logs } from "../monitoring/logs/index.ts";
import type { Resources } from "../monitoring/resources/index.ts";
import type { Security } from "../monitoring/security/index.ts";
import type { UpdateComparisons, Updates } from "../monitoring/updates/index.ts";
import type { Bus } from "../platform/bus.ts";
import type { Clock } from "../platform/clock.ts";
import { once } from "../platform/queues.ts";
import { type Assistant, createAssistant } from "../publishing/assistant/index.ts";
import type { Overview } from "../publishing/overview/index.ts";
import type { StatusPage } from "../publishing/status/index.ts";
import type { HealthToolDependencies } from "./meta/tools.ts";
import type { Clusters } from "./clusters.ts";

export interface Offering {
  /** What the program says of itself. */
  about: Pick<HealthToolDependencies, "version" | "mode" | "database" | "runtimeStatus">;
  editions: Editions;
  containers: Containers;
  logs: Logs;
  resources: Resources;
  endpoints: Endpoints;
  heartbeats: Heartbeats;
  certificates: Certificates;
  updates: Updates;
  updateComparisons: UpdateComparisons;
  security: Security;
  clusters: Pick<Clusters, "tools">;
  alerting: Alerting;
  statusPage: StatusPage;
  overview: Pick<Overview, "tools">;
  agents: Agents;
  audit: Pick<AuditLog, "tools">;
  hostName(agentId: string | null): string | null;
  bus: Pick<Bus<Event>, "subscribe">;
  clock: Clock;
}

export interface OfferedToAssistants {
  /** In the order in which they are listed: where to begin comes first. Loaded when they are first asked for, as is all of it. */
  tools(): Promise<readonly Tool[]>;
  resources(): Promise<McpResources>;
  prompts(): Promise<McpPrompt[]>;
}

/** All that assistants may ask, of all features. */
export function offeredToAssistants(offering: Offering): OfferedToAssistants {
  const assistant = createAssistant({ ...offering, agents: () => offering.agents.service.list().agents });
  return {
    tools: once(() => loadTools(offering, assistant)),
    resources: assistant.resources,
    prompts: assistant.prompts,
  };
}

async function loadTools(offering: Offering, assistant: Pick<Assistant, "tools">): Promise<Tool[]> {
  const { about, editions, agents, containers, resources, alerting, clock } = offering;
  const { healthTools } = await import("./meta/tools.ts");
  const others = await Promise.all([
    assistant.tools(),
    alerting.tools(),
    agents.tools({
      version: about.version,
      localHost: () => resources.service.hosts().hosts.find(({ agent_id: agentId }) => agentId === null),
      grants: editions.grants,
    }),
    containers.tools(),
    offering.overview.tools(),
    offering.logs.tools(),
    resources.tools(),
    offering.endpoints.tools(),
    offering.heartbeats.tools(),
    offering.certificates.tools(),
    offering.updates.tools(),
    offering.security.tools(),
    offering.clusters.tools(),
    offering.statusPage.tools(),
    offering.audit.tools(),
  ]);
  const ofHealth = healthTools({
    ...about,
    clock,
    editions,
    containers: containers.service.counts,
    activeAlerts: alerting.active,
    agents: agents.service.metrics,
  });
  return [...ofHealth, ...others.flat()];
}
