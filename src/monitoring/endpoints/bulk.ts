import { type BulkOutcome, countOutcomes, createItemFaults } from "../../http/bulk.ts";
import { BulkAnswer } from "../../http/route.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Serial } from "../../platform/queues.ts";
import { definedBy, newStandalone, changed, definitionOf, type Step } from "./definition.ts";
import type { SavedEndpoint } from "./endpoint.ts";
import type { Projection } from "./projection.ts";
import { endpointRecord } from "./records.ts";
import { ONE_BY_ONE, type Register } from "./register.ts";
import type { EndpointItem } from "./api.ts";
import type { EndpointBulkAnswer } from "./answers.ts";

export interface EndpointBulkParts {
  projection: Projection;
  register: Register;
  clock: Clock;
  serial: Serial;
}

/** Creates and changes many standalone endpoints by the caller's keys: all of them, or none where one cannot be used. Throws `unusable_values`. */
export type EndpointBulk = (items: readonly EndpointItem[]) => Promise<BulkAnswer>;

/** What becomes of an item: a step to save, or the endpoint that is already so. */
interface Plan {
  key: string;
  outcome: BulkOutcome;
  previous: SavedEndpoint | undefined;
  next: Step["next"];
}

export function createEndpointBulk({ projection, register, clock, serial }: EndpointBulkParts): EndpointBulk {
  function planAll(items: readonly EndpointItem[], now: Date): Plan[] {
    const known = new Map([...projection.all()].flatMap((each) => (each.callerKey === null ? [] : [[each.callerKey, each] as const])));
    const faults = createItemFaults("endpoints");
    const plans = items.flatMap((item, index) => {
      const plan = faults.attempt(index, item.key, () => planOf(item, known.get(item.key), now));
      return plan === undefined ? [] : [plan];
    });
    faults.refuse();
    return plans;
  }

  return (items) =>
    serial(ONE_BY_ONE, async () => {
      const now = clock.now();
      const plans = planAll(items, now);
      const before = new Map(
        plans.flatMap(({ key, previous }) => (previous === undefined ? [] : [[key, recordOf(previous, now)] as const])),
      );
      const steps = plans.filter(({ outcome }) => outcome !== "unchanged");
      const saved = steps.length === 0 ? [] : await register.change(steps, now);
      const byKey = new Map(saved.map((endpoint) => [endpoint.callerKey, endpoint]));
      const results = plans.map(({ key, outcome, previous }) => ({ key, id: idOf(byKey.get(key) ?? previous), outcome }));
      const changes = saved.map((endpoint) => {
        const found = before.get(endpoint.callerKey ?? "");
        return { ...(found !== undefined && { before: found }), after: recordOf(endpoint, now) };
      });
      const answer: EndpointBulkAnswer = { endpoints: results, ...countOutcomes(results) };
      return new BulkAnswer(answer, changes);
    });

  function recordOf(endpoint: SavedEndpoint, now: Date) {
    return endpointRecord(endpoint, projection.tally(endpoint.id), now);
  }
}

/** Throws `unusable_values` where a masked value stands for nothing that is kept. */
function planOf({ key, ...body }: EndpointItem, previous: SavedEndpoint | undefined, now: Date): Plan {
  if (previous === undefined) return { key, outcome: "created", previous, next: newStandalone(body, { callerKey: key, now }) };
  const next = changed(previous, definedBy(body, previous.check), now);
  const isSame = definitionOf(next) === definitionOf(previous);
  return { key, outcome: isSame ? "unchanged" : "updated", previous, next: isSame ? previous : { ...next, updatedAt: now } };
}

function idOf(endpoint: SavedEndpoint | undefined): number {
  if (endpoint === undefined) throw new Error("an endpoint of a bulk operation was not saved");
  return endpoint.id;
}
