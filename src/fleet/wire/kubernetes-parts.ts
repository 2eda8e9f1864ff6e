import { create, toBinary } from "@bufbuild/protobuf";
import { KUBERNETES_OBJECT_KINDS, type KubernetesObjectKind, type KubernetesSighting } from "../../observations/kubernetes.ts";
import type { EncodedEvent, PartsOptions } from "./batch.ts";
import { EventSchema } from "./gen/service/agent/v1/ingest_pb.ts";
import { toKubernetes } from "./kubernetes.ts";
import { MAX_OBJECTS, MAX_LISTING_BYTES, MAX_LISTING_PARTS } from "./limits.ts";
import { msOf } from "./values.ts";

/** Of a part: small enough that live events do not wait long behind it. */
const PART_BYTES = 512 * 1024;
/** The JSON around the objects, for all kinds. */
const AROUND_BYTES = 1024;
const MOST_OBJECT_BYTES = PART_BYTES - AROUND_BYTES;

interface EncodedSighting {
  /** In order; more than one are parts. */
  events: EncodedEvent[];
  /** Kinds of which some objects are missing, because there are too many or they are too large. */
  cut: KubernetesObjectKind[];
}

interface Piece {
  part: "objects" | "removed";
  kind: KubernetesObjectKind;
  json: string;
  bytes: number;
}

/** Encodes a sighting of a cluster as one event, or as parts. A kind that does not fit is marked as not seen, so that none of it counts as gone. */
export function encodeSighting(sighting: KubernetesSighting, options: PartsOptions): EncodedSighting {
  const { pieces, cut } = piecesOf(sighting);
  const reason = "There are more objects of this kind than an agent can send.";
  const named = new Set(sighting.unseen.map(({ kind }) => kind));
  const unseen = [...sighting.unseen, ...cut.filter((kind) => !named.has(kind)).map((kind) => ({ kind, reason }))];
  const contents = groupsOf(pieces).map(contentOfPieces);
  let firstPart = 0;
  const events = contents.map((content, index) => {
    const seq = options.nextSeq();
    if (index === 0) firstPart = seq;
    const place = contents.length === 1 ? {} : { firstPart: BigInt(firstPart), part: index + 1, parts: contents.length };
    const value = { ...toKubernetes({ ...sighting, unseen }, content), ...place };
    const message = create(EventSchema, {
      seq: BigInt(seq),
      eventId: options.eventId(seq),
      observedAtMs: msOf(options.observedAt),
      body: { case: "kubernetesObserved", value },
    });
    return { seq, bytes: toBinary(EventSchema, message), ...(contents.length === 1 ? {} : { isAlone: true }) };
  });
  return { events, cut };
}

function piecesOf({ objects, removed }: KubernetesSighting): { pieces: Piece[]; cut: KubernetesObjectKind[] } {
  const pieces: Piece[] = [];
  const cut = new Set<KubernetesObjectKind>();
  let size = 0;
  const most = Math.min(MAX_LISTING_BYTES, (MAX_LISTING_PARTS - 1) * (MOST_OBJECT_BYTES / 2));
  const add = (part: Piece["part"], kind: KubernetesObjectKind, any: unknown): void => {
    const json = JSON.stringify(any);
    const bytes = Buffer.byteLength(json) + 1;
    if (bytes > MOST_OBJECT_BYTES || size + bytes > most) return void cut.add(kind);
    size += bytes;
    pieces.push({ part, kind, json, bytes });
  };
  for (const kind of KUBERNETES_OBJECT_KINDS) {
    if (objects[kind].length > MAX_OBJECTS[kind]) cut.add(kind);
    for (const each of objects[kind].slice(0, MAX_OBJECTS[kind])) add("objects", kind, each);
    for (const id of removed[kind] ?? []) add("removed", kind, id);
  }
  return { pieces, cut: [...cut] };
}

/** At least one: a sighting without news has an empty content. */
function groupsOf(pieces: readonly Piece[]): Piece[][] {
  const groups: Piece[][] = [];
  let open: Piece[] = [];
  groups.push(open);
  let bytes = 0;
  for (const piece of pieces) {
    if (bytes + piece.bytes > MOST_OBJECT_BYTES) {
      groups.push((open = []));
      bytes = 0;
    }
    open.push(piece);
    bytes += piece.bytes;
  }
  return groups;
}

function contentOfPieces(pieces: readonly Piece[]): Uint8Array {
  if (pieces.length === 0) return new Uint8Array(0);
  const byPart = (part: Piece["part"]): string => {
    const kinds = Map.groupBy(
      pieces.filter((piece) => piece.part === part),
      ({ kind }) => kind,
    );
    return `{${[...kinds].map(([kind, ofKind]) => `"${kind}":[${ofKind.map(({ json }) => json).join(",")}]`).join(",")}}`;
  };
  return Buffer.from(`{"objects":${byPart("objects")},"removed":${byPart("removed")}}`);
}
