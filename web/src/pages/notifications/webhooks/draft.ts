/** A webhook subscription as it is being typed, and what is wrong with it. */
import { WEBHOOK_BOUNDS } from "../../../../../src/contract/notifications.ts";
import type { CreateBody } from "../../../../../src/publishing/webhooks/api.ts";
import type { WebhookRecord } from "../../../../../src/publishing/webhooks/answers.ts";
import type { Faults } from "../../../ui/forms/server-faults.ts";

export interface WebhookDraft {
  name: string;
  url: string;
  eventTypes: readonly string[];
  /** Empty: one is made, or the one that is there stays. */
  secret: string;
  active: boolean;
}

export const WEBHOOK_FIELDS = ["name", "url", "event_types", "secret"];
export const NEW_WEBHOOK: WebhookDraft = { name: "", url: "", eventTypes: ["*"], secret: "", active: true };
const { secretLength } = WEBHOOK_BOUNDS;

/** What is saved, ready to be edited. Its address is masked where it is secret, and stays what it is while it is left so. */
export function draftOf({ name, url, event_types, active }: WebhookRecord): WebhookDraft {
  return { name, url, eventTypes: event_types, secret: "", active };
}

export function readDraft(draft: WebhookDraft): { body: CreateBody } | { faults: Faults } {
  const faults: Record<string, string> = {};
  const name = draft.name.trim();
  const url = draft.url.trim();
  if (name === "") faults["name"] = "Enter a name.";
  if (!/^https?:\/\/[^\s/]+/i.test(url)) faults["url"] = "An address that begins with https://.";
  if (draft.eventTypes.length === 0) faults["event_types"] = "Choose at least one event. * matches all.";
  const { length } = draft.secret;
  if (length > 0 && (length < secretLength.min || length > secretLength.max || !/^[\x21-\x7e]+$/.test(draft.secret)))
    faults["secret"] = `${secretLength.min} to ${secretLength.max} letters, digits and signs, without spaces.`;
  if (Object.keys(faults).length > 0) return { faults };
  return { body: { name, url, event_types: [...draft.eventTypes], active: draft.active, ...(length > 0 && { secret: draft.secret }) } };
}

/** A secret that nobody guesses: 32 random bytes, as letters and digits. */
export function makeSecret(): string {
  return [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
