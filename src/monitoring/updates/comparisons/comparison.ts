import { HOUR_MS, MINUTE_MS } from "../../../contract/time.ts";
import type { Event } from "../../../events.ts";
import { aboutContainer, type SavedContainer } from "../../containers/index.ts";
import type { ComparisonRecord } from "../answers.ts";
import type { ImageRun } from "./image-run.ts";
import { type Change, type Figures, regressionMessage, type Verdict } from "./verdict.ts";

/** How an image does beside the one that ran under its name before. */
export interface Comparison {
  id: number;
  host: string;
  name: string;
  before: {
    containerIds: readonly number[];
    image: string;
    imageDigest: string | null;
    /** When it first ran here, and when it ended. */
    since: Date;
    until: Date;
    /** CPUs that it was allowed to use; null when that is not known. */
    cpus: number | null;
  };
  image: string;
  imageDigest: string | null;
  changedAt: Date;
  /** The place of the next evaluation in {@link WINDOWS_MS}. */
  evaluation: number;
  /** null after the last evaluation, and once another image runs. */
  dueAt: Date | null;
  comparedAt: Date | null;
  /** How long before and after the change was observed. */
  windowMs: number;
  verdict: Verdict | "pending";
  figures: { before: Figures; after: Figures } | null;
  changes: readonly Change[];
  /** An alert is raised when it is worse. */
  alerting: boolean;
}

export interface Span {
  fromMs: number;
  toMs: number;
}

/** How long after a change its figures are evaluated. */
export const WINDOWS_MS: readonly number[] = [15 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS];

/** A comparison of a run with the one before it, about which nothing is known yet. */
export function beginComparison(
  previous: ImageRun,
  next: ImageRun,
  { until, cpus }: { until: Date; cpus: number | null },
): Omit<Comparison, "id"> {
  const changedAt = next.since;
  const [first = 0] = WINDOWS_MS;
  return {
    host: next.host,
    name: next.name,
    before: {
      containerIds: previous.containerIds,
      image: previous.image,
      imageDigest: previous.imageDigest,
      since: previous.since,
      until: until < changedAt ? until : changedAt,
      cpus,
    },
    image: next.image,
    imageDigest: next.imageDigest,
    changedAt,
    evaluation: 0,
    dueAt: new Date(changedAt.getTime() + first),
    comparedAt: null,
    windowMs: 0,
    verdict: "pending",
    figures: null,
    changes: [],
    alerting: false,
  };
}

/** The evaluation that is due: the latest whose time has come, since an earlier one that was missed would show less. */
export function evaluationDue({ evaluation, changedAt }: Pick<Comparison, "evaluation" | "changedAt">, now: Date): number {
  const latest = WINDOWS_MS.findLastIndex((afterMs) => changedAt.getTime() + afterMs <= now.getTime());
  return Math.max(evaluation, latest);
}

/** The stretches of time that an evaluation compares: as long before the end of the old image as after the start of the new. */
export function spansOf(
  { before, changedAt }: Pick<Comparison, "before" | "changedAt">,
  evaluation: number,
): { before: Span; after: Span } {
  const windowMs = WINDOWS_MS[evaluation] ?? 0;
  const untilMs = before.until.getTime();
  return {
    before: { fromMs: Math.min(Math.max(before.since.getTime(), untilMs - windowMs), untilMs), toMs: untilMs },
    after: { fromMs: changedAt.getTime(), toMs: changedAt.getTime() + windowMs },
  };
}

/** A comparison after an evaluation that showed this. */
export function evaluated(
  comparison: Comparison,
  { evaluation, at, ...shown }: { evaluation: number; at: Date } & Pick<Comparison, "verdict" | "figures" | "changes" | "alerting">,
): Comparison {
  const nextMs = WINDOWS_MS[evaluation + 1];
  return {
    ...comparison,
    ...shown,
    evaluation: evaluation + 1,
    dueAt: nextMs === undefined ? null : new Date(comparison.changedAt.getTime() + nextMs),
    comparedAt: at,
    windowMs: WINDOWS_MS[evaluation] ?? 0,
  };
}

/** A comparison that shows before its first evaluation that the new image is worse. */
export function foundWorse(comparison: Comparison, change: Change, { at, alerting }: { at: Date; alerting: boolean }): Comparison {
  const windowMs = Math.max(0, at.getTime() - comparison.changedAt.getTime());
  return { ...comparison, verdict: "worse", changes: [change], comparedAt: at, windowMs, alerting };
}

/** Its image does not run any more: what was found stands, and raises no alert. */
export function endComparison(comparison: Comparison): Comparison {
  return { ...comparison, dueAt: null, alerting: false };
}

/** A comparison as it goes over the wire. */
export function comparisonRecord(comparison: Comparison, run: Pick<ImageRun, "containerId" | "host" | "name">): ComparisonRecord {
  const { before, figures, verdict, changes } = comparison;
  return {
    id: comparison.id,
    container_id: run.containerId,
    container_name: run.name,
    agent_id: run.host === "local" ? null : run.host,
    previous_image: before.image,
    previous_digest: before.imageDigest,
    image: comparison.image,
    digest: comparison.imageDigest,
    changed_at: comparison.changedAt.toISOString(),
    compared_at: comparison.comparedAt?.toISOString() ?? null,
    window_seconds: comparison.windowMs / 1000,
    verdict,
    before: figures === null ? null : figuresRecord(figures.before),
    after: figures === null ? null : figuresRecord(figures.after),
    changes: changes.map((change) => ({ ...change })),
  };
}

function figuresRecord(figures: Figures): NonNullable<ComparisonRecord["before"]> {
  return {
    restarts_per_day: rounded(figures.restartsPerDay, 2),
    failed_checks_percent: rounded(figures.failedChecksPercent, 2),
    response_time_ms: rounded(figures.responseTimeMs, 1),
    cpu_cores_used: rounded(figures.cpuCoresUsed, 4),
    memory_bytes: rounded(figures.memoryBytes, 0),
  };
}

function rounded(value: number | null, digits: number): number | null {
  return value === null ? null : Number(value.toFixed(digits));
}

/** The event of a comparison and the container that it is about. */
export function comparedEvent(comparison: Comparison, container: SavedContainer, at: Date): Event<"update.compared"> {
  const { alert_severity: _, ...about } = aboutContainer(container, at);
  return {
    type: "update.compared",
    data: {
      ...about,
      comparison_id: comparison.id,
      previous_image: comparison.before.image,
      changed_at: comparison.changedAt.toISOString(),
      verdict: comparison.verdict,
      alerting: comparison.alerting,
      message: regressionMessage(comparison.name, comparison.changes),
    },
  };
}

/** Whether the container's labels allow alerts about its updates. */
export function mayAlert({ settings }: Pick<SavedContainer, "settings">): boolean {
  return settings.updates.alertOn !== "none";
}

type Watched = Pick<SavedContainer, "state" | "health" | "exitCode" | "stopRequested" | "restartHistory">;

function troubleOf({ state, health, exitCode, stopRequested }: Watched): Change | undefined {
  if ((state === "exited" && !stopRequested) || state === "dead" || state === "restarting") {
    return { figure: "state", worse: true, text: `it is not running, exit code ${exitCode ?? "unknown"}` };
  }
  return health === "unhealthy" ? { figure: "state", worse: true, text: "health check failing" } : undefined;
}

/** Whether it is seen to do well: an end or a pause that somebody asked for, and a health check without a result, show nothing. */
export function isStateSeen({ state, health }: Pick<Watched, "state" | "health">): boolean {
  return state === "completed" || (state === "running" && health !== "starting");
}

/** What shows before any figure that a new image does worse: it restarted unexpectedly, does not run, or is unhealthy. Source: contract, section 19. */
export function earlyTroubleOf(container: Watched, { changedAt }: Pick<Comparison, "changedAt">): Change | undefined {
  const hasRestarted = container.restartHistory.restarts.some((at) => at >= changedAt);
  return hasRestarted ? { figure: "restarts", worse: true, text: "it restarted unexpectedly" } : troubleOf(container);
}

/** The same at an evaluation of the figures, which count restarts themselves: only what was found before the first evaluation is still listed there. */
export function troubleAtEvaluation(container: Watched, comparison: Comparison, figures: readonly Change[]): Change | undefined {
  const early = comparison.evaluation === 0 ? comparison.changes.find(({ figure }) => figure === "restarts") : undefined;
  const isCounted = figures.some(({ figure, worse }) => figure === "restarts" && worse);
  return troubleOf(container) ?? (isCounted ? undefined : early);
}
