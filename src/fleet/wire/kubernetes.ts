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
import { idOf, listOf, nameOf, optionalName, required, WireError } from "./values.ts";
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

/** Parses a sighting or a part of one, with the content of that part. Throws a WireError. */
export function fromKubernetes(sent: wire.KubernetesObserved, where: string): KubernetesSighting {
  const standing = required(KUBERNETES_STANDINGS.wordOf(sent.standing), `${where}.standing`);
  const { objects, removed } = readContent(sent.content, `${where}.content`);
  const head = {
    standing,
    clusterId: sent.clusterId === undefined ? null : idOf(sent.clusterId, `${where}.cluster_id`, MAX_ID),
    version: optionalName(sent.version, `${where}.version`, MAX_NAME),
    reason: optionalName(sent.reason, `${where}.reason`, MAX_ERROR),
    unseen: unseenOf(sent.unseen, `${where}.unseen`),
  };
  if (standing !== "watching") return { ...head, isComplete: false, objects: noObjects(), removed: {} };
  return { ...head, isComplete: sent.complete, objects, removed: sent.complete ? {} : removed };
}

function unseenOf(sent: readonly wire.KubernetesUnseen[], where: string): KubernetesSighting["unseen"] {
  const kinds: ReadonlySet<string> = new Set(KUBERNETES_OBJECT_KINDS);
  const read = listOf(sent, where, {
    most: KUBERNETES_OBJECT_KINDS.length * 2,
    read: ({ kind, reason }, at) => ({ kind, reason: nameOf(reason, `${at}.reason`, MAX_ERROR) }),
  });
  return read.filter((each): each is { kind: KubernetesObjectKind; reason: string } => kinds.has(each.kind));
}

/** Parses the content of a part. Of duplicates the later one counts. */
function readContent(bytes: Uint8Array, where: string): SightingContent {
  const content: SightingContent = { objects: noObjects(), removed: {} };
  if (bytes.length === 0) return content;
  if (bytes.length > MAX_CONTENT_BYTES) throw new WireError(where, `has more than ${MAX_CONTENT_BYTES} bytes`);
  const json = jsonOf(bytes, where);
  for (const kind of KUBERNETES_OBJECT_KINDS) {
    const ids = listIn(json, "removed", { kind, where });
    if (ids.length > 0) content.removed[kind] = ids.map((id) => checked(uid, id, `${where}.removed.${kind}`));
    readObjects(content.objects, kind, { json, where });
  }
  return content;
}

function readObjects<Kind extends KubernetesObjectKind>(
  into: Pick<KubernetesObjects, Kind>,
  kind: Kind,
  { json, where }: { json: unknown; where: string },
): void {
  const schema = OBJECT_SCHEMAS[kind];
  into[kind] = listIn(json, "objects", { kind, where }).map((each) =>
    checked<KubernetesObjects[Kind][number]>(schema, each, `${where}.objects.${kind}`),
  ) as KubernetesObjects[Kind];
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

interface Schema<Value> {
  safeParse(
    any: unknown,
  ): { success: true; data: Value } | { success: false; error: { issues: readonly { path: readonly PropertyKey[] }[] } };
}

function checked<Value>(schema: Schema<Value>, any: unknown, where: string): Value {
  const result = schema.safeParse(any);
  if (result.success) return result.data;
  const path = result.error.issues[0]?.path.map(String).join(".") ?? "";
  throw new WireError(`${where}[]${path && `.${nameOf(path.slice(0, 100), where, 100)}`}`, "is missing or not known");
}
