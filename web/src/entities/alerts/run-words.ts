import type { RunDetail, RunRecord } from "../../../../src/alerting/escalation/answers.ts";
import type { Status } from "../../format/status.ts";

/** How an escalation stands, with its shape and words. */
export const RUN_WORDS: Readonly<Record<RunRecord["status"], { status: Status; word: string }>> = {
  active: { status: "degraded", word: "Running" },
  paused_by_maintenance: { status: "maintenance", word: "Paused by maintenance" },
  paused_by_silence: { status: "maintenance", word: "Paused by a silence" },
  exhausted: { status: "degraded", word: "Not acknowledged" },
  stopped_by_ack: { status: "ok", word: "Ended: acknowledged" },
  stopped_by_resolution: { status: "ok", word: "Ended: resolved" },
  stopped_by_edition_downgrade: { status: "idle", word: "Ended: not part of this edition" },
  stopped_by_policy_deletion: { status: "idle", word: "Ended: policy deleted" },
};

/** `2 of 3 levels notified`. */
export function levelWords({ level_index, policy }: Pick<RunRecord, "level_index" | "policy">): string {
  const levels = policy.levels.length;
  return `${Math.min(level_index, levels)} of ${levels === 1 ? "1 level" : `${levels} levels`} notified`;
}

type Delivery = RunDetail["deliveries"][number];

/** What one of its messages was for: `Level 2`, `That it ended`, `That nobody reacted`. */
export function deliveryPurpose({ kind, level_index }: Pick<Delivery, "kind" | "level_index">): string {
  if (kind === "level") return `Level ${level_index + 1}`;
  return kind === "closure" ? "Ended" : "Not acknowledged";
}

export const DELIVERY_WORDS: Readonly<Record<Delivery["status"], { status: Status; word: string }>> = {
  sent: { status: "ok", word: "sent" },
  pending: { status: "idle", word: "sending" },
  failed: { status: "degraded", word: "failed" },
};
