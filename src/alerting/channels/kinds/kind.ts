import type { PushBody } from "../../../contract/push.ts";
import type { Fault } from "../../../platform/errors.ts";
import type { MailMessage } from "../../../platform/mailer.ts";
import type { AlertNotification } from "../../alerts/api.ts";

export interface HttpMessage {
  url: string;
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  body: object;
}

interface CommonKind {
  /** The name of the kind in a sentence. */
  title: string;
  /** The capability that it requires; null when every edition has it. */
  capability: string | null;
  takesHeaders: boolean;
  /** Checks a valid address against what this kind requires. */
  validate(url: URL): Fault[];
  /** The address as it may be shown. */
  shown(url: URL): string;
}

/** A receiver that takes JSON over https. Messages keep to the limits of the receiver, and their contents are never markup. */
export interface HttpKind extends CommonKind {
  transport: "http";
  message(notification: AlertNotification, url: URL): HttpMessage;
}

export interface MailKind extends CommonKind {
  transport: "mail";
  recipients(url: URL): string[];
  message(notification: AlertNotification): MailMessage;
}

/** A browser, through its push service, which cannot read the message. */
export interface PushKind extends CommonKind {
  transport: "push";
  message(notification: AlertNotification): PushMessage;
}

export interface PushMessage {
  /** The push service keeps only the newest message of a topic. At most 32 of A-Z, a-z, 0-9, `-` and `_`. */
  topic: string;
  urgency: "low" | "normal" | "high";
  /** How long the push service keeps the message for a browser that it cannot reach. */
  ttlSeconds: number;
  /** Sent as JSON, encrypted. */
  body: PushBody;
}

export type Kind = HttpKind | MailKind | PushKind;

export const MASKED = "***";

/** The address without what follows the host, since that part is the secret. */
export function hostAlone(url: URL): string {
  return `${url.origin}/${MASKED}`;
}

export function urlFault(message: string): Fault[] {
  return [{ path: "url", message }];
}

/** A fault of the address unless this holds. */
export function unless(holds: boolean, message: string): Fault[] {
  return holds ? [] : urlFault(message);
}

/** A webhook address of these receivers always has a path. */
export function needsPath(url: URL, example: string): Fault[] {
  return unless(url.pathname !== "/", `Must be the whole address that was given out, such as ${example}`);
}

/** Reports query parameters other than these. */
export function unknownQueries(url: URL, known: readonly string[]): Fault[] {
  const isKnown = [...url.searchParams.keys()].every((name) => known.includes(name));
  return unless(isKnown, `Must not have other query parameters than ${known.join(", ")}`);
}
