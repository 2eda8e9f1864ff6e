import type { OutboxMessage } from "../../../../platform/dispatcher.ts";
import type { NewMailRow } from "../tables.ts";

/** Confirmations have a lane of their own: somebody waits for them. */
export const CONFIRMATION_LANE = 1;
/** So many mails with news are sent at once. */
const NEWS_LANES = 4;

export const LEFT = "The subscription ended before this could be sent.";
export const TOO_LATE = "The mail server could not be reached while this was news.";
export const NO_MAIL_SERVER = "There is no mail server any more.";

/** A mail that waits. */
export interface WaitingMail extends OutboxMessage {
  subscriberId: number;
  /** null: it asks for confirmation. */
  noticeId: number | null;
  createdAt: Date;
}

/** One subscriber's mails have one lane, where they keep their order. */
function laneOf(subscriberId: number): number {
  return CONFIRMATION_LANE + 1 + (subscriberId % NEWS_LANES);
}

export function newConfirmation(subscriberId: number, components: string, at: number): NewMailRow {
  return { ...newMail(subscriberId, at), notice_id: null, components, lane: CONFIRMATION_LANE };
}

export function newNews(subscriberId: number, noticeId: number, at: number): NewMailRow {
  return { ...newMail(subscriberId, at), notice_id: noticeId, components: null, lane: laneOf(subscriberId) };
}

function newMail(subscriberId: number, at: number) {
  return { subscriber_id: subscriberId, status: "pending", attempts: 0, next_attempt_at: at, created_at: at };
}
