import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { AlertRecord } from "../../src/alerting/alerts/api.ts";
import type { ActiveAlerts, AlertList } from "../../src/alerting/alerts/answers.ts";
import type { ChannelRecord } from "../../src/alerting/channels/answers.ts";
import type { AgentRecord } from "../../src/fleet/agents/answers.ts";
import type { ContainerRecord } from "../../src/monitoring/containers/api.ts";
import type { ContainerDetail, ContainerList, TransitionList, TransitionRecord } from "../../src/monitoring/containers/answers.ts";
import type { CheckList, EndpointDetail, EndpointList } from "../../src/monitoring/endpoints/answers.ts";
import type { History } from "../../src/monitoring/resources/answers.ts";
import { connectedAgent, makeToken, type ServerProgram } from "../support/agent-program.ts";
import { type ReceivedEvent, listen, type Listener } from "../support/event-source.ts";
import { createTestContainers, importBusybox, type TestContainers } from "../support/images.ts";
import { type InstalledAgent, installByCompose, startServerFor } from "../support/installed-agent.ts";
import { buildProductImage } from "../support/product-image.ts";
import { type Receiver, startReceiver } from "../support/receivers.ts";
import { repetitions } from "../support/repetitions.ts";
import { type SecondHost, startSecondHost } from "../support/two-hosts.ts";
import { until } from "../support/until.ts";

/** In the gate long enough for both ends to notice: the agent does after 30 seconds of silence, the server by its threshold. */
const CUT_MS = repetitions({ gate: 45_000, long: 5 * 60_000 });
const STALE_MS = 30_000;
/** Within the limits of the API. */
const SOON = { withinMs: 60_000, everyMs: 200 };
/** An agent says every ten seconds that it watched. */
const REPORTED = { withinMs: 20_000, everyMs: 500 };
/** The longest that an agent waits between two attempts, and what the attempt takes. */
const RECONNECTED = { withinMs: 150_000, everyMs: 500 };
/** Between two ticks are ten seconds; a busy machine misses some. The cut itself is longer. */
const LONGEST_GAP_MS = repetitions({ gate: 35_000, long: 60_000 });
/** By how much a counted downtime may differ: a container is created a moment before it runs, and what is under way is not counted yet. */
const UPTIME_TOLERANCE_MS = 10_000;
const BRIDGE = "172.17.0.1";
const PORT = 8081;

type Name = "steady" | "killed" | "stopped" | "looping" | "sick" | "born" | "brief";

/** The cable between an agent and its server is pulled, for five minutes in the long form, and plugged in again. */
describe("a link that is cut and healed", () => {
  let host: SecondHost;
  let server: ServerProgram;
  let containers: TestContainers;
  let receiver: Receiver;
  let live: Listener;
  let installed: InstalledAgent;
  let agent: AgentRecord;
  let cutAt: Date;
  let healedAt: Date;
  const external = new Map<Name, string>();
  const ids = new Map<Name, number>();

  before(async () => {
    [host, receiver] = await Promise.all([startSecondHost(), startReceiver()]);
    await Promise.all([importBusybox(host.engine), buildProductImage(host.engine, "binnacle")]);
    containers = createTestContainers(host.engine);
    server = await startServerFor(host, {
      SERVICE_CONTAINER_DOWN_AFTER: "1s",
      SERVICE_ALLOW_PRIVATE_WEBHOOKS: "true",
      SERVICE_AGENT_STALE_THRESHOLD_SECONDS: String(STALE_MS / 1000),
    });
    const channel = await send<ChannelRecord>("/api/v1/channels", { name: "all", type: "webhook", url: `${receiver.url}/alerts` });
    await send(`/api/v1/channels/${channel.id}/rules`, {});
    live = await listen(`${server.url}/api/v1/containers/events`);
    installed = await installByCompose(host, await makeToken(server));
    agent = await connectedAgent(server, { withinMs: 60_000 });
    await startContainers();
  });
  after(async () => {
    live?.close();
    await server?.stop();
    await host?.stop();
    await receiver?.stop();
  });

  async function send<Body>(path: string, body: object): Promise<Body> {
    const answer = await fetch(server.url + path, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });
    assert.ok(answer.ok, `${path}: ${answer.status}`);
    // What the test asks for is what the route answers.
    return (await answer.json()) as Body;
  }

  async function startContainers(): Promise<void> {
    const serve = "mkdir -p /tmp/www; echo open > /tmp/www/index.html; exec httpd -f -p 80 -h /tmp/www";
    const endpoint = [`http=http://${BRIDGE}:${PORT}/`, "interval=5s", "failure-threshold=2"];
    const labels = endpoint.flatMap((each) => ["--label", `service.endpoint.${each}`]);
    const health = ["--health-cmd", "test ! -e /sick", "--health-interval", "2s", "--health-retries", "1"];
    await run("steady", ["-p", `${BRIDGE}:${PORT}:80`, ...labels], "sh", "-c", serve);
    await run("killed", [], "sh", "-c", "echo serving; sleep 100000");
    await run("stopped");
    await run("looping", ["--restart", "always"]);
    await run("sick", health);
    for (const name of external.keys()) await known(name);
    await until(async () => (await record("sick")).health === "healthy", SOON);
    await until(async () => (await endpointOf())?.status === "up", SOON);
    await until(async () => (await memoryOf("steady")).size > 0, SOON);
  }

  async function run(name: Name, flags: string[] = [], ...command: string[]): Promise<void> {
    external.set(name, await containers.run(name, flags, ...command));
  }
  const engineOf = (name: Name, ...args: string[]): Promise<string> => host.engine.docker(...args, external.get(name) ?? "");
  const kill = (name: Name): Promise<void> => host.endContainer(external.get(name) ?? "");

  async function list(query = ""): Promise<ContainerRecord[]> {
    const { groups } = await server.get<ContainerList>(`/api/v1/containers?agent_id=${agent.id}${query}`);
    return groups.flatMap((group) => group.containers);
  }
  async function known(name: Name, query = ""): Promise<void> {
    const found = await until(async () => (await list(query)).find(({ external_id: id }) => id === external.get(name)), SOON);
    ids.set(name, found.id);
  }
  const record = (name: Name): Promise<ContainerDetail> => server.get(`/api/v1/containers/${ids.get(name)}`);
  /** What it went through since the cut, oldest first. */
  async function since(name: Name): Promise<TransitionRecord[]> {
    const { transitions } = await server.get<TransitionList>(
      `/api/v1/containers/${ids.get(name)}/transitions?since=${cutAt.toISOString()}`,
    );
    return transitions.toReversed();
  }
  async function endpointOf(): Promise<EndpointDetail | undefined> {
    const { endpoints } = await server.get<EndpointList>(`/api/v1/endpoints?agent_id=${agent.id}`);
    const [first] = endpoints;
    return first && server.get<EndpointDetail>(`/api/v1/endpoints/${first.id}`);
  }
  /** When memory was measured. */
  async function memoryOf(name: Name): Promise<Set<number>> {
    const { series } = await server.get<History>(`/api/v1/containers/${ids.get(name)}/resources/history?range=1h`);
    const times = series.timestamps.filter((_, index) => series.memory_bytes[index] !== null);
    return new Set(times.map((time) => Date.parse(time)));
  }
  const agentNow = (): Promise<AgentRecord> => server.get(`/api/v1/agents/${agent.id}`);

  it("is reported as an agent that is disconnected, while its host keeps running", async () => {
    await host.unplug();
    cutAt = new Date();
    await kill("killed");
    await engineOf("stopped", "stop", "-t", "5");
    await host.engine.docker("exec", external.get("sick") ?? "", "touch", "/sick");
    await host.engine.docker("exec", external.get("steady") ?? "", "rm", "/tmp/www/index.html");
    for (let restarts = 1; restarts <= 4; restarts += 1) {
      await kill("looping");
      await until(
        async () => (await engineOf("looping", "inspect", "-f", "{{.RestartCount}} {{.State.Restarting}}")) === `${restarts} false`,
        SOON,
      );
    }
    await run("brief", [], "sh", "-c", "echo here and gone; exit 3");
    await run("born");
    await engineOf("brief", "wait");
    const lost = await live.wait(({ type, data }) => type === "agent.disconnected" && data["id"] === agent.id, 120_000);
    assert.ok(Date.parse(String(lost.data["timestamp"])) - cutAt.getTime() >= STALE_MS - 5000, "not before the stale threshold");
    // By now all of this would have been alerted, had it been seen.
    await engineOf("brief", "rm");
    await engineOf("killed", "start");
    await host.engine.docker("exec", external.get("sick") ?? "", "rm", "/sick");
    await host.engine.docker("exec", external.get("steady") ?? "", "sh", "-c", "echo open > /tmp/www/index.html");

    assert.equal((await agentNow()).connection_state, "disconnected");
    const alert = await until(async () => {
      const { alerts } = await server.get<ActiveAlerts>("/api/v1/alerts/active");
      return alerts.find(({ source, event }) => source === "agent" && event === "disconnected");
    }, SOON);
    assert.deepEqual([alert.agent_id, alert.severity, alert.entity_name], [agent.id, "warning", host.hostname]);
    const logs = await fetch(`${server.url}/api/v1/containers/${ids.get("steady")}/logs`);
    assert.equal(logs.status, 503);
    assert.equal(((await logs.json()) as { error: { code: string } }).error.code, "agent_offline");
    await until(() => Date.now() - cutAt.getTime() >= CUT_MS, { withinMs: CUT_MS + 10_000, everyMs: 1000 });
    await until(async () => /"not connected to the server/.test(await installed.log()), SOON);
    assert.equal((await record("stopped")).state, "running", "what was last known");
    const { counts } = await server.get<EndpointList>(`/api/v1/endpoints?agent_id=${agent.id}`);
    assert.deepEqual([counts.up, counts.unknown], [0, 1], "an endpoint that nobody sees is not up");
  });

  it("is followed by a catch-up that can be watched", async () => {
    await host.plug();
    healedAt = new Date();
    const ofAgent = ({ data }: ReceivedEvent): boolean =>
      data["id"] === agent.id && Date.parse(String(data["timestamp"])) >= healedAt.getTime();
    const spoolOf = ({ data }: ReceivedEvent): AgentRecord["spool"] => data["spool"] as AgentRecord["spool"];
    await live.wait((event) => event.type === "agent.connected" && ofAgent(event), RECONNECTED.withinMs);
    // Only the newest is published of what changes within a moment: it may show the end of a quick catch-up.
    await live.wait((event) => event.type === "agent.spool" && ofAgent(event) && spoolOf(event).draining === spoolOf(event).queued > 0);
    const { spool } = await until(async () => {
      const now = await agentNow();
      return now.spool.queued === 0 && !now.spool.draining ? now : undefined;
    }, SOON);
    assert.equal(spool.dropped, 0);
    await until(async () => (await memoryOf("steady")).values().some((ms) => ms > Date.now() - 15_000), SOON);
  });

  it("leaves the present state right", async () => {
    const states = new Map<Name, string>([
      ["steady", "running null"],
      ["killed", "running null"],
      ["stopped", "exited null"],
      ["looping", "running null"],
      ["sick", "running healthy"],
      ["born", "running null"],
    ]);
    await known("born");
    for (const [name, wanted] of states) {
      const { state, health, restart_loop: loop } = await record(name);
      assert.deepEqual([`${state} ${health}`, loop], [wanted, null], name);
    }
    const endpoint = await endpointOf();
    assert.partialDeepStrictEqual(endpoint, { status: "up", alerting: false, consecutive_failures: 0 });
    assert.equal((await agentNow()).connection_state, "connected");
  });

  it("leaves a whole history, each thing at its time", async () => {
    const path = async (name: Name): Promise<string[]> =>
      (await since(name)).map(({ new_state: state, new_health: health }) => (health === null ? state : `${state} ${health}`));
    await known("brief", "&archived=true");
    assert.deepEqual(await path("killed"), ["exited", "running"]);
    assert.deepEqual(await path("stopped"), ["exited"]);
    assert.deepEqual(
      (await since("stopped")).map(({ stop_requested: asked }) => asked),
      [true],
    );
    assert.deepEqual(await path("sick"), ["running unhealthy", "running healthy"]);
    assert.deepEqual(await path("steady"), []);
    const looped = await path("looping");
    assert.equal(looped.filter((state) => state === "running").length, 4, looped.join(", "));
    assert.equal((await path("born")).at(-1), "running");
    assert.ok((await path("brief")).includes("exited"));

    const [died, back] = await since("killed");
    assert.equal(died?.exit_code, 137);
    assert.match(died?.log_snippet ?? "", /serving/);
    const startedAt = Date.parse(await engineOf("killed", "inspect", "-f", "{{.State.StartedAt}}"));
    assert.ok(Math.abs(Date.parse(back?.timestamp ?? "") - startedAt) < 2000, back?.timestamp);
    assert.ok((await since("brief")).every(({ replayed }) => replayed));
    for (const name of ["killed", "stopped", "looping", "sick", "born", "brief"] as const)
      for (const { timestamp } of await since(name)) assert.ok(Date.parse(timestamp) <= healedAt.getTime(), `${name} at ${timestamp}`);
  });

  it("leaves no hole in charts and uptime", async () => {
    const measured = [...(await memoryOf("steady"))].sort((one, other) => one - other);
    const times = [cutAt.getTime(), ...measured.filter((ms) => ms > cutAt.getTime()), Date.now()];
    const gaps = times.slice(1).map((ms, index) => ms - (times[index] ?? 0));
    assert.ok(Math.max(...gaps) < LONGEST_GAP_MS, `the longest hole lasts ${Math.max(...gaps)} ms`);

    const endpoint = await endpointOf();
    const { checks } = await server.get<CheckList>(`/api/v1/endpoints/${endpoint?.id}/checks?since=${cutAt.toISOString()}&limit=200`);
    const missed = checks.filter(({ timestamp }) => Date.parse(timestamp) < healedAt.getTime());
    assert.ok(missed.every(({ replayed }) => replayed));
    assert.deepEqual(new Set(missed.map(({ http_status: status }) => status)), new Set([200, 404]));

    for (const name of ["steady", "killed"] as const) {
      const [died, back] = await since(name);
      const downMs = died === undefined || back === undefined ? 0 : Date.parse(back.timestamp) - Date.parse(died.timestamp);
      // The last of what was watched is still on its way.
      await until(
        async () => {
          const { uptime, first_seen_at: from } = await record(name);
          const countedMs = (Date.now() - Date.parse(from)) * (1 - (uptime["24h"] ?? 0) / 100);
          return Math.abs(countedMs - downMs) < UPTIME_TOLERANCE_MS;
        },
        { ...REPORTED, what: `${name} was down for ${downMs} ms by its uptime` },
      );
      if (name === "killed") assert.ok(downMs > UPTIME_TOLERANCE_MS, "it was down for long enough to be seen");
    }
  });

  it("notifies nobody of what is past", async () => {
    const notified = await until(() => {
      const bodies = receiver.received.map(({ json }) => json as { event: string; alert: AlertRecord });
      return bodies.some(({ event }) => event === "alert.resolved") ? bodies : undefined;
    }, SOON);
    assert.deepEqual(
      notified.map(({ event, alert }) => `${event}: ${alert.source}/${alert.event}`),
      ["alert.fired: agent/disconnected", "alert.resolved: agent/disconnected"],
    );
    const { alerts } = await server.get<AlertList>("/api/v1/alerts");
    assert.deepEqual(
      alerts.map(({ source, event, status, resolved_by: by }) => `${source}/${event} ${status} ${by}`),
      ["agent/disconnected resolved auto"],
    );
    const past = live.events.filter(
      ({ type, data }) =>
        ["container.restart_alert", "endpoint.alert", "endpoint.recovery"].includes(type) ||
        (type === "container.health_changed" && data["health"] === "unhealthy") ||
        (type === "container.state_changed" && data["state"] === "exited" && data["stop_requested"] === false),
    );
    assert.deepEqual(past, []);
  });
});
