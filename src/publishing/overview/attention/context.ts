import type { Alert } from "../../../alerting/index.ts";
import { HOUR_MS } from "../../../contract/time.ts";
import type { GenerationRecord, TransitionRecord } from "../../../monitoring/containers/answers.ts";
import type { Preceding } from "./answers.ts";

/** The clock of a host may be behind ours: what came this much later still came before. */
const SOON_MS = 5_000;
const MOST_PRECEDING = 3;
const RANKS = { critical: 0, warning: 1, info: 2 } as const;

interface Subject {
  id: number;
  name: string;
}

/** The alerts that are explained: the worst, then the latest. Findings and updates have no moment that something led to. */
export function explainedAlerts(active: readonly Alert[], most: number): Alert[] {
  return active
    .filter(({ source, event }) => source !== "security" && source !== "webhook" && !(source === "update" && event === "available"))
    .toSorted((a, b) => RANKS[a.severity] - RANKS[b.severity] || b.firedAt.getTime() - a.firedAt.getTime() || b.id - a.id)
    .slice(0, most);
}

/** Re-creations of a container in the hour before a moment. `generations` are the newest, newest first. */
export function precedingGenerations(container: Subject, generations: readonly GenerationRecord[], firedAt: Date): Preceding[] {
  return generations.flatMap((generation, index): Preceding[] => {
    const before = generations[index + 1];
    const at = before?.ended_at ?? generation.created_at;
    if (before === undefined || at === null || !isJustBefore(at, firedAt)) return [];
    const isOther = before.image !== generation.image || before.image_digest !== generation.image_digest;
    const kind = isOther ? "image_changed" : "recreated";
    return [{ at, kind, ...subjectOf(container), from: before.image, to: generation.image }];
  });
}

/** The last change of state of the container behind an endpoint or a certificate, in the hour before a moment. */
export function precedingState(container: Subject, transitions: readonly TransitionRecord[], firedAt: Date): Preceding[] {
  const last = transitions.find(
    ({ previous_state: previous, new_state: next, timestamp }) => previous !== next && isJustBefore(timestamp, firedAt),
  );
  if (last === undefined) return [];
  return [{ at: last.timestamp, kind: "state_changed", ...subjectOf(container), from: last.previous_state, to: last.new_state }];
}

/** Newest first, and no more than anybody reads. */
export function latestPreceding(all: readonly Preceding[]): Preceding[] {
  return all.toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, MOST_PRECEDING);
}

/** From when on changes may have led to an alert. */
export function precedingFrom(firedAt: Date): Date {
  return new Date(firedAt.getTime() - HOUR_MS);
}

function isJustBefore(at: string, firedAt: Date): boolean {
  const beforeMs = firedAt.getTime() - Date.parse(at);
  return beforeMs >= -SOON_MS && beforeMs <= HOUR_MS;
}

function subjectOf({ id, name }: Subject): Pick<Preceding, "container_id" | "container_name"> {
  return { container_id: id, container_name: name };
}
