import type { ActiveAlerts } from "../../src/alerting/alerts/answers.ts";
import type { ContainerList } from "../../src/monitoring/containers/answers.ts";

/** A page of the demo, by the name of its picture. */
export interface DemoPage {
  name: string;
  path: string;
  /** By the app in the browser, or by the server. */
  made: "app" | "server";
}

/** Every page of the web app as the demo has it, and the tabs and windows that show something else. */
export async function demoPages(url: string): Promise<DemoPage[]> {
  const get = async <Answer>(path: string): Promise<Answer> => (await (await fetch(`${url}/api/v1/${path}`)).json()) as Answer;
  const { groups } = await get<ContainerList>("containers?limit=100");
  const containers = groups.flatMap((group) => group.containers);
  const idOf = (name: string): number => containers.find((each) => each.name === name)?.id ?? 0;
  const tab = (name: string, of: string): string => `/containers/${idOf(name)}?tab=${of}`;
  const { alerts } = await get<ActiveAlerts>("alerts/active");
  const crash = alerts.find(({ entity_name: name }) => name === "shop-payments");
  const [agent] = (await get<{ agents: { id: string }[] }>("agents")).agents;
  return Object.entries({
    overview: "/",
    wall: "/wall",
    changes: "/changes",
    containers: "/containers",
    "container-crashing": `/containers/${idOf("shop-payments")}`,
    "container-healthy": `/containers/${idOf("forge-gitea")}`,
    "container-logs": tab("shop-payments", "logs"),
    "container-metrics": tab("forge-gitea", "metrics"),
    "container-history": tab("shop-payments", "history"),
    "container-checks": tab("forge-gitea", "checks"),
    "container-updates": tab("forge-gitea", "updates"),
    "container-security": tab("forge-gitea", "security"),
    logs: "/logs",
    "logs-found": "/logs?q=error",
    map: "/map",
    endpoints: "/endpoints",
    endpoint: "/endpoints/1",
    "endpoint-down": "/endpoints/3",
    heartbeats: "/heartbeats",
    heartbeat: "/heartbeats/1",
    "heartbeat-new": "/heartbeats/new",
    certificates: "/certificates",
    certificate: "/certificates/1",
    resources: "/resources",
    updates: "/updates",
    security: "/security",
    alerts: "/alerts",
    alert: `/alerts/${crash?.id ?? 0}`,
    "alert-history": "/alerts/history",
    notifications: "/notifications",
    "notifications-channel": "/notifications/channels/1",
    "notifications-new-channel": "/notifications?create=yes",
    "notifications-routing": "/notifications/routing",
    "notifications-escalation": "/notifications/escalation",
    "notifications-silences": "/notifications/silences",
    "notifications-new-silence": "/notifications/silences?create=yes",
    "notifications-webhooks": "/notifications/webhooks",
    "status-page": "/status-page",
    "status-page-incidents": "/status-page/incidents",
    "status-page-incident": "/status-page/incidents/1",
    "status-page-maintenance": "/status-page/maintenance",
    "status-page-subscribers": "/status-page/subscribers",
    "status-page-settings": "/status-page/settings",
    hosts: "/hosts",
    host: `/hosts/${agent?.id ?? ""}`,
    "host-local": "/hosts/local",
    "host-new": "/hosts/new",
    kubernetes: "/kubernetes",
    "kubernetes-workload": "/kubernetes/workloads/none",
    swarm: "/swarm",
    "swarm-service": "/swarm/services/none",
    settings: "/settings",
    "settings-assistants": "/settings/assistants",
    "settings-audit": "/settings/audit",
    "not-found": "/nowhere",
    "server-status": "/status",
  }).map(([name, path]) => ({ name, path, made: name.startsWith("server-") ? "server" : "app" }));
}
