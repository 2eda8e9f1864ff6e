import type { PushBody } from "../../../contract/push.ts";
import type { Fault } from "../../../platform/errors.ts";
import type { MailMessage } from "../../../platform/mailer.ts";
import type { AlertRecord } from "../../alerts/api.ts";
import type { Notification } from "../../vocabulary.ts";
import type { Summary } from "../summary.ts";

/** What is sent: as a summary for people, and in full for programs. */
export interface Content {
  notification: Notification<AlertRecord>;
  summary: Summary;
}

export interface HttpMessage {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  body: object;
}

interface CommonKind {
  /** As a sentence names it. */
  title: string;
  /** The capability of the edition that it needs; null: every edition has it. */
  capability: string | null;
  takesHeaders: boolean;
  /** What is wrong with an address that is right by itself. */
  validate(url: URL): Fault[];
  /** The address as it may be shown. */
  shown(url: URL): string;
}

/** A receiver that takes JSON over https. Every message keeps to the limits of its receiver, and its contents cannot be markup. */
export interface HttpKind extends CommonKind {
  transport: "http";
  message(content: Content, url: URL): HttpMessage;
}

export interface MailKind extends CommonKind {
  transport: "mail";
  recipients(url: URL): string[];
  message(content: Content): MailMessage;
}

/** A browser, through its push service, which cannot read the message. */
export interface PushKind extends CommonKind {
  transport: "push";
  message(content: Content): PushMessage;
}

export interface PushMessage {
  /** The push service keeps only the newest message of a topic. At most 32 of A-Z, a-z, 0-9, `-` and `_`. */
  topic: string;
  urgency: "low" | "normal" | "high";
  /** For how long the push service keeps it for a browser that it cannot reach. */
  ttlSeconds: number;
  /** Sent as JSON, encrypted. */
  body: PushBody;
}

export type Kind = HttpKind | MailKind | PushKind;

export const MASKED = "***";

/** All but the host: what follows it is what proves that we may send there. */
export function hostAlone(url: URL): string {
  return `${url.origin}/${MASKED}`;
}

export function urlFault(message: string): Fault[] {
  return [{ path: "url", message }];
}

/** The receivers' webhooks have a path that no root has. */
export function needsPath(url: URL, example: string): Fault[] {
  return url.pathname === "/" ? urlFault(`Must be the whole address that was given out, such as ${example}`) : [];
}

/** Queries other than these are mistakes. */
export function unknownQueries(url: URL, known: readonly string[]): Fault[] {
  const strangers = [...url.searchParams.keys()].filter((name) => !known.includes(name));
  return strangers.length === 0 ? [] : urlFault(`Must not have other query parameters than ${known.join(", ")}`);
}
