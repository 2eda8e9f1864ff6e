import { MINUTE_MS } from "../../../../../src/contract/time.ts";
import type { HeartbeatRecord } from "../../../../../src/monitoring/heartbeats/answers.ts";
import { explainExitCode } from "../../../format/exit-code.ts";
import { secondsWords } from "../../../format/schedule.ts";
import { formatAge, formatAgo, formatLocal } from "../../../format/time.ts";

/** How a heartbeat is and why, in a sentence; `detail` is what else is worth knowing. */
export function headline(record: HeartbeatRecord, nowMs: number): { what: string; detail: string } {
  const local = (at: string): string => formatLocal(at, nowMs, "minute");
  const ago = (at: string): string => formatAgo(nowMs - Date.parse(at));
  switch (record.status) {
    case "new":
      return record.next_expected_at === null
        ? { what: "No ping received yet.", detail: "Monitoring starts with the first ping." }
        : { what: "No success known since the last failure.", detail: expectedWords(record, nowMs) };
    case "paused":
      return {
        what: `Not checked since ${local(record.status_changed_at)}.`,
        detail: "Pings are still recorded. Resuming starts a new deadline.",
      };
    case "started":
      return { what: runWords(record, nowMs), detail: openReason(record, local) };
    case "up":
      return { what: record.last_ping_at === null ? "" : `Reported ${ago(record.last_ping_at)}.`, detail: expectedWords(record, nowMs) };
    case "down":
      return { what: downWords(record, nowMs), detail: record.last_ping_at === null ? "" : `Last ping ${ago(record.last_ping_at)}.` };
  }
}

function runWords(
  { current_run_started_at: startedAt, max_runtime_seconds: limit, open_runs: open }: HeartbeatRecord,
  nowMs: number,
): string {
  const age = startedAt === null ? "" : ` for ${formatAge(Math.max(1000, nowMs - Date.parse(startedAt)))}`;
  const most = limit === null ? "" : `, at most ${secondsWords(limit)}`;
  return open > 1 ? `${open} runs in progress, the oldest${age}${most}.` : `Run in progress${age}${most}.`;
}

/** While the next run is under way, what went wrong before it is not over yet. */
function openReason(record: HeartbeatRecord, local: (at: string) => string): string {
  if (record.reason === null || record.failing_since === null) return "";
  return `Failing since ${local(record.failing_since)}: ${reasonSentence(record)}. The next success resolves this.`;
}

function expectedWords(
  { next_expected_at: expectedAt, next_deadline_at: deadlineAt, grace_seconds: grace }: HeartbeatRecord,
  nowMs: number,
): string {
  if (expectedAt === null) return "";
  const local = (at: string): string => formatLocal(at, nowMs, "minute");
  if (Date.parse(expectedAt) > nowMs) return `The next ping is expected at ${local(expectedAt)}, grace ${secondsWords(grace)}.`;
  return `Expected at ${local(expectedAt)} and not received yet: late ${deadlineAt === null ? "soon" : `after ${local(deadlineAt)}`}.`;
}

function downWords(record: HeartbeatRecord, nowMs: number): string {
  const local = (at: string): string => formatLocal(at, nowMs, "minute");
  const since = local(record.failing_since ?? record.status_changed_at);
  if (record.reason !== "deadline") return `Failing since ${since}: ${reasonSentence(record)}.`;
  const expectedAt = missedTime(record);
  const expected = expectedAt === undefined ? "no ping in time" : `expected at ${local(expectedAt)}`;
  return `Late since ${local(record.status_changed_at)}: ${expected}, grace ${secondsWords(record.grace_seconds)}.`;
}

function reasonSentence({ reason, last_exit_code: code, max_runtime_seconds: limit }: HeartbeatRecord): string {
  switch (reason) {
    case "exit_code": {
      const meaning = code === null ? undefined : explainExitCode(code);
      return `last run failed with exit code ${code}${meaning === undefined ? "" : `, ${meaning}`}`;
    }
    case "fail":
      return "the job reported a failure";
    case "timeout":
      return limit === null ? "a run took too long" : `a run took longer than ${secondsWords(limit)}`;
    default:
      return "no ping in time";
  }
}

/** Within this of the end of its grace, a job was judged at once, and not held because the server had been away. */
const PROMPT_MS = 15_000;

/**
 * When a job that is late was expected. It was judged at the end of its grace, unless the server was away then: only what a whole minute of a
 * cron line, or the ping before an interval, bears out is shown.
 */
export function missedTime(record: HeartbeatRecord): string | undefined {
  const expectedMs = Date.parse(record.status_changed_at) - record.grace_seconds * 1000;
  if (record.interval_seconds === null) {
    const minuteMs = expectedMs - (expectedMs % MINUTE_MS);
    return expectedMs - minuteMs <= PROMPT_MS ? new Date(minuteMs).toISOString() : undefined;
  }
  if (record.last_ping_at === null) return undefined;
  const plannedMs = Date.parse(record.last_ping_at) + record.interval_seconds * 1000;
  return Math.abs(expectedMs - plannedMs) <= PROMPT_MS ? new Date(plannedMs).toISOString() : undefined;
}
