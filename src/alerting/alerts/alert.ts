import { MINUTE_MS } from "../../contract/time.ts";
import type { Alert, AlertKey, Problem, Resolution, Severity, Suppression } from "../vocabulary.ts";
import { SEVERITIES } from "../vocabulary.ts";

/** What keeps an alert from being told: a suppression, the time after the start, or that it comes and goes. */
export type Holder = Suppression | "settle" | "flapping";

/** An alert with what the path must remember of it. `id` is 0 until it is saved. */
export interface KeptAlert extends Alert {
  heldBy: Holder | null;
  /** When nothing held it back for the first time. */
  passedAt: Date | null;
  /** When the first channel was chosen for it: whoever heard that it began hears that it is over. */
  routedAt: Date | null;
  /** Told as bad as it is now; false again when it grows worse. */
  notified: boolean;
  /** How often the path was walked for it. */
  walks: number;
  /** Resolved by a person while its source still says that it is wrong: not raised again for five minutes, unless that was over meanwhile or it grows worse. */
  persists: boolean;
}

/** How seldom it is saved that a problem lasts. */
const RAISE_SAVED_EVERY_MS = 10 * MINUTE_MS;

/** The key as text: at most one active alert has it. */
export function keyText({ source, event, entity }: AlertKey): string {
  return `${source}\n${event}\n${entity.type}\n${entity.id}`;
}

/** A problem that was not there before. */
export function beginAlert(problem: Problem, at: Date): KeptAlert {
  return {
    ...problem,
    id: 0,
    status: "active",
    firedAt: at,
    lastRaisedAt: at,
    resolvedAt: null,
    resolvedBy: null,
    resolution: null,
    acknowledgedAt: null,
    acknowledgedBy: null,
    acknowledgedNote: null,
    suppressedBy: null,
    heldBy: null,
    passedAt: null,
    routedAt: null,
    notified: false,
    walks: 0,
    persists: false,
  };
}

/** What becomes of an active alert when its source says again that it is wrong; `worse` asks for telling it again, `changed` for saving it. */
export function raiseAgain(alert: KeptAlert, problem: Problem, at: Date): { next: KeptAlert; worse: boolean; changed: boolean } {
  const worse = isWorse(alert, problem);
  const next: KeptAlert = {
    ...alert,
    ...problem,
    // It never gets milder while it lasts, and its cause is what was known when it began.
    severity: worstOf(alert.severity, problem.severity),
    cause: worse ? (problem.cause ?? alert.cause) : (alert.cause ?? problem.cause),
    lastRaisedAt: at,
    notified: alert.notified && !worse,
  };
  const changed = worse || textOf(next) !== textOf(alert) || at.getTime() - alert.lastRaisedAt.getTime() >= RAISE_SAVED_EVERY_MS;
  return { next: changed ? next : alert, worse, changed };
}

/** A higher severity, or fewer days left of a certificate than when it was last told. */
export function isWorse(alert: Alert, problem: Problem): boolean {
  if (rankOf(problem.severity) < rankOf(alert.severity)) return true;
  const before = alert.details["threshold_days"];
  const now = problem.details["threshold_days"];
  return typeof before === "number" && typeof now === "number" && now < before;
}

export function acknowledgeAlert(alert: KeptAlert, { by, note, at }: { by: string; note: string | null; at: Date }): KeptAlert {
  return { ...alert, acknowledgedAt: at, acknowledgedBy: by, acknowledgedNote: note };
}

/** Over. By a person, its source may go on saying that it is wrong. */
export function resolveAlert(alert: KeptAlert, { by, resolution, at }: { by: string; resolution: Resolution; at: Date }): KeptAlert {
  return { ...alert, status: "resolved", resolvedAt: at, resolvedBy: by, resolution, persists: by !== "auto" };
}

/** Its source says that nothing is wrong any more. */
export function forgetProblem(alert: KeptAlert): KeptAlert {
  return { ...alert, persists: false };
}

/** Held by something, or by nothing; only some of it is a suppression that is shown. */
export function holdAlert(alert: KeptAlert, heldBy: Holder | null): KeptAlert {
  return { ...alert, heldBy, suppressedBy: heldBy === "settle" || heldBy === "flapping" ? null : heldBy };
}

/** The worst first, then the latest. */
export function compareAlerts(a: Alert, b: Alert): number {
  return rankOf(a.severity) - rankOf(b.severity) || b.firedAt.getTime() - a.firedAt.getTime() || b.id - a.id;
}

function rankOf(severity: Severity): number {
  return SEVERITIES.indexOf(severity);
}

function worstOf(a: Severity, b: Severity): Severity {
  return rankOf(a) <= rankOf(b) ? a : b;
}

function textOf({ agentId, message, entityName, labels, channels, tags, parents }: Alert): string {
  return JSON.stringify([agentId, message, entityName, labels, channels, tags, parents]);
}
