/** What the programs of the pictures are filled with, through their API. */
import type { InsightList } from "../../src/monitoring/security/answers.ts";
import type { Program } from "../../test/support/program.ts";
import { until } from "../../test/support/until.ts";

async function post<Answer>({ url }: Program, path: string, body: object = {}): Promise<Answer> {
  const answer = await fetch(`${url}/api/v1/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

/** One check of every kind that the pages must show well: what is up, what fails, what is late, what never reported. */
export async function makeChecks(program: Program, site: string): Promise<void> {
  const often = { type: "http", interval_seconds: 5, timeout_seconds: 2, failure_threshold: 1 };
  await post(program, "endpoints", { ...often, name: "Shop", target: site });
  await post(program, "endpoints", { ...often, name: "Search API", target: `${site}search` });
  await post(program, "endpoints", { ...often, name: "Ledger", target: "http://127.0.0.1:9/" });
  await post(program, "endpoints", { ...often, type: "tcp", name: "Mail relay", target: new URL(site).host });
  const night = { cron: "30 3 * * *", timezone: "Europe/Berlin" };
  const backup = await post<{ uuid: string }>(program, "heartbeats", { ...night, name: "nightly-backup", tags: ["backup"] });
  const invoices = await post<{ uuid: string }>(program, "heartbeats", { name: "invoice-run", interval_seconds: 300 });
  await post(program, "heartbeats", { ...night, name: "certbot-renew" });
  for (const ping of [`${backup.uuid}/start`, backup.uuid, `${invoices.uuid}/start`, `${invoices.uuid}/137`])
    await fetch(`${program.url}/ping/${ping}`, { method: "POST", body: "output of the job" });
  await post(program, "certificates", { domain: "127.0.0.1", port: Number(new URL(site).port) });
  await post(program, "certificates", { domain: "localhost", port: 9 });
}

/** Who is notified of what fails. */
export async function makeChannels(program: Program, site: string): Promise<void> {
  const ops = await post<{ id: number }>(program, "channels", { type: "webhook", name: "Operations", url: `${site}hook` });
  await post(program, `channels/${ops.id}/rules`, { severity: "critical" });
  const night = await post<{ id: number }>(program, "channels", { type: "ntfy", name: "Night shift", url: `${site}night` });
  const trigger = { name: "Endpoints at night", filter_sources: "endpoint", filter_severities: "critical,warning" };
  await post(program, "alert-triggers", { ...trigger, enabled: true, notify_on_resolve: true, channel_ids: [night.id] });
  const [starts_at, ends_at] = [0, 8 * 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
  await post(program, "silence", { reason: "Known: moves on Friday", starts_at, ends_at, matchers: { source: "certificate" } });
  await post(program, "webhooks", { name: "Audit trail", url: `${site}audit`, event_types: ["alert.*", "container.state_changed"] });
}

/** A status page with something of everything on it. */
export async function makeStatusPage(program: Program): Promise<void> {
  const put = await fetch(`${program.url}/api/v1/status/settings`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ title: "Shop status", description: "How our shop is doing", published: true }),
  });
  if (!put.ok) throw new Error(`PUT status/settings: ${put.status} ${await put.text()}`);
  const shop = await post<{ id: number }>(program, "status/groups", { name: "Shop" });
  const endpoint = (name: string, id: number, rest: object = {}) =>
    post<{ id: number }>(program, "status/components", { name, monitor_type: "endpoint", monitor_id: id, ...rest });
  const site = await endpoint("Website", 1, { description: "The shop as you see it" });
  const search = await endpoint("Search", 2, { group_id: shop.id });
  const ledger = await endpoint("Payments", 3, { group_id: shop.id });
  await endpoint("Customer mail", 4, { group_id: shop.id, visible: false });
  await post(program, "status/components", { name: "Backups", monitor_type: "heartbeat", monitor_id: 1, auto_incident: true });
  const slow = { title: "Search was slow", severity: "minor", message: "Search is slower than usual.", components: [search.id] };
  const past = await post<{ id: number }>(program, "status/incidents", slow);
  await post(program, `status/incidents/${past.id}/updates`, { status: "resolved", message: "Search is as fast as ever." });
  const fails = {
    title: "Payments fail at checkout",
    severity: "major",
    message: "Payments fail for some customers.",
    components: [ledger.id],
  };
  const open = await post<{ id: number }>(program, "status/incidents", fails);
  await post(program, `status/incidents/${open.id}/updates`, { status: "identified", message: "We are rolling a release back." });
  const [starts_at, ends_at] = [26, 54].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
  await post(program, "status/maintenance", { title: "Move of the web servers", starts_at, ends_at, components: [site.id] });
}

/** One finding that somebody accepted, the others as they are. */
export async function acknowledgeSome(program: Program): Promise<void> {
  const found = async (): Promise<InsightList> => program.get("/api/v1/security/insights?type=host_network_mode");
  const insight = await until(async () => (await found()).insights[0]);
  const accepted = { acknowledged_by: "Ada", reason: "It reads the figures of the host" };
  await post(program, "security/acknowledgments", { container_id: insight.container_id, finding_type: insight.type, ...accepted });
}
