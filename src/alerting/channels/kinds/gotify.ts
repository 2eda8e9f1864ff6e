import { type Tone, fit, plainText, summarize } from "../summary.ts";
import { hostAlone, type HttpKind, unknownQueries, unless } from "./kind.ts";

const LIMITS = { title: 200, message: 4000 } as const;

/** Gotify rings from priority 8 on, and shows a notification from 4 on. */
const PRIORITIES: Readonly<Record<Tone, number>> = { critical: 8, warning: 6, info: 4, good: 4, neutral: 4 };

/** Source: Gotify, Push messages and Message extras; https://gotify.net/docs/pushmsg. */
export const gotify: HttpKind = {
  title: "Gotify",
  capability: null,
  transport: "http",
  takesHeaders: true,
  validate: (url) => [
    ...unless(
      url.pathname.endsWith("/message") && /^[\w.-]{10,64}$/.test(url.searchParams.get("token") ?? ""),
      "Must be https://HOST/message?token=TOKEN, with the token of an application",
    ),
    ...unknownQueries(url, ["token"]),
  ],
  shown: hostAlone,
  message(notification, url) {
    const summary = summarize(notification);
    return {
      url: `${url.origin}${url.pathname}`,
      // In a header, since proxies would log it as a part of the address.
      headers: { "x-gotify-key": url.searchParams.get("token") ?? "" },
      body: {
        title: fit(summary.headline, LIMITS.title),
        message: fit(plainText(summary), LIMITS.message),
        priority: PRIORITIES[summary.tone],
        extras: {
          "client::display": { contentType: "text/plain" },
          "client::notification": { click: { url: summary.url } },
        },
      },
    };
  },
};
