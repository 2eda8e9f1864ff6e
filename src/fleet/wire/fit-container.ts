import { create, toBinary } from "@bufbuild/protobuf";
import type { ContainerSighting } from "../../observations.ts";
import { fromContainer, toContainer } from "./container.ts";
import { type Container, ContainerSchema } from "./gen/service/agent/v1/ingest_pb.ts";
import { MAX_BATCH_BYTES, MAX_LABEL_ERRORS } from "./limits.ts";

/** Of a container: it fits into a batch, with room for what is around it. */
export const MAX_CONTAINER_BYTES = MAX_BATCH_BYTES - 1024;
/** Labels that have no more need not be measured. */
const SMALL_BYTES = MAX_BATCH_BYTES / 4;
/** The bytes of the note that labels are left out. */
const NOTE_BYTES = 1024;
/** Labels by which a server distinguishes containers, and in which it finds their settings. */
const NEEDED = /^(?:service|com\.docker|io\.kubernetes|org\.opencontainers)\./;

export function encodeContainer(container: ContainerSighting): Uint8Array {
  return toBinary(ContainerSchema, create(ContainerSchema, toContainer(container)));
}

/** The container itself, or a copy without its largest labels. */
export function fitContainer(container: ContainerSighting, most: number): ContainerSighting {
  const size = encodeContainer(container).length;
  return size <= most ? container : withoutLabels(container, size, most);
}

/**
 * Leaves out the largest labels of a container, and notes that among its label errors. Its settings were already read from them. Labels by which a
 * server distinguishes containers stay, unless no message could hold them.
 */
export function withoutLabels(container: ContainerSighting, bytes: number, most: number): ContainerSighting {
  const labels = Object.entries(container.labels)
    .map(([name, value]) => ({ name, bytes: Buffer.byteLength(name) + Buffer.byteLength(value), isNeeded: NEEDED.test(name) }))
    .toSorted((one, other) => Number(one.isNeeded) - Number(other.isNeeded) || other.bytes - one.bytes);
  const left = new Set<string>();
  let size = bytes + NOTE_BYTES;
  for (const label of labels) {
    if (size <= (label.isNeeded ? MAX_CONTAINER_BYTES : most)) continue;
    left.add(label.name);
    size -= label.bytes;
  }
  if (left.size === 0) return container;
  const [first = "", ...others] = left;
  const more = others.length === 0 ? "" : `, with ${others.length} more`;
  const message = `Left out${more}: the labels of this container are larger than an agent can send.`;
  return {
    ...container,
    labels: Object.fromEntries(Object.entries(container.labels).filter(([name]) => !left.has(name))),
    labelErrors: [...container.labelErrors.slice(0, MAX_LABEL_ERRORS - 1), { label: first.slice(0, 255), message }],
  };
}

/** Without labels a container is far below what it may have; a character is at most three bytes. */
function isSmall(labels: Readonly<Record<string, string>>): boolean {
  let characters = 0;
  for (const [name, value] of Object.entries(labels)) characters += name.length + value.length;
  return characters * 3 <= SMALL_BYTES;
}

/** A container as an agent sent it, which may not have kept to the bound. */
export function readContainer(sent: Container | undefined, where: string): ContainerSighting {
  const container = fromContainer(sent, where);
  return isSmall(container.labels) ? container : fitContainer(container, MAX_CONTAINER_BYTES);
}
