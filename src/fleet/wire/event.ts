import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { type ContainerSighting, type Observation, TICK_MS, type RuntimeConnection } from "../../observations.ts";
import type { KubernetesSighting } from "../../observations/kubernetes.ts";
import { fromScanned, toScanned } from "./certificate.ts";
import { toContainer } from "./container.ts";
import { decode } from "./decode.ts";
import { fromChecked, toChecked } from "./endpoint.ts";
import { type Container, type Event, EventSchema } from "./gen/service/agent/v1/ingest_pb.ts";
import { readContainer } from "./fit-container.ts";
import { fromHost, toHost, fromReadings, toReadings } from "./host.ts";
import { fromKubernetes, type KubernetesPart, toKubernetes } from "./kubernetes.ts";
import { MAX_CONTAINERS, MAX_ID, MAX_SNIPPET_BYTES, MAX_TIME_MS, MAX_ERROR, MAX_NAME } from "./limits.ts";
import type { SentEvent } from "./sent-batch.ts";
import { fromSwarm, toSwarm } from "./swarm.ts";
import { dateOf, idOf, isId, listOf, msOf, numberOf, textOf, optionalName, required, WireError } from "./values.ts";
import type * as wire from "./gen/service/agent/v1/ingest_pb.ts";
import { RUNTIMES } from "./vocabulary.ts";

/** An observation in transit: its event id, and whether it had to wait. */
export interface WireEvent {
  seq: number;
  /** 16 bytes, the same however often the event is sent. For an event that was read, a view of its message. */
  eventId: Uint8Array;
  /** It adds to history, and does not change the present state. */
  replayed: boolean;
  observation: Observation;
}

/** Further checks of an event. */
export interface Reading {
  /** The latest time of an observation: a little after now. */
  latestMs?: number;
  /** Lists of ids that were already checked: events share them. */
  goodIds?: Set<readonly string[]>;
  /** Answers all containers of an inventory once its last part has come. */
  assemble?: (part: ListingPart) => Listing | undefined;
  /** Called for each container that is left out of an inventory. */
  onUnread?: (error: WireError) => void;
  /** Answers the whole sighting of a cluster once its last part has come. */
  assembleKubernetes?: (part: KubernetesPart) => KubernetesSighting | undefined;
}

/** The containers of an inventory, and the ids of those that cannot be read. */
export type Listing = Pick<Extract<Observation, { kind: "container.inventory" }>, "containers" | "unread">;

/** A part of an inventory that is too large for one message. */
export interface ListingPart extends Listing {
  /** The seq of its first part. */
  listing: number;
  part: number;
  parts: number;
  observedAt: Date;
}

type Body = NonNullable<MessageInitShape<typeof EventSchema>["body"]>;

const EVENT_ID_BYTES = 16;

/** The bytes of an event, as agents store and send them. */
export function encodeEvent(event: WireEvent): Uint8Array {
  return toBinary(EventSchema, toEvent(event));
}

/** Parses an event from bytes of {@link encodeEvent}. Throws a WireError. */
export function decodeEvent(bytes: Uint8Array, reading?: Reading): WireEvent {
  return fromEvent(decode(EventSchema, bytes), reading);
}

/** The bytes of the same event, marked as replayed. Nothing is decoded, since the last value of a repeated field counts. */
export function asReplayed(encoded: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(encoded.length + REPLAYED.length);
  bytes.set(encoded);
  bytes.set(REPLAYED, encoded.length);
  return bytes;
}

/** Field 4, a varint, true. */
const REPLAYED = Uint8Array.of(4 << 3, 1);

export function toEvent({ seq, eventId, replayed, observation }: WireEvent): Event {
  return create(EventSchema, {
    seq: BigInt(seq),
    eventId,
    replayed,
    observedAtMs: msOf(observation.observedAt),
    body: bodyOf(observation),
  });
}

function bodyOf(observation: Observation): Body {
  switch (observation.kind) {
    case "container.inventory":
      return { case: "containerInventory", value: { containers: observation.containers.map(toContainer) } };
    case "container.seen":
      return { case: "containerSeen", value: { container: toContainer(observation.container) } };
    case "container.gone":
      return { case: "containerGone", value: { externalId: observation.externalId } };
    case "container.last_words": {
      const { externalId, endedAt, snippet } = observation;
      return { case: "containerLastWords", value: { externalId, endedAtMs: msOf(endedAt), snippet } };
    }
    case "host.watched":
      return { case: "hostWatched", value: { sinceMs: msOf(observation.since) } };
    case "endpoint.checked":
      return { case: "endpointChecked", value: toChecked(observation.key, observation.result) };
    case "certificate.scanned":
      return { case: "certificateScanned", value: toScanned(observation.target, observation.scan) };
    case "runtime.changed":
      return { case: "runtimeChanged", value: toRuntime(observation.status) };
    case "host.sampled":
      return { case: "hostSampled", value: toHost(observation.host) };
    case "resources.sampled":
      return { case: "resourcesSampled", value: toReadings(observation.readings) };
    case "swarm.observed":
      return { case: "swarmObserved", value: toSwarm(observation.swarm) };
    case "kubernetes.observed":
      return { case: "kubernetesObserved", value: toKubernetes(observation.kubernetes) };
  }
}

/**
 * Parses an event of an agent, which is not trusted: limits, times and words are checked, text is cleaned as a collector does. Throws a WireError.
 */
export function fromEvent(event: SentEvent, reading: Reading = {}): WireEvent {
  const { observedAt, ...head } = headOf(event, reading.latestMs);
  return { ...head, observation: observationOf(event, observedAt, reading) };
}

/** The fields that events of all kinds have. Throws a WireError. */
export function headOf(event: SentEvent, latestMs: number = MAX_TIME_MS): Omit<WireEvent, "observation"> & { observedAt: Date } {
  if (event.eventId.length !== EVENT_ID_BYTES) throw new WireError("event.event_id", `is not ${EVENT_ID_BYTES} bytes long`);
  return {
    seq: numberOf(event.seq, "event.seq"),
    eventId: event.eventId,
    replayed: event.replayed,
    observedAt: dateOf(event.observedAtMs, "event.observed_at_ms", latestMs),
  };
}

function observationOf({ body }: SentEvent, observedAt: Date, { goodIds, onUnread }: Reading): Observation {
  switch (body.case) {
    case "containerInventory":
      return { kind: "container.inventory", observedAt, ...inventoryOf(body.value.containers, "container_inventory.containers", onUnread) };
    case "containerSeen":
      return { kind: "container.seen", observedAt, container: readContainer(body.value.container, "container_seen.container") };
    case "containerGone":
      return { kind: "container.gone", observedAt, externalId: idOf(body.value.externalId, "container_gone.external_id", MAX_ID) };
    case "containerLastWords":
      return {
        kind: "container.last_words",
        observedAt,
        externalId: idOf(body.value.externalId, "container_last_words.external_id", MAX_ID),
        endedAt: dateOf(body.value.endedAtMs, "container_last_words.ended_at_ms"),
        snippet: snippetOf(body.value.snippet),
      };
    case "hostWatched":
      return { kind: "host.watched", observedAt, since: dateOf(body.value.sinceMs, "host_watched.since_ms", observedAt.getTime()) };
    case "endpointChecked":
      return { kind: "endpoint.checked", observedAt, ...fromChecked(body.value, "endpoint_checked") };
    case "certificateScanned":
      return { kind: "certificate.scanned", observedAt, ...fromScanned(body.value, "certificate_scanned") };
    case "runtimeChanged":
      return { kind: "runtime.changed", observedAt, status: fromRuntime(body.value, "runtime_changed", observedAt) };
    case "hostSampled":
      return { kind: "host.sampled", observedAt, host: fromHost(body.value, "host_sampled") };
    case "resourcesSampled":
      if (observedAt.getTime() % TICK_MS !== 0) throw new WireError("event.observed_at_ms", "is not a tick");
      return { kind: "resources.sampled", observedAt, readings: fromReadings(body.value, "resources_sampled", goodIds) };
    case "swarmObserved":
      return { kind: "swarm.observed", observedAt, swarm: fromSwarm(body.value, "swarm_observed") };
    case "kubernetesObserved":
      if (body.value.parts > 0) throw new WireError("event.body", "is a part of a sighting");
      return { kind: "kubernetes.observed", observedAt, kubernetes: fromKubernetes(body.value, "kubernetes_observed") };
    case "containerInventoryPart":
      throw new WireError("event.body", "is a part of an inventory");
    case undefined:
      throw new WireError("event.body", "is missing or not known");
  }
}

/**
 * Reads the containers of an inventory. One that cannot be read is left out, since refusing it would lose all others. Throws a WireError; a container may
 * occur only once.
 */
export function inventoryOf(sent: readonly Container[], where: string, onUnread: Reading["onUnread"]): Listing {
  const containers: ContainerSighting[] = [];
  const unread: string[] = [];
  const read = (container: Container, place: string): void => {
    try {
      containers.push(readContainer(container, place));
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      onUnread?.(error);
      // An id of another form is that of no container that is known.
      if (isId(container.externalId, MAX_ID)) unread.push(container.externalId);
    }
  };
  listOf(sent, where, { most: MAX_CONTAINERS, read });
  const ids = new Set([...unread, ...containers.map(({ externalId }) => externalId)]);
  if (ids.size < containers.length + unread.length) throw new WireError(where, "names a container twice");
  return { containers, ...(unread.length > 0 && { unread }) };
}

/** Its colours stay, as in a log. */
function snippetOf(text: string): string {
  if (Buffer.byteLength(text) > MAX_SNIPPET_BYTES)
    throw new WireError("container_last_words.snippet", `has more than ${MAX_SNIPPET_BYTES} bytes`);
  return textOf(text, "container_last_words.snippet", MAX_SNIPPET_BYTES);
}

function toRuntime(status: RuntimeConnection): MessageInitShape<typeof wire.RuntimeChangedSchema> {
  return {
    runtime: RUNTIMES.numbers[status.runtime],
    connected: status.connected,
    version: status.version ?? undefined,
    apiVersion: status.apiVersion ?? undefined,
    error: status.error ?? undefined,
    sinceMs: msOf(status.since),
  };
}

function fromRuntime(sent: wire.RuntimeChanged, where: string, observedAt: Date): RuntimeConnection {
  const since = dateOf(sent.sinceMs, `${where}.since_ms`);
  return {
    runtime: required(RUNTIMES.wordOf(sent.runtime), `${where}.runtime`),
    connected: sent.connected,
    version: optionalName(sent.version, `${where}.version`, MAX_NAME),
    apiVersion: optionalName(sent.apiVersion, `${where}.api_version`, MAX_NAME),
    error: optionalName(sent.error, `${where}.error`, MAX_ERROR),
    // The agent's clock may have been set back meanwhile.
    since: since > observedAt ? observedAt : since,
  };
}
