import type { Entity } from "../../../alerting/index.ts";
import type { MaintenanceRecord } from "../../../alerting/suppression/answers.ts";
import { type ComponentStatus, worstOf } from "../vocabulary.ts";
import type { Member } from "./component.ts";

/** Maintenance that runs, by what it names. */
export interface RunningWorks {
  components: ReadonlySet<number>;
  entities: ReadonlySet<string>;
}

export function runningWorks(windows: readonly MaintenanceRecord[], now: Date): RunningWorks {
  const running = windows.filter((window) => isRunning(window, now));
  return {
    components: new Set(running.flatMap(({ components }) => components)),
    entities: new Set(running.flatMap(({ entities }) => entities.map(({ entity_type: type, entity_id: id }) => keyOf({ type, id })))),
  };
}

/** Whether work is done on a component: one names it, or its monitor, or what that depends on. */
export function isWorkedOn({ components, entities }: RunningWorks, componentId: number, standsFor: readonly Entity[]): boolean {
  return components.has(componentId) || (entities.size > 0 && standsFor.some((entity) => entities.has(keyOf(entity))));
}

interface Followed {
  standsFor: readonly Entity[];
  /** Of a group or a host. */
  members: readonly Member[] | undefined;
}

/** What maintenance makes of a component; null: nothing. One whose members are worked on in part is as a page of which some components are. */
export function statusByWorks(works: RunningWorks, componentId: number, { standsFor, members = [] }: Followed): ComponentStatus | null {
  if (isWorkedOn(works, componentId, standsFor)) return "maintenance";
  const isNamed = ({ entities }: Member): boolean => entities.some((entity) => works.entities.has(keyOf(entity)));
  if (works.entities.size === 0 || !members.some(isNamed)) return null;
  return worstOf(members.flatMap((member) => (isNamed(member) ? "maintenance" : (member.status ?? []))));
}

/** The record may be older than now. */
function isRunning({ status, starts_at: startsAt, ends_at: endsAt }: MaintenanceRecord, now: Date): boolean {
  const nowMs = now.getTime();
  return status !== "ended" && Date.parse(startsAt) <= nowMs && nowMs < Date.parse(endsAt);
}

function keyOf({ type, id }: Entity): string {
  return `${type}:${id}`;
}
