import { cleanName } from "../../platform/text.ts";
import type { AlertNotification, AlertRecord } from "../alerts/api.ts";

/** The look of a message: its colour and priority. */
export type Tone = "critical" | "warning" | "info" | "good" | "neutral";

/** A notification in words, the same for every receiver that is read by people. Clean and bounded, but not yet escaped. */
export interface Summary {
  tone: Tone;
  /** One short line, such as `Critical: container web`, with `on alpha` for a host other than the local one. */
  headline: string;
  /** What is wrong. */
  message: string;
  /** The known cause. */
  cause: string | null;
  facts: readonly Fact[];
  /** The page of the alert. */
  url: string;
}

interface Fact {
  label: string;
  value: string;
}

const LONGEST = { name: 120, host: 64, message: 1000, cause: 500, fact: 200 } as const;

export const TONE_COLOURS: Readonly<Record<Tone, `#${string}`>> = {
  critical: "#d92d20",
  warning: "#dc6803",
  info: "#1570ef",
  good: "#079455",
  neutral: "#667085",
};

const SEVERITY_WORDS = { critical: "Critical", warning: "Warning", info: "Info" } as const;

/** A notification as people read it. */
export function summarize(notification: AlertNotification): Summary {
  const { alert, escalation } = notification;
  const name = cleanName(alert.entity_name, LONGEST.name) || "without a name";
  const host = alert.entity_type === "agent" ? null : cleanName(notification.host ?? "", LONGEST.host) || null;
  const headline = `${eventWordOf(notification)}: ${alert.entity_type} ${name}${host === null ? "" : ` on ${host}`}`;
  return {
    tone: toneOf(notification),
    headline,
    message: cleanName(alert.message, LONGEST.message) || headline,
    cause: cleanName(alert.cause ?? "", LONGEST.cause) || null,
    facts: [
      fact("Severity", SEVERITY_WORDS[alert.severity]),
      fact("Since", wordsForTime(alert.fired_at)),
      ...optional("Host", host),
      ...optional("Acknowledged by", alert.acknowledged_by),
      ...optional("Note", alert.acknowledged_note),
      ...(notification.event === "alert.resolved" ? resolutionOf(alert) : []),
      ...optional("Escalation", escalation === null ? null : `${escalation.policy_name}, level ${escalation.level + 1}`),
    ],
    url: alert.url,
  };
}

/** For receivers that show lines of plain text under a title. */
export function plainText({ message, cause, facts }: Summary): string {
  return [message, ...(cause === null ? [] : [`Cause: ${cause}`]), ...facts.map(({ label, value }) => `${label}: ${value}`)].join("\n");
}

function toneOf({ event, alert }: AlertNotification): Tone {
  if (event === "alert.fired") return alert.severity;
  return event === "alert.resolved" ? "good" : "neutral";
}

function eventWordOf({ event, alert, escalation }: AlertNotification): string {
  if (event === "test") return "Test";
  if (event === "alert.resolved") return "Resolved";
  if (event === "alert.acknowledged") return "Acknowledged";
  if (escalation?.kind === "exhausted") return `${SEVERITY_WORDS[alert.severity]}, not acknowledged`;
  return SEVERITY_WORDS[alert.severity];
}

function resolutionOf({ resolved_at, resolved_by, resolution }: AlertRecord): Fact[] {
  const by = resolved_by === null || resolved_by === "auto" ? "" : ` by ${resolved_by}`;
  const why = resolution === null || resolution.by === "user" ? [] : optional("Why", resolution.reason);
  return resolved_at === null ? [] : [fact("Resolved", `${wordsForTime(resolved_at)}${by}`), ...why];
}

function optional(label: string, value: string | null): Fact[] {
  return cleanName(value ?? "") === "" ? [] : [fact(label, value ?? "")];
}

function fact(label: string, value: string): Fact {
  return { label, value: cleanName(value, LONGEST.fact) };
}

/** `2026-03-01 12:00:00 UTC`. */
function wordsForTime(timestamp: string): string {
  const [, date, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)/.exec(timestamp) ?? [];
  return date === undefined || time === undefined ? cleanName(timestamp, 40) : `${date} ${time} UTC`;
}

/** Escaping of external text, for each receiver. */

/** Slack's three control characters. Source: Slack, Formatting text for app surfaces. */
export function escapeSlack(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

export function escapeHtml(text: string): string {
  return escapeSlack(text).replaceAll('"', "&quot;").replaceAll("'", "&#39;");
}

/**
 * Escapes Markdown as Discord and Mattermost read it: a backslash before each special character, and an invisible space in mentions, some of which
 * are parsed before the backslashes are.
 */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!|~<>:]/g, "\\$&").replaceAll("@", "@\u200b");
}

/** Adaptive Cards replace `{{DATE(...)}}` anywhere in a text. */
export function escapeCard(text: string): string {
  return text.replaceAll("{", "{\u200b");
}

/** Escapes as many whole characters as fit, with an ellipsis when some did not. */
export function fit(text: string, longest: number, escape: (text: string) => string = (plain) => plain): string {
  const whole = escape(text);
  if (whole.length <= longest) return whole;
  let fitted = "";
  for (const character of text) {
    const next = fitted + escape(character);
    if (next.length > longest - 1) break;
    fitted = next;
  }
  return `${fitted}…`;
}
