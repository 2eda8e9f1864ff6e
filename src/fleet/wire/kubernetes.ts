import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  KUBERNETES_OBJECT_KINDS,
  type KubernetesObjectKind,
  type KubernetesObjects,
  type KubernetesSighting,
  noObjects,
} from "../../observations/kubernetes.ts";
import type * as wire from "./gen/service/agent/v1/ingest_pb.ts";
import { OBJECT_SCHEMAS, uid } from "./kubernetes-objects.ts";
import { MAX_CONTENT_BYTES, MAX_ERROR, MAX_ID, MAX_NAME, MAX_OBJECTS } from "./limits.ts";
import { cutName, idOf, listOf, nameOf, optionalName, required, WireError } from "./values.ts";
import { KUBERNETES_STANDINGS } from "./vocabulary.ts";

/** A part of a sighting that is too large for one message. */
export interface KubernetesPart {
  /** The seq of its first part. */
  listing: number;
  part: number;
  parts: number;
  observedAt: Date;
  /** With the objects of this part only. */
  sighting: KubernetesSighting;
}

/** The part of a sighting that is in its content. */
export type SightingContent = Pick<KubernetesSighting, "objects" | "removed">;
type Message = MessageInitShape<typeof wire.KubernetesObservedSchema>;

/** Encodes a whole sighting; for parts, pass the `content` of one. */
export function toKubernetes(
  sighting: KubernetesSighting,
  content: Uint8Array = contentOf(sighting),
): Exclude<Message, wire.KubernetesObserved> {
  const { standing, clusterId, version, reason, unseen, isComplete } = sighting;
  return {
    standing: KUBERNETES_STANDINGS.numbers[standing],
    clusterId: clusterId ?? undefined,
    version: version ?? undefined,
    reason: reason ?? undefined,
    unseen,
    complete: isComplete,
    content,
  };
}

/** JSON without kinds that have no objects. */
export function contentOf({ objects, removed }: SightingContent): Uint8Array {
  const someOf = (lists: Partial<Record<KubernetesObjectKind, readonly unknown[]>>): object =>
    Object.fromEntries(KUBERNETES_OBJECT_KINDS.flatMap((kind) => (lists[kind]?.length ? [[kind, lists[kind]]] : [])));
  return Buffer.from(JSON.stringify({ objects: someOf(objects), removed: someOf(removed) }));
}

/** Parses a sighting or a part of one, with the content of that part; a kind of which an object cannot be read is not seen. Throws a WireError. */
export function fromKubernetes(sent: wire.KubernetesObserved, where: string): KubernetesSighting {
  const standing = required(KUBERNETES_STANDINGS.wordOf(sent.standing), `${where}.standing`);
  const { objects, removed, unread } = readContent(sent.content, `${where}.content`);
  const head = {
    standing,
    clusterId: sent.clusterId === undefined ? null : idOf(sent.clusterId, `${where}.cluster_id`, MAX_ID),
    version: optionalName(sent.version, `${where}.version`, MAX_NAME),
    reason: optionalName(sent.reason, `${where}.reason`, MAX_ERROR),
    unseen: unseenOf(sent.unseen, `${where}.unseen`),
  };
  if (standing !== "watching") return { ...head, isComplete: false, objects: noObjects(), removed: {} };
  const unseen = withUnseen(head.unseen, unread);
  return { ...head, unseen, isComplete: sent.complete, objects, removed: sent.complete ? {} : removed };
}

/** Adds kinds that are not named yet. */
export function withUnseen(unseen: KubernetesSighting["unseen"], others: KubernetesSighting["unseen"]): KubernetesSighting["unseen"] {
  const named = new Set(unseen.map(({ kind }) => kind));
  return [...unseen, ...others.filter(({ kind }) => !named.has(kind))];
}

function unseenOf(sent: readonly wire.KubernetesUnseen[], where: string): KubernetesSighting["unseen"] {
  const kinds: ReadonlySet<string> = new Set(KUBERNETES_OBJECT_KINDS);
  const read = listOf(sent, where, {
    most: KUBERNETES_OBJECT_KINDS.length * 2,
    read: ({ kind, reason }, at) => ({ kind, reason: nameOf(reason, `${at}.reason`, MAX_ERROR) }),
  });
  return read.filter((each): each is { kind: KubernetesObjectKind; reason: string } => kinds.has(each.kind));
}

interface ReadContent extends SightingContent {
  /** Kinds of which objects were left out, since they cannot be read. */
  unread: KubernetesSighting["unseen"];
}

/** Parses the content of a part. Of duplicates the later one counts. */
function readContent(bytes: Uint8Array, where: string): ReadContent {
  const content: ReadContent = { objects: noObjects(), removed: {}, unread: [] };
  if (bytes.length === 0) return content;
  if (bytes.length > MAX_CONTENT_BYTES) throw new WireError(where, `has more than ${MAX_CONTENT_BYTES} bytes`);
  const json = jsonOf(bytes, where);
  for (const kind of KUBERNETES_OBJECT_KINDS) {
    // No object has an id that is not valid.
    const ids = listIn(json, "removed", { kind, where }).flatMap((id) => uid.safeParse(id).data ?? []);
    if (ids.length > 0) content.removed[kind] = ids;
    readObjects(content, kind, { json, where });
  }
  return content;
}

/** An object that cannot be read is left out: refusing it would lose all others, and anybody with an account of the cluster may have made it. */
function readObjects<Kind extends KubernetesObjectKind>(
  into: { objects: Pick<KubernetesObjects, Kind>; unread: ReadContent["unread"] },
  kind: Kind,
  { json, where }: { json: unknown; where: string },
): void {
  const objects: KubernetesObjects[Kind][number][] = [];
  const failures: string[] = [];
  for (const each of listIn(json, "objects", { kind, where })) {
    const read = OBJECT_SCHEMAS[kind].safeParse(each);
    if (read.success) objects.push(read.data as KubernetesObjects[Kind][number]);
    else failures.push(read.error.issues[0]?.path.map(String).join(".") ?? "");
  }
  into.objects[kind] = objects as KubernetesObjects[Kind];
  if (failures.length > 0) into.unread.push({ kind, reason: unreadReason(failures) });
}

function unreadReason(failures: readonly string[]): string {
  const [first = ""] = failures;
  const field = cutName(first, 100);
  const where = field === "" ? "" : `, the first because of ${field}`;
  return `${failures.length} of the objects that the agent sent cannot be read${where}.`;
}

function jsonOf(bytes: Uint8Array, where: string): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new WireError(where, "is not JSON");
  }
}

function listIn(json: unknown, part: "objects" | "removed", { kind, where }: { kind: KubernetesObjectKind; where: string }): unknown[] {
  const all: unknown = typeof json === "object" && json !== null ? Reflect.get(json, part) : undefined;
  const found: unknown = typeof all === "object" && all !== null ? Reflect.get(all, kind) : undefined;
  if (found === undefined) return [];
  if (!Array.isArray(found)) throw new WireError(`${where}.${part}.${kind}`, "is not a list");
  if (found.length > MAX_OBJECTS[kind]) throw new WireError(`${where}.${part}.${kind}`, `has more than ${MAX_OBJECTS[kind]} items`);
  return found as unknown[];
}
