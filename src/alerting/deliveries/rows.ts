import type { Selectable, Generated } from "kysely";
import { toDate, wireTime, DAY_MS } from "../../contract/time.ts";
import type { Verdict } from "../../platform/delivery-schedule.ts";
import { cleanName } from "../../platform/text.ts";
import type { Notification, Target } from "../vocabulary.ts";
import type { DeliveryRecord } from "./answers.ts";

/** The columns of this feature's tables; see storage/migrations/010-deliveries.ts for their meaning. */
export interface DeliveryTables {
  delivery_notifications: { id: Generated<number>; body: string; created_at: number };
  deliveries: DeliveryRow;
}

interface DeliveryRow extends OrderColumns, StateColumns {
  id: Generated<number>;
}

interface OrderColumns {
  notification_id: number;
  alert_id: number;
  channel_id: number;
  event: string;
  escalation_run_id: number | null;
  escalation_level: number | null;
  notify_on_resolve: number;
  because: string;
  replay_of: number | null;
  created_at: number;
}

interface StateColumns {
  status: string;
  attempts: number;
  next_attempt_at: number | null;
  last_attempt_at: number | null;
  last_status_code: number | null;
  last_error: string | null;
  sent_at: number | null;
}

/** As selected by the query for due deliveries. */
export interface WaitingRow {
  id: number;
  alert_id: number;
  channel_id: number;
  event: string;
  escalation_run_id: number | null;
  escalation_level: number | null;
  attempts: number;
  body: string;
  firing_unsent: number;
}

export function waitingFromRow(row: WaitingRow): WaitingDelivery {
  return {
    id: row.id,
    alertId: row.alert_id,
    channelId: row.channel_id,
    // This column was written by newRow.
    event: row.event as Notification["event"],
    escalation: stepFromRow(row),
    attempts: row.attempts,
    body: row.body,
    isFiringUnsent: row.firing_unsent === 1,
  };
}

export function deliveryRecord(row: Selectable<DeliveryRow>): DeliveryRecord {
  const escalation = stepFromRow(row);
  return {
    id: row.id,
    // Negative when the alert was deleted with its host.
    alert_id: Math.abs(row.alert_id),
    channel_id: row.channel_id,
    // These columns were written by newRow and the outbox.
    event: row.event as DeliveryRecord["event"],
    escalation: escalation === null ? null : { run_id: escalation.runId, level: escalation.level },
    because: row.because,
    replay_of: row.replay_of,
    status: row.status as DeliveryRecord["status"],
    attempts: row.attempts,
    next_attempt_at: wireTime(toDate(row.next_attempt_at)),
    last_attempt_at: wireTime(toDate(row.last_attempt_at)),
    last_status_code: row.last_status_code,
    last_error: row.last_error,
    sent_at: wireTime(toDate(row.sent_at)),
    created_at: new Date(row.created_at).toISOString(),
  };
}

export interface NewDelivery {
  notificationId: number;
  alertId: number;
  target: Target;
  event: Notification["event"];
  escalation: Step | null;
  replayOf: number | null;
  at: Date;
}

export function newRow({ notificationId, alertId, target, event, escalation, replayOf, at }: NewDelivery): OrderColumns & StateColumns {
  return {
    notification_id: notificationId,
    alert_id: alertId,
    channel_id: target.channelId,
    event,
    escalation_run_id: escalation?.runId ?? null,
    escalation_level: escalation?.level ?? null,
    notify_on_resolve: target.notifyOnResolve ? 1 : 0,
    because: cleanText(target.because),
    replay_of: replayOf,
    created_at: at.getTime(),
    status: "pending",
    attempts: 0,
    next_attempt_at: at.getTime(),
    last_attempt_at: null,
    last_status_code: null,
    last_error: null,
    sent_at: null,
  };
}

/** For a row that is over. */
export function settledFromRow(row: Selectable<DeliveryRow>): Settled {
  const { id, channel_id: channelId, sent_at: sentAt, last_error: error } = row;
  const at = new Date(sentAt ?? row.last_attempt_at ?? row.created_at);
  return { id, channelId, escalation: stepFromRow(row), status: sentAt === null ? "failed" : "sent", error, at };
}

function stepFromRow(row: { escalation_run_id: number | null; escalation_level: number | null }): Step | null {
  return row.escalation_run_id === null ? null : { runId: row.escalation_run_id, level: row.escalation_level ?? 0 };
}

/** How long a delivery for a disabled channel waits for it to be enabled. */
export const OFF_PATIENCE_MS = DAY_MS;
export const CHANNEL_OFF = "The channel was disabled for a day while this was queued.";
export const CHANNEL_GONE = "The channel was deleted before this could be sent.";
export const FIRING_NOT_SENT = "Not sent: this channel never received the alert itself.";

const LONGEST_TEXT = 500;

/** The escalation step that asked for a delivery. */
export interface Step {
  runId: number;
  level: number;
}

/** A delivery that waits, with what is needed to send it. */
export interface WaitingDelivery {
  id: number;
  alertId: number;
  channelId: number;
  event: Notification["event"];
  escalation: Step | null;
  attempts: number;
  /** The notification as JSON. */
  body: string;
  /** Whether it reports the end of an alert whose firing notification failed for this channel. */
  isFiringUnsent: boolean;
}

/** The part of a settled delivery that is published. */
export interface Settled {
  id: number;
  channelId: number;
  escalation: Step | null;
  status: "sent" | "failed";
  error: string | null;
  at: Date;
}

/** undefined while it still waits. */
export function settledBy({ id, channelId, escalation }: WaitingDelivery, { status, error, at }: Verdict): Settled | undefined {
  return status === "pending" ? undefined : { id, channelId, escalation, status, error, at };
}

/** Sentences may contain text from receivers and names. */
function cleanText(text: string): string {
  return cleanName(text, LONGEST_TEXT);
}
