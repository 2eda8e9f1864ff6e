import { lostNotification, wasSent } from "../../../alerting/index.ts";
import { MINUTE_MS } from "../../../contract/time.ts";
import type { UsageAround } from "../../../monitoring/resources/index.ts";
import { evidence, countText, durationText, bytesText, ownWord } from "../evidence.ts";
import { findChecks } from "./checks.ts";
import { findEnds, findSequel } from "./ends.ts";
import { type AlertFacts, type Finding, isReplaced, type Rule, stampedAhead, momentOf } from "./facts.ts";

/** Why an alert was raised, and what was around it. */
const REASONS: readonly Rule[] = [findEnds, findSequel, findChecks, findUsage, findContext];
/** Those of them that say what failed. */
const CAUSES: readonly Rule[] = [findEnds, findChecks];

/** In the order in which they are listed: what is wrong, why, what was around it, who was notified. */
const RULES: readonly Rule[] = [findAlert, ...REASONS, findNotifications];

/** What is recorded of an alert: only that, each sentence with its records. */
export function findingsOf(facts: AlertFacts): Finding[] {
  return RULES.flatMap((rule) => rule(facts));
}

/** The part of it that explains why; the page of an alert shows the rest by itself. */
export function reasonsOf(facts: AlertFacts): Finding[] {
  return REASONS.flatMap((rule) => rule(facts));
}

/** What one would look for and no record shows. */
export function missingOf(facts: AlertFacts): string[] {
  const { alert, trace, container, before, usage, endpoint, checks, heartbeat, runs, certificate } = facts;
  const missing: string[] = [];
  const is = (type: string): boolean => alert.entity_type === type;
  if (is("container") && container === null)
    missing.push("The container is not known any more: it was removed long ago, with its history.");
  if (is("endpoint") && endpoint === null) missing.push("The endpoint is not known any more, nor are its checks.");
  if (is("heartbeat") && heartbeat === null) missing.push("The heartbeat is not known any more, nor are its runs.");
  if (is("certificate") && certificate === null) missing.push("The certificate monitor is not known any more.");
  if (isReplaced(facts))
    missing.push(
      "The container that ran it then was replaced since: state changes, log and metrics of that one are not here, and container is the one that runs it now.",
    );
  else if (container !== null && before.length === 0 && stampedAhead(facts).length === 0)
    missing.push("No change of the container's state in the 24 hours before the alert is known.");
  if (container !== null && usage !== null && usage.points.length === 0) missing.push("No metrics of that time are known.");
  if (endpoint !== null && checks.length === 0) missing.push("No check of the endpoint is kept for the hour before the alert.");
  if (heartbeat !== null && runs.length === 0) missing.push("No run of the heartbeat's job before the alert is known.");
  const lost = lostNotification(trace);
  if (lost !== undefined) missing.push(lost);
  if (alert.cause === null && CAUSES.every((rule) => rule(facts).length === 0)) missing.push("No cause was recorded with this alert.");
  return missing;
}

const NAMED = 10;

/** What changed before, and what else is wrong. */
function findContext(facts: AlertFacts): Finding[] {
  return [...findImageChange(facts), ...findEarlier(facts), ...findRelated(facts)];
}

function findImageChange(facts: AlertFacts): Finding[] {
  const [latest, ...others] = facts.imageChanges;
  if (latest === undefined) return [];
  const agoMs = momentOf(facts).getTime() - Date.parse(latest.at);
  const more = others.length === 0 ? "" : `, and ${countText(others.length, "time")} more in the 24 hours before it`;
  return [
    {
      claim: `Its image changed ${durationText(agoMs)} before the alert${more}.`,
      evidence: [latest, ...others].slice(0, NAMED).map(({ id, at }) => evidence("image_change", id, at)),
    },
  ];
}

function findEarlier({ alert, earlier }: AlertFacts): Finding[] {
  const [latest] = earlier.alerts;
  if (latest === undefined) return [];
  const agoMs = Date.parse(alert.fired_at) - Date.parse(latest.fired_at);
  return [
    {
      claim:
        earlier.total === 1
          ? `The same alert fired once before, ${durationText(agoMs)} earlier.`
          : `The same alert fired ${countText(earlier.total, "time")} before, most recently ${durationText(agoMs)} earlier.`,
      evidence: earlier.alerts.map(({ id, fired_at: at }) => evidence("alert", id, at)),
    },
  ];
}

function findRelated({ alert, related }: AlertFacts): Finding[] {
  const same = related.alerts.filter(({ entity_type: type, entity_id: id }) => type === alert.entity_type && id === alert.entity_id);
  // Those on the same thing stand first: when no other is listed, there may be more of them.
  const isCut = same.length === related.alerts.length && related.total > same.length;
  const findings: Finding[] = [];
  if (same.length > 0)
    findings.push({
      claim: `${isCut ? "At least " : ""}${countText(same.length, "other alert")} on the same thing ${same.length === 1 ? "is" : "are"} active.`,
      evidence: same.slice(0, NAMED).map(({ id, fired_at: at }) => evidence("alert", id, at)),
    });
  if (related.total > same.length)
    findings.push({
      claim: `${countText(related.total - same.length, "other alert")} on its host or on what it depends on ${related.total - same.length === 1 ? "is" : "are"} active.`,
      evidence: related.alerts
        .filter((each) => !same.includes(each))
        .slice(0, NAMED)
        .map(({ id, fired_at: at }) => evidence("alert", id, at)),
    });
  return findings.filter((finding) => finding.evidence.length > 0);
}

type Point = UsageAround["points"][number];

/** More than this and memory or CPU may have to do with it. */
const MUCH_PERCENT = 80;

/** Growth by so much is worth a sentence. */
const GROWTH = 1.5;

/** What the container used before the moment. What was not measured is left out. */
function findUsage(facts: AlertFacts): Finding[] {
  const { container, usage } = facts;
  if (container === null || usage === null) return [];
  const momentMs = momentOf(facts).getTime();
  // A step that holds the moment began before it.
  const before = usage.points.filter(({ at }) => at.getTime() < momentMs);
  const lastMinute = before.filter(({ at }) => at.getTime() + usage.stepSeconds * 1000 > momentMs - MINUTE_MS);
  const spanText = usage.stepSeconds >= 3600 ? "in the hour of it" : "in the minute before";
  const samples = ({ at }: Point) => [evidence("samples", container.id, at.toISOString())];
  const findings: Finding[] = [];

  const fullest = most(lastMinute, ({ memoryBytes }) => memoryBytes);
  if (fullest !== undefined) findings.push({ claim: memoryText(fullest, spanText), evidence: samples(fullest) });
  const growth = growthOf(before);
  if (growth !== undefined) findings.push({ claim: growth.claim, evidence: [...samples(growth.from), ...samples(growth.to)] });
  const busiest = most(lastMinute, ({ cpuPercent }) => cpuPercent);
  if (busiest !== undefined && (busiest.cpuPercent ?? 0) >= MUCH_PERCENT)
    findings.push({
      claim: `Its CPU was at ${Math.round(busiest.cpuPercent ?? 0)} % of what it may use ${spanText}.`,
      evidence: samples(busiest),
    });
  return findings;
}

function memoryText({ memoryBytes, memoryLimitBytes }: Point, spanText: string): string {
  const used = memoryBytes ?? 0;
  if (memoryLimitBytes === null || memoryLimitBytes <= 0) return `Its memory was at most ${bytesText(used)} ${spanText}.`;
  const percent = Math.floor((used / memoryLimitBytes) * 100);
  return `Its memory was at most ${percent} % of the ${bytesText(memoryLimitBytes)} that it may use ${spanText}${percent < MUCH_PERCENT ? ": not near it" : ""}.`;
}

/** From the least to the most that came after it. */
function growthOf(points: readonly Point[]): { claim: string; from: Point; to: Point } | undefined {
  const to = most(points, ({ memoryBytes }) => memoryBytes);
  const earlier = points.filter(({ at }) => to !== undefined && at < to.at);
  const from = most(earlier, ({ memoryBytes }) => (memoryBytes === null ? null : -memoryBytes));
  const [least, peak] = [from?.memoryBytes ?? 0, to?.memoryBytes ?? 0];
  if (from === undefined || to === undefined || least <= 0 || peak / least < GROWTH) return undefined;
  const took = durationText(to.at.getTime() - from.at.getTime());
  return { claim: `Its memory grew from ${bytesText(least)} to ${bytesText(peak)} within ${took}.`, from, to };
}

/** The latest of those with the highest value; undefined where none has one. */
function most(points: readonly Point[], of: (point: Point) => number | null): Point | undefined {
  let best: Point | undefined;
  for (const point of points) {
    const value = of(point);
    if (value !== null && (best === undefined || value >= (of(best) ?? -Infinity))) best = point;
  }
  return best;
}

/** That the alert is there, how bad it is, and what a measured value was. */
function findAlert({ alert, now }: AlertFacts): Finding[] {
  const event = ownWord(alert.event);
  const age = durationText(now.getTime() - Date.parse(alert.fired_at));
  const own = [evidence("alert", alert.id, alert.fired_at)];
  const findings: Finding[] = [
    {
      claim: `The ${alert.severity} alert ${alert.source}${event === undefined ? "" : ` / ${event}`} was raised ${age} ago and is ${alert.status}.`,
      evidence: own,
    },
  ];
  const { value, threshold, debounce_seconds: debounce } = alert.details;
  if (alert.source === "resource" && typeof value === "number" && typeof threshold === "number")
    findings.push({
      claim: `The measured value was ${Math.round(value)} %, above the threshold of ${threshold} %${typeof debounce === "number" ? ` for ${debounce} s` : ""}.`,
      evidence: own,
    });
  return findings;
}

/** Who was notified, what held it back, and what became of the alert. */
function findNotifications(facts: AlertFacts): Finding[] {
  return [...findDeliveries(facts), ...findVerdict(facts), ...findFate(facts)];
}

function findDeliveries({ alert, trace }: AlertFacts): Finding[] {
  const fired = trace.deliveries.filter(({ event }) => event === "alert.fired");
  const raisedMs = Date.parse(alert.fired_at);
  const words = { sent: "sent", pending: "still pending", failed: "given up after repeated failures" } as const;
  return (["sent", "pending", "failed"] as const).flatMap((status) => {
    const these = fired.filter((delivery) => delivery.status === status);
    if (these.length === 0) return [];
    const first = Math.min(...these.map(({ sent_at: at }) => (at === null ? Infinity : Date.parse(at))));
    const soon = status === "sent" && first < Infinity ? `, the first ${durationText(first - raisedMs)} after it was raised` : "";
    return [
      {
        claim: `${countText(these.length, "notification")} that it was raised ${these.length === 1 ? "was" : "were"} ${words[status]}${soon}.`,
        evidence: these.slice(0, NAMED).map(({ id, sent_at: at }) => evidence("delivery", id, at)),
      },
    ];
  });
}

/** Why nobody was notified; the words of the verdict stand in the trace, since they name things. */
function findVerdict({ trace }: AlertFacts): Finding[] {
  if (wasSent(trace)) return [];
  const stopped = trace.stages.findLast(({ transition, verdict }) => transition !== "resolved" && verdict !== "passed");
  if (stopped === undefined) return [];
  const how = stopped.verdict === "held" ? "holds it back" : "stopped it";
  return [
    {
      claim: `Nobody was notified: the stage ${stopped.stage} ${how}.`,
      evidence: [evidence("trace_evaluation", stopped.evaluation, stopped.at)],
    },
  ];
}

function findFate({ alert }: AlertFacts): Finding[] {
  const findings: Finding[] = [];
  const raisedMs = Date.parse(alert.fired_at);
  const after = (at: string): string => `${durationText(Date.parse(at) - raisedMs)} after it was raised`;
  if (alert.acknowledged_at !== null)
    findings.push({
      claim: `It was acknowledged ${after(alert.acknowledged_at)}.`,
      evidence: [evidence("alert", alert.id, alert.acknowledged_at)],
    });
  if (alert.resolved_at !== null)
    findings.push({
      claim: `It ended ${after(alert.resolved_at)}, ${alert.resolved_by === "auto" ? "by itself" : "resolved by a person"}.`,
      evidence: [evidence("alert", alert.id, alert.resolved_at)],
    });
  return findings;
}
