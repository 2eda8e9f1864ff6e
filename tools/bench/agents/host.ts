import { CHECK_SETTINGS, defaultsOf, HTTP_SETTINGS } from "../../../src/contract/check-settings.ts";
import {
  type ContainerReadings,
  type ContainerSighting,
  labelEndpointKey,
  type LabelledEndpoint,
  type Observation,
  READING_COLUMNS,
  type ReadingColumn,
  TICK_MS,
} from "../../../src/observations.ts";
import { fakeContainer } from "../../../test/support/fake-runtime.ts";
import { sighting } from "../../../test/support/sightings.ts";
import { type MadeReadings, makeReadings } from "../readings.ts";

/** Of the containers of a host, those that have an endpoint, checked every third tick. */
const WITH_ENDPOINT = 20;
const CHECKED_EVERY = 3;
/** One container of a host ends, or starts again, every so many ticks. */
const LIFECYCLE_EVERY = 30;
const LABEL = "service.endpoint.http";

/** What a host of so many containers shows. Its readings are a part of those of many containers. */
export interface ShownHost {
  inventory(at: Date): Observation;
  /** What becomes of it within one tick: the host, its containers, and some of its endpoints; now and then a container ends or starts. */
  tick(at: Date, since: Date): Observation[];
  /** Of those, what an agent keeps while it cannot reach its server. */
  spooledTick(at: Date, since: Date): Observation[];
}

/** So many hosts, no two alike. Ticks must be asked for in the order of their time. */
export function showHosts(hosts: number, containers: number): ShownHost[] {
  const made = readOnce(makeReadings(hosts * containers));
  return Array.from({ length: hosts }, (_, host) => showHost(made, { from: host * containers, to: (host + 1) * containers }));
}

/** All hosts ask for the same tick, one after another. */
function readOnce(made: MadeReadings): MadeReadings {
  let latest: { tickMs: number; readings: ContainerReadings } | undefined;
  return {
    ...made,
    at(tickMs) {
      if (latest?.tickMs !== tickMs) latest = { tickMs, readings: made.at(tickMs) };
      return latest.readings;
    },
  };
}

function showHost(made: MadeReadings, { from, to }: { from: number; to: number }): ShownHost {
  const externalIds = made.externalIds.slice(from, to);
  const running = externalIds.map((externalId, place) => runningContainer(externalId, from + place + 1, place < WITH_ENDPOINT));

  function readings(at: Date): Observation {
    const { columns } = made.at(at.getTime());
    // The entries are those of the type; fromEntries forgets which names it was given.
    const own = Object.fromEntries(READING_COLUMNS.map((name) => [name, columns[name].slice(from, to)])) as Record<
      ReadingColumn,
      Float64Array
    >;
    return { kind: "resources.sampled", observedAt: at, readings: { externalIds, columns: own } };
  }

  function checks(at: Date): Observation[] {
    const turn = (at.getTime() / TICK_MS) % CHECKED_EVERY;
    return running
      .filter(({ endpoints }, place) => endpoints.length > 0 && place % CHECKED_EVERY === turn)
      .map(({ externalId }, place) => checked(labelEndpointKey(externalId, LABEL), new Date(at.getTime() + place * 100), place));
  }

  /** Every second time the same container is back. */
  function lifecycle(at: Date): Observation[] {
    const number = at.getTime() / TICK_MS / LIFECYCLE_EVERY;
    const container = running[WITH_ENDPOINT + (Math.floor(number / 2) % Math.max(1, running.length - WITH_ENDPOINT))];
    if (!Number.isInteger(number) || container === undefined) return [];
    const ended = { state: "exited", exitCode: 0, stopRequested: true, finishedAt: at } as const;
    return [
      {
        kind: "container.seen",
        observedAt: at,
        container: number % 2 === 0 ? { ...container, ...ended } : { ...container, startedAt: at },
      },
    ];
  }

  const watched = (at: Date, since: Date): Observation => ({ kind: "host.watched", observedAt: at, since });

  return {
    inventory: (at) => ({ kind: "container.inventory", observedAt: at, containers: running }),
    tick: (at, since) => [
      watched(at, since),
      { kind: "host.sampled", observedAt: at, host: made.host(at.getTime()) },
      readings(at),
      ...checks(at),
      ...lifecycle(at),
    ],
    spooledTick: (at, since) => [watched(at, since), readings(at), ...checks(at), ...lifecycle(at)],
  };
}

function runningContainer(externalId: string, number: number, withEndpoint: boolean): ContainerSighting {
  const { name, image, project, unit, labels, ports } = fakeContainer(number);
  const endpoints = withEndpoint ? [endpointOf(number)] : [];
  return sighting({ externalId, name, image, project, unit, labels, ports, endpoints });
}

function endpointOf(number: number): LabelledEndpoint {
  const target = `http://service-${number}:8080/health`;
  return {
    labelKey: LABEL,
    check: {
      type: "http",
      target,
      intervalMs: CHECKED_EVERY * TICK_MS,
      timeoutMs: 5_000,
      ...defaultsOf(CHECK_SETTINGS),
      http: { method: "GET", expectedStatus: ["2xx"], headers: {}, ...defaultsOf(HTTP_SETTINGS) },
    },
  };
}

function checked(key: string, observedAt: Date, place: number): Observation {
  const result = {
    success: true,
    observed: true,
    responseTimeMs: 3.5 + place,
    httpStatus: 200,
    failureClass: null,
    error: null,
    certificate: null,
  };
  return { kind: "endpoint.checked", key, observedAt, result };
}
