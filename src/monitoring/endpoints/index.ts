import { KEPT_DAYS } from "../../contract/retention.ts";
import type { StateSpan } from "../../contract/strip.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/time.ts";
import type { Event } from "../../events.ts";
import type { Route } from "../../http/route.ts";
import type { Tool } from "../../mcp/tool.ts";
import type { EndpointCheck, Observation } from "../../observations.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Scheduler } from "../../platform/scheduler.ts";
import { createSerial, hold } from "../../platform/queues.ts";
import type { Database } from "../../storage/database.ts";
import { createPauses } from "../pause-store.ts";
import type { StoredSecrets } from "../../platform/stored-secrets.ts";
import type { Containers } from "../containers/index.ts";
import type { HostData } from "../hosts/index.ts";
import { problemEvents, removedEvents } from "./changes.ts";
import { createHead, toCheck } from "./checks/head.ts";
import { createCheckHistory } from "./checks/history.ts";
import { createCheckStore } from "./checks/store.ts";
import { applyCheck, isChecked, keyOf, longestMs, repeats, type SavedEndpoint } from "./endpoint.ts";
import { createHostLimit } from "./host-limit.ts";
import { createObserver, type EndpointObserver } from "./observe.ts";
import { createMoment, type MomentOfEndpoints } from "./moment.ts";
import { createProjection } from "./projection.ts";
import { createRecorder, type Recorder, createPast } from "./record.ts";
import { createRegister, ONE_BY_ONE } from "./register.ts";
import { endpointRoutes } from "./routes.ts";
import { createSealing } from "./sealing.ts";
import { createEndpointService, type EndpointService, type Probes } from "./service.ts";
import { createServiceEndpoints, type ServiceEndpoints } from "./services.ts";
import { createStatistics } from "./statistics.ts";
import { createEndpointStore } from "./store.ts";
import { addPast, stateSpans } from "./tally.ts";

export { alertsOf, type AlertSettings, expiresSoon } from "./endpoint.ts";
export type { SavedEndpoint } from "./endpoint.ts";
export type { EndpointAt } from "./moment.ts";
export type { Probes } from "./service.ts";
export type { EndpointService } from "./service.ts";
export type { ServiceEndpoints } from "./services.ts";

export interface EndpointsDependencies {
  database: Database;
  secrets: StoredSecrets;
  /** Started before this, and given observations before this. */
  containers: Pick<Containers, "present" | "service" | "idsOf">;
  /** Of the local host. */
  probes: Probes;
  /** Whether nothing comes from a host, so that the last status of its endpoints is only the last known. By default no host is lost. */
  isHostLost?: (agentId: string | null) => boolean;
  bus: Bus<Event>;
  clock: Clock;
  scheduler: Scheduler;
  log: Log;
}

export interface Endpoints extends EndpointObserver, ServiceEndpoints, Recorder, Required<HostData> {
  service: EndpointService;
  routes: Route[];
  /** For assistants; made when they are asked for. */
  tools(): Promise<Tool[]>;
  /** In memory, one whose label is gone too. */
  find(id: number): SavedEndpoint | undefined;
  /** Those with a label or created manually; not those whose label is gone. */
  present(): SavedEndpoint[];
  /** How those that are present were in hours of the last day, as far as checks say it; what lasted less than half an hour is in alerts alone. */
  stateSpans(window: { from: number; to: number }, agentId: string | null | undefined): Map<number, StateSpan[]>;
  /** Those that were there at a moment, and how each was by its checks. */
  at: MomentOfEndpoints;
  /** Whether it is a check that shows what is known of its endpoint, and so may be saved later. */
  canWait(agentId: string | null, observation: Observation): boolean;
  /** The events of every problem that is open now. */
  announce(): Event[];
  start(): Promise<void>;
}

const SEAL_EVERY_MS = 30 * MINUTE_MS;
/** Checks in memory, 24 bytes each; beyond this they are sealed before their time. */
const MOST_UNSEALED = 1_500_000;

/** Endpoints: what answers, how fast, and since when it does not. */
export function createEndpoints(dependencies: EndpointsDependencies): Endpoints {
  const { database, secrets, containers, probes, isHostLost, bus, clock, scheduler, log } = dependencies;
  const serial = createSerial();
  let sealedMs = clock.monotonicMs();
  const head = createHead();
  const pauses = createPauses(database, { table: "endpoint_pauses", owner: "endpoint_id" });
  const store = createEndpointStore(database, { secrets, pauses });
  const checkStore = createCheckStore(database);
  const projection = createProjection(isHostLost);
  const history = createCheckHistory({ store: checkStore, head, log });
  const register = createRegister({
    store,
    projection,
    fitHosts: createHostLimit({ projection, clock, log }),
    head,
    bus,
    onChanged: updateProbes,
  });
  const past = createPast({
    store,
    history,
    head,
    carryOf: (id) => projection.tally(id).carry,
    onCounted: (id, counted) => addPast(projection.tally(id), counted),
  });
  const sealing = createSealing({ store, checkStore, projection, head, serial, clock, log });
  const observer = createObserver({ projection, register, past, present: containers.present, clock, serial });
  const service = createEndpointService({
    projection,
    register,
    history,
    statistics: createStatistics({ store, projection, history, clock, serial }),
    probes,
    containers: containers.service,
    clock,
    serial,
    observe: observer.observe,
  });

  /** Gives the probes of this host their list of checks. */
  function updateProbes(): void {
    const checks = new Map<string, EndpointCheck>();
    for (const endpoint of projection.all())
      if (endpoint.agentId === null && isChecked(endpoint)) checks.set(keyOf(endpoint), endpoint.check);
    probes.set(checks);
  }

  async function sealWhenDue(signal: AbortSignal): Promise<void> {
    const nowMs = clock.monotonicMs();
    if (nowMs - sealedMs < SEAL_EVERY_MS && head.count() <= MOST_UNSEALED) return;
    await sealing.run(signal);
    sealedMs = nowMs;
  }

  async function prune(signal: AbortSignal): Promise<void> {
    const nowMs = clock.now().getTime();
    while (!signal.aborted && (await checkStore.prune({ beforeMs: nowMs - KEPT_DAYS.endpointChecks * DAY_MS, nowMs })));
    while (!signal.aborted && (await pauses.prune(new Date(nowMs - KEPT_DAYS.pauses * DAY_MS))));
    const isOver = ({ inactiveSince }: SavedEndpoint): boolean =>
      inactiveSince !== null && inactiveSince.getTime() < nowMs - KEPT_DAYS.inactiveEndpoints * DAY_MS;
    await serial(ONE_BY_ONE, async () => {
      const over = [...projection.all()].filter(isOver);
      if (over.length > 0) await register.remove(over, clock.now());
    });
  }

  function canWait(agentId: string | null, observation: Observation): boolean {
    if (observation.kind !== "endpoint.checked" || !observation.result.observed) return false;
    const endpoint = projection.find(agentId, observation.key);
    if (endpoint === undefined || !isChecked(endpoint)) return false;
    const { result, observedAt } = observation;
    return repeats(endpoint.state, applyCheck(endpoint.state, toCheck(result, observedAt), endpoint.check, result.certificate).next);
  }

  function present(): SavedEndpoint[] {
    return [...projection.all()].filter(({ inactiveSince }) => inactiveSince === null);
  }

  function spansOf({ id, createdAt, paused, state, check }: SavedEndpoint, window: { from: number; to: number }): StateSpan[] {
    const from = Math.max(window.from, createdAt.getTime());
    const to = paused ? Math.max(from, Math.min(window.to, state.statusSince.getTime())) : window.to;
    const checked = from < to ? stateSpans(projection.tally(id), { from, to }, longestMs(check)) : [];
    return to < window.to ? [...checked, { from: to, to: window.to, state: "stopped" }] : checked;
  }

  return {
    ...observer,
    canWait,
    ...createServiceEndpoints({ projection, register, clock, serial }),
    ...createRecorder({ store, past, idsOf: containers.idsOf, serial }),
    service,
    routes: endpointRoutes(service),
    tools: async () => (await import("./tools.ts")).endpointTools({ projection, history, clock }),
    find: projection.get,
    holdHost: () => hold(serial, ONE_BY_ONE),
    async purgeHost(unit, agentId) {
      const ids = await store.purgeHost(unit, agentId);
      await checkStore.purge(unit, new Set(ids));
    },
    forgetHost(agentId) {
      observer.forgetHost(agentId);
      const now = clock.now();
      for (const endpoint of [...projection.all()].filter((each) => each.agentId === agentId)) {
        projection.remove(endpoint.id);
        head.drop(endpoint.id);
        for (const event of endpoint.inactiveSince === null ? removedEvents(endpoint, now) : []) bus.publish(event);
      }
    },
    present,
    stateSpans(window, agentId) {
      const asked = present().filter((endpoint) => agentId === undefined || endpoint.agentId === agentId);
      return new Map(asked.map((endpoint) => [endpoint.id, spansOf(endpoint, window)]));
    },
    at: createMoment({ projection, head, store: checkStore, history, pauses }),
    announce() {
      const now = clock.now();
      return [...projection.all()].flatMap((endpoint) => problemEvents(endpoint, now));
    },
    async start() {
      await sealing.load();
      updateProbes();
      scheduler.every({ name: "sealing of checks", everyMs: MINUTE_MS, run: sealWhenDue });
      scheduler.every({
        name: "endpoint retention",
        everyMs: HOUR_MS,
        firstAfterMs: 80_000,
        run: prune,
      });
    },
  };
}
