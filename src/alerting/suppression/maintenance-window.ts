import type { Fault } from "../../platform/errors.ts";
import { isSameEntity, readEntity, scopeFault } from "../scope.ts";
import type { Entity } from "../vocabulary.ts";
import { type MaintenanceBody, type MaintenanceUpdate, WINDOW_STATUSES, type WindowStatus } from "./api.ts";
import { type Period, periodFaults, standing } from "./period.ts";

/** The fields of a window that a user enters. */
export interface WindowPlan extends Period {
  title: string;
  description: string;
  /** Ids of components of the status page. */
  components: readonly number[];
  entities: readonly Entity[];
}

/** A planned time in which alerts about the covered things are recorded but not sent. */
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

/** The present status. It never returns to an earlier one, even if the clock is set back, unless the window is edited. */
export function windowStatus(window: MaintenanceWindow, now: Date): WindowStatus {
  const byClock = plannedStatus(window, now);
  return WINDOW_STATUSES.indexOf(byClock) > WINDOW_STATUSES.indexOf(window.published) ? byClock : window.published;
}

/**
 * Parses a body into a plan; omitted fields stay as they were. Also answers everything that is wrong with it. The times of a past window may stay. An
 * end in the past means now for a running window.
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

/** Whether one of these things is covered; `covered` are the things that the window's components stand for. */
export function covers({ entities }: WindowPlan, covered: readonly Entity[], things: readonly Entity[]): boolean {
  const isNamed = (named: Entity): boolean => things.some((thing) => isSameEntity(named, thing));
  return entities.some(isNamed) || covered.some(isNamed);
}

/** The names of the changes of status, in order: it began, it ended. */
export function statusChange(before: WindowStatus | undefined, after: WindowStatus | undefined): "started" | "ended" | undefined {
  if (before === after) return undefined;
  if (after === "active") return "started";
  // A window that passed while the program was stopped ended too, though its start was never published.
  return before === "active" || (before === "scheduled" && after === "ended") ? "ended" : undefined;
}
