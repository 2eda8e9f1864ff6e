import { wasSent } from "../../../alerting/index.ts";
import { evidence, countText, durationText, ownWord } from "../evidence.ts";
import type { AlertFacts, Finding } from "./facts.ts";

const NAMED = 10;

/** That the alert is there, how bad it is, and what a measured value was. */
export function findAlert({ alert, now }: AlertFacts): Finding[] {
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

/** Who was told, what held it back, and what became of the alert. */
export function findTelling(facts: AlertFacts): Finding[] {
  return [...findDeliveries(facts), ...findVerdict(facts), ...findFate(facts)];
}

function findDeliveries({ alert, trace }: AlertFacts): Finding[] {
  const fired = trace.deliveries.filter(({ event }) => event === "alert.fired");
  const raisedMs = Date.parse(alert.fired_at);
  const words = { sent: "sent", pending: "still under way", failed: "given up after repeated failures" } as const;
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

/** Why nobody was told; the words of the verdict stand in the trace, since they name things. */
function findVerdict({ trace }: AlertFacts): Finding[] {
  if (wasSent(trace)) return [];
  const stopped = trace.stages.findLast(({ occasion, verdict }) => occasion !== "resolved" && verdict !== "passed");
  if (stopped === undefined) return [];
  const how = stopped.verdict === "held" ? "holds it back" : "ended its way";
  return [
    { claim: `Nobody was notified: the stage ${stopped.stage} ${how}.`, evidence: [evidence("trace_walk", stopped.walk, stopped.at)] },
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
