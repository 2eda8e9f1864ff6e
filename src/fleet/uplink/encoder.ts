import { MINUTE_MS } from "../../contract/time.ts";
import type { ContainerSighting, Observation } from "../../observations.ts";
import { placeOf, type SwarmService, type SwarmTask, type SwarmTopology } from "../../observations/swarm.ts";
import type { Clock } from "../../platform/clock.ts";
import { messageOf } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import {
  encodeEvent,
  encodeListing,
  encodeSighting,
  EventSchema,
  fitContainer,
  ListingError,
  MAX_CONTAINER_BYTES,
  MAX_CONTAINERS,
  MAX_MESSAGE_BYTES,
  MAX_NODES,
  MAX_SERVICES,
  partsOf,
} from "../wire/index.ts";
import type { LiveEvent } from "./sender.ts";

/** The bytes that a batch adds around an event. */
const AROUND_EVENT = 64;
/** For a swarm: well below the limit of a message. */
const MOST_PARTS = 120_000;
const MOST_SWARM_BYTES = 3 * 1024 * 1024;

export interface EncoderOptions {
  nextSeq: () => number;
  /** 8 bytes that identify this run of the agent: together with the seq they are the id of an event. */
  run: Buffer;
  isSpooled: (kind: Observation["kind"]) => boolean;
  oversize: Oversize;
  log: Log;
}

/** Encodes observations as events: mostly one; none for what no message can hold; several for a listing that is sent in parts. */
export type Encode = (observation: Observation, maxListingBytes: number) => LiveEvent[];

export function createEncoder({ nextSeq, run, isSpooled, oversize, log }: EncoderOptions): Encode {
  /** The limit of the last listing, so that a container looks the same in both. */
  let containerBytes = MAX_CONTAINER_BYTES;

  function eventId(seq: number): Uint8Array {
    const id = Buffer.alloc(16);
    run.copy(id);
    id.writeBigUInt64BE(BigInt(seq), 8);
    return id;
  }

  /**
   * A large swarm is sent without finished tasks and without the labels of services. If that is still too large, it is not sent, and the server
   * treats the swarm as not seen.
   */
  function encodeSwarm(observation: Extract<Observation, { kind: "swarm.observed" }>): LiveEvent[] {
    const { topology } = observation.swarm;
    if (topology !== null && (topology.services.length > MAX_SERVICES || topology.nodes.length > MAX_NODES)) {
      oversize.add("swarm", `The swarm is not sent: it has more than ${MAX_SERVICES} services or ${MAX_NODES} nodes.`);
      return [];
    }
    const whole = encodeOne(observation);
    if (topology === null || canBeSent(whole)) {
      oversize.clear("swarm");
      return [whole];
    }
    const smaller = encodeOne({
      ...observation,
      swarm: { ...observation.swarm, topology: smallTopology(topology, observation.observedAt) },
    });
    if (!canBeSent(smaller)) {
      oversize.add("swarm", "The swarm is not sent: it is larger than an agent can send.");
      return [];
    }
    oversize.add("swarm", "Ended tasks and labels of services are not sent: the swarm is larger than an agent can send.");
    return [smaller];
  }

  /** A large cluster is sent in parts, without the kinds that are too large for a server: those then count as not seen. */
  function encodeKubernetes({ kubernetes, observedAt }: Extract<Observation, { kind: "kubernetes.observed" }>): LiveEvent[] {
    const { events, cut } = encodeSighting(kubernetes, { observedAt, nextSeq, eventId });
    if (cut.length > 0)
      oversize.add("kubernetes", `Not all ${cut.join(", ")} of the cluster are sent: there are more than an agent can send.`);
    else if (kubernetes.isComplete) oversize.clear("kubernetes");
    const isPart = events.length > 1;
    return events.map((event) => ({ ...event, isPart, observedAtMs: observedAt.getTime(), isSpooled: false }));
  }

  function encodeOne(observation: Observation): LiveEvent {
    const seq = nextSeq();
    const bytes = encodeEvent({ seq, eventId: eventId(seq), replayed: false, observation });
    return { seq, observedAtMs: observation.observedAt.getTime(), bytes, isSpooled: isSpooled(observation.kind) };
  }

  function fitted(observation: Observation): Observation {
    if (observation.kind !== "container.seen") return observation;
    const container = fitContainer(observation.container, containerBytes);
    if (container === observation.container) return observation;
    oversize.add("labels", `Labels of the container ${container.name} are not sent: they are larger than an agent can send.`);
    return { ...observation, container };
  }

  function encodeAll(containers: readonly ContainerSighting[], observedAt: Date, maxListingBytes: number): LiveEvent[] {
    const listing = encodeListing(containers, { observedAt, nextSeq, eventId, maxListingBytes });
    oversize.clear("container.inventory");
    containerBytes = listing.containerBytes;
    if (listing.cut === 0) oversize.clear("labels");
    else {
      const remedy = maxListingBytes === 0 ? " This server takes listings in one message alone: update it." : "";
      oversize.add(
        "labels",
        `Labels of ${listing.cut} of ${containers.length} containers are not sent: they are larger than an agent can send.${remedy}`,
      );
    }
    const listingSeq = listing.events[0]?.seq ?? 0;
    const partOf = listing.events.length === 1 ? {} : { listingSeq };
    return listing.events.map((event) => ({ ...event, ...partOf, observedAtMs: observedAt.getTime(), isSpooled: false }));
  }

  return (observation, maxListingBytes) => {
    try {
      if (observation.kind === "container.inventory") return encodeAll(observation.containers, observation.observedAt, maxListingBytes);
      if (observation.kind === "resources.sampled" && observation.readings.externalIds.length > MAX_CONTAINERS) {
        oversize.add(observation.kind, `What containers use is not sent: more than ${MAX_CONTAINERS} run.`);
        return [];
      }
      if (observation.kind === "swarm.observed") return encodeSwarm(observation).map((event) => ({ ...event, isAlone: true }));
      if (observation.kind === "kubernetes.observed") return encodeKubernetes(observation);
      const event = encodeOne(fitted(observation));
      if (event.bytes.length > MAX_MESSAGE_BYTES - AROUND_EVENT) {
        oversize.add(
          observation.kind,
          `An observation (${observation.kind}) was not sent: its ${event.bytes.length} bytes are more than a message may have.`,
        );
        return [];
      }
      if (observation.kind !== "container.seen") oversize.clear(observation.kind);
      return [event];
    } catch (error) {
      if (error instanceof ListingError) {
        oversize.add(
          observation.kind,
          `The listing of all containers is not sent: ${error.message}. Containers that were removed stay on the server.`,
        );
      } else log.error({ observation: observation.kind, reason: messageOf(error) }, "observation dropped: it cannot be sent");
      return [];
    }
  };
}

function canBeSent({ bytes }: LiveEvent): boolean {
  return bytes.length <= MOST_SWARM_BYTES && partsOf(EventSchema, bytes) <= MOST_PARTS;
}

const OVER: ReadonlySet<SwarmTask["state"]> = new Set(["complete", "shutdown", "failed", "rejected", "remove", "orphaned"]);
/** How long failures count for a crash loop. */
const RECENT_MS = 10 * MINUTE_MS;

/**
 * What the judgement of problems needs: tasks that are not over, the newest one of each slot, and recent failures. Services are without constraints
 * and configs, and have only the labels that the service reads.
 */
export function smallTopology(topology: SwarmTopology, at: Date): SwarmTopology {
  const modes = new Map(topology.services.map(({ id, mode }) => [id, mode]));
  const byPlace = Map.groupBy(topology.tasks, (task) => `${task.serviceId} ${placeOf(task, modes.get(task.serviceId))}`);
  const newest = new Set(
    [...byPlace.values()].map((ofPlace) => ofPlace.reduce((latest, task) => (task.createdAt > latest.createdAt ? task : latest))),
  );
  const isRecentFailure = ({ state, since }: SwarmTask): boolean =>
    (state === "failed" || state === "rejected") && at.getTime() - since.getTime() <= RECENT_MS;
  return {
    ...topology,
    services: topology.services.map((service) => ({ ...service, labels: ownLabels(service), constraints: [], configs: [] })),
    tasks: topology.tasks.filter((task) => !OVER.has(task.state) || newest.has(task) || isRecentFailure(task)),
  };
}

function ownLabels({ labels }: SwarmService): SwarmService["labels"] {
  return Object.fromEntries(Object.entries(labels).filter(([label]) => label.startsWith("service.")));
}

/** Between two log lines about the same kind. */
const LOGGED_EVERY_MS = 10 * MINUTE_MS;

export interface OversizeStatus {
  /** Observations since the start that were not sent, or that lost labels. */
  oversize: number;
  /** What is too large now, as sentences. */
  tooLarge: string[];
}

/** Counts observations that were too large to be sent, by kind. */
export interface Oversize {
  /** Counts one, and logs it now and then. */
  add(kind: string, sentence: string): void;
  /** To be called when the next observation of the kind was sent completely. */
  clear(kind: string): void;
  status(): OversizeStatus;
}

export function createOversize({ clock, log }: { clock: Clock; log: Log }): Oversize {
  const now = new Map<string, string>();
  const loggedMs = new Map<string, number>();
  let count = 0;

  return {
    add(kind, sentence) {
      count += 1;
      now.set(kind, sentence);
      const nowMs = clock.monotonicMs();
      if (nowMs - (loggedMs.get(kind) ?? -Infinity) < LOGGED_EVERY_MS) return;
      loggedMs.set(kind, nowMs);
      log.error({ observation: kind, oversize: count }, sentence);
    },
    clear: (kind) => void now.delete(kind),
    status: () => ({ oversize: count, tooLarge: [...now.values()] }),
  };
}
