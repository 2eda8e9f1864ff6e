import { type Tone, escapeCard, fit, summarize } from "../summary.ts";
import { hostAlone, type HttpKind, needsPath } from "./kind.ts";

/**
 * An Adaptive Card for a workflow that begins with "When a Teams webhook request is received". All text is in text runs, since text blocks and facts
 * are parsed as Markdown. Source: Microsoft, Format cards in Teams; a message has at most 28 KB.
 */
const LIMITS = { line: 2000, value: 400 } as const;

const COLOURS: Readonly<Record<Tone, string>> = {
  critical: "attention",
  warning: "warning",
  info: "accent",
  good: "good",
  neutral: "default",
};

const run = (text: string, style: object = {}) => ({ type: "TextRun", text, ...style });
const line = (...inlines: object[]) => ({ type: "RichTextBlock", inlines });

export const teams: HttpKind = {
  title: "Teams",
  capability: "channel_teams",
  transport: "http",
  takesHeaders: false,
  validate: (url) => needsPath(url, "https://....logic.azure.com/workflows/..."),
  shown: hostAlone,
  message(notification, url) {
    const { headline, message, cause, facts, tone, url: page } = summarize(notification);
    const text = (plain: string): string => fit(plain, LIMITS.line, escapeCard);
    const content = {
      $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
      type: "AdaptiveCard",
      version: "1.4",
      fallbackText: text(headline),
      msteams: { width: "Full" },
      body: [
        line(run(text(headline), { size: "large", weight: "bolder", color: COLOURS[tone] })),
        line(run(text(message))),
        ...(cause === null ? [] : [line(run("Cause: ", { weight: "bolder" }), run(text(cause)))]),
        ...facts.map(({ label, value }) => line(run(`${label}: `, { weight: "bolder" }), run(fit(value, LIMITS.value, escapeCard)))),
      ],
      actions: [{ type: "Action.OpenUrl", title: "Open the alert", url: page }],
    };
    return {
      url: url.href,
      body: {
        type: "message",
        attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", contentUrl: null, content }],
      },
    };
  },
};
