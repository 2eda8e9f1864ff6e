import type { Alert, Alerting } from "../../alerting/index.ts";
import { MINUTE_MS, HOUR_MS } from "../../contract/time.ts";
import type { Certificates } from "../../monitoring/certificates/index.ts";
import type { GenerationRecord, TransitionRecord } from "../../monitoring/containers/answers.ts";
import { type Containers, cutLine, type SavedContainer } from "../../monitoring/containers/index.ts";
import type { Endpoints } from "../../monitoring/endpoints/index.ts";
import type { Clock } from "../../platform/clock.ts";
import { isServiceError } from "../../platform/errors.ts";
import { maskKeyLines } from "../../platform/secrets.ts";
import { containerIdOf } from "../assistant/index.ts";
import type { AlertContext, AlertContexts, Preceding } from "./answers.ts";

export interface AttentionDependencies {
  containers: Pick<Containers, "service" | "present" | "past">;
  endpoints: Pick<Endpoints, "find">;
  certificates: Pick<Certificates, "find">;
  alerting: Pick<Alerting, "active">;
  clock: Clock;
}

const MOST_ALERTS = 50;
const LINE_LENGTH = 300;
/** Generations of a container that are looked at: of one that is re-created every minute the latest are enough. */
const MOST_GENERATIONS = 4;
const MOST_TRANSITIONS = 10;
/** An end that led to an alert came at most so long before it. */
const END_BEFORE_MS = 10 * MINUTE_MS;

/** The last log line of active alerts, and what changed just before each. */
export function createAttentionReader({ containers, endpoints, certificates, alerting, clock }: AttentionDependencies) {
  async function logLineOf(alert: Alert, container: SavedContainer): Promise<AlertContext["log_line"]> {
    if (alert.source !== "container") return null;
    const end = await containers.past.lastEnd(container.id, new Date(alert.firedAt.getTime() - END_BEFORE_MS));
    const lines = maskKeyLines((end?.logSnippet ?? "").split("\n")).filter((line) => line.trim() !== "");
    const text = lines.at(-1);
    return end === undefined || text === undefined ? null : { text: cutLine(text.trim(), LINE_LENGTH), at: end.at.toISOString() };
  }

  async function precedingOf(alert: Alert, container: SavedContainer): Promise<Preceding[]> {
    const { id, generation } = container;
    const { generations } =
      generation > 1 ? await containers.service.generations(id, { limit: MOST_GENERATIONS, offset: 0 }) : NO_GENERATIONS;
    if (alert.entity.type === "container") return precedingGenerations(container, generations, alert.firedAt);
    const until = alert.firedAt < clock.now() ? alert.firedAt : clock.now();
    const page = { since: precedingFrom(alert.firedAt).toISOString(), until: until.toISOString(), limit: MOST_TRANSITIONS, offset: 0 };
    const { transitions } = await containers.service.transitions(id, page);
    return [...precedingGenerations(container, generations, alert.firedAt), ...precedingState(container, transitions, alert.firedAt)];
  }

  async function contextOf(alert: Alert): Promise<AlertContext[]> {
    const container = containers.present.get(containerIdOf(alert.entity, { endpoints, certificates }) ?? 0);
    if (container === undefined) return [];
    const [logLine, preceding] = await Promise.all([logLineOf(alert, container), precedingOf(alert, container)]).catch(unlessGone);
    if (logLine === null && preceding.length === 0) return [];
    return [{ alert_id: alert.id, log_line: logLine, preceding: latestPreceding(preceding) }];
  }

  return async (): Promise<AlertContexts> => {
    const all = await Promise.all(explainedAlerts(alerting.active(), MOST_ALERTS).map(contextOf));
    return { contexts: all.flat() };
  };
}

const NO_GENERATIONS = { generations: [] };

/** A container may be removed while it is asked about. */
function unlessGone(error: unknown): [null, Preceding[]] {
  if (isServiceError(error, "not_found")) return [null, []];
  throw error;
}

/** The clock of a host may be behind ours: what came this much later still came before. */
const SOON_MS = 5_000;
const MOST_PRECEDING = 3;
const RANKS = { critical: 0, warning: 1, info: 2 } as const;

interface Subject {
  id: number;
  name: string;
}

/** The alerts that are explained: the worst, then the latest. Findings and updates have no moment that something led to. */
function explainedAlerts(active: readonly Alert[], most: number): Alert[] {
  return active
    .filter(({ source, event }) => source !== "security" && source !== "webhook" && !(source === "update" && event === "available"))
    .toSorted((a, b) => RANKS[a.severity] - RANKS[b.severity] || b.firedAt.getTime() - a.firedAt.getTime() || b.id - a.id)
    .slice(0, most);
}

/** Re-creations of a container in the hour before a moment. `generations` are the newest, newest first. */
function precedingGenerations(container: Subject, generations: readonly GenerationRecord[], firedAt: Date): Preceding[] {
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
function precedingState(container: Subject, transitions: readonly TransitionRecord[], firedAt: Date): Preceding[] {
  const last = transitions.find(
    ({ previous_state: previous, new_state: next, timestamp }) => previous !== next && isJustBefore(timestamp, firedAt),
  );
  if (last === undefined) return [];
  return [{ at: last.timestamp, kind: "state_changed", ...subjectOf(container), from: last.previous_state, to: last.new_state }];
}

/** Newest first, and no more than anybody reads. */
function latestPreceding(all: readonly Preceding[]): Preceding[] {
  return all.toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, MOST_PRECEDING);
}

/** From when on changes may have led to an alert. */
function precedingFrom(firedAt: Date): Date {
  return new Date(firedAt.getTime() - HOUR_MS);
}

function isJustBefore(at: string, firedAt: Date): boolean {
  const beforeMs = firedAt.getTime() - Date.parse(at);
  return beforeMs >= -SOON_MS && beforeMs <= HOUR_MS;
}

function subjectOf({ id, name }: Subject): Pick<Preceding, "container_id" | "container_name"> {
  return { container_id: id, container_name: name };
}
