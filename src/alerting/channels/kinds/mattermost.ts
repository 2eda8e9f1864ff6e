import { TONE_COLOURS, escapeMarkdown, fit, summarize } from "../summary.ts";
import { hostAlone, type HttpKind, unless } from "./kind.ts";

/** Source: Mattermost, Incoming webhooks and Message attachments. A message has at most 16383 characters. */
const LIMITS = { title: 400, text: 3000, value: 400, fallback: 300 } as const;

export const mattermost: HttpKind = {
  title: "Mattermost",
  capability: null,
  transport: "http",
  takesHeaders: true,
  validate: (url) =>
    unless(/\/hooks\/[a-z0-9]+$/i.test(url.pathname), "Must be the address of an incoming webhook, https://HOST/hooks/KEY"),
  shown: hostAlone,
  message(notification, url) {
    const { headline, message, cause, facts, tone, url: page } = summarize(notification);
    const why = cause === null ? "" : `\n\n**Cause:** ${fit(cause, LIMITS.text, escapeMarkdown)}`;
    return {
      url: url.href,
      body: {
        username: "Binnacle",
        attachments: [
          {
            fallback: fit(`${headline}. ${message}`, LIMITS.fallback, escapeMarkdown),
            color: TONE_COLOURS[tone],
            title: fit(headline, LIMITS.title, escapeMarkdown),
            title_link: page,
            text: `${fit(message, LIMITS.text, escapeMarkdown)}${why}`,
            fields: facts.map(({ label, value }) => ({ title: label, value: fit(value, LIMITS.value, escapeMarkdown), short: true })),
          },
        ],
      },
    };
  },
};
