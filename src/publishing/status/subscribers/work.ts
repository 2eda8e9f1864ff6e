import type { MaintenanceRecord } from "../../../alerting/suppression/answers.ts";
import { MINUTE_MS } from "../../../contract/time.ts";
import type { WorkKind } from "./notice.ts";
import { NEWS_MS } from "./subscriber.ts";

export type WorkStatus = MaintenanceRecord["status"];

/** A maintenance window of components that are on the page. */
export interface Work {
  id: number;
  status: WorkStatus;
  title: string;
  description: string;
  startsAt: Date;
  endsAt: Date;
  components: readonly number[];
  updatedAt: Date;
}

/** What was last told of it. */
export interface ToldWork {
  id: number;
  status: WorkStatus;
  title: string;
  startsAt: Date;
  endsAt: Date;
  components: readonly number[];
  version: number;
}

export interface WorkStep {
  /** null: it is too late to tell. */
  kind: WorkKind | null;
  next: ToldWork;
}

/** New times are told when they have stood for so long: somebody may still be moving them. */
const SETTLED_MS = MINUTE_MS;

/** What is to be told of a window now; `work` is undefined when it was deleted. */
export function nextStep(told: ToldWork | undefined, work: Work | undefined, now: Date): WorkStep | undefined {
  if (work === undefined) return told === undefined ? undefined : afterDeletion(told, now);
  const step = (kind: WorkKind): WorkStep => {
    const { id, status, title, startsAt, endsAt, components } = work;
    const isStale = kind === "maintenance_ended" && isOld(endsAt, now);
    return { kind: isStale ? null : kind, next: { id, status, title, startsAt, endsAt, components, version: (told?.version ?? 0) + 1 } };
  };
  // It was over before anybody was told of it.
  if (told === undefined)
    return work.status === "ended" ? undefined : step(work.status === "active" ? "maintenance_started" : "maintenance_planned");
  if (told.status !== work.status) {
    if (work.status === "ended") return step("maintenance_ended");
    return step(work.status === "active" ? "maintenance_started" : "maintenance_rescheduled");
  }
  const isMoved = told.startsAt.getTime() !== work.startsAt.getTime() || told.endsAt.getTime() !== work.endsAt.getTime();
  const isSettled = now.getTime() - work.updatedAt.getTime() >= SETTLED_MS;
  return work.status === "scheduled" && isMoved && isSettled ? step("maintenance_rescheduled") : undefined;
}

function afterDeletion(told: ToldWork, now: Date): WorkStep | undefined {
  if (told.status === "ended") return undefined;
  const isCancelled = told.status === "scheduled" && told.startsAt > now;
  // Deleting a running window ends it.
  const endsAt = told.endsAt < now ? told.endsAt : now;
  const next: ToldWork = { ...told, status: "ended", endsAt: isCancelled ? told.endsAt : endsAt, version: told.version + 1 };
  if (isCancelled) return { kind: "maintenance_cancelled", next };
  return { kind: isOld(endsAt, now) ? null : "maintenance_ended", next };
}

function isOld(endsAt: Date, now: Date): boolean {
  return now.getTime() - endsAt.getTime() > NEWS_MS;
}
