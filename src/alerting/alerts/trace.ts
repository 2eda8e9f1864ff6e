import type { DeliveryRecord } from "../deliveries/api.ts";
import type { AlertTrace, TraceStage } from "./api.ts";
import type { SavedWalk } from "./rows.ts";

/** Why somebody was, or was not, told of an alert. */
export function traceOf(alertId: number, walks: readonly SavedWalk[], deliveries: readonly DeliveryRecord[]): AlertTrace {
  const stages = walks.flatMap(({ walk, occasion, verdicts, at }) =>
    verdicts.map((verdict): TraceStage => ({ walk, occasion, ...verdict, at: at.toISOString() })),
  );
  return { alert_id: alertId, summary: summarise(stages, deliveries), stages, deliveries: [...deliveries] };
}

function summarise(stages: readonly TraceStage[], deliveries: readonly DeliveryRecord[]): string {
  const last = stages.at(-1);
  const lastWord = last === undefined || last.verdict === "passed" ? "" : ` ${last.text}`;
  const fired = deliveries.filter(({ event }) => event === "alert.fired");
  if (fired.length === 0) return `Nobody was notified.${lastWord || " It is still on its way."}`;
  const count = (status: DeliveryRecord["status"]): number => deliveries.filter((delivery) => delivery.status === status).length;
  const parts = [
    [count("sent"), "sent"],
    [count("pending"), "under way"],
    [count("failed"), "given up after repeated failures"],
  ] as const;
  const told = parts
    .filter(([number]) => number > 0)
    .map(([number, what]) => `${number} ${what}`)
    .join(", ");
  return `${deliveries.length === 1 ? "1 notification" : `${deliveries.length} notifications`}: ${told}.${lastWord}`;
}
