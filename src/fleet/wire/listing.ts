import { create, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import type { ContainerSighting } from "../../observations.ts";
import { type EncodedEvent, type PartsOptions, tagOf } from "./batch.ts";
import { partsOf } from "./decode.ts";
import { encodeContainer, MAX_CONTAINER_BYTES, withoutLabels } from "./fit-container.ts";
import {
  ContainerInventoryPartSchema,
  ContainerInventorySchema,
  ContainerSchema,
  EventSchema,
  type Event,
} from "./gen/service/agent/v1/ingest_pb.ts";
import { MAX_BATCH_BYTES, MAX_CONTAINERS, MAX_LISTING_LABELS, MAX_LISTING_PARTS, MAX_MESSAGE_BYTES, MAX_PARTS } from "./limits.ts";
import { msOf } from "./values.ts";

/** Of a part of a listing: small enough that live events do not wait long behind it. */
const PART_BYTES = 512 * 1024;
/** List items, texts and messages in a part: far below the limit of a message. */
const PART_PARTS = MAX_PARTS / 3;
/** The bytes around the containers of a message. */
const AROUND = 128;
/** The bytes around a container in a message. */
const AROUND_CONTAINER = 8;
/** A listing that cannot be sent; the message is a sentence. */
export class ListingError extends Error {
  override name = "ListingError";
}

export interface ListingOptions extends PartsOptions {
  /** How many bytes the server takes in parts; 0 when it does not support parts. */
  maxListingBytes: number;
}

export interface EncodedListing {
  /** In order; more than one are parts. */
  events: EncodedEvent[];
  /** How many containers were sent without some of their labels. */
  cut: number;
  /** The largest number of bytes of a container. */
  containerBytes: number;
}

interface Piece {
  bytes: Uint8Array;
  parts: number;
}

/** Encodes a listing of these containers as one event, or as parts if the server takes them. Throws a ListingError. */
export function encodeListing(containers: readonly ContainerSighting[], options: ListingOptions): EncodedListing {
  const { maxListingBytes } = options;
  if (containers.length > MAX_CONTAINERS)
    throw new ListingError(`${containers.length} containers are more than the ${MAX_CONTAINERS} that a host may have`);
  const most = maxListingBytes === 0 ? MAX_MESSAGE_BYTES - AROUND : maxListingBytes - MAX_LISTING_PARTS * AROUND;
  const { pieces, cut, containerBytes } = piecesWithin(containers, most);
  const parts = pieces.reduce((sum, piece) => sum + piece.parts + 1, 0);
  const isWhole = sizeOf(pieces) <= (maxListingBytes === 0 ? most : MAX_BATCH_BYTES - AROUND) && parts <= PART_PARTS;
  if (isWhole) return { events: [inventoryEvent(pieces, options)], cut, containerBytes };
  if (maxListingBytes === 0) {
    if (parts > MAX_PARTS - AROUND)
      throw new ListingError("it has more labels than one message may have, and the server takes no parts. Update the server");
    return { events: [{ ...inventoryEvent(pieces, options), isAlone: true }], cut, containerBytes };
  }
  return { events: partEvents(pieces, options), cut, containerBytes };
}

/** Encodes containers. If they are too large together, each gets the same room, and labels that do not fit are left out. */
function piecesWithin(containers: readonly ContainerSighting[], most: number): { pieces: Piece[]; cut: number; containerBytes: number } {
  const labels = containers.reduce((sum, each) => sum + Object.keys(each.labels).length, 0);
  if (labels > MAX_LISTING_LABELS)
    throw new ListingError(`${labels} labels are more than the ${MAX_LISTING_LABELS} that a listing may have`);
  for (const containerBytes of [MAX_CONTAINER_BYTES, Math.floor(most / containers.length) - AROUND_CONTAINER]) {
    const encoded = encodeAll(containers, containerBytes, most);
    if (encoded !== undefined) return { ...encoded, containerBytes };
  }
  throw new ListingError(`${containers.length} containers are more than ${most} bytes even without their labels`);
}

/** undefined as soon as they are too large together. */
function encodeAll(
  containers: readonly ContainerSighting[],
  containerBytes: number,
  most: number,
): { pieces: Piece[]; cut: number } | undefined {
  const pieces: Piece[] = [];
  let size = 0;
  let cut = 0;
  for (const container of containers) {
    let bytes = encodeContainer(container);
    if (bytes.length > containerBytes) {
      const fitting = withoutLabels(container, bytes.length, containerBytes);
      if (fitting !== container) cut += 1;
      bytes = encodeContainer(fitting);
    }
    size += bytes.length + AROUND_CONTAINER;
    if (size > most) return undefined;
    pieces.push({ bytes, parts: partsOf(ContainerSchema, bytes) });
  }
  return { pieces, cut };
}

function sizeOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { bytes }) => sum + bytes.length + AROUND_CONTAINER, 0);
}

function inventoryEvent(pieces: readonly Piece[], options: ListingOptions): EncodedEvent {
  const seq = options.nextSeq();
  const body = Buffer.concat(listed(ContainerInventorySchema.field.containers.number, pieces));
  return { seq, bytes: eventOf(seq, { field: EventSchema.field.containerInventory.number, body }, options) };
}

function partEvents(pieces: readonly Piece[], options: ListingOptions): EncodedEvent[] {
  const groups = groupsOf(pieces);
  const fields = ContainerInventoryPartSchema.field;
  let listing: number | undefined;
  return groups.map((group, index) => {
    const seq = options.nextSeq();
    listing ??= seq;
    const head = new BinaryWriter()
      .tag(fields.listing.number, WireType.Varint)
      .uint64(listing)
      .tag(fields.part.number, WireType.Varint)
      .uint32(index + 1)
      .tag(fields.parts.number, WireType.Varint)
      .uint32(groups.length)
      .finish();
    const body = Buffer.concat([head, ...listed(fields.containers.number, group)]);
    return { seq, bytes: eventOf(seq, { field: EventSchema.field.containerInventoryPart.number, body }, options), isAlone: true };
  });
}

function groupsOf(pieces: readonly Piece[]): Piece[][] {
  const groups: Piece[][] = [];
  let open: Piece[] = [];
  let [bytes, parts] = [0, 0];
  for (const piece of pieces) {
    if (open.length === 0 || bytes + piece.bytes.length > PART_BYTES || parts + piece.parts > PART_PARTS) {
      groups.push((open = []));
      [bytes, parts] = [0, 0];
    }
    open.push(piece);
    bytes += piece.bytes.length + AROUND_CONTAINER;
    parts += piece.parts + 1;
  }
  return groups;
}

function listed(field: number, pieces: readonly Piece[]): Uint8Array[] {
  return pieces.flatMap(({ bytes }) => [tagOf(field, bytes.length), bytes]);
}

/** An event whose body is already encoded. */
function eventOf(seq: number, { field, body }: { field: number; body: Uint8Array }, { observedAt, eventId }: ListingOptions): Uint8Array {
  const head: Event = create(EventSchema, { seq: BigInt(seq), eventId: eventId(seq), observedAtMs: msOf(observedAt) });
  return Buffer.concat([toBinary(EventSchema, head), tagOf(field, body.length), body]);
}
