import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, it, type TestContext } from "node:test";
import { DAY_MS, MINUTE_MS } from "../../src/contract/time.ts";
import type { AlertList } from "../../src/alerting/alerts/answers.ts";
import type { AgentRecord } from "../../src/fleet/agents/answers.ts";
import type { ContainerRecord } from "../../src/monitoring/containers/api.ts";
import type { ContainerList, DailyUptime, TransitionList } from "../../src/monitoring/containers/answers.ts";
import type {
  CheckList,
  CheckRecord,
  DailyUptime as EndpointDays,
  EndpointList,
  EndpointRecord,
} from "../../src/monitoring/endpoints/answers.ts";
import type { History } from "../../src/monitoring/resources/answers.ts";
import { type AgentProgram, connectedAgent, makeToken, type ServerProgram, startAgent, startServer } from "../support/agent-program.ts";
import { storyOnBothDatabases } from "../support/story-databases.ts";
import { startEngine, type TestEngine } from "../support/engine.ts";
import { createTestContainers, importBusybox, type TestContainers } from "../support/images.ts";
import { imagineOutage, liveThrough, type Outage } from "../support/outage.ts";
import { repetitions } from "../support/repetitions.ts";
import { chanceOf } from "../support/seed.ts";
import { until } from "../support/until.ts";

/** In the long form as many as its outage has room for. */
const KILLS = repetitions({ gate: 3, long: 30 });
/** Long enough for a replay through all the crashes at the lower rate; the higher one ends it. */
const OUTAGE_MS = 200 * MINUTE_MS;
const SLOW = "250";
const FAST = "100000";
const LABEL = "service.endpoint.http";

/** Server and agent are killed again and again in the middle of a replay; what the host saw while it was cut off must be there afterwards, once. */
function story(databaseEnv: () => Promise<Record<string, string>>): void {
  let engine: TestEngine;
  let containers: TestContainers;
  let target: Server;
  let server: ServerProgram | undefined;
  let agent: AgentProgram | undefined;

  before(async () => {
    engine = await startEngine({ own: true });
    await importBusybox(engine);
    containers = createTestContainers(engine);
    target = createServer((_, response) => void response.end("fine")).listen(0, "127.0.0.1");
    await once(target, "listening");
  });
  after(async () => {
    await agent?.kill();
    await server?.kill();
    target?.close();
    await containers?.removeAll();
    await engine?.stop();
  });

  it("loses and doubles nothing when server and agent are killed again and again during a replay", async (t) => {
    const chance = chanceOf(t);
    // It listens on a port, not on a path.
    const { port } = target.address() as AddressInfo;
    const flags = ["--label", `${LABEL}=http://127.0.0.1:${port}/`];
    const lasting = [await containers.run("one", flags), await containers.run("two", flags)];
    const env = await databaseEnv();
    const startSlow = async (): Promise<ServerProgram> =>
      startServer({ ...places(), env: { ...env, SERVICE_AGENT_RATE_LIMIT_PER_SECOND: SLOW } });
    /** Where the one before was, if there was one. */
    const places = () => (server === undefined ? {} : { dataDir: server.dataDir, port: server.port, grpcPort: server.grpcPort });

    server = await startSlow();
    const agentEnv = { SERVICE_DOCKER_HOST: engine.host, SERVICE_ENROLLMENT_TOKEN: (await makeToken(server)).token };
    agent = startAgent({ server: server.grpcUrl, env: agentEnv });
    const { dataDir } = agent;
    await connectedAgent(server);
    const endpoints = await until(async () => all(await endpointsOf(server), lasting.length), { withinMs: 20_000, everyMs: 100 });
    await agent.stop();

    const toMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 5 * MINUTE_MS;
    const passing = Array.from({ length: 3 }, (_, index) => `${index}`.repeat(64));
    const outage = imagineOutage({ chance, fromMs: toMs - OUTAGE_MS, toMs, lasting, passing, endpointLabel: LABEL });
    const waiting = await liveThrough(outage, dataDir);
    assert.ok(waiting >= outage.observations.length);

    const killed = { server: 0, agent: 0 };
    let serverInARow = 0;
    /** How often an agent had come to this server when it or the agent was last killed. */
    let visits = 0;
    agent = startAgent({ server: server.grpcUrl, dataDir, env: agentEnv });
    for (let kill = 1; kill <= KILLS; kill += 1) {
      visits = await until(() => (visitsOf(server) > visits ? visitsOf(server) : undefined), {
        ...{ withinMs: 90_000, everyMs: 50 },
        what: `the agent to come back before kill ${kill}`,
      });
      await new Promise((resolve) => setTimeout(resolve, chance.below(1200)));
      // An agent waits longer each time that its server is gone, but not after its own start. The last is the server: its next says what waits.
      const isServer = kill === KILLS || (serverInARow < 2 && chance.next() < 0.5);
      serverInARow = isServer ? serverInARow + 1 : 0;
      if (isServer) {
        killed.server += 1;
        visits = 0;
        await server.kill();
        server = await startSlow();
      } else {
        killed.agent += 1;
        await agent.kill();
        agent = startAgent({ server: server.grpcUrl, dataDir, env: agentEnv });
      }
    }
    const { spool } = await until(() => replaying(server), { withinMs: 90_000, everyMs: 50, what: "a replay after the last kill" });
    t.diagnostic(`killed: server ${killed.server}, agent ${killed.agent}; ${spool.queued} of ${waiting} events still waited`);
    assert.ok(spool.queued > 100, "every kill met a replay");
    await server.kill();
    server = await startServer({ ...places(), env: { ...env, SERVICE_AGENT_RATE_LIMIT_PER_SECOND: FAST } });
    const record = await until(() => caughtUp(server), { withinMs: 90_000, everyMs: 200, what: "the end of the replay" });
    assert.equal(record.spool.dropped, 0);

    await assertHistory(server, outage);
    await assertNow(server, { lasting, endpoints, passing });
    await stopBoth(t);
  });

  async function stopBoth(t: TestContext): Promise<void> {
    assert.equal(await agent?.stop(), 0);
    assert.equal(await server?.stop(), 0);
    agent = undefined;
    server = undefined;
    t.diagnostic("both stopped as they should");
  }
}

type Asked = Pick<ServerProgram, "get">;

const all = <Item>(items: readonly Item[], count: number): readonly Item[] | undefined => (items.length === count ? items : undefined);

async function endpointsOf(server: Asked | undefined): Promise<EndpointRecord[]> {
  return (await server?.get<EndpointList>("/api/v1/endpoints"))?.endpoints ?? [];
}

function visitsOf(server: Pick<ServerProgram, "log"> | undefined): number {
  return [...(server?.log() ?? "").matchAll(/"agent connected"/g)].length;
}

async function replaying(server: Asked | undefined): Promise<AgentRecord | undefined> {
  const { agents } = (await server?.get<{ agents: AgentRecord[] }>("/api/v1/agents")) ?? { agents: [] };
  return agents.find(({ spool }) => spool.draining && spool.queued > 0);
}

/** All that waited is there, and the agent says so itself. */
async function caughtUp(server: Asked | undefined): Promise<AgentRecord | undefined> {
  const { agents } = (await server?.get<{ agents: AgentRecord[] }>("/api/v1/agents")) ?? { agents: [] };
  const [containers] = [await containersOf(server)];
  return containers.length > 0
    ? agents.find(({ spool, events_per_second: rate }) => !spool.draining && spool.queued === 0 && rate > 0)
    : undefined;
}

async function containersOf(server: Asked | undefined, query = ""): Promise<ContainerRecord[]> {
  const { groups } = (await server?.get<ContainerList>(`/api/v1/containers${query}`)) ?? { groups: [] };
  return groups.flatMap((group) => group.containers);
}

/** What was seen during the outage is in histories and charts, each once. */
async function assertHistory(server: Asked, { fromMs, toMs, states, cpu, checks }: Outage): Promise<void> {
  const known = [...(await containersOf(server)), ...(await containersOf(server, "?archived=true"))];
  const idOf = (externalId: string): number => {
    const [found, ...others] = known.filter((each) => each.external_id === externalId);
    assert.ok(found !== undefined && others.length === 0, `${externalId} is there ${others.length + (found === undefined ? 0 : 1)} times`);
    return found.id;
  };
  for (const [externalId, truth] of states) {
    const id = idOf(externalId);
    const transitions = await wholeHistory(server, id);
    assert.deepEqual(
      transitions.map(({ timestamp, new_state }) => ({ at: timestamp, state: new_state })),
      truth,
    );
    for (const [index, { previous_state: previous }] of transitions.entries()) assert.equal(previous, truth[index - 1]?.state ?? null);
    const { days } = await server.get<DailyUptime>(`/api/v1/containers/${id}/uptime/daily?days=2`);
    for (const { date, uptime_percent: percent } of days) assert.equal(percent, uptimeOf(truth, { fromMs, toMs }, Date.parse(date)), date);
  }
  for (const [externalId, truth] of cpu) {
    const { step_seconds: seconds, series } = await server.get<History>(
      `/api/v1/containers/${idOf(externalId)}/resources/history?range=6h`,
    );
    const means = meansOf(truth, seconds * 1000);
    let compared = 0;
    for (const [index, time] of series.timestamps.entries()) {
      const at = Date.parse(time);
      if (at < fromMs - DAY_MS || at + seconds * 1000 > toMs) continue;
      const [found, wanted] = [series.cpu_percent[index] ?? null, means.get(at) ?? null];
      assert.ok(
        found === wanted || Math.abs((found ?? NaN) - (wanted ?? NaN)) < 0.02,
        `CPU of ${externalId} at ${time}: ${found}, not ${wanted}`,
      );
      compared += wanted === null ? 0 : 1;
    }
    assert.ok(compared > 100, `${compared} steps`);
  }
  for (const endpoint of await endpointsOf(server)) {
    const truth = [...checks].find(([externalId]) => idOf(externalId) === endpoint.container_id)?.[1];
    const listed = await allChecks(server, endpoint.id);
    const during = listed.filter(({ timestamp }) => Date.parse(timestamp) >= fromMs && Date.parse(timestamp) <= toMs);
    assert.deepEqual(
      during
        .map(({ timestamp, success, replayed }) => [Date.parse(timestamp), success, replayed])
        .toSorted(([a], [b]) => Number(a) - Number(b)),
      [...(truth ?? [])].map(([at, success]) => [at, success, true]).toSorted(([a], [b]) => Number(a) - Number(b)),
    );
    const { days } = await server.get<EndpointDays>(`/api/v1/endpoints/${endpoint.id}/uptime/daily?days=2`);
    for (const { date, checks: counted } of days) {
      const ofDay = listed.filter(({ timestamp }) => timestamp.startsWith(date));
      // One more may have come in between.
      assert.ok(
        counted - ofDay.length >= 0 && counted - ofDay.length <= 1,
        `${counted} checks counted on ${date}, ${ofDay.length} are there`,
      );
    }
  }
}

/** What holds now is what the host shows now, and nobody was alarmed by the past. */
async function assertNow(
  server: Asked,
  { lasting, endpoints, passing }: { lasting: readonly string[]; endpoints: readonly EndpointRecord[]; passing: readonly string[] },
): Promise<void> {
  const present = await containersOf(server);
  for (const externalId of lasting) assert.equal(present.find((each) => each.external_id === externalId)?.state, "running");
  assert.ok(!present.some((each) => passing.includes(each.external_id)));
  const now = await until(
    async () =>
      all(
        (await endpointsOf(server)).filter(({ status }) => status === "up"),
        endpoints.length,
      ),
    { withinMs: 40_000, everyMs: 200, what: "all endpoints up" },
  );
  for (const { consecutive_failures: failures, last_error: error } of now) assert.deepEqual([failures, error], [0, null]);
  const { alerts } = await server.get<AlertList>("/api/v1/alerts?limit=200");
  assert.deepEqual(
    alerts.filter(({ source }) => source !== "agent"),
    [],
  );
}

async function wholeHistory(server: Asked, id: number): Promise<TransitionList["transitions"]> {
  const since = encodeURIComponent(new Date(Date.now() - DAY_MS).toISOString());
  const pages: TransitionList["transitions"] = [];
  for (;;) {
    const page = await server.get<TransitionList>(`/api/v1/containers/${id}/transitions?limit=1000&offset=${pages.length}&since=${since}`);
    pages.push(...page.transitions);
    if (!page.has_more) return pages.toReversed();
  }
}

async function allChecks(server: Asked, id: number): Promise<CheckRecord[]> {
  const checks: CheckRecord[] = [];
  const until_ = encodeURIComponent(new Date().toISOString());
  const since = encodeURIComponent(new Date(Date.now() - 2 * DAY_MS).toISOString());
  for (;;) {
    const page = await server.get<CheckList>(
      `/api/v1/endpoints/${id}/checks?limit=1000&offset=${checks.length}&since=${since}&until=${until_}`,
    );
    checks.push(...page.checks);
    if (!page.has_more) return checks;
  }
}

/** Percent of a day's share of the outage in which it ran, cut to two decimals. It was known from the first state to the last. */
function uptimeOf(
  states: readonly { at: string; state: string }[],
  outage: { fromMs: number; toMs: number },
  dayMs: number,
): number | null {
  const [from, to] = [Math.max(outage.fromMs, dayMs), Math.min(outage.toMs, dayMs + DAY_MS)];
  let counted = 0;
  let up = 0;
  for (const [index, { at, state }] of states.entries()) {
    const next = states[index + 1]?.at ?? at;
    const length = Math.max(Math.min(Date.parse(next), to) - Math.max(Date.parse(at), from), 0);
    if (!["created", "paused", "completed"].includes(state)) counted += length;
    if (state === "running") up += length;
  }
  return counted === 0 ? null : Math.floor((up / counted) * 10_000) / 100;
}

function meansOf(values: ReadonlyMap<number, number>, stepMs: number): Map<number, number> {
  const steps = Map.groupBy(values, ([at]) => Math.floor(at / stepMs) * stepMs);
  return new Map([...steps].map(([at, ofStep]) => [at, ofStep.reduce((sum, [, value]) => sum + value, 0) / ofStep.length]));
}

storyOnBothDatabases("crashes during a replay", story);
