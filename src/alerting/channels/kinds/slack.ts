import { escapeSlack, fit, summarize } from "../summary.ts";
import { hostAlone, type HttpKind, needsPath } from "./kind.ts";

/** Source: Slack, Incoming webhooks and Block Kit; https://docs.slack.dev/reference/block-kit/blocks. */
const LIMITS = { header: 150, section: 3000, field: 2000, fields: 10, fallback: 300 } as const;

const mrkdwn = (text: string) => ({ type: "mrkdwn", text, verbatim: true });

export const slack: HttpKind = {
  title: "Slack",
  capability: "channel_slack",
  transport: "http",
  takesHeaders: false,
  validate: (url) => needsPath(url, "https://hooks.slack.com/services/T.../B.../..."),
  shown: hostAlone,
  message(notification, url) {
    const { headline, message, cause, facts, url: page } = summarize(notification);
    return {
      url: url.href,
      body: {
        // Shown in the notification on a phone.
        text: fit(`${headline}. ${message}`, LIMITS.fallback, escapeSlack),
        unfurl_links: false,
        unfurl_media: false,
        blocks: [
          { type: "header", text: { type: "plain_text", text: fit(headline, LIMITS.header), emoji: false } },
          { type: "section", text: mrkdwn(fit(message, LIMITS.section, escapeSlack)) },
          ...(cause === null ? [] : [{ type: "section", text: mrkdwn(fit(`Cause: ${cause}`, LIMITS.section, escapeSlack)) }]),
          {
            type: "section",
            fields: facts
              .slice(0, LIMITS.fields)
              .map(({ label, value }) => mrkdwn(`*${label}*\n${fit(value, LIMITS.field - 100, escapeSlack)}`)),
          },
          { type: "section", text: mrkdwn(`<${escapeSlack(page)}|Open the alert>`) },
        ],
      },
    };
  },
};
