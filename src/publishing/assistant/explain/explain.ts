import type { ContainerDetail, TransitionRecord } from "../../../monitoring/containers/answers.ts";
import { type Containers, cutLine } from "../../../monitoring/containers/index.ts";
import type { Clock } from "../../../platform/clock.ts";
import { isServiceError, ServiceError } from "../../../platform/errors.ts";
import { maskKeyLines } from "../../../platform/secrets.ts";
import type { Explanation } from "../answers.ts";
import { type AlertFacts, endOf, isReplaced, momentOf, turnedUnhealthy } from "./facts.ts";
import { findingsOf, missingOf, reasonsOf } from "./findings.ts";
import { createGather, type GatherParts } from "./gather.ts";
import type { aroundFields } from "./schemas.ts";

const MOST_STAGES = 24;
const MOST_DELIVERIES = 20;

/** What the page of an alert gets: the same as an assistant, without what it asks for by itself. */
export type AlertCase = Around &
  Pick<Explanation, "moment" | "findings" | "missing"> & {
    cause: string | null;
    container: { id: number; name: string } | null;
  };

type Around = Pick<Explanation, keyof ReturnType<typeof aroundFields>>;

/** Reads what is recorded of an alert, without asking its host. Throws `not_found`. */
export function createCaseReader(parts: GatherParts) {
  const gather = createGather(parts);
  return async (alertId: number): Promise<AlertCase> => {
    const { facts, refused } = await gather(alertId);
    const { alert, container } = facts;
    const findings = reasonsOf(facts);
    return {
      cause: alert.cause ?? findings[0]?.claim ?? null,
      moment: momentOf(facts).toISOString(),
      findings,
      missing: [...missingOf(facts), ...refused],
      container: container === null || isReplaced(facts) ? null : { id: container.id, name: container.name },
      ...aroundOf(facts),
    };
  };
}

/** Explains an alert from records, each claim with its evidence. Throws `not_found`. */
export function createExplain(parts: GatherParts) {
  const gather = createGather(parts);
  const { containers, clock } = parts;

  return async (alertId: number, signal: AbortSignal): Promise<Explanation> => {
    const { facts, refused } = await gather(alertId);
    const { alert, container, before, after } = facts;
    const { logs, ...around } = aroundOf(facts);
    const missing = [...missingOf(facts), ...refused];
    if (container !== null && container.archived_at === null && alert.entity_type === "container") {
      const live = await readLiveLog(container, { containers, clock, signal });
      if ("missing" in live) missing.push(live.missing);
      else if (live.lines.length > 0) logs.push({ of: "now", transition_id: null, lines: live.lines });
    }
    if (container !== null && !isReplaced(facts) && logs.length === 0) missing.push("No line of the container's log is known.");
    return {
      alert: { ...alert, host: facts.host },
      moment: momentOf(facts).toISOString(),
      findings: findingsOf(facts),
      missing,
      notified: notifiedOf(facts),
      container,
      transitions: [...after, ...before],
      logs,
      ...around,
      image_changes: facts.imageChanges,
      related: facts.related,
      endpoint: facts.endpoint,
      checks: [...facts.checks],
      heartbeat: facts.heartbeat,
      runs: [...facts.runs],
      certificate: facts.certificate,
      next: nextOf(facts),
    };
  };
}

function aroundOf(facts: AlertFacts): Around {
  return {
    logs: keptLogs(facts),
    health_check: healthCheckOf(facts),
    metrics: metricsOf(facts),
    response_times: responseTimesOf(facts),
    preceding: facts.preceding,
    earlier: facts.earlier,
    next_escalation: facts.nextEscalation,
  };
}

/** What was kept of the log before the end that led to it. */
function keptLogs(facts: AlertFacts): Explanation["logs"] {
  const end = endOf(facts);
  return snippetOf(end === undefined ? facts.before : [end, ...facts.before]);
}

/** What its health check printed when it turned unhealthy. */
function healthCheckOf(facts: AlertFacts): Explanation["health_check"] {
  const turned = turnedUnhealthy(facts);
  if (turned === undefined || turned.health_failure === null) return null;
  const { exit_code, output, ended_at } = turned.health_failure;
  return { transition_id: turned.id, exit_code, lines: output === "" ? [] : output.split("\n"), ended_at };
}

function notifiedOf({ trace }: AlertFacts): Explanation["notified"] {
  return {
    summary: trace.summary,
    stages: trace.stages.slice(-MOST_STAGES),
    deliveries: trace.deliveries.slice(0, MOST_DELIVERIES),
  };
}

function metricsOf({ container, usage }: AlertFacts): Explanation["metrics"] {
  if (container === null || usage === null || usage.points.length === 0) return null;
  const { points, stepSeconds } = usage;
  const percentOf = ({ memoryBytes, memoryLimitBytes }: (typeof points)[number]): number | null =>
    memoryBytes === null || memoryLimitBytes === null || memoryLimitBytes <= 0
      ? null
      : Math.round((memoryBytes / memoryLimitBytes) * 1000) / 10;
  return {
    container_id: container.id,
    step_seconds: stepSeconds,
    cpu_percent_max: highest(points.map(({ cpuPercent }) => cpuPercent)),
    memory_bytes_max: highest(points.map(({ memoryBytes }) => memoryBytes)),
    memory_percent_max: highest(points.map(percentOf)),
    points: points.map(({ at, cpuPercent, memoryBytes, memoryLimitBytes }) => ({
      at: at.toISOString(),
      cpu_percent: cpuPercent,
      memory_bytes: memoryBytes,
      memory_limit_bytes: memoryLimitBytes,
    })),
  };
}

/** Null where no check of that time is kept. */
function responseTimesOf({ responseTimes: times }: AlertFacts): Explanation["response_times"] {
  return times === null || times.series.checks.every((count) => count === 0) ? null : times;
}

function highest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/** Tools that show more of what an alert is about. */
function nextOf({ alert, container, endpoint, heartbeat, certificate, imageChanges, related }: AlertFacts): Explanation["next"] {
  const next: Explanation["next"] = [];
  const add = (tool: string, id: number | null, why: string): void => void next.push({ tool, id, why });
  if (container !== null) {
    add("get_container", container.id, "the whole container: ports, labels, uptime");
    if (container.archived_at === null) add("get_container_logs", container.id, "more of its log");
    add("get_resources", container.id, "what it used over a longer time");
    if (imageChanges.length > 0) add("get_updates", container.id, "how it does since its image changed, and how to go back");
  }
  if (endpoint !== null) add("get_endpoint_history", endpoint.id, "more checks, and the response times");
  if (heartbeat !== null) add("list_heartbeats", heartbeat.id, "its schedule and the runs in progress");
  if (certificate !== null) add("list_certificates", certificate.id, "its issuer, chain and expiry");
  if (alert.entity_type === "agent") add("list_agents", null, "whether the host's agent is connected");
  if (related.total > related.alerts.length) add("list_alerts", null, "all that is wrong now");
  add("what_changed", null, "what else changed around that time, on all hosts");
  if (alert.status === "active" && alert.acknowledged_at === null)
    add("acknowledge_alert", alert.id, "only if the person asks for it: says that somebody takes care of it");
  return next;
}

const LINES = 30;
const LINE_LENGTH = 500;
const WITHIN_MS = 5_000;

interface LogParts {
  containers: Pick<Containers, "service">;
  clock: Clock;
  signal: AbortSignal;
}

/** The last lines of a log, live, with what it takes to leave it: a source that does not answer is reported, and holds nobody up. */
async function readLiveLog(
  { id }: ContainerDetail,
  { containers, clock, signal }: LogParts,
): Promise<{ lines: string[] } | { missing: string }> {
  const late = new AbortController();
  const { promise: left, reject } = Promise.withResolvers<never>();
  const leave = (): void => reject(new ServiceError("request_timeout", "The log did not come in time."));
  const timer = clock.after(WITHIN_MS, () => late.abort());
  const both = AbortSignal.any([signal, late.signal]);
  both.addEventListener("abort", leave, { once: true });
  if (both.aborted) leave();
  const reading = containers.service.logs(id, { lines: LINES, timestamps: true }, both);
  reading.catch(() => undefined);
  try {
    const { lines } = await Promise.race([reading, left]);
    const texts = maskKeyLines(lines.map(({ text }) => text));
    return { lines: lines.map(({ timestamp }, at) => cutLine(`${timestamp === null ? "" : `${timestamp} `}${texts[at]}`, LINE_LENGTH)) };
  } catch (error) {
    // Its host's own text is not quoted; the code is.
    const code = isServiceError(error) ? ` (${error.code})` : "";
    return { missing: `The live log could not be read${code}; what was kept of its end is in logs, if anything was.` };
  } finally {
    timer.cancel();
    both.removeEventListener("abort", leave);
    late.abort();
  }
}

/** What was kept of the log before an end. */
function snippetOf(transitions: readonly TransitionRecord[]): Explanation["logs"] {
  const end = transitions.find(({ log_snippet: snippet }) => snippet !== null && snippet !== "");
  if (end === undefined) return [];
  const lines = (end.log_snippet ?? "").split("\n").filter((line) => line !== "");
  return [
    {
      of: "before_end",
      transition_id: end.id,
      lines: maskKeyLines(lines)
        .slice(-LINES)
        .map((line) => cutLine(line, LINE_LENGTH)),
    },
  ];
}
