import { CHECK_SETTINGS, defaultsOf, HTTP_SETTINGS } from "../../src/contract/check-settings.ts";
import type { Event, EventName } from "../../src/events.ts";
import { type Containers, createContainers } from "../../src/monitoring/containers/index.ts";
import type { EndpointBody } from "../../src/monitoring/endpoints/api.ts";
import type { EndpointRecord } from "../../src/monitoring/endpoints/answers.ts";
import { endpointBody } from "../../src/monitoring/endpoints/api.ts";
import { createEndpoints, type Endpoints, type Probes } from "../../src/monitoring/endpoints/index.ts";
import type { CheckResult, ContainerSighting, EndpointCheck, LabelledEndpoint, Observation } from "../../src/observations.ts";
import { createBus } from "../../src/platform/bus.ts";
import { ServiceError } from "../../src/platform/errors.ts";
import { type Log, silentLog } from "../../src/platform/log.ts";
import { createScheduler } from "../../src/platform/scheduler.ts";
import type { Database } from "../../src/storage/database.ts";
import type { FakeClock } from "./fake-clock.ts";
import { watchKept } from "./kept-events.ts";
import { sighting } from "./sightings.ts";
import { testSecrets } from "./secrets.ts";

/** Probes that check nothing: the test says what they find. */
export interface FakeProbes extends Probes {
  checks: ReadonlyMap<string, EndpointCheck>;
  /** What the next check out of turn shows. */
  answer: CheckResult | undefined;
}

/** Endpoints over a database, with a clock that the test turns and probes that it plays. */
export interface CheckedEndpoints {
  containers: Containers;
  endpoints: Endpoints;
  probes: FakeProbes;
  /** What was published so far. */
  events: Event[];
  published<Name extends EventName>(name: Name): Event<Name>["data"][];
  /** Gives observations to containers and endpoints, as the intake does. */
  see(agentId: string | null, ...observations: Observation[]): Promise<void>;
  /** An inventory of the local host, now. */
  show(...containers: Partial<ContainerSighting>[]): Promise<void>;
  /** A check of the local host, begun now or at a time. */
  checked(key: string, result?: Partial<CheckResult>, at?: Date): Promise<void>;
  create(body: Record<string, unknown>): Promise<EndpointRecord>;
  list(query?: object): EndpointRecord[];
  stop(): Promise<void>;
}

export const success: CheckResult = {
  success: true,
  observed: true,
  responseTimeMs: 12.34,
  httpStatus: 200,
  failureClass: null,
  error: null,
  certificate: null,
};

export const failure: CheckResult = {
  ...success,
  success: false,
  httpStatus: 503,
  failureClass: "http",
  error: "The answer was 503, not 2xx.",
};

export function httpCheck(facts: Partial<EndpointCheck> = {}, http: Partial<NonNullable<EndpointCheck["http"]>> = {}): EndpointCheck {
  return {
    type: "http",
    target: "http://web.test/health",
    intervalMs: 30_000,
    timeoutMs: 10_000,
    ...defaultsOf(CHECK_SETTINGS),
    http: { method: "GET", expectedStatus: ["2xx"], headers: {}, ...defaultsOf(HTTP_SETTINGS), ...http },
    ...facts,
  };
}

export function labelled(labelKey = "service.endpoint.http", check: EndpointCheck = httpCheck()): LabelledEndpoint {
  return { labelKey, check };
}

export function checkedObservation(key: string, at: Date, result: Partial<CheckResult> = {}): Observation {
  return { kind: "endpoint.checked", observedAt: at, key, result: { ...success, ...result } };
}

export function body(facts: Record<string, unknown> = {}): EndpointBody {
  return endpointBody.parse({ type: "http", target: "http://web.test/health", ...facts });
}

/** As after a start of the program, on the database as it is. */
export async function startEndpoints({
  database,
  clock,
  log = silentLog,
  isHostLost,
}: {
  database: Database;
  clock: FakeClock;
  log?: Log;
  isHostLost?: (agentId: string | null) => boolean;
}): Promise<CheckedEndpoints> {
  const events: Event[] = [];
  const bus = createBus<Event>(log);
  const assertKept = watchKept(bus);
  bus.subscribe("test", (event) => events.push(event));
  const scheduler = createScheduler(clock, log);
  const containers = createContainers({ database, bus, clock, scheduler, log: silentLog, logSource: { async *logs() {} } });
  const probes: FakeProbes = {
    checks: new Map(),
    answer: undefined,
    set(checks) {
      probes.checks = checks;
    },
    async checkNow(key) {
      if (!probes.checks.has(key)) throw new ServiceError("not_found", `nothing is called ${key}`);
      if (probes.answer === undefined) return new Promise(() => undefined);
      return { at: clock.now(), result: probes.answer };
    },
  };
  const shared = { database, secrets: testSecrets, containers, probes, bus, clock, scheduler, log };
  const endpoints = createEndpoints({ ...shared, ...(isHostLost && { isHostLost }) });
  await containers.start();
  await endpoints.start();

  async function see(agentId: string | null, ...observations: Observation[]): Promise<void> {
    await containers.observe(agentId, observations);
    await endpoints.observe(agentId, observations);
  }

  return {
    containers,
    endpoints,
    probes,
    events,
    // The name says which data it is.
    published: <Name extends EventName>(name: Name) =>
      events.filter(({ type }) => type === name).map(({ data }) => data as Event<Name>["data"]),
    see,
    show: (...shown) => see(null, { kind: "container.inventory", observedAt: clock.now(), containers: shown.map(sighting) }),
    checked: (key, result, at = clock.now()) => see(null, checkedObservation(key, at, result)),
    create: (facts) => endpoints.service.create(body(facts)),
    list: (query = {}) => endpoints.service.list({ inactive: false, ...query }).endpoints,
    async stop() {
      await scheduler.stop();
      assertKept();
    },
  };
}
