import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Event } from "../../events.ts";
import { type BulkOutcome, countOutcomes } from "../../http/bulk.ts";
import { BulkAnswer } from "../../http/route.ts";
import { lifeEvent, ONE_BY_ONE, type SavedHeartbeat, updatedEvent } from "./changes.ts";
import { type Change, createHeartbeat, edit, type Heartbeat, type Settings } from "./heartbeat.ts";
import { heartbeatRecord } from "./records.ts";
import type { HeartbeatParts } from "./serving.ts";
import { savingOf } from "./store.ts";
import type { HeartbeatItem } from "./api.ts";
import { completeSettings } from "./settings.ts";
import type { HeartbeatBulkAnswer } from "./answers.ts";

/** Creates and changes many heartbeats by the caller's keys, all of them or none. */
export type HeartbeatBulk = (items: readonly HeartbeatItem[]) => Promise<BulkAnswer>;

/** What becomes of an item. */
type Plan =
  | { key: string; outcome: "created"; next: Heartbeat }
  | { key: string; outcome: "updated"; previous: SavedHeartbeat; change: Change }
  | { key: string; outcome: "unchanged"; previous: SavedHeartbeat };

export function createHeartbeatBulk({
  store,
  projection,
  serving,
  serial,
  bus,
  clock,
  baseUrl,
}: HeartbeatParts & { baseUrl: string }): HeartbeatBulk {
  function planAll(items: readonly HeartbeatItem[], now: Date): Plan[] {
    const known = new Map([...projection.all()].flatMap((each) => (each.callerKey === null ? [] : [[each.callerKey, each] as const])));
    return items.map(({ key, ...body }): Plan => {
      const settings = completeSettings(body);
      const previous = known.get(key);
      if (previous === undefined)
        return { key, outcome: "created", next: createHeartbeat(settings, { uuid: randomUUID(), callerKey: key, now }) };
      if (isDeepStrictEqual(settingsOf(previous), settings)) return { key, outcome: "unchanged", previous };
      return { key, outcome: "updated", previous, change: edit(previous, settings, now, serving.times()) };
    });
  }

  return (items) =>
    serial(ONE_BY_ONE, async () => {
      const now = clock.now();
      const plans = planAll(items, now);
      const events: Event[] = [];
      const created = await store.setUp(
        {
          created: plans.flatMap((plan) => (plan.outcome === "created" ? [plan.next] : [])),
          changed: plans.flatMap((plan) => (plan.outcome === "updated" ? [savingOf(plan.previous.id, plan.change)] : [])),
        },
        async (unit, saved) => {
          events.push(...eventsOf(resultsOf(plans, saved), now));
          await bus.keep(unit, events);
        },
      );
      const results = resultsOf(plans, created);
      for (const { outcome, heartbeat } of results) if (outcome !== "unchanged") projection.put(heartbeat);
      for (const event of events) bus.publish(event);
      const heartbeats = results.map(({ key, outcome, heartbeat }) => {
        const { ping_url } = heartbeatRecord(heartbeat, baseUrl);
        return { key, id: heartbeat.id, outcome, ping_url };
      });
      const answer: HeartbeatBulkAnswer = { heartbeats, ...countOutcomes(heartbeats) };
      const changes = results.filter(({ outcome }) => outcome !== "unchanged");
      return new BulkAnswer(
        answer,
        changes.map(({ previous, heartbeat }) => ({
          ...(previous !== undefined && { before: heartbeatRecord(previous, baseUrl) }),
          after: heartbeatRecord(heartbeat, baseUrl),
        })),
      );
    });
}

interface Result {
  key: string;
  outcome: BulkOutcome;
  previous?: SavedHeartbeat;
  heartbeat: SavedHeartbeat;
}

/** What each item is once it is saved; `created` in the order of the items. */
function resultsOf(plans: readonly Plan[], created: readonly SavedHeartbeat[]): Result[] {
  const waiting = [...created].reverse();
  return plans.map((plan): Result => {
    if (plan.outcome === "unchanged") return { ...plan, heartbeat: plan.previous };
    if (plan.outcome === "updated") return { ...plan, heartbeat: { ...plan.change.next, id: plan.previous.id } };
    const heartbeat = waiting.pop();
    if (heartbeat === undefined) throw new Error("a heartbeat of a bulk operation was not saved");
    return { ...plan, heartbeat };
  });
}

function eventsOf(results: readonly Result[], at: Date): Event[] {
  return results.flatMap(({ outcome, previous, heartbeat }): Event[] => {
    if (outcome === "unchanged") return [];
    return [
      previous === undefined ? lifeEvent("heartbeat.created", heartbeat, at) : updatedEvent(previous, heartbeat, { at, change: "edited" }),
    ];
  });
}

function settingsOf({ name, tags, schedule, graceSeconds, maxRuntimeSeconds }: Heartbeat): Settings {
  return { name, tags, schedule, graceSeconds, maxRuntimeSeconds };
}
