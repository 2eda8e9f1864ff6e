import type { Fault } from "../../../platform/errors.ts";
import { escapeHtml, fit, summarize } from "../summary.ts";
import { type HttpKind, MASKED, unknownQueries, unless } from "./kind.ts";

/** Source: Telegram, Bot API, sendMessage: 4096 characters after entities are parsed, and only some HTML. */
const LIMITS = { headline: 300, message: 1200, cause: 600, value: 200 } as const;

export const telegram: HttpKind = {
  title: "Telegram",
  capability: null,
  transport: "http",
  takesHeaders: false,
  validate: (url): Fault[] => [
    ...unless(
      /\/bot\d{1,20}:[\w-]{20,100}\/sendMessage$/.test(url.pathname),
      "Must be https://api.telegram.org/botTOKEN/sendMessage?chat_id=CHAT",
    ),
    ...unless(
      /^(?:-?\d{1,20}|@\w{4,32})$/.test(url.searchParams.get("chat_id") ?? ""),
      "Must have a chat_id: a number, or @ and the name of a channel",
    ),
    ...unless(/^\d{0,20}$/.test(url.searchParams.get("message_thread_id") ?? ""), "message_thread_id must be a number"),
    ...unknownQueries(url, ["chat_id", "message_thread_id"]),
  ],
  shown: (url) => `${url.origin}/bot${MASKED}/sendMessage${url.search}`,
  message(notification, url) {
    const { headline, message, cause, facts, url: page } = summarize(notification);
    const thread = url.searchParams.get("message_thread_id") ?? "";
    const lines = [
      `<b>${fit(headline, LIMITS.headline, escapeHtml)}</b>`,
      fit(message, LIMITS.message, escapeHtml),
      ...(cause === null ? [] : [`<i>Cause:</i> ${fit(cause, LIMITS.cause, escapeHtml)}`]),
      ...facts.map(({ label, value }) => `<i>${label}:</i> ${fit(value, LIMITS.value, escapeHtml)}`),
      `<a href="${escapeHtml(page)}">Open the alert</a>`,
    ];
    return {
      url: `${url.origin}${url.pathname}`,
      body: {
        chat_id: url.searchParams.get("chat_id"),
        ...(thread === "" ? {} : { message_thread_id: Number(thread) }),
        text: lines.join("\n"),
        parse_mode: "HTML",
        link_preview_options: { is_disabled: true },
      },
    };
  },
};
