import type { DeliveryRecord } from "../deliveries/answers.ts";
import type { AlertTrace, TraceStage } from "./answers.ts";
import type { SavedEvaluation } from "./rows.ts";

interface Notified {
  readonly stages: readonly TraceStage[];
  readonly deliveries: readonly DeliveryRecord[];
}

/** Explains why somebody was, or was not, notified of an alert. */
export function traceOf(alertId: number, evaluations: readonly SavedEvaluation[], deliveries: readonly DeliveryRecord[]): AlertTrace {
  const stages = evaluations.flatMap(({ number, transition, verdicts, at }) =>
    verdicts.map((verdict): TraceStage => ({ evaluation: number, transition, ...verdict, at: at.toISOString() })),
  );
  return { alert_id: alertId, summary: summarise(stages, deliveries), stages, deliveries: [...deliveries] };
}

/** Whether notifications of its start were written. They may be deleted by now: an alert is kept for longer than its deliveries. */
export function wasSent({ deliveries, stages }: Notified): boolean {
  return (
    deliveries.some(({ event }) => event === "alert.fired") ||
    // A released alert may also be stopped there because somebody acknowledged it before anything was sent.
    stages.some(
      ({ stage, transition, verdict }) => stage === "deliver" || (stage === "dedup" && verdict === "stopped" && transition !== "released"),
    )
  );
}

/** A note for an alert that was sent but whose deliveries are no longer kept; else undefined. */
export function lostNotification({ deliveries, stages }: Notified): string | undefined {
  const isKept = deliveries.some(({ event }) => event === "alert.fired");
  return wasSent({ deliveries, stages }) && !isKept ? "Deliveries are past their retention period." : undefined;
}

function summarise(stages: readonly TraceStage[], deliveries: readonly DeliveryRecord[]): string {
  const lost = lostNotification({ deliveries, stages });
  if (lost !== undefined) return lost;
  const last = stages.at(-1);
  const lastWord = last === undefined || last.verdict === "passed" ? "" : ` ${last.text}`;
  const fired = deliveries.filter(({ event }) => event === "alert.fired");
  if (fired.length === 0) return `Nobody was notified.${lastWord || " Processing is not finished."}`;
  const count = (status: DeliveryRecord["status"]): number => deliveries.filter((delivery) => delivery.status === status).length;
  const parts = [
    [count("sent"), "sent"],
    [count("pending"), "pending"],
    [count("failed"), "failed after several attempts"],
  ] as const;
  const notified = parts
    .filter(([number]) => number > 0)
    .map(([number, what]) => `${number} ${what}`)
    .join(", ");
  return `${deliveries.length === 1 ? "1 notification" : `${deliveries.length} notifications`}: ${notified}.${lastWord}`;
}
