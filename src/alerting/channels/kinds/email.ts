import { TONE_COLOURS, escapeHtml, fit, summarize } from "../summary.ts";
import { type MailKind, urlFault } from "./kind.ts";

const LIMITS = { subject: 200, recipients: 20 } as const;

const ADDRESS = /^[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]{0,251}[\p{L}\p{N}])?$/u;

/** Mail, to the recipients of a `mailto:` address. Source: contract, section 6; RFC 6068 for the address. */
export const email: MailKind = {
  title: "Email",
  capability: "channel_email",
  transport: "mail",
  takesHeaders: false,
  validate(url) {
    if (url.search !== "") return urlFault("Must not have a subject or other parameters");
    const recipients = recipientsOf(url);
    if (recipients.length > LIMITS.recipients) return urlFault(`Must not have more than ${LIMITS.recipients} recipients`);
    const wrong = recipients.filter((recipient) => !ADDRESS.test(recipient));
    if (recipients.length === 0 || wrong.length > 0)
      return urlFault("Must be mailto: and addresses with commas between, such as mailto:a@example.com,b@example.com");
    return new Set(recipients).size < recipients.length ? urlFault("Must not have a recipient twice") : [];
  },
  shown: (url) => `mailto:${recipientsOf(url).join(",")}`,
  recipients: recipientsOf,
  message(notification) {
    const { headline, message, cause, facts, tone, url } = summarize(notification);
    const text = [
      message,
      ...(cause === null ? [] : [`Cause: ${cause}`]),
      "",
      ...facts.map(({ label, value }) => `${label}: ${value}`),
      "",
      url,
      "",
    ].join("\n");
    const rows = facts
      .map(({ label, value }) => `<tr><td style="padding:2px 12px 2px 0;color:#667085">${label}</td><td>${escapeHtml(value)}</td></tr>`)
      .join("");
    const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(headline)}</title></head>
<body style="font-family:sans-serif;font-size:15px;line-height:1.5">
<h1 style="font-size:18px;border-left:4px solid ${TONE_COLOURS[tone]};padding-left:12px">${escapeHtml(headline)}</h1>
<p>${escapeHtml(message)}</p>
${cause === null ? "" : `<p>Cause: ${escapeHtml(cause)}</p>\n`}<table style="border-collapse:collapse">${rows}</table>
<p><a href="${escapeHtml(url)}">Open the alert</a></p>
</body></html>
`;
    return { subject: fit(headline, LIMITS.subject), text, html };
  },
};

/** The addresses of a mailto: URL; parts that are badly encoded stay as they are. */
function recipientsOf(url: URL): string[] {
  if (url.pathname === "") return [];
  return url.pathname.split(",").map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
}
