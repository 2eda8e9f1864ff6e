import { MINUTE_MS } from "../../contract/time.ts";
import type { AlertKey, AlertSource, AlertTransition, Problem, Resolution, Target } from "../vocabulary.ts";
import {
  acknowledgeAlert,
  beginAlert,
  forgetProblem,
  holdAlert,
  isWorse,
  keyText,
  type KeptAlert,
  raiseAgain,
  resolveAlert,
  countChange,
  type Flap,
} from "./alert.ts";
import type { SavedEvaluation } from "./rows.ts";
import { type EvaluationContext, evaluatePath, type EvaluationResult } from "./stages.ts";

/** How long an alert that a user resolved is not raised again, unless it grows worse. Source: contract, section 19. */
const RESOLVED_HOLDS_MS = 5 * MINUTE_MS;

/** A change to an alert, to be decided in turn. */
export type Order = { key: string; at: Date } &
  /** `observed`: seen just now, and not only known from before. */
  (
    | { kind: "raise"; problem: Problem; observed: boolean }
    | { kind: "clear"; about: AlertKey; resolution: Resolution }
    | { kind: "acknowledge"; id: number; by: string; note: string | null }
    | { kind: "resolve"; id: number; by: string }
    /** Evaluates again whether it is still held back. */
    | { kind: "rejudge"; id: number }
  );

/** The alerts that an order is about. */
export interface Known {
  /** The active alert with the key of the order, or the alert whose id it names. */
  alert: KeptAlert | undefined;
  /** The alert with the same key that a user resolved while its source still reports the problem. */
  persisting: KeptAlert | undefined;
}

/** What is saved and published of one alert, together. */
export interface Step {
  before: KeptAlert | undefined;
  after: KeptAlert;
  worse: boolean;
  /** null when it was not evaluated. */
  evaluation: SavedEvaluation | null;
  targets: readonly Target[];
  /** Whether this notification reports that the alert is flapping. */
  flapping: boolean;
  /** The next state of its flap detection. */
  flap: Flap | undefined;
  escalation: "begin" | "acknowledged" | "resolved" | null;
  /** An older alert with this key that no longer needs to be remembered. */
  forget: KeptAlert | undefined;
}

/** Decides what an order changes; undefined when nothing. */
export function decide(order: Order, { alert, persisting }: Known, context: EvaluationContext): Step | undefined {
  switch (order.kind) {
    case "raise": {
      if (alert !== undefined) {
        const { next, worse, changed } = raiseAgain(alert, order.problem, order.at);
        if (!changed) return undefined;
        return worse ? evaluated(alert, next, "raised", { ...context, worse }) : saved(alert, next);
      }
      if (persisting !== undefined && !isWorse(persisting, order.problem) && !isDueAgain(persisting, order)) return undefined;
      const flap = countChange(context.flap, changeMs(order.at, context));
      const step = evaluated(undefined, beginAlert(order.problem, order.at), "fired", { ...context, flap });
      return { ...step, forget: persisting === undefined ? undefined : forgetProblem(persisting) };
    }
    case "clear": {
      if (alert === undefined) return persisting === undefined ? undefined : saved(persisting, forgetProblem(persisting));
      return ended(alert, { by: "auto", resolution: order.resolution, at: order.at }, context);
    }
    case "resolve":
      if (alert?.status !== "active") return undefined;
      return ended(alert, { by: order.by, resolution: { by: "user", reason: `Resolved by ${order.by}.` }, at: order.at }, context);
    case "acknowledge": {
      if (alert?.status !== "active" || alert.acknowledgedAt !== null) return undefined;
      const step = saved(alert, acknowledgeAlert(alert, order));
      return { ...step, escalation: alert.passedAt === null ? null : "acknowledged" };
    }
    case "rejudge": {
      if (alert === undefined || alert.heldBy === null) return undefined;
      // What holds it back is evaluated again once it is known what runs.
      if (!context.settled) return undefined;
      const step = evaluated(alert, alert, alert.status === "resolved" ? "resolved" : "released", context);
      return step.after.heldBy === alert.heldBy ? undefined : step;
    }
  }
}

/** When a change came, on the monotonic clock: it may have waited for the database. */
function changeMs(at: Date, { now, monotonicMs }: EvaluationContext): number {
  return monotonicMs - Math.max(0, now.getTime() - at.getTime());
}

/** Whether a problem that is observed again fires again: long enough after a user resolved its alert, or after the clock was set back since. */
function isDueAgain({ resolvedAt }: KeptAlert, { observed, at }: { observed: boolean; at: Date }): boolean {
  return observed && (resolvedAt === null || Math.abs(at.getTime() - resolvedAt.getTime()) >= RESOLVED_HOLDS_MS);
}

/** Compares the known alerts of a source with its present problems: alerts without a problem are resolved, problems are raised. */
export function reconcile(
  source: AlertSource,
  named: readonly { problem: Problem; observed: boolean }[],
  { known, endOf, at }: { known: readonly KeptAlert[]; endOf: (alert: KeptAlert) => Resolution; at: Date },
): Order[] {
  const wrong = new Set(named.map(({ problem }) => keyText(problem)));
  const over = known.filter((alert) => alert.source === source && !wrong.has(keyText(alert)));
  return [
    ...over.map((alert): Order => ({ kind: "clear", key: keyText(alert), about: alert, resolution: endOf(alert), at })),
    ...named.map(({ problem, observed }): Order => ({ kind: "raise", key: keyText(problem), problem, observed, at })),
  ];
}

function ended(alert: KeptAlert, end: { by: string; resolution: Resolution; at: Date }, context: EvaluationContext): Step {
  const flap = countChange(context.flap, changeMs(end.at, context));
  const step = evaluated(alert, resolveAlert(alert, end), "resolved", { ...context, flap });
  return { ...step, escalation: alert.passedAt === null ? null : "resolved" };
}

function saved(before: KeptAlert, after: KeptAlert): Step {
  return {
    before,
    after,
    worse: false,
    evaluation: null,
    targets: [],
    flapping: false,
    flap: undefined,
    escalation: null,
    forget: undefined,
  };
}

function evaluated(
  before: KeptAlert | undefined,
  alert: KeptAlert,
  transition: AlertTransition,
  context: EvaluationContext & { worse?: boolean },
): Step {
  const { now, flap } = context;
  const result = evaluatePath({ alert, transition }, context);
  const after = afterEvaluation(alert, transition, result, now);
  const passes = after.passedAt !== null && after.heldBy === null && after.acknowledgedAt === null && transition !== "resolved";
  const isSentFlapping = flap?.flapping === true && result.targets.length > 0;
  return {
    before,
    after,
    worse: context.worse ?? false,
    evaluation: { number: after.evaluations, transition, verdicts: result.verdicts, at: now },
    targets: result.targets,
    flapping: isSentFlapping && flap.notified === null,
    flap: isSentFlapping ? { ...flap, notified: after.severity } : flap,
    // A risen severity also starts the policies for that severity, even if it rose while the alert was held back. Runs in progress are not started
    // again.
    escalation: passes ? "begin" : null,
    forget: undefined,
  };
}

function afterEvaluation(alert: KeptAlert, transition: AlertTransition, { heldBy, targets }: EvaluationResult, now: Date): KeptAlert {
  const evaluations = alert.evaluations + 1;
  // If nobody was notified, the reason is kept.
  if (transition === "resolved")
    return { ...holdAlert(alert, heldBy ?? (alert.routedAt === null ? alert.suppressedBy : null)), evaluations };
  const notified = targets.length > 0;
  return {
    ...holdAlert(alert, heldBy),
    evaluations,
    passedAt: alert.passedAt ?? (heldBy === null ? now : null),
    routedAt: alert.routedAt ?? (notified ? now : null),
    notified: alert.notified || notified,
  };
}
