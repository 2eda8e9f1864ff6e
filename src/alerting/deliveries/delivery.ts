import { DAY_MS } from "../../contract/time.ts";
import type { Verdict } from "../../platform/delivery-schedule.ts";
import { cleanName } from "../../platform/text.ts";
import type { Notification, Target } from "../vocabulary.ts";
import type { DeliveryStatus } from "./api.ts";

/** How long what is for a channel that is off waits for it. */
export const OFF_PATIENCE_MS = DAY_MS;
export const CHANNEL_OFF = "The channel was disabled for a day while this was queued.";
export const CHANNEL_GONE = "The channel was deleted before this could be sent.";
export const NEVER_TOLD = "Not sent: this channel never received the alert itself.";

const LONGEST_TEXT = 500;

/** A step of an escalation that asked for a delivery. */
export interface Step {
  runId: number;
  level: number;
}

/** A delivery that waits, as far as sending it needs. */
export interface WaitingDelivery {
  id: number;
  alertId: number;
  channelId: number;
  event: Notification["event"];
  escalation: Step | null;
  attempts: number;
  /** The notification as JSON. */
  body: string;
  /** It tells the end of an alert that this channel was not told of, since that failed. */
  isUntold: boolean;
}

export interface Delivery {
  id: number;
  alertId: number;
  channelId: number;
  event: Notification["event"];
  escalation: Step | null;
  because: string;
  replayOf: number | null;
  status: DeliveryStatus;
  attempts: number;
  nextAttemptAt: Date | null;
  lastAttemptAt: Date | null;
  lastStatusCode: number | null;
  lastError: string | null;
  sentAt: Date | null;
  createdAt: Date;
}

/** What others are told of a delivery that is over. */
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

/** One for each channel. */
export function distinctTargets(targets: readonly Target[]): Target[] {
  return [...new Map(targets.map((target) => [target.channelId, target])).values()];
}

/** Sentences come from receivers' machines and from names. */
export function cleanText(text: string): string {
  return cleanName(text, LONGEST_TEXT);
}
