import { TONE_COLOURS, escapeMarkdown, fit, summarize } from "../summary.ts";
import { hostAlone, type HttpKind, unknownQueries, unless } from "./kind.ts";

/** Source: Discord, Embed limits; https://discord.com/developers/docs/resources/message#embed-object-embed-limits. All of an embed: 6000. */
const LIMITS = { title: 256, description: 3500, fields: 25, fieldValue: 400 } as const;

export const discord: HttpKind = {
  title: "Discord",
  capability: "channel_discord",
  transport: "http",
  takesHeaders: false,
  validate: (url) => [
    ...unless(
      /^\/api(?:\/v\d{1,2})?\/webhooks\/\d{1,20}\/[\w-]+$/.test(url.pathname),
      "Must be the address of a webhook, https://discord.com/api/webhooks/ID/TOKEN",
    ),
    ...unknownQueries(url, ["thread_id", "wait"]),
  ],
  shown: hostAlone,
  message(notification, url) {
    const { headline, message, cause, facts, tone, url: page } = summarize(notification);
    const text = fit(message, LIMITS.description / 2, escapeMarkdown);
    const why = cause === null ? "" : `\n\n**Cause:** ${fit(cause, LIMITS.description / 2 - 20, escapeMarkdown)}`;
    return {
      url: url.href,
      body: {
        // A name in a message must not mention anybody.
        allowed_mentions: { parse: [] },
        embeds: [
          {
            title: fit(headline, LIMITS.title, escapeMarkdown),
            description: `${text}${why}`,
            url: page,
            color: Number.parseInt(TONE_COLOURS[tone].slice(1), 16),
            fields: facts
              .slice(0, LIMITS.fields)
              .map(({ label, value }) => ({ name: label, value: fit(value, LIMITS.fieldValue, escapeMarkdown), inline: true })),
            timestamp: notification.timestamp,
          },
        ],
      },
    };
  },
};
