/**
 * `npm run screenshots [part of a name...]` takes pictures of every page, or of those named, in light, dark and phone size, with few, many
 * and no containers, into screenshots/. They are for looking at, not for comparing.
 */
import { mkdirSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { ActiveAlerts } from "../src/alerting/alerts/api.ts";
import type { AgentList } from "../src/fleet/agents/api.ts";
import type { InsightList } from "../src/monitoring/security/api.ts";
import { connectedAgent, makeToken, startAgent, startServer } from "../test/support/agent-program.ts";
import { DESKTOP, openPage, PHONE, startBrowser } from "../test/support/browser.ts";
import { startEngine } from "../test/support/engine.ts";
import type { TestContainers } from "../test/support/images.ts";
import { mcpEnv } from "../test/support/mcp-program.ts";
import { type Program, startProgram } from "../test/support/program.ts";
import { until } from "../test/support/until.ts";
import { startZoo } from "../test/support/zoo.ts";
import { startMeasured } from "./bench/child.ts";
import { build } from "./build.ts";
import { LICENSES, makePair, mintLicense } from "./license.ts";
import { consentPath, letAssistantsIn } from "./screenshots-assistants.ts";

const FOLDER = join(import.meta.dirname, "../screenshots");
/** Long enough for the containers of the zoo to do what they are there for, and for what they use to be read more than twice. */
const ZOO_MS = 32_000;
const SHAPES = [
  { name: "light", colorScheme: "light", viewport: DESKTOP },
  { name: "dark", colorScheme: "dark", viewport: DESKTOP },
  { name: "phone-light", colorScheme: "light", viewport: PHONE },
  { name: "phone-dark", colorScheme: "dark", viewport: PHONE },
] as const;

interface Listed {
  groups: { containers: { id: number; name: string }[] }[];
}

/** A site that answers unevenly, as real ones do. */
async function startSite(): Promise<{ url: string; server: Server }> {
  let count = 0;
  const server = createServer(
    (_request, response) => void setTimeout(() => response.writeHead(200).end("well"), 4 + ((count++ * 37) % 60)),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has an address of this kind.
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}

async function post<Answer>({ url }: Program, path: string, body: object = {}): Promise<Answer> {
  const answer = await fetch(`${url}/api/v1/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

/** One check of every kind that the pages must show well: what is up, what fails, what is late, what was never heard of. */
async function makeChecks(program: Program, site: string): Promise<void> {
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
    await fetch(`${program.url}/ping/${ping}`, { method: "POST", body: "said by the job" });
  await post(program, "certificates", { domain: "127.0.0.1", port: Number(new URL(site).port) });
  await post(program, "certificates", { domain: "localhost", port: 9 });
}

/** Who is told of what fails. */
async function makeChannels(program: Program, site: string): Promise<void> {
  const ops = await post<{ id: number }>(program, "channels", { type: "webhook", name: "Operations", url: `${site}/hook` });
  await post(program, `channels/${ops.id}/rules`, { severity: "critical" });
  const night = await post<{ id: number }>(program, "channels", { type: "ntfy", name: "Night shift", url: `${site}/night` });
  const trigger = { name: "Endpoints at night", filter_sources: "endpoint", filter_severities: "critical,warning" };
  await post(program, "alert-triggers", { ...trigger, enabled: true, notify_on_resolve: true, channel_ids: [night.id] });
  const [starts_at, ends_at] = [0, 8 * 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
  await post(program, "silence", { reason: "Known: moves on Friday", starts_at, ends_at, matchers: { source: "certificate" } });
  await post(program, "webhooks", { name: "Audit trail", url: `${site}/audit`, event_types: ["alert.*", "container.state_changed"] });
}

/** A status page with something of everything on it. */
async function makeStatusPage(program: Program): Promise<void> {
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

/** Containers that are exposed in several ways, made before the browser starts: networks that come and go disturb it. */
async function exposeContainers({ run }: Pick<TestContainers, "run">): Promise<void> {
  await run("gateway", ["-p", "0.0.0.0::80", "-p", "0.0.0.0::443"], "sleep", "100000");
  await run("ledger-db", ["--label", "com.docker.compose.service=db", "-p", "0.0.0.0::5432"], "sleep", "100000");
  await run("node-exporter", ["--network", "host"], "sleep", "100000");
}

/** One finding that somebody accepted, the others as they are. */
async function acknowledgeSome(program: Program): Promise<void> {
  const found = async (): Promise<InsightList> => program.get("/api/v1/security/insights?type=host_network_mode");
  const insight = await until(async () => (await found()).insights[0]);
  const accepted = { acknowledged_by: "Ada", reason: "It reads the figures of the host" };
  await post(program, "security/acknowledgments", { container_id: insight.container_id, finding_type: insight.type, ...accepted });
}

mkdirSync(FOLDER, { recursive: true });
makePair(LICENSES);
await build({ ifStale: true });
const browser = await startBrowser();
const engine = await startEngine();
const zoo = await startZoo(engine);
await exposeContainers(zoo);
const program = await startProgram({
  env: { SERVICE_DOCKER_HOST: engine.host, SERVICE_ALLOW_PRIVATE_WEBHOOKS: "true" },
});
const pro = await startProgram({
  env: mcpEnv({
    SERVICE_DOCKER_HOST: engine.host,
    SERVICE_LICENSE_KEY: mintLicense(LICENSES, { edition: "pro", organisation: "Pictures", days: 1 }),
  }),
});
const empty = await startProgram({ env: { SERVICE_DOCKER_HOST: "unix:///nowhere/docker.sock" } });
const many = await startMeasured("containers", ["1000"]);
// Two hosts besides its own, both of the same engine: one that is watched, one whose agent went away.
const fleet = await startServer({
  env: { SERVICE_DOCKER_HOST: engine.host, SERVICE_EMBEDDED_AGENT: "true", SERVICE_AGENT_STALE_THRESHOLD_SECONDS: "5" },
});
async function addHost(label: string): Promise<ReturnType<typeof startAgent>> {
  const { token } = await makeToken(fleet, { label });
  const agent = startAgent({ server: fleet.grpcUrl, env: { SERVICE_ENROLLMENT_TOKEN: token, SERVICE_DOCKER_HOST: engine.host } });
  await connectedAgent(fleet, { label });
  return agent;
}
const nas = await addHost("nas");
const shopHost = await addHost("shop-frontend-03");
const waiting = await makeToken(fleet, { label: "printer" });
const site = await startSite();
try {
  await makeChannels(program, site.url);
  await makeChecks(program, site.url);
  await acknowledgeSome(pro);
  await letAssistantsIn(pro);
  await makeStatusPage(program);
  await wait(ZOO_MS);
  await shopHost.stop();
  const lost = await until(
    async () => (await fleet.get<AgentList>("/api/v1/agents")).agents.find(({ connection_state }) => connection_state === "disconnected"),
    { withinMs: 20_000, everyMs: 200 },
  );
  const known = await connectedAgent(fleet, { label: "nas" });
  const listed = await until(async () => (await program.get<Listed>("/api/v1/containers")).groups.flatMap(({ containers }) => containers));
  const address = (name: string, tab: string): string => `/containers/${listed.find((each) => each.name.endsWith(name))?.id}?tab=${tab}`;
  const alerts = (await program.get<ActiveAlerts>("/api/v1/alerts/active")).alerts;
  const failing = alerts.find(({ source }) => source === "endpoint") ?? alerts[0];
  const exposed = (await pro.get<InsightList>("/api/v1/security/insights?type=database_port_exposed")).insights[0];
  const pages: [name: string, base: string, path: string][] = [
    ["overview", program.url, "/"],
    ["containers", program.url, "/containers"],
    ["container-overview", program.url, address("checkout-api", "overview")],
    ["container-healthy", program.url, address("search", "overview")],
    ["container-logs", program.url, address("storefront", "logs")],
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
    ["hosts-waiting", fleet.url, `/hosts/new?token=${waiting.id}`],
    ["hosts-edition", program.url, "/hosts"],
    ["hosts-embedded", pro.url, "/hosts"],
    ["host", fleet.url, `/hosts/${known.id}`],
    ["host-lost", fleet.url, `/hosts/${lost.id}`],
    ["host-lost-containers", fleet.url, `/containers?agent_id=${lost.id}`],
    ["several-hosts-overview", fleet.url, "/"],
    ["several-hosts-containers", fleet.url, "/containers"],
    ["several-hosts-resources", fleet.url, "/resources"],
    ["settings", program.url, "/settings"],
    ["settings-assistants", pro.url, "/settings/assistants"],
    ["settings-assistants-off", program.url, "/settings/assistants"],
    ["consent", pro.url, consentPath(pro)],
    ["consent-refused", pro.url, "/oauth/authorize?client_id=somebody-else"],
    ["not-found", program.url, "/nowhere"],
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
    ["many-containers", `http://127.0.0.1:${many.port}`, "/containers"],
    ["many-overview", `http://127.0.0.1:${many.port}`, "/"],
  ];
  const asked = process.argv.slice(2);
  const shown = pages.filter(([name]) => asked.length === 0 || asked.some((part) => name.includes(part)));
  for (const { name: shape, ...options } of SHAPES) {
    for (const [name, base, path] of shown) {
      const { page, complaints } = await openPage(browser, options);
      await page.goto(base + path);
      await wait(1500);
      await page.screenshot({ path: join(FOLDER, `${name}.${shape}.png`) });
      if (complaints.length > 0) console.log(`${name} ${shape}: ${complaints.join("; ")}`);
      await page.context().close();
    }
  }
  console.log(`${shown.length * SHAPES.length} pictures in ${FOLDER}`);
} finally {
  await browser.close();
  site.server.close();
  await nas.stop();
  await shopHost.stop();
  await fleet.stop();
  await many.stop();
  await empty.stop();
  await pro.stop();
  await program.stop();
  await zoo.removeAll();
  await engine.stop();
}
