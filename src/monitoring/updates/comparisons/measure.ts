import { DAY_MS, MINUTE_MS } from "../../../contract/time.ts";
import { MOST_ROWS } from "../../../http/cursor.ts";
import { isServiceError } from "../../../platform/errors.ts";
import type { ContainerService } from "../../containers/index.ts";
import type { CheckRecord } from "../../endpoints/answers.ts";
import type { EndpointService } from "../../endpoints/index.ts";
import { type Comparison, type Span, spansOf } from "./comparison.ts";
import type { Observed } from "./verdict.ts";
import type { ImageRun } from "./image-run.ts";
import { type Usage, type UsageSeries, usageOf, type Allocations } from "./usage.ts";

export interface MeasureParts {
  containers: Pick<ContainerService, "countRestarts" | "watchedMs">;
  endpoints: Pick<EndpointService, "list" | "checks">;
  series: UsageSeries;
  allocations: Pick<Allocations, "get">;
}

/** Measures what both images did in the window of an evaluation. */
export type Measure = (comparison: Comparison, run: ImageRun, evaluation: number) => Promise<{ before: Observed; after: Observed }>;

/** After a start checks may fail until it is ready, and before an end because it is ending. */
const STARTING_MS = 3 * MINUTE_MS;
const ENDING_MS = MINUTE_MS;
/** What was watched for less says nothing of how often something restarts. */
const LEAST_OBSERVED_MS = 5 * MINUTE_MS;
const LEAST_OBSERVED_SHARE = 0.5;
/** What is read of one endpoint and one stretch: a day of checks every five seconds. */
const MOST_CHECKS = 17_280;
const MOST_ENDPOINTS = 20;

export function createMeasure({ containers, endpoints, series, allocations }: MeasureParts): Measure {
  function endpointsOf(containerIds: readonly number[]): Asked[] {
    return containerIds.flatMap((container_id) =>
      [false, true].flatMap((inactive) => {
        const list = endpoints.list({ container_id, inactive, limit: MOST_ROWS });
        return list.endpoints.map(({ id, label_key: labelKey, target }) => ({ id, labelKey, target }));
      }),
    );
  }

  async function checksOf(ids: readonly number[], { fromMs, toMs }: Span): Promise<Answers> {
    if (toMs <= fromMs) return answersOf([]);
    const page = { since: new Date(fromMs).toISOString(), until: new Date(toMs).toISOString(), limit: MOST_CHECKS, offset: 0 };
    const checks: CheckRecord[] = [];
    for (const id of ids) {
      try {
        checks.push(...(await endpoints.checks(id, page)).checks);
      } catch (error) {
        if (!isServiceError(error, "not_found")) throw error;
      }
    }
    return answersOf(checks);
  }

  async function answersOfBoth(comparison: Comparison, run: ImageRun, spans: ReturnType<typeof spansOf>) {
    const beforeSpan = { fromMs: spans.before.fromMs, toMs: spans.before.toMs - ENDING_MS };
    const afterSpan = { fromMs: spans.after.fromMs + STARTING_MS, toMs: spans.after.toMs };
    const before: Answers[] = [];
    const after: Answers[] = [];
    const pairs = pairsOf(endpointsOf(comparison.before.containerIds), endpointsOf(run.containerIds));
    for (const pair of pairs.slice(0, MOST_ENDPOINTS)) {
      before.push(await checksOf(pair.before, beforeSpan));
      after.push(await checksOf(pair.after, afterSpan));
    }
    // How fast endpoints answer is compared of those that answered on both sides.
    const both = before.map(({ medians }, index) => medians.length > 0 && (after[index]?.medians.length ?? 0) > 0);
    const comparable = (all: readonly Answers[]): Answers =>
      sumOf(all.map((each, index) => (both[index] === true ? each : { ...each, answers: 0, medians: [] })));
    return { before: comparable(before), after: comparable(after) };
  }

  return async (comparison, run, evaluation) => {
    const spans = spansOf(comparison, evaluation);
    const cpusAfter = allocations.get(run.containerId);
    const cpus = { before: comparison.before.cpus ?? cpusAfter, after: cpusAfter ?? comparison.before.cpus };
    const answers = await answersOfBoth(comparison, run, spans);
    const agentId = comparison.host === "local" ? null : comparison.host;
    const side = async (which: "before" | "after", containerIds: readonly number[]): Promise<Observed> => {
      const span = spans[which];
      const window = { from: span.fromMs, to: span.toMs };
      return observedOf({
        restarts: await containers.countRestarts(containerIds, window),
        observedMs: await containers.watchedMs(agentId, window),
        spanMs: span.toMs - span.fromMs,
        answers: answers[which],
        usage: await usageOf(series, containerIds, lastPartOf(span)),
        cpus: cpus[which],
      });
    };
    return { before: await side("before", comparison.before.containerIds), after: await side("after", run.containerIds) };
  };
}

/** Memory is low and CPU high right after a start. */
function lastPartOf({ fromMs, toMs }: Span): Span {
  return { fromMs: fromMs + (toMs - fromMs) / 3, toMs };
}

interface Seen {
  restarts: number;
  /** Of the stretch of time. */
  observedMs: number;
  spanMs: number;
  answers: Answers;
  usage: Usage;
  cpus: number | null;
}

function observedOf({ restarts, observedMs, spanMs, answers, usage, cpus }: Seen): Observed {
  const { checks, failures, medians } = answers;
  const days = observedMs / DAY_MS;
  return {
    figures: {
      restartsPerDay: observedMs < Math.max(LEAST_OBSERVED_MS, spanMs * LEAST_OBSERVED_SHARE) ? null : restarts / days,
      failedChecksPercent: checks === 0 ? null : (failures / checks) * 100,
      responseTimeMs: medians.length === 0 ? null : medians.reduce((sum, median) => sum + median, 0) / medians.length,
      cpuCoresUsed: coresOf(usage.cpuPercent, cpus),
      memoryBytes: usage.memoryBytes,
    },
    sizes: { restarts, days, checks, failures, answers: answers.answers, minutes: usage.minutes },
  };
}

function coresOf(percent: number | null, cpus: number | null): number | null {
  if (percent === null || percent === 0) return percent;
  return cpus === null ? null : (percent / 100) * cpus;
}

/** An endpoint of a container, as far as two of them can be the same one. */
interface Asked {
  id: number;
  labelKey: string | null;
  target: string;
}

/** What the checks of endpoints showed in a stretch of time. */
interface Answers {
  checks: number;
  failures: number;
  answers: number;
  /** Of each endpoint that answered. */
  medians: readonly number[];
}

/**
 * Which endpoints of the containers before are which of those after: with a new container the labels make new ones, so several can be the same. What
 * only one side has is left out, since it would make a difference that the image did not.
 */
export function pairsOf(before: readonly Asked[], after: readonly Asked[]): { before: number[]; after: number[] }[] {
  const left = Map.groupBy(before, nameOf);
  return [...Map.groupBy(after, nameOf)].flatMap(([name, group]) => {
    const targets = new Set(group.map(({ target }) => target));
    const same = left.has(name) ? name : [...left].find(([, others]) => others.some(({ target }) => targets.has(target)))?.[0];
    const found = same === undefined ? undefined : left.get(same);
    if (same === undefined || found === undefined) return [];
    left.delete(same);
    return [{ before: found.map(({ id }) => id), after: group.map(({ id }) => id) }];
  });
}

function nameOf({ labelKey, target }: Asked): string {
  return labelKey ?? target;
}

/** What checks of one endpoint come to, under whichever ids; those of a host without a network say nothing. */
export function answersOf(checks: readonly Pick<CheckRecord, "success" | "observed" | "response_time_ms">[]): Answers {
  const seen = checks.filter(({ observed }) => observed);
  const times = seen.flatMap(({ success, response_time_ms: time }) => (success && time !== null ? [time] : [])).sort((a, b) => a - b);
  return {
    checks: seen.length,
    failures: seen.filter(({ success }) => !success).length,
    answers: times.length,
    medians: times.length === 0 ? [] : [medianOf(times)],
  };
}

function sumOf(all: readonly Answers[]): Answers {
  const total = (of: (each: Answers) => number): number => all.reduce((sum, each) => sum + of(each), 0);
  return {
    checks: total(({ checks }) => checks),
    failures: total(({ failures }) => failures),
    answers: total(({ answers }) => answers),
    medians: all.flatMap(({ medians }) => medians),
  };
}

/** Of numbers in order, at least one. */
function medianOf(sorted: readonly number[]): number {
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? 0)) / 2;
}
