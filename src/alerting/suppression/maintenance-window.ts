import type { Fault } from "../../platform/errors.ts";
import { isSameEntity, readEntity, scopeFault } from "../scope.ts";
import type { Entity } from "../vocabulary.ts";
import { type MaintenanceBody, type MaintenanceUpdate, WINDOW_STATUSES, type WindowStatus } from "./api.ts";
import { type Period, periodFaults, standing } from "./period.ts";

/** What a user enters about planned work. */
export interface WindowPlan extends Period {
  title: string;
  description: string;
  /** Of the status page, by id. */
  components: readonly number[];
  entities: readonly Entity[];
}

/** A time in which things are expected to break: alerts about them are recorded, but not sent. */
export interface MaintenanceWindow extends WindowPlan {
  id: number;
  createdAt: Date;
  updatedAt: Date;
  /** The status that was last published. */
  published: WindowStatus;
}

const BY_STANDING = { before: "scheduled", within: "active", over: "ended" } as const;

export function plannedStatus(plan: Period, now: Date): WindowStatus {
  return BY_STANDING[standing(plan, now)];
}

/** What it is now. It never goes back to what it was, even if the clock does: only by being changed. */
export function windowStatus(window: MaintenanceWindow, now: Date): WindowStatus {
  const byClock = plannedStatus(window, now);
  return WINDOW_STATUSES.indexOf(byClock) > WINDOW_STATUSES.indexOf(window.published) ? byClock : window.published;
}

/**
 * The plan that a body asks for, what it leaves out being as it was, and everything that is wrong with it. The times of a window
 * that is over may stand; an end that has passed means, for a running window, now.
 */
export function readPlan(
  body: MaintenanceBody | MaintenanceUpdate,
  current: MaintenanceWindow | undefined,
  now: Date,
): { plan: WindowPlan; faults: Fault[] } {
  const startsAt = body.starts_at === undefined ? (current?.startsAt ?? now) : new Date(body.starts_at);
  const asked = body.ends_at === undefined ? (current?.endsAt ?? now) : new Date(body.ends_at);
  const running = current !== undefined && windowStatus(current, now) === "active" && startsAt < now;
  const endsNow = running && asked > startsAt && asked <= now;
  const plan: WindowPlan = {
    title: body.title ?? current?.title ?? "",
    description: body.description ?? current?.description ?? "",
    startsAt,
    endsAt: endsNow ? now : asked,
    components: body.components === undefined ? (current?.components ?? []) : [...new Set(body.components)],
    entities: body.entities === undefined ? (current?.entities ?? []) : readEntities(body.entities),
  };
  const sameTimes = current?.startsAt.getTime() === plan.startsAt.getTime() && current.endsAt.getTime() === plan.endsAt.getTime();
  const faults = sameTimes || endsNow ? [] : periodFaults(plan, now);
  for (const [index, { entity_type: type, entity_id: id }] of (body.entities ?? []).entries()) {
    const message = scopeFault({ type, id });
    if (message !== undefined) faults.push({ path: `entities.${index}.entity_id`, message });
  }
  if (plan.components.length === 0 && plan.entities.length === 0) {
    faults.push({ path: "entities", message: "Name what it covers, here or in components" });
  }
  return { plan, faults };
}

function readEntities(entities: NonNullable<MaintenanceBody["entities"]>): Entity[] {
  const named = entities.map(({ entity_type: type, entity_id: id }) => readEntity({ type, id }));
  return [...new Map(named.map((entity) => [`${entity.type}:${entity.id}`, entity])).values()];
}

/** Whether one of these things is covered: `covered` are those that the window's components stand for. */
export function covers({ entities }: WindowPlan, covered: readonly Entity[], things: readonly Entity[]): boolean {
  const isNamed = (named: Entity): boolean => things.some((thing) => isSameEntity(named, thing));
  return entities.some(isNamed) || covered.some(isNamed);
}

/** What a change of status is called, in order: it began, or it is over. */
export function statusChange(before: WindowStatus | undefined, after: WindowStatus | undefined): "started" | "ended" | undefined {
  if (before === after) return undefined;
  if (after === "active") return "started";
  // A window that passed while nobody looked is over too, though its start was never published.
  return before === "active" || (before === "scheduled" && after === "ended") ? "ended" : undefined;
}
