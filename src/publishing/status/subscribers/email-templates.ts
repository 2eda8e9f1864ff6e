import type { MailMessage } from "../../../platform/mailer.ts";
import { escapeHtml } from "../../../http/page.ts";
import { cleanName } from "../../../platform/text.ts";
import { INCIDENT_WORDS, SEVERITY_WORDS } from "../page/index.ts";
import type { IncidentNews, Notice, WorkKind, WorkNews } from "./notice.ts";

/** What every mail says in addition to its news. */
export interface EmailHeader {
  /** Of the page. */
  title: string;
  pageUrl: string;
}

interface Email {
  subject: string;
  heading: string;
  paragraphs: readonly string[];
  facts: readonly (readonly [label: string, value: string])[];
  link: { text: string; url: string };
  footer: readonly string[];
  unsubscribeUrl: string | null;
}

const SUBJECT_LENGTH = 150;
const NAMES_SHOWN = 20;

const WORK_WORDS: Readonly<Record<WorkKind, string>> = {
  maintenance_planned: "Planned maintenance",
  maintenance_rescheduled: "Maintenance rescheduled",
  maintenance_started: "Maintenance started",
  maintenance_ended: "Maintenance completed",
  maintenance_cancelled: "Maintenance cancelled",
};

/** Asks whether the owner of the address wants these mails. `chosen` are names of components; empty: all. */
export function confirmationMail(
  { title, pageUrl }: EmailHeader,
  { confirmUrl, chosen, isSubscribed }: { confirmUrl: string; chosen: readonly string[]; isSubscribed: boolean },
): MailMessage {
  const wanted = chosen.length === 0 ? "incidents and maintenance" : `incidents and maintenance of ${listed(chosen)}`;
  return write(title, {
    subject: `[${title}] Confirm your subscription`,
    heading: "Confirm your subscription",
    paragraphs: [
      `Someone, hopefully you, subscribed to emails about ${wanted} from ${title}.`,
      ...(isSubscribed ? ["You are already subscribed. Confirming replaces your current selection."] : []),
    ],
    facts: [],
    link: { text: "Confirm the subscription", url: confirmUrl },
    footer: ["The link is valid for 24 hours. If this was not you, ignore this email.", `${title}: ${pageUrl}`],
    unsubscribeUrl: null,
  });
}

/** The mail about what happened. */
export function noticeMail(emailHeader: EmailHeader, notice: Notice, unsubscribeUrl: string): MailMessage {
  const { title, pageUrl } = emailHeader;
  const content = notice.about === "incident" ? incidentEmail(notice) : maintenanceEmail(notice);
  return write(title, {
    ...content,
    subject: `[${title}] ${content.heading}`,
    link: { text: "Open the status page", url: pageUrl },
    footer: [`You receive this email because you subscribed to ${title}.`],
    unsubscribeUrl,
  });
}

type Content = Pick<Email, "heading" | "paragraphs" | "facts">;

function incidentEmail({ title, severity, status, message, components, at }: IncidentNews): Content {
  return {
    heading: `${INCIDENT_WORDS[status]}: ${title}`,
    paragraphs: [message],
    facts: [
      ["Status", INCIDENT_WORDS[status]],
      ["Severity", SEVERITY_WORDS[severity]],
      ...affected(components),
      ["Time", wordsForTime(at)],
    ],
  };
}

function maintenanceEmail({ kind, title, description, startsAt, endsAt, components }: WorkNews): Content {
  const isOver = kind === "maintenance_ended";
  return {
    heading: `${WORK_WORDS[kind]}: ${title}`,
    paragraphs: [
      ...(description === "" ? [] : [description]),
      ...(kind === "maintenance_cancelled" ? ["This maintenance was cancelled."] : []),
    ],
    facts: [
      ...affected(components),
      [isOver ? "Began" : "Begins", wordsForTime(startsAt)],
      [isOver ? "Ended" : "Ends", wordsForTime(endsAt)],
    ],
  };
}

function affected(components: readonly string[]): (readonly [string, string])[] {
  return components.length === 0 ? [] : [["Affected", listed(components)]];
}

function listed(names: readonly string[]): string {
  const more = names.length - NAMES_SHOWN;
  return [...names.slice(0, NAMES_SHOWN), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

function write(title: string, { subject, heading, paragraphs, facts, link, footer, unsubscribeUrl }: Email): MailMessage {
  const text = [
    heading,
    "",
    ...paragraphs.flatMap((paragraph) => [paragraph, ""]),
    ...facts.map(([label, value]) => `${label}: ${value}`),
    ...(facts.length === 0 ? [] : [""]),
    `${link.text}: ${link.url}`,
    "",
    "-- ",
    ...footer,
    ...(unsubscribeUrl === null ? [] : [`Unsubscribe: ${unsubscribeUrl}`]),
    "",
  ].join("\n");
  const rows = facts
    .map(
      ([label, value]) =>
        `<tr><td style="padding:2px 16px 2px 0;color:#667085;vertical-align:top">${label}</td><td>${escapeHtml(value)}</td></tr>`,
    )
    .join("\n");
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(heading)}</title></head>
<body style="margin:0;padding:24px;font-family:system-ui,sans-serif;font-size:15px;line-height:1.5">
<div style="max-width:560px;margin:0 auto">
<p style="margin:0 0 16px;color:#667085">${escapeHtml(title)}</p>
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${escapeHtml(heading)}</h1>
${paragraphs.map((paragraph) => `<p style="margin:0 0 16px">${linesOf(paragraph)}</p>`).join("\n")}
${rows === "" ? "" : `<table style="border-collapse:collapse;margin:0 0 16px">\n${rows}\n</table>`}
<p style="margin:24px 0"><a href="${escapeHtml(link.url)}" style="display:inline-block;padding:10px 16px;border-radius:6px;background:#2a5db0;color:#ffffff;text-decoration:none">${link.text}</a></p>
<p style="margin:24px 0 0;padding-top:16px;border-top:1px solid #98a2b3;font-size:13px;color:#667085">${footer.map(escapeHtml).join("<br>")}${
    unsubscribeUrl === null ? "" : `<br><a href="${escapeHtml(unsubscribeUrl)}" style="color:#667085">Unsubscribe</a>`
  }</p>
</div>
</body></html>
`;
  return { subject: cleanName(subject, SUBJECT_LENGTH), text, html };
}

function linesOf(paragraph: string): string {
  return paragraph.split("\n").map(escapeHtml).join("<br>");
}

/** `21 November 2026, 14:05 UTC` */
function wordsForTime(at: string): string {
  const date = new Date(at);
  const day = date.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  return `${day}, ${date.toISOString().slice(11, 16)} UTC`;
}
