import { MINUTE_MS } from "../../contract/time.ts";
import type { Alert, AlertKey, Problem, Resolution, Severity, Suppression } from "../vocabulary.ts";
import { SEVERITIES } from "../vocabulary.ts";

/** What keeps an alert from being sent: a suppression, the time after the start, or flapping. */
export type Holder = Suppression | "settle" | "flapping";

/** An alert with the state that its evaluation needs. `id` is 0 until it is saved. */
export interface KeptAlert extends Alert {
  heldBy: Holder | null;
  /** When it passed all suppressions for the first time. */
  passedAt: Date | null;
  /** When the first channel was chosen for it. Channels that were notified of its start are also notified of its end. */
  routedAt: Date | null;
  /** Whether it was sent with its present severity; false again when the severity rises. */
  notified: boolean;
  /** How often it was evaluated. */
  evaluations: number;
  /**
   * A user resolved it while its source still reports the problem. It is not raised again for five minutes, unless the problem ended meanwhile or
   * gets worse.
   */
  persists: boolean;
}

/** How often the last time of a lasting problem is saved. */
const RAISE_SAVED_EVERY_MS = 10 * MINUTE_MS;

/** The key as text: at most one active alert has it. */
export function keyText({ source, event, entity }: AlertKey): string {
  return `${source}\n${event}\n${entity.type}\n${entity.id}`;
}

/** A new alert for a problem that was not there before. */
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
    evaluations: 0,
    persists: false,
  };
}

/** Updates an active alert when its source reports it again. `worse`: it must be sent again. `changed`: it must be saved. */
export function raiseAgain(alert: KeptAlert, problem: Problem, at: Date): { next: KeptAlert; worse: boolean; changed: boolean } {
  const worse = isWorse(alert, problem);
  const next: KeptAlert = {
    ...alert,
    ...problem,
    // The severity never falls while the alert is active, and its cause stays the first that was known.
    severity: worstOf(alert.severity, problem.severity),
    cause: worse ? (problem.cause ?? alert.cause) : (alert.cause ?? problem.cause),
    lastRaisedAt: at,
    notified: alert.notified && !worse,
  };
  const changed = worse || textOf(next) !== textOf(alert) || at.getTime() - alert.lastRaisedAt.getTime() >= RAISE_SAVED_EVERY_MS;
  return { next: changed ? next : alert, worse, changed };
}

/** Whether the severity is higher, or a certificate has fewer days left, than when the alert was last sent. */
export function isWorse(alert: Alert, problem: Problem): boolean {
  if (isHigher(problem.severity, alert.severity)) return true;
  const before = alert.details["threshold_days"];
  const now = problem.details["threshold_days"];
  return typeof before === "number" && typeof now === "number" && now < before;
}

export function acknowledgeAlert(alert: KeptAlert, { by, note, at }: { by: string; note: string | null; at: Date }): KeptAlert {
  return { ...alert, acknowledgedAt: at, acknowledgedBy: by, acknowledgedNote: note };
}

/** Resolves an alert. When a user resolved it, its source may keep reporting the problem. */
export function resolveAlert(alert: KeptAlert, { by, resolution, at }: { by: string; resolution: Resolution; at: Date }): KeptAlert {
  return { ...alert, status: "resolved", resolvedAt: at, resolvedBy: by, resolution, persists: by !== "auto" };
}

/** For a source that no longer reports the problem of a resolved alert. */
export function forgetProblem(alert: KeptAlert): KeptAlert {
  return { ...alert, persists: false };
}

/** Sets what holds it back; null for nothing. Only suppressions are shown to users. */
export function holdAlert(alert: KeptAlert, heldBy: Holder | null): KeptAlert {
  return { ...alert, heldBy, suppressedBy: heldBy === "settle" || heldBy === "flapping" ? null : heldBy };
}

/** By which alerts are ordered. */
export type PlaceOfAlert = Pick<Alert, "severity" | "firedAt" | "id">;

/** Worst first, then latest. */
export function compareAlerts(a: PlaceOfAlert, b: PlaceOfAlert): number {
  return rankOf(a.severity) - rankOf(b.severity) || b.firedAt.getTime() - a.firedAt.getTime() || b.id - a.id;
}

export function isHigher(severity: Severity, than: Severity): boolean {
  return rankOf(severity) < rankOf(than);
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

/** A flapping problem is sent once more, and not again until it has been steady or its severity is higher. */
export const FLAPPING = { changes: 5, windowMs: 10 * MINUTE_MS } as const;

/** The latest changes of one problem: each time it began or ended. */
export interface Flap {
  /** Times on the monotonic clock within the window, oldest first; no more than needed to detect flapping. */
  changes: readonly number[];
  flapping: boolean;
  /** The highest severity that was sent while it flaps; null before the notification about the flapping. */
  notified: Severity | null;
}

/** Counts one more change. More than five within ten minutes is flapping, which lasts until the problem was steady. */
export function countChange(flap: Flap | undefined, atMs: number): Flap {
  const recent = (flap?.changes ?? []).filter((changeMs) => atMs - changeMs < FLAPPING.windowMs);
  const changes = [...recent, atMs].slice(-(FLAPPING.changes + 1));
  const flapping = flap?.flapping === true || changes.length > FLAPPING.changes;
  return { changes, flapping, notified: flap?.notified ?? null };
}

/** Whether there was no change for ten minutes, however often it changed before. */
export function isSteady(flap: Flap, nowMs: number): boolean {
  return nowMs - (flap.changes.at(-1) ?? -Infinity) >= FLAPPING.windowMs;
}

const MAX_KEPT = 20_000;

/** How often problems changed lately. Kept in memory: after a restart all count as steady. */
export interface Flaps {
  get(key: string): Flap | undefined;
  keep(key: string, flap: Flap, agentId: string | null): void;
  /** Forgets problems that have been steady; answers whether one of them was flapping. */
  forgetSteady(nowMs: number): boolean;
  forgetHost(agentId: string): void;
}

export function createFlaps(): Flaps {
  // In the order of their last change.
  const flaps = new Map<string, { flap: Flap; agentId: string | null }>();
  return {
    get: (key) => flaps.get(key)?.flap,
    keep(key, flap, agentId) {
      flaps.delete(key);
      flaps.set(key, { flap, agentId });
      if (flaps.size <= MAX_KEPT) return;
      const [oldest] = flaps.keys();
      if (oldest !== undefined) flaps.delete(oldest);
    },
    forgetSteady(nowMs) {
      let flapped = false;
      for (const [key, { flap }] of flaps) {
        if (!isSteady(flap, nowMs)) continue;
        flaps.delete(key);
        flapped ||= flap.flapping;
      }
      return flapped;
    },
    forgetHost(agentId) {
      for (const [key, kept] of flaps) if (kept.agentId === agentId) flaps.delete(key);
    },
  };
}
