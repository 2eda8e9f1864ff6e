import type { Range } from "../../contract/ranges.ts";
import { DAY_MS } from "../../contract/time.ts";
import type { Observation, CheckResult, EndpointCheck } from "../../observations.ts";
import { type Clock, pause } from "../../platform/clock.ts";
import { isServiceError, ServiceError } from "../../platform/errors.ts";
import type { Serial } from "../../platform/queues.ts";
import type { ContainerService } from "../containers/index.ts";
import type { EndpointBody, ListQuery } from "./api.ts";
import type {
  CheckedNow,
  CheckList,
  ContainerEndpoints,
  DailyUptime,
  EndpointDetail,
  EndpointList,
  EndpointRecord,
  ResponseTimes,
  ResponseTimesAround,
  Sparklines,
} from "./answers.ts";
import { createEndpointBulk, type EndpointBulk } from "./bulk.ts";
import { toCheck } from "./checks/head.ts";
import type { CheckHistory } from "./checks/history.ts";
import { definedBy, newStandalone, changed, definitionOf } from "./definition.ts";
import { type Endpoint, isChecked, keyOf, type SavedEndpoint, serviceOf } from "./endpoint.ts";
import type { Projection } from "./projection.ts";
import { checkRecord, endpointRecord } from "./records.ts";
import { ONE_BY_ONE, type Register } from "./register.ts";
import type { Around, Statistics } from "./statistics.ts";

/** What checks the endpoints of this host. Their results arrive as observations. */
export interface Probes {
  /** Replaces what is checked, by key; what is new is first checked within 5 seconds. */
  set(checks: ReadonlyMap<string, EndpointCheck>): void;
  /** Checks one now, out of turn; its result is an observation too. Throws `not_found` for an unknown key. */
  checkNow(key: string, signal: AbortSignal): Promise<{ at: Date; result: CheckResult }>;
}

/** A request may take 10 seconds, a check a minute. */
const WAIT_MS = 9_000;

/** What can be asked about endpoints, and done with them. Each throws `not_found` for one that does not exist. */
export interface EndpointService {
  list(query: ListQuery): EndpointList;
  ofContainer(containerId: number): Promise<ContainerEndpoints>;
  /** Of a host, `local` or an agent's; undefined: of all. */
  sparklines(host: string | undefined): Sparklines;
  detail(id: number): Promise<EndpointDetail>;
  checks(id: number, page: { since?: string | undefined; until?: string | undefined; limit: number; offset: number }): Promise<CheckList>;
  dailyUptime(id: number, days: number): Promise<DailyUptime>;
  responseTimes(id: number, range: Range): Promise<ResponseTimes>;
  responseTimesAround(id: number, around: Around): Promise<ResponseTimesAround>;
  create(body: EndpointBody): Promise<EndpointRecord>;
  /** Creates and changes many by the caller's keys. */
  setUp: EndpointBulk;
  /** This and removing throw `conflict` for one that a label defines. */
  update(id: number, body: EndpointBody): Promise<EndpointRecord>;
  remove(id: number): Promise<void>;
  setPaused(id: number, paused: boolean): Promise<EndpointRecord>;
  /** Checks one out of turn. Throws `conflict` for one that is not checked now, or not from this host. */
  checkNow(id: number): Promise<CheckedNow>;
}

export interface EndpointServiceParts {
  projection: Projection;
  register: Register;
  history: CheckHistory;
  statistics: Statistics;
  probes: Probes;
  containers: Pick<ContainerService, "find">;
  clock: Clock;
  serial: Serial;
  observe(agentId: string | null, observations: readonly Observation[]): Promise<void>;
}

export function createEndpointService(parts: EndpointServiceParts): EndpointService {
  const { projection, register, history, statistics, probes, containers, clock, serial, observe } = parts;

  function find(id: number): SavedEndpoint {
    const endpoint = projection.get(id);
    if (endpoint === undefined) throw new ServiceError("not_found", `There is no endpoint ${id}.`);
    return endpoint;
  }

  function findStandalone(id: number): SavedEndpoint {
    const endpoint = find(id);
    if (endpoint.container === null) return endpoint;
    throw new ServiceError(
      "conflict",
      `Endpoint ${id} is defined by the label ${endpoint.labelKey} of ${ownerOf(endpoint)}. Change or remove the label; it can be paused here.`,
    );
  }

  const record = (endpoint: SavedEndpoint): EndpointRecord => endpointRecord(endpoint, projection.tally(endpoint.id), clock.now());

  /** Saves what an endpoint becomes. */
  async function change(previous: SavedEndpoint | undefined, next: Endpoint): Promise<EndpointRecord> {
    const [saved] = await register.change([{ previous, next }], clock.now());
    if (saved === undefined) throw new Error("a change of an endpoint saved nothing");
    return record(saved);
  }

  return {
    list: (query) => projection.list(query, clock.now()),
    async ofContainer(containerId) {
      await containers.find(containerId);
      return projection.recordsOfContainer(containerId, clock.now());
    },
    sparklines: (host) => projection.sparklines(host, clock.now()),
    async detail(id) {
      const endpoint = find(id);
      return { ...record(endpoint), uptime: await statistics.uptime(endpoint) };
    },
    async checks(id, { since, until, limit, offset }) {
      find(id);
      const now = clock.now().getTime();
      const fromMs = since === undefined ? now - DAY_MS : Date.parse(since);
      // A host's clock may be ahead of ours.
      const toMs = until === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(until);
      const { checks, total } = await history.page(id, { fromMs, toMs, limit, offset });
      return { endpoint_id: id, checks: checks.map(checkRecord), total, has_more: offset + checks.length < total };
    },
    dailyUptime: async (id, days) => statistics.daily(find(id), days),
    responseTimes: async (id, range) => statistics.responseTimes(find(id), range),
    responseTimesAround: async (id, around) => statistics.responseTimesAround(find(id), around),
    create: (body) => serial(ONE_BY_ONE, () => change(undefined, newStandalone(body, { callerKey: null, now: clock.now() }))),
    setUp: createEndpointBulk({ projection, register, clock, serial }),
    update: (id, body) =>
      serial(ONE_BY_ONE, () => {
        const previous = findStandalone(id);
        const now = clock.now();
        const next = changed(previous, definedBy(body, previous.check), now);
        if (definitionOf(next) === definitionOf(previous)) return Promise.resolve(record(previous));
        return change(previous, { ...next, updatedAt: now });
      }),
    remove: (id) => serial(ONE_BY_ONE, () => register.remove([findStandalone(id)], clock.now())),
    setPaused: (id, paused) =>
      serial(ONE_BY_ONE, () => {
        const previous = find(id);
        if (previous.paused === paused) return Promise.resolve(record(previous));
        return change(previous, { ...changed(previous, { paused }, clock.now()), updatedAt: clock.now() });
      }),
    async checkNow(id) {
      const endpoint = find(id);
      requireChecked(endpoint);
      const key = keyOf(endpoint);
      const { at, result } = await withinRequest(probes.checkNow(key, new AbortController().signal));
      // It comes by the intake too, and is known by then.
      await observe(null, [{ kind: "endpoint.checked", observedAt: at, key, result }]);
      return { endpoint: record(find(id)), check: checkRecord(toCheck(result, at)) };
    },
  };

  function requireChecked(endpoint: SavedEndpoint): void {
    const { id, agentId, paused, inactiveSince } = endpoint;
    const refuse = (reason: string): ServiceError => new ServiceError("conflict", `Endpoint ${id} cannot be checked now: ${reason}.`);
    if (agentId !== null) throw refuse("its own host checks it");
    if (inactiveSince !== null) throw refuse("its label is gone");
    if (paused) throw refuse("it is paused; resume it");
    if (!isChecked(endpoint))
      throw refuse(`${ownerOf(endpoint)} ${serviceOf(endpoint) === undefined ? "does not run" : "asks for no tasks"}`);
  }

  async function withinRequest<Result>(checking: Promise<Result>): Promise<Result> {
    const answered = new AbortController();
    const late = pause(clock, WAIT_MS, answered.signal).then(() => {
      throw new ServiceError("request_timeout", "The check takes longer than a request may. Its result will be in the history.");
    });
    try {
      return await Promise.race([checking, late]);
    } catch (error) {
      // The probes forgot it meanwhile.
      if (isServiceError(error, "not_found")) throw new ServiceError("conflict", "The endpoint has just been changed. Try again.");
      throw error;
    } finally {
      answered.abort();
    }
  }
}

function ownerOf(endpoint: SavedEndpoint): string {
  return `${serviceOf(endpoint) === undefined ? "container" : "service"} ${endpoint.container?.name}`;
}
