/** Many agents of hosts with the number of containers given as argument, in one process: they send what was made beforehand, for all hosts that are alike at once. */
import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { encodeEvent, takeBatch } from "../../../src/fleet/wire/index.ts";
import { type Observation, TICK_MS } from "../../../src/observations.ts";
import { enrollAgents } from "../agents/enroll.ts";
import { type ShownHost, showHosts } from "../agents/host.ts";
import { sendRows } from "../agents/rows.ts";
import { type AgentIdentity, type AgentStream, framed, openAgent } from "../agents/stream.ts";
import { serveQuestions } from "../questions.ts";
import { makeReadings } from "../readings.ts";

/** Hosts that differ; as many agents as there are share what one of them shows. */
const KINDS = 20;
/** Batches of an agent that may be in flight at once. */
const WINDOW = 2;
/** How long it takes a host to read its containers. */
const READ_WITHIN_MS = 1_500;

interface Batch {
  frame: Buffer;
  /** Events, of which one holds the readings of all containers. */
  events: number;
  /** Readings of a container, and other events. */
  records: number;
}

interface Agent {
  identity: AgentIdentity;
  kind: number;
  stream: AgentStream | undefined;
}

const hosts = showHosts(KINDS, Number(process.argv[2]));
let agents: Agent[] = [];
let lagsMs: number[] = [];
let lost: string[] = [];
let seq = 0;
let ticking: NodeJS.Timeout | undefined;

function batchOf(observations: readonly Observation[]): Batch {
  const events = observations.map((observation) => {
    seq += 1;
    return { seq, bytes: encodeEvent({ seq, eventId: randomBytes(16), replayed: false, observation }) };
  });
  const batch = takeBatch(events);
  if (batch?.count !== observations.length) throw new Error("what a host shows at once does not fit into a batch");
  const readings = observations.flatMap((each) => (each.kind === "resources.sampled" ? each.readings.externalIds : []));
  const tables = observations.filter(({ kind }) => kind === "resources.sampled");
  return { frame: framed(batch.message), events: events.length, records: readings.length + events.length - tables.length };
}

/** Resolves when it was saved. */
function send({ stream }: Agent, { frame }: Batch): Promise<void> {
  const sentMs = performance.now();
  return new Promise((resolve, reject) => {
    if (stream === undefined) return reject(new Error("an agent has no stream"));
    stream.send(frame, () => {
      lagsMs.push(performance.now() - sentMs);
      resolve();
    });
  });
}

async function connect(agent: Agent, port: number): Promise<void> {
  agent.stream = await openAgent(port, agent.identity, (reason) => {
    agent.stream = undefined;
    lost.push(reason);
  });
}

/** All agents of one kind send the same; it is made when the first of them comes to it, and forgotten after the last. */
function batchesOf(batchAt: (host: ShownHost, round: number) => Batch, users: ReadonlyMap<number, number>) {
  const made = new Map<string, { batch: Batch; left: number }>();
  return (kind: number, round: number): Batch => {
    const key = `${kind} ${round}`;
    const known = made.get(key) ?? { batch: batchAt(hostOf(kind), round), left: users.get(kind) ?? 1 };
    known.left -= 1;
    if (known.left > 0) made.set(key, known);
    else made.delete(key);
    return known.batch;
  };
}

function hostOf(kind: number): ShownHost {
  const host = hosts[kind];
  if (host === undefined) throw new Error(`no host ${kind}`);
  return host;
}

/** The ticks of so many rounds, from a time on, as fast as the server takes them. */
async function saturate(fromMs: number, rounds: number): Promise<object> {
  const since = new Date(fromMs);
  const users = new Map([...Map.groupBy(agents, ({ kind }) => kind)].map(([kind, of]) => [kind, of.length]));
  // Made in the order of time, since counters only rise.
  const at = (round: number): Date => new Date(fromMs + round * TICK_MS);
  const total = { events: 0, records: 0, bytes: 0 };
  lagsMs = [];
  const startedMs = performance.now();
  const batchFor = batchesOf((host, round) => batchOf(host.tick(at(round), since)), users);
  await Promise.all(
    agents.map(async (agent) => {
      const underWay: Promise<void>[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const batch = batchFor(agent.kind, round);
        underWay.push(send(agent, batch));
        total.events += batch.events;
        total.records += batch.records;
        total.bytes += batch.frame.length;
        if (underWay.length >= WINDOW) await underWay.shift();
      }
      await Promise.all(underWay);
    }),
  );
  return { ...total, seconds: (performance.now() - startedMs) / 1000 };
}

/** What hosts show at a tick in truth, as it comes: readings soon after it, checks whenever they are due. */
function showTick(): void {
  const tickMs = Math.floor(Date.now() / TICK_MS) * TICK_MS;
  const shown = hosts.map((host) => {
    const observations = host.tick(new Date(tickMs), new Date(tickMs - TICK_MS));
    const isCheck = ({ kind }: Observation): boolean => kind === "endpoint.checked";
    return {
      readings: batchOf(observations.filter((each) => !isCheck(each))),
      checks: observations.filter(isCheck).map((each) => batchOf([each])),
    };
  });
  for (const agent of agents) {
    const { readings, checks } = shown[agent.kind] ?? { checks: [] };
    const sendAfter = (delayMs: number, batch: Batch): void =>
      void setTimeout(() => void send(agent, batch).catch(() => undefined), delayMs);
    if (readings !== undefined) sendAfter(Math.random() * READ_WITHIN_MS, readings);
    for (const check of checks) sendAfter(Math.random() * (TICK_MS - 1), check);
  }
  ticking = setTimeout(showTick, TICK_MS - (Date.now() % TICK_MS));
}

serveQuestions(0, {
  async enroll({ enroll, url, grpcPort }) {
    const identities = await enrollAgents(String(url), Number(grpcPort), Number(enroll));
    agents = identities.map((identity, index) => ({ identity, kind: index % KINDS, stream: undefined }));
    return {};
  },
  /** Connects all within so many milliseconds; answers how long it took until all were welcomed. */
  async connect({ connect: port, withinMs }) {
    lost = [];
    const startedMs = performance.now();
    await Promise.all(
      agents.map(async (agent, index) => {
        await wait((Number(withinMs) * index) / agents.length);
        await connect(agent, Number(port));
      }),
    );
    return { seconds: (performance.now() - startedMs) / 1000 };
  },
  /** What runs on all hosts, as it was at a time. */
  async inventory({ inventory }) {
    const batches = hosts.map((host) => batchOf([host.inventory(new Date(Number(inventory)))]));
    await Promise.all(agents.map(async (agent) => batches[agent.kind] && send(agent, batches[agent.kind] ?? batchOf([]))));
    return {};
  },
  saturate: ({ saturate: rounds, fromMs }) => saturate(Number(fromMs), Number(rounds)),
  live() {
    ticking = setTimeout(showTick, TICK_MS - (Date.now() % TICK_MS));
    return {};
  },
  rest() {
    clearTimeout(ticking);
    return {};
  },
  /** How long what was sent since the last time of asking took until it was saved; why streams were lost. */
  lags() {
    const figures = { lagsMs, lost, slowedDown: agents.reduce((sum, { stream }) => sum + (stream?.slowedDown() ?? 0), 0) };
    lagsMs = [];
    lost = [];
    return figures;
  },
  disconnect() {
    for (const agent of agents) agent.stream?.close();
    for (const agent of agents) agent.stream = undefined;
    return {};
  },
  /** To the baseline: so many events in batches. */
  rows: ({ rows: events, port, batch }) =>
    sendRows({
      port: Number(port),
      streams: agents.length,
      events: Number(events),
      batch: Number(batch),
      window: WINDOW,
      readings: makeReadings(1000),
    }),
});
