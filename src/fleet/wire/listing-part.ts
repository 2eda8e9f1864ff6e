import { headOf, inventoryOf, type Reading, type WireEvent } from "./event.ts";
import type { ContainerInventoryPart } from "./gen/service/agent/v1/ingest_pb.ts";
import { MAX_LISTING_PARTS } from "./limits.ts";
import type { SentEvent } from "./sent-batch.ts";
import { numberOf, within } from "./values.ts";
import { WireError } from "./wire-error.ts";

const WHERE = "container_inventory_part";

/** The inventory that a part completes; undefined while others are missing. Throws a WireError. */
export function wholeListing(event: SentEvent, sent: ContainerInventoryPart, reading: Reading): WireEvent | undefined {
  const { observedAt, ...head } = headOf(event, reading.latestMs);
  if (head.replayed) throw new WireError(WHERE, "is replayed");
  if (sent.containers.length === 0) throw new WireError(`${WHERE}.containers`, "is empty");
  const parts = within(sent.parts, `${WHERE}.parts`, [1, MAX_LISTING_PARTS]);
  const part = within(sent.part, `${WHERE}.part`, [1, parts]);
  const listing = numberOf(sent.listing, `${WHERE}.listing`);
  const isRight = part === 1 ? listing === head.seq : listing < head.seq;
  if (!isRight) throw new WireError(`${WHERE}.listing`, "is not the seq of its first part");
  const containers = reading.assemble?.({
    listing,
    part,
    parts,
    observedAt,
    containers: inventoryOf(sent.containers, `${WHERE}.containers`),
  });
  return containers === undefined ? undefined : { ...head, observation: { kind: "container.inventory", observedAt, containers } };
}
