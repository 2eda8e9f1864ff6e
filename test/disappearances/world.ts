import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { MINUTE_MS } from "../../src/contract/time.ts";
import type { Event } from "../../src/events.ts";
import { createAgents } from "../../src/fleet/agents/index.ts";
import { decodeEvent, encodeEvent } from "../../src/fleet/wire/event.ts";
import { endpointBody } from "../../src/monitoring/endpoints/api.ts";
import { type CertificateScan, type CertificateTarget, type Observation, standaloneEndpointKey } from "../../src/observations.ts";
import { createBus } from "../../src/platform/bus.ts";
import { isServiceError } from "../../src/platform/errors.ts";
import { silentLog } from "../../src/platform/log.ts";
import { createScheduler, type Scheduler } from "../../src/platform/scheduler.ts";
import { createWhatChanged } from "../../src/publishing/assistant/changes/what-changed.ts";
import { changeSources } from "../../src/publishing/assistant/changes/sources.ts";
import type { Database } from "../../src/storage/database.ts";
import { checkedObservation, failure } from "../support/endpoints.ts";
import { until } from "../support/until.ts";
import { createFakeClock, type FakeClock } from "../support/fake-clock.ts";
import { HELLO, STALE_MS } from "../support/fleet.ts";
import { insertAgentRows } from "../support/remote-rows.ts";
import { createMemoryRegistries } from "../support/updates.ts";
import { watchTasks } from "../support/watched-tasks.ts";
import { openWholeServer } from "../support/whole-server.ts";
import { createFaults } from "./faults.ts";
import type { Kind } from "./kinds.ts";
import { createHost, type Host, type Name, NAMES, STEP_MS } from "./host.ts";

export const AGENT = "0b9c54a0-0000-4000-8000-00000000000a";
const LABELS = new Map([[AGENT, "far"]]);
const JOB = { interval_seconds: 60, grace_seconds: 60 };
const ORIGIN = { sourceIp: "192.0.2.1", method: "GET", userAgent: null, body: null };
/** Regular work of the server, which some parts do twice a second: the longest pause that none of them takes for a stall. */
const LEAST_EVERY_MS = 2_000;
/** Kept by an agent while it is cut off; the rest is reported again when it is back. */
const SPOOLED: ReadonlySet<Observation["kind"]> = new Set([
  "container.seen",
  "container.gone",
  "endpoint.checked",
  "resources.sampled",
  "host.watched",
]);

/** In real time; a slow machine takes seconds. */
const LONGEST_WAIT_MS = 60_000;
/** A task that is under way for so long may rest; and by so much the clock is turned then. */
const RESTING_MS = 500;
const REST_MS = 10;

const NO_IDS = { container: 0, endpoint: 0, standalone: 0, heartbeat: 0, certificate: 0 };
/** What monitors had when all began. */
type Ids = typeof NO_IDS;

export type Road = "embedded" | "agent";
type Server = Awaited<ReturnType<typeof openServer>>;

/** A server on a database, and a host that it watches itself or through an agent. */
export type World = Awaited<ReturnType<typeof openWorld>>;

export async function openWorld({ database, road, receiverUrl }: { database: Database; road: Road; receiverUrl: string }) {
  const clock = createFakeClock();
  const agentId = road === "agent" ? AGENT : null;
  const faults = createFaults(database);
  const registries = createMemoryRegistries();
  const digests = Object.fromEntries(
    ["shop/web:1.0", "shop/sick:1.0", "shop/sick:1.1"].map((image) => [
      image,
      registries.push(`docker.io/${image}`, { content: image }).digest,
    ]),
  );
  const digestOf = { ...digests, "shop/web:1.1": `sha256:${"b".repeat(64)}` };
  if (agentId !== null) await insertAgentRows(database, [agentId], clock.now());

  const spool: Observation[] = [];
  /** What the server was given and could not save. */
  let unsaved: Observation[] = [];
  let isLinked = true;
  let server: Server | undefined;
  /** When the server was last shown health of something, by what it is. */
  const shownMs = new Map<string, number>();
  const noteShown = (what: string): void => void shownMs.set(what, clock.monotonicMs());

  const host: Host = createHost({ clock, digests: digestOf, observe });

  function observe(observation: Observation): void {
    if (agentId === null) {
      if (server === undefined || observation.kind === "certificate.scanned") return;
      server.observe(null, observation);
      noteHealth(observation);
    } else if (isLinked && server !== undefined) unsaved.push(observation);
    else if (SPOOLED.has(observation.kind)) spool.push(observation);
  }

  function noteHealth(observation: Observation): void {
    for (const what of healthIn(observation)) noteShown(what);
  }

  /** What the agent reports reaches the server as bytes; what it cannot save is sent again. */
  async function send(): Promise<void> {
    if (agentId === null || server === undefined || !isLinked) return;
    server.agents.register.seen(agentId, unsaved.length);
    noteShown("agent web");
    const sent = unsaved.map(overTheWire);
    try {
      await server.intake.live(agentId, sent);
    } catch (error) {
      if (!isServiceError(error, "storage_unavailable")) throw error;
      return;
    }
    sent.forEach(noteHealth);
    unsaved = [];
  }

  async function link(isUp: boolean): Promise<void> {
    isLinked = isUp;
    if (agentId === null || server === undefined) return;
    if (!isUp) return server.agents.register.disconnected(agentId);
    server.agents.register.connected(agentId, HELLO, 0);
    observe({ kind: "runtime.changed", observedAt: clock.now(), status: host.connection() });
    if (host.isEngineUp) host.list();
    await send();
    await server.intake.replay(agentId, spool.splice(0).map(overTheWire));
  }

  async function scan(target: CertificateTarget): Promise<CertificateScan> {
    const shown = host.scan(target);
    noteHealth({ kind: "certificate.scanned", observedAt: clock.now(), target, scan: shown });
    return shown;
  }

  async function start(): Promise<void> {
    if (server !== undefined) return;
    server = await openServer({ clock, agentId, database: faults.database, registries, scan });
    if (agentId === null) {
      host.forget();
      if (host.isEngineUp) host.list();
      observe({ kind: "runtime.changed", observedAt: clock.now(), status: host.connection() });
      await send();
    } else if (isLinked) await link(true);
    await calm();
  }

  async function stop(): Promise<void> {
    const ending = server;
    server = undefined;
    await inTime("the stop", ending?.stop(), ending);
  }

  /** Waits for work, but not for a clock that nobody turns. */
  async function inTime(what: string, work: Promise<unknown> | undefined, of = server): Promise<void> {
    const { promise, reject } = Promise.withResolvers<never>();
    const late = (): void => {
      const underWay = [...(of?.underWay() ?? []), of?.stopping()].join(", ");
      reject(new Error(`not within ${LONGEST_WAIT_MS} ms: ${what}; under way: ${underWay}`));
    };
    const timer = setTimeout(late, LONGEST_WAIT_MS);
    try {
      await Promise.race([work, promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** A task that rests between two of its steps waits for a clock that nobody turns meanwhile. */
  async function rested(work: Promise<unknown> | undefined): Promise<void> {
    let isOver = work === undefined;
    const over = work?.finally(() => (isOver = true));
    while (!isOver) {
      await Promise.race([over, wait(RESTING_MS)]);
      if (!isOver) await clock.advance(REST_MS);
    }
  }

  /** Everything that was begun has come to its end. */
  async function calm(): Promise<void> {
    for (let round = 0; round < 2; round += 1) {
      await inTime("the tasks under way", rested(server?.idle()));
      await inTime(
        "the database",
        database.tables<object>().write(async () => {}),
      );
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  let steps = 0;
  async function step(): Promise<void> {
    host.step();
    if (server !== undefined) checkStandalone(server);
    if (server !== undefined && steps % 2 === 1) await ping(server);
    steps += 1;
    await inTime("what the agent sends", send());
    await calm();
    for (let leftMs = STEP_MS; leftMs > 0; leftMs -= LEAST_EVERY_MS) {
      await clock.advance(LEAST_EVERY_MS);
      // Else a slow database would hold up what looks at the clock, which would take that for a stall.
      await inTime("what looks at the clock", server?.looked());
    }
    await calm();
  }

  function checkStandalone(of: Server): void {
    for (const name of NAMES) {
      if (ids[name].standalone === 0) continue;
      of.observe(null, checkedObservation(standaloneEndpointKey(ids[name].standalone), clock.now(), name === "web" ? {} : failure));
      if (name === "web" && !faults.isRefusing()) noteShown("standalone web");
    }
  }

  async function ping(of: Server): Promise<void> {
    if (jobUuid === "") return;
    try {
      await of.heartbeats.service.receive(jobUuid, { kind: "success", exitCode: null, rid: null }, ORIGIN);
      noteShown("heartbeat web");
    } catch (error) {
      if (!isServiceError(error, "storage_unavailable")) throw error;
    }
  }

  const ids: Record<Name, Ids> = { web: { ...NO_IDS }, sick: { ...NO_IDS } };
  let jobUuid = "";

  async function ask(path: string, body: object): Promise<Record<string, unknown>> {
    const answer = await running().ask("POST", path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  function running(): Server {
    if (server === undefined) throw new Error("the server does not run");
    return server;
  }

  async function pass(minutes: number): Promise<void> {
    for (let left = minutes * MINUTE_MS; left > 0; left -= STEP_MS) await step();
  }

  /** One of each kind that is well, and one with which everything is wrong; both are on the public page, and a channel is notified of all. */
  async function fill(): Promise<void> {
    const channel = await ask("/api/v1/channels", { name: "pager", type: "webhook", url: receiverUrl });
    await ask(`/api/v1/channels/${String(channel["id"])}/rules`, {});
    for (const name of NAMES) host.place(name);
    host.list();
    await send();
    await until(() => running().intake.queued() === 0);
    await calm();
    const { containers, endpoints, heartbeats, resources, certificates } = running();
    for (const name of NAMES) {
      const container = containers.present.find(agentId, `${name}-1`)?.id ?? 0;
      await resources.service.setThresholds(container, { cpu_threshold: null, memory_threshold: 50, debounce_seconds: 0 });
      const body = endpointBody.parse({ type: "http", target: `http://192.0.2.1/${name}`, name: `alone ${name}` });
      const { id: standalone } = await endpoints.service.create(body);
      const { id: heartbeat, uuid } = await heartbeats.service.create({ name: `job ${name}`, ...JOB });
      await heartbeats.service.receive(uuid, { kind: "success", exitCode: null, rid: null }, ORIGIN);
      // The job of the ill one never reports again.
      if (name === "web") jobUuid = uuid;
      const endpoint = endpoints.present().find((each) => each.container?.id === container)?.id ?? 0;
      ids[name] = { ...NO_IDS, container, endpoint, standalone, heartbeat };
    }
    await pass(2);
    await running().ask("POST", "/api/v1/updates/scan", {});
    for (const name of NAMES) {
      ids[name].certificate = certificates.service.list({}).certificates.find(({ domain }) => domain === `${name}.test`)?.id ?? 0;
      for (const [type, id] of Object.entries(ids[name])) {
        const monitor = { monitor_type: type === "standalone" ? "endpoint" : type, monitor_id: id };
        await ask("/api/v1/status/components", { name: `${type} ${name}`, ...monitor });
      }
    }
    await pass(1);
  }

  await start();
  await fill();
  return {
    road,
    agentId,
    clock,
    host,
    faults,
    ids,
    running,
    pass,
    /** Its job reports out of turn. */
    report: () => ping(running()),
    start,
    stop,
    link,
    /** The engine of the host ends, or is there again; its watcher notices. */
    async engine(isUp: boolean): Promise<void> {
      host.setEngine(isUp);
      if (isUp) host.list();
      observe({ kind: "runtime.changed", observedAt: clock.now(), status: host.connection() });
      await send();
      await calm();
    },
    /** When the server was last shown health of a thing, by the monotonic clock; what has no health to show was never. */
    lastShownMs: (kind: Kind, name: Name): number => shownMs.get(`${kind} ${name}`) ?? -Infinity,
  };
}

/** Of which things an observation shows health: by kind and name. */
function* healthIn(observation: Observation): Generator<string> {
  switch (observation.kind) {
    case "host.sampled":
      return yield "host web";
    case "container.seen":
    case "container.inventory": {
      const shown = observation.kind === "container.seen" ? [observation.container] : observation.containers;
      for (const { name, state, health } of shown) {
        yield* [`update ${name}`, `insight ${name}`];
        if (state === "running" && health !== "unhealthy") yield `container ${name}`;
      }
      return;
    }
    case "endpoint.checked":
      if (observation.result.success) yield `endpoint ${nameOf(observation.key)}`;
      return;
    case "certificate.scanned":
      if (observation.scan.leaf !== null) yield `certificate ${observation.target.domain.replace(".test", "")}`;
      return;
    case "resources.sampled":
      // The ill one is always above its threshold.
      if (observation.readings.externalIds.some((id) => nameOf(id) === "web")) yield "resource web";
      return;
    default:
  }
}

/** External ids are `web-1`, keys of endpoints `web-1/LABEL`. */
function nameOf(id: string): string {
  return id.split("-")[0] ?? id;
}

function overTheWire(observation: Observation): Observation {
  const eventId = Uint8Array.from(Buffer.from(randomUUID().replaceAll("-", ""), "hex"));
  return decodeEvent(encodeEvent({ seq: 1, eventId, replayed: false, observation })).observation;
}

/** A server as after a start of the program. */
async function openServer({
  clock,
  agentId,
  database,
  ...parts
}: { clock: FakeClock; agentId: string | null; database: Database } & Pick<Parameters<typeof openWholeServer>[0], "registries" | "scan">) {
  const bus = createBus<Event>(silentLog);
  const { scheduler: prompt, idle, underWay } = watchTasks(createScheduler(clock, silentLog));
  const often = watchTasks(prompt);
  const scheduler: Scheduler = {
    ...prompt,
    every: (task) => (task.everyMs < LEAST_EVERY_MS ? often.scheduler.every({ ...task, everyMs: LEAST_EVERY_MS }) : prompt.every(task)),
  };
  const hosts = { remove: () => Promise.reject(new Error("no agent is deleted here")) };
  const agents = createAgents({ database, bus, clock, scheduler, log: silentLog, staleMs: STALE_MS, hosts, purgers: [] });
  await agents.start();
  const server = await openWholeServer({
    ...{ database, clock, bus, scheduler, ...parts },
    labels: agentId === null ? new Map() : LABELS,
    announceAgents: agents.announce,
    watchesLocal: agentId === null,
    downAfterMs: 30_000,
    isComplete: true,
  });
  await server.heartbeats.pings.start();
  const { containers, endpoints, heartbeats, certificates, updates, updateComparisons, alerting, statusPage } = server;
  const sources = changeSources({
    ...{ containers, endpoints, heartbeats, certificates, updates, updateComparisons, alerting, statusPage },
    agents: () => agents.service.list().agents,
  });
  return {
    ...server,
    agents,
    idle,
    underWay,
    /** What runs most often has ended its turn. */
    looked: often.idle,
    whatChanged: createWhatChanged({ sources, clock }),
    async stop() {
      await server.heartbeats.pings.stop();
      await agents.stop();
      await server.stop();
    },
  };
}
