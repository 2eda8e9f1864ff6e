/** Which pages are pictured, by the names of their pictures. */
import type { ActiveAlerts } from "../../src/alerting/alerts/answers.ts";
import type { InsightList } from "../../src/monitoring/security/answers.ts";
import { consentPath } from "./assistants.ts";
import type { LivelyScene, StillScene } from "./scene.ts";

export interface PicturedPage {
  name: string;
  url: string;
}

type Row = readonly [name: string, base: string, path: string];

export function stillPages({ empty, many, swarm: { swarm, failing }, kubernetes: { kubernetes, crashing } }: StillScene): PicturedPage[] {
  return toPages([
    ["no-runtime-overview", empty.url, "/"],
    ["no-runtime-containers", empty.url, "/containers"],
    ["no-runtime-resources", empty.url, "/resources"],
    ["no-endpoints", empty.url, "/endpoints"],
    ["no-heartbeats", empty.url, "/heartbeats"],
    ["no-certificates", empty.url, "/certificates"],
    ["no-notifications", empty.url, "/notifications"],
    ["no-status-page", empty.url, "/status-page"],
    ["no-updates", empty.url, "/updates"],
    ["no-security", empty.url, "/security"],
    ["no-alerts", empty.url, "/alerts"],
    ["no-alert-history", empty.url, "/alerts/history"],
    ["many-containers", many, "/containers"],
    ["many-overview", many, "/"],
    ["swarm-services", swarm.url, "/swarm"],
    ["swarm-service", swarm.url, `/swarm/services/${failing}`],
    ["swarm-nodes", swarm.url, "/swarm/nodes"],
    ["kubernetes-workloads", kubernetes.url, "/kubernetes"],
    ["kubernetes-workload", kubernetes.url, `/kubernetes/workloads/${crashing}`],
    ["kubernetes-pods", kubernetes.url, "/kubernetes/pods"],
    ["kubernetes-nodes", kubernetes.url, "/kubernetes/nodes"],
    ["kubernetes-events", kubernetes.url, "/kubernetes/events"],
    ["kubernetes-network", kubernetes.url, "/kubernetes/network"],
    ["kubernetes-storage", kubernetes.url, "/kubernetes/storage"],
    ["kubernetes-overview", kubernetes.url, "/"],
  ]);
}

export async function livelyPages({ program, pro, fleet, containers, known, lost, waitingToken }: LivelyScene): Promise<PicturedPage[]> {
  const address = (name: string, tab: string): string =>
    `/containers/${containers.find((each) => each.name.endsWith(name))?.id}?tab=${tab}`;
  const { alerts } = await program.get<ActiveAlerts>("/api/v1/alerts/active");
  const failing = alerts.find(({ source }) => source === "endpoint") ?? alerts[0];
  const exposed = (await pro.get<InsightList>("/api/v1/security/insights?type=database_port_exposed")).insights[0];
  return toPages([
    ["overview", program.url, "/"],
    ["containers", program.url, "/containers"],
    ["container-overview", program.url, address("checkout-api", "overview")],
    ["container-healthy", program.url, address("search", "overview")],
    ["container-logs", program.url, address("storefront", "logs")],
    ["logs", program.url, "/logs"],
    ["logs-found", program.url, "/logs?q=cart"],
    ["map", program.url, "/map"],
    ["container-metrics", program.url, address("storefront", "metrics")],
    ["container-metrics-edition", program.url, `${address("storefront", "metrics")}&range=7d`],
    ["container-history", program.url, address("checkout-api", "history")],
    ["container-labels", program.url, address("migration", "overview")],
    ["endpoints", program.url, "/endpoints"],
    ["endpoint", program.url, "/endpoints/1"],
    ["endpoint-down", program.url, "/endpoints/3"],
    ["heartbeats", program.url, "/heartbeats"],
    ["heartbeat", program.url, "/heartbeats/2"],
    ["heartbeat-new", program.url, "/heartbeats/new"],
    ["certificates", program.url, "/certificates"],
    ["certificate", program.url, "/certificates/1"],
    ["resources", program.url, "/resources"],
    ["updates", pro.url, "/updates"],
    ["updates-edition", program.url, "/updates"],
    ["updates-scan-asks", pro.url, "/updates?view=dry-run"],
    ["container-updates", pro.url, address("storefront", "updates")],
    ["security", pro.url, "/security"],
    ["security-edition", program.url, "/security"],
    ["container-security", pro.url, `/containers/${exposed?.container_id ?? 0}?tab=security`],
    ["alerts", program.url, "/alerts"],
    ["alert", program.url, `/alerts/${failing?.id ?? 0}`],
    ["alert-history", program.url, "/alerts/history"],
    ["notifications", program.url, "/notifications"],
    ["notifications-channel", program.url, "/notifications/channels/1"],
    ["notifications-new-channel", program.url, "/notifications?create=yes"],
    ["notifications-routing", program.url, "/notifications/routing"],
    ["notifications-silences", program.url, "/notifications/silences"],
    ["notifications-new-silence", program.url, `/notifications/silences?create=yes&entity=endpoint:${failing?.entity_id ?? 0}`],
    ["notifications-webhooks", program.url, "/notifications/webhooks"],
    ["notifications-escalation", program.url, "/notifications/escalation"],
    ["status-page", program.url, "/status-page"],
    ["status-page-add", program.url, "/status-page?create=component"],
    ["status-page-incidents", program.url, "/status-page/incidents"],
    ["status-page-incident", program.url, "/status-page/incidents/2"],
    ["status-page-report", program.url, "/status-page/incidents?create=yes"],
    ["status-page-maintenance", program.url, "/status-page/maintenance"],
    ["status-page-subscribers", program.url, "/status-page/subscribers"],
    ["status-page-settings", program.url, "/status-page/settings"],
    ["hosts", fleet.url, "/hosts"],
    ["hosts-add", fleet.url, "/hosts/new"],
    ["hosts-waiting", fleet.url, `/hosts/new?token=${waitingToken}`],
    ["hosts-edition", program.url, "/hosts"],
    ["hosts-embedded", pro.url, "/hosts"],
    ["host", fleet.url, `/hosts/${known.id}`],
    ["host-lost", fleet.url, `/hosts/${lost.id}`],
    ["host-lost-containers", fleet.url, `/containers?agent_id=${lost.id}`],
    ["several-hosts-overview", fleet.url, "/"],
    ["several-hosts-containers", fleet.url, "/containers"],
    ["several-hosts-resources", fleet.url, "/resources"],
    ["settings", program.url, "/settings"],
    ["settings-audit", program.url, "/settings/audit"],
    ["settings-assistants", pro.url, "/settings/assistants"],
    ["settings-assistants-off", program.url, "/settings/assistants"],
    ["consent", pro.url, consentPath(pro)],
    ["consent-refused", pro.url, "/oauth/authorize?client_id=somebody-else"],
    ["not-found", program.url, "/nowhere"],
  ]);
}

function toPages(rows: readonly Row[]): PicturedPage[] {
  return rows.map(([name, base, path]) => ({ name, url: base + path }));
}
