import type { Entity } from "../../../alerting/index.ts";
import type { MaintenanceRecord } from "../../../alerting/suppression/answers.ts";
import type { CertificateStatus, ContainerState, EndpointStatus, HeartbeatStatus } from "../../../events.ts";
import type { SavedContainer } from "../../../monitoring/containers/index.ts";
import { type ComponentStatus, worstOf } from "../vocabulary.ts";
import type { Look, Member } from "./component.ts";

/** What a monitor makes of its component; null: it is not observed. Source: specification, Component status; contract, sections 8 and 19. */

const BY_STATE: Record<ContainerState, ComponentStatus> = {
  running: "operational",
  completed: "operational",
  created: "operational",
  paused: "major_outage",
  restarting: "major_outage",
  exited: "major_outage",
  dead: "major_outage",
};

export const STATUS_BY_ENDPOINT: Record<EndpointStatus, ComponentStatus | null> = {
  up: "operational",
  unknown: null,
  degraded: "degraded",
  down: "major_outage",
};

export const STATUS_BY_HEARTBEAT: Record<HeartbeatStatus, ComponentStatus> = {
  new: "operational",
  up: "operational",
  started: "operational",
  paused: "operational",
  down: "major_outage",
};

export const STATUS_BY_CERTIFICATE: Record<CertificateStatus, ComponentStatus | null> = {
  valid: "operational",
  unknown: null,
  expiring: "degraded",
  unreachable: "degraded",
  expired: "major_outage",
  chain_invalid: "major_outage",
};

export function statusOfContainer({ state, health }: Pick<SavedContainer, "state" | "health">): ComponentStatus {
  return state === "running" && health === "unhealthy" ? "degraded" : BY_STATE[state];
}

type Standing = Pick<Look, "status" | "lastObservedAt">;

/** What the members of a group or a host make of its component. It was observed when the well one that was observed longest ago was. */
export function stateOfMembers(members: readonly Standing[]): Standing {
  const known = members.filter(({ status }) => status !== null);
  if (known.length === 0) return { status: null, lastObservedAt: null };
  const well = known.filter(({ status }) => status === "operational");
  return {
    status: worstOf(known.flatMap(({ status }) => status ?? [])),
    lastObservedAt: earliest((well.length > 0 ? well : known).map(({ lastObservedAt }) => lastObservedAt)),
  };
}

/** null when one of them is: since the start it was not observed at all. */
function earliest(times: readonly (Date | null)[]): Date | null {
  return times.reduce((first, time) => (first === null || time === null ? null : time < first ? time : first));
}

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
