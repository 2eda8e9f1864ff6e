import { headOf, type Reading, type WireEvent, inventoryOf } from "./event.ts";
import type { KubernetesObserved, ContainerInventoryPart } from "./gen/service/agent/v1/ingest_pb.ts";
import { fromKubernetes } from "./kubernetes.ts";
import { MAX_LISTING_PARTS } from "./limits.ts";
import type { SentEvent } from "./sent-batch.ts";
import { numberOf, within, WireError } from "./values.ts";

const WHERE = "kubernetes_observed";

/** The sighting that a part completes; undefined while others are missing. Throws a WireError. */
export function wholeSighting(event: SentEvent, sent: KubernetesObserved, reading: Reading): WireEvent | undefined {
  const { observedAt, ...head } = headOf(event, reading.latestMs);
  if (head.replayed) throw new WireError(WHERE, "is replayed");
  const parts = within(sent.parts, `${WHERE}.parts`, [1, MAX_LISTING_PARTS]);
  const part = within(sent.part, `${WHERE}.part`, [1, parts]);
  const listing = numberOf(sent.firstPart, `${WHERE}.first_part`);
  const isRight = part === 1 ? listing === head.seq : listing < head.seq;
  if (!isRight) throw new WireError(`${WHERE}.first_part`, "is not the seq of its first part");
  const sighting = fromKubernetes(sent, WHERE);
  if (sighting.standing !== "watching") throw new WireError(WHERE, "shows nothing, and so has no parts");
  const kubernetes = reading.assembleKubernetes?.({ listing, part, parts, observedAt, sighting });
  return kubernetes === undefined ? undefined : { ...head, observation: { kind: "kubernetes.observed", observedAt, kubernetes } };
}

const WHERE_OF_LISTING = "container_inventory_part";

/** The inventory that a part completes; undefined while others are missing. Throws a WireError. */
export function wholeListing(event: SentEvent, sent: ContainerInventoryPart, reading: Reading): WireEvent | undefined {
  const { observedAt, ...head } = headOf(event, reading.latestMs);
  if (head.replayed) throw new WireError(WHERE_OF_LISTING, "is replayed");
  if (sent.containers.length === 0) throw new WireError(`${WHERE_OF_LISTING}.containers`, "is empty");
  const parts = within(sent.parts, `${WHERE_OF_LISTING}.parts`, [1, MAX_LISTING_PARTS]);
  const part = within(sent.part, `${WHERE_OF_LISTING}.part`, [1, parts]);
  const listing = numberOf(sent.listing, `${WHERE_OF_LISTING}.listing`);
  const isRight = part === 1 ? listing === head.seq : listing < head.seq;
  if (!isRight) throw new WireError(`${WHERE_OF_LISTING}.listing`, "is not the seq of its first part");
  const containers = inventoryOf(sent.containers, `${WHERE_OF_LISTING}.containers`, reading.onUnread);
  const whole = reading.assemble?.({ listing, part, parts, observedAt, ...containers });
  return whole === undefined ? undefined : { ...head, observation: { kind: "container.inventory", observedAt, ...whole } };
}
