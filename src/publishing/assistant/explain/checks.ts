import type { CheckRecord } from "../../../monitoring/endpoints/answers.ts";
import type { ExecutionRecord } from "../../../monitoring/heartbeats/answers.ts";
import { type Evidence, evidence, countText, durationText } from "../evidence.ts";
import type { AlertFacts, Finding } from "./facts.ts";

/** Why a check can fail, in words. */
const CLASSES: Record<NonNullable<CheckRecord["failure_class"]>, string> = {
  dns: "its host name was not found",
  connect: "the connection failed",
  timeout: "there was no response in time",
  tls: "the TLS handshake or certificate failed",
  http: "the HTTP status was unexpected",
  assertion: "the response did not match the check",
};
/** Of many checks with the same result, so many are named. */
const NAMED = 5;

/** What the checks of an endpoint showed, the runs of a heartbeat's job, and the certificate. */
export function findChecks(facts: AlertFacts): Finding[] {
  return [...findFailures(facts), ...findUnobserved(facts), ...findRuns(facts), ...findCertificate(facts)];
}

function findFailures({ endpoint, checks }: AlertFacts): Finding[] {
  if (endpoint === null) return [];
  const seen = checks.filter(({ observed }) => observed);
  const firstSuccess = seen.findIndex(({ success }) => success);
  const failures = firstSuccess === -1 ? seen : seen.slice(0, firstSuccess);
  const [latest] = failures;
  const first = failures.at(-1);
  if (latest === undefined || first === undefined) return [];
  const named = [...new Set([...failures.slice(0, NAMED - 1), first])];
  const span = failures.length === 1 ? "" : ` within ${durationText(Date.parse(latest.timestamp) - Date.parse(first.timestamp))}`;
  const findings: Finding[] = [
    {
      claim: `${countText(failures.length, "check")} in a row failed${span}${firstSuccess === -1 ? ", with no success among the recorded ones" : ""}.`,
      evidence: named.map(checkEvidence),
    },
  ];
  if (latest.failure_class !== null) {
    const status = latest.http_status === null ? "" : ` (${latest.http_status})`;
    findings.push({
      claim: `The latest of them failed because ${CLASSES[latest.failure_class]}${status}.`,
      evidence: [checkEvidence(latest)],
    });
  }
  const before = seen[firstSuccess];
  if (before !== undefined && before.response_time_ms !== null)
    findings.push({
      claim: `The check before them succeeded after ${Math.round(before.response_time_ms)} ms.`,
      evidence: [checkEvidence(before)],
    });
  return findings;
}

function findUnobserved({ endpoint, checks }: AlertFacts): Finding[] {
  const unseen = checks.filter(({ observed }) => !observed);
  if (endpoint === null || unseen.length === 0) return [];
  return [
    {
      claim: `${countText(unseen.length, "check")} could not be made: the host that checks had no network or no resolver itself.`,
      evidence: unseen.slice(0, NAMED).map(checkEvidence),
    },
  ];
}

const OUTCOMES = { success: "succeeded", failure: "failed", timeout: "exceeded its max runtime", running: "had not ended yet" } as const;

function findRuns({ alert, heartbeat, runs }: AlertFacts): Finding[] {
  if (heartbeat === null) return [];
  const findings: Finding[] = [];
  const [latest] = runs;
  const raisedMs = Date.parse(alert.fired_at);
  if (latest !== undefined) {
    const at = latest.ended_at ?? latest.started_at;
    const code = latest.exit_code === null ? "" : ` with exit code ${latest.exit_code}`;
    findings.push({
      claim: `The latest run by then ${howItWent(latest, raisedMs, `${OUTCOMES[latest.outcome]}${code}`)}.`,
      evidence: [evidence("heartbeat_run", latest.id, at)],
    });
  }
  const bad = runs.filter((each) => (each.outcome === "failure" || each.outcome === "timeout") && !isUnderWay(each, raisedMs));
  if (bad.length > 1)
    findings.push({
      claim: `${bad.length} of the ${runs.length} latest runs by then failed or did not end in time.`,
      evidence: bad.slice(0, NAMED).map(({ id, ended_at: at }) => evidence("heartbeat_run", id, at)),
    });
  return findings;
}

/** What is known now of how a run ended may not have been so yet when the alert was raised. */
function howItWent(run: ExecutionRecord, raisedMs: number, outcome: string): string {
  const { started_at: startedAt, ended_at: endedAt } = run;
  const away = (at: string): string => durationText(raisedMs - Date.parse(at));
  if (!isUnderWay(run, raisedMs)) {
    const at = endedAt ?? startedAt;
    return at === null ? outcome : `${outcome} ${away(at)} before the alert`;
  }
  const began = startedAt === null ? "" : ` began ${away(startedAt)} before the alert and`;
  return `was still running then: it${began} ${endedAt === null ? outcome : `${outcome} ${away(endedAt)} after it`}`;
}

function isUnderWay({ outcome, ended_at: endedAt }: ExecutionRecord, raisedMs: number): boolean {
  return endedAt === null ? outcome === "running" : Date.parse(endedAt) > raisedMs;
}

function findCertificate({ certificate }: AlertFacts): Finding[] {
  if (certificate === null) return [];
  const days = certificate.days_until_expiry;
  const left = days === null ? "" : days < 0 ? `; it ended ${countText(-days, "day")} ago` : `; ${countText(days, "day")} are left`;
  return [
    {
      claim: `The certificate is ${certificate.status.replaceAll("_", " ")} by its last check${left}.`,
      evidence: [evidence("certificate", certificate.id, certificate.last_check_at)],
    },
  ];
}

function checkEvidence({ id, timestamp }: CheckRecord): Evidence {
  return evidence("endpoint_check", id, timestamp);
}
