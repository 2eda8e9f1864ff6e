import { headOf, type Reading, type WireEvent } from "./event.ts";
import type { KubernetesObserved } from "./gen/service/agent/v1/ingest_pb.ts";
import { fromKubernetes } from "./kubernetes.ts";
import { MAX_LISTING_PARTS } from "./limits.ts";
import type { SentEvent } from "./sent-batch.ts";
import { numberOf, within } from "./values.ts";
import { WireError } from "./wire-error.ts";

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
