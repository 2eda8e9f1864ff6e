import { create, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { fromEvent, headOf, inventoryOf, type Reading, type WireEvent } from "./event.ts";
import {
  type AgentMessage,
  AgentMessageSchema,
  BatchSchema,
  type ContainerInventoryPart,
  type KubernetesObserved,
} from "./gen/service/agent/v1/ingest_pb.ts";
import { fromKubernetes } from "./kubernetes.ts";
import { MAX_BATCH_BYTES, MAX_BATCH_EVENTS, MAX_LISTING_PARTS } from "./limits.ts";
import type { SentBatch, SentEvent } from "./sent-batch.ts";
import { numberOf, within, WireError } from "./values.ts";

/** An event as its agent stores it: bytes from `encodeEvent` or `asReplayed`. */
export interface EncodedEvent {
  seq: number;
  bytes: Uint8Array;
  /** Whether it must be alone in its batch: with others it might have more parts than a message may. */
  isAlone?: boolean;
}

/** For what may be sent as several events. */
export interface PartsOptions {
  observedAt: Date;
  /** The seq of the next event. */
  nextSeq: () => number;
  /** The id of the event with that seq. */
  eventId: (seq: number) => Uint8Array;
}

export interface BatchLimits {
  maxEvents: number;
  maxBytes: number;
}

const LIMITS: BatchLimits = { maxEvents: MAX_BATCH_EVENTS, maxBytes: MAX_BATCH_BYTES };

/** The bytes of an AgentMessage with a batch, and the seq by which it will be acknowledged. */
export interface TakenBatch {
  /** How many of the first events are in it. */
  count: number;
  lastSeq: number;
  message: Uint8Array;
}

/**
 * As many of the first events as fit into a batch; undefined when there are none. An event that is larger than a batch is sent alone. Pass either
 * live or replayed events, in the order of their seq.
 */
export function takeBatch(waiting: Iterable<EncodedEvent>, limits: BatchLimits = LIMITS): TakenBatch | undefined {
  const taken: EncodedEvent[] = [];
  let bytes = 0;
  for (const event of waiting) {
    bytes += sizeInBatch(event);
    const isFull = taken.length >= limits.maxEvents || bytes > limits.maxBytes || event.isAlone === true;
    if (taken.length > 0 && isFull) break;
    taken.push(event);
    if (event.isAlone === true) break;
  }
  const [first, last] = [taken[0], taken.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return { count: taken.length, lastSeq: last.seq, message: messageOf(first.seq, taken) };
}

/** Including its tag and length. */
function sizeInBatch({ bytes }: EncodedEvent): number {
  return bytes.length + 6;
}

/** The events are encoded already and go into the message unchanged: a writer of protobuf would copy them three times. */
function messageOf(firstSeq: number, events: readonly EncodedEvent[]): Uint8Array {
  const first = new BinaryWriter().tag(BatchSchema.field.firstSeq.number, WireType.Varint).uint64(firstSeq).finish();
  const pieces: Uint8Array[] = [first];
  for (const { bytes } of events) pieces.push(tagOf(BatchSchema.field.events.number, bytes.length), bytes);
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return Buffer.concat([tagOf(AgentMessageSchema.field.batch.number, length), ...pieces]);
}

/** The bytes before a message within a message: its field number and its length. */
export function tagOf(field: number, length: number): Uint8Array {
  const head: number[] = [];
  for (const number of [(field << 3) | WireType.LengthDelimited, length]) {
    let rest = number;
    for (; rest >= 0x80; rest >>>= 7) head.push((rest & 0x7f) | 0x80);
    head.push(rest);
  }
  return Uint8Array.from(head);
}

/** The contents of a batch. */
export interface ReadBatch {
  firstSeq: number;
  /** The seq that acknowledges it. */
  lastSeq: number;
  replayed: boolean;
  /** In the order of their seq. */
  events: WireEvent[];
  /** Why some events, or containers of an inventory, were refused. They are acknowledged with the others, since sending them again would not help. */
  refused: WireError[];
}

/** Reads a batch of an agent, which is not trusted. Throws a WireError when it is no batch; for single events it answers why they are refused. */
export function readBatch(batch: SentBatch, reading: Reading = {}): ReadBatch {
  const [first, last] = [batch.events[0], batch.events.at(-1)];
  if (first === undefined || last === undefined) throw new WireError("batch.events", "is empty");
  if (batch.events.length > MAX_BATCH_EVENTS) throw new WireError("batch.events", `has more than ${MAX_BATCH_EVENTS} events`);
  checkOrder(batch, first);
  const read: ReadBatch = {
    firstSeq: numberOf(first.seq, "batch.first_seq"),
    lastSeq: numberOf(last.seq, "batch.events"),
    replayed: first.replayed,
    events: [],
    refused: [],
  };
  const onUnread = (error: WireError): void => void read.refused.push(error);
  const shared = { ...reading, onUnread, goodIds: new Set<readonly string[]>() };
  for (const event of batch.events) takeEvent(event, read, shared);
  return read;
}

function checkOrder(batch: SentBatch, first: SentEvent): void {
  if (batch.firstSeq !== first.seq) throw new WireError("batch.first_seq", "is not that of the first event");
  let before = -1n;
  for (const { seq, replayed } of batch.events) {
    if (seq <= before) throw new WireError("batch.events", "are not in the order of their seq");
    if (replayed !== first.replayed) throw new WireError("batch.events", "are partly live and partly replayed");
    before = seq;
  }
}

function takeEvent(event: SentEvent, read: ReadBatch, reading: Reading): void {
  try {
    const known = knownOf(event, reading);
    if (known !== undefined) read.events.push(known);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    read.refused.push(error);
  }
}

/** undefined for a kind that only newer agents know, and for a part that completes nothing. */
function knownOf(event: SentEvent, reading: Reading): WireEvent | undefined {
  const { body } = event;
  if (body.case === undefined) return undefined;
  if (body.case === "containerInventoryPart") return wholeListing(event, body.value, reading);
  if (body.case === "kubernetesObserved" && body.value.parts > 0) return wholeSighting(event, body.value, reading);
  return fromEvent(event, reading);
}

/** The sighting that a part completes; undefined while others are missing. Throws a WireError. */
function wholeSighting(event: SentEvent, sent: KubernetesObserved, reading: Reading): WireEvent | undefined {
  const where = "kubernetes_observed";
  const { observedAt, ...head } = headOf(event, reading.latestMs);
  const place = placeOf(head, sent, { first: sent.firstPart, where, field: "first_part" });
  const sighting = fromKubernetes(sent, where);
  if (sighting.standing !== "watching") throw new WireError(where, "shows nothing, and so has no parts");
  const kubernetes = reading.assembleKubernetes?.({ ...place, observedAt, sighting });
  return kubernetes && { ...head, observation: { kind: "kubernetes.observed", observedAt, kubernetes } };
}

/** The inventory that a part completes; undefined while others are missing. Throws a WireError. */
function wholeListing(event: SentEvent, sent: ContainerInventoryPart, reading: Reading): WireEvent | undefined {
  const where = "container_inventory_part";
  const { observedAt, ...head } = headOf(event, reading.latestMs);
  const place = placeOf(head, sent, { first: sent.listing, where, field: "listing" });
  if (sent.containers.length === 0) throw new WireError(`${where}.containers`, "is empty");
  const containers = inventoryOf(sent.containers, `${where}.containers`, reading.onUnread);
  const whole = reading.assemble?.({ ...place, observedAt, ...containers });
  return whole && { ...head, observation: { kind: "container.inventory", observedAt, ...whole } };
}

/** Which part it is; `listing` is the seq of the first. Throws a WireError. */
function placeOf(
  { seq, replayed }: Pick<WireEvent, "seq" | "replayed">,
  sent: { part: number; parts: number },
  { first, where, field }: { first: bigint; where: string; field: string },
): { listing: number; part: number; parts: number } {
  if (replayed) throw new WireError(where, "is replayed");
  const parts = within(sent.parts, `${where}.parts`, [1, MAX_LISTING_PARTS]);
  const part = within(sent.part, `${where}.part`, [1, parts]);
  const listing = numberOf(first, `${where}.${field}`);
  const isRight = part === 1 ? listing === seq : listing < seq;
  if (!isRight) throw new WireError(`${where}.${field}`, "is not the seq of its first part");
  return { listing, part, parts };
}

/** The bytes of a message from an agent. */
export function encodeAgentMessage(body: AgentMessage["body"]): Uint8Array {
  return toBinary(AgentMessageSchema, create(AgentMessageSchema, { body }));
}
