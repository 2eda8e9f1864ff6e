import { type Tone, fit, plainText, summarize } from "../summary.ts";
import { hostAlone, type HttpKind, unknownQueries, unless } from "./kind.ts";

/** Source: ntfy, Publish as JSON; https://docs.ntfy.sh/publish/#publish-as-json. A message has at most 4096 bytes. */
const LIMITS = { title: 200, messageBytes: 4096 } as const;

const LOOKS: Readonly<Record<Tone, { priority: number; tag: string }>> = {
  critical: { priority: 5, tag: "rotating_light" },
  warning: { priority: 4, tag: "warning" },
  info: { priority: 3, tag: "information_source" },
  good: { priority: 3, tag: "white_check_mark" },
  neutral: { priority: 3, tag: "speech_balloon" },
};

export const ntfy: HttpKind = {
  title: "ntfy",
  capability: null,
  transport: "http",
  takesHeaders: true,
  validate: (url) => [
    ...unless(
      /^(?:\/[^/]+)*\/[-\w]{1,64}$/.test(url.pathname),
      "Must end in the name of a topic after single slashes, such as https://ntfy.sh/my-topic",
    ),
    ...unknownQueries(url, []),
  ],
  // The topic is secret: everybody who knows it can read the messages.
  shown: hostAlone,
  message(notification, url) {
    const summary = summarize(notification);
    const { priority, tag } = LOOKS[summary.tone];
    const [, folder = "/", topic] = /^(.*\/)([^/]+)$/.exec(url.pathname) ?? [];
    return {
      url: `${url.origin}${folder}`,
      // A character takes at most three bytes for each UTF-16 unit.
      body: {
        topic,
        title: fit(summary.headline, LIMITS.title),
        message: fit(plainText(summary), Math.floor(LIMITS.messageBytes / 3)),
        priority,
        tags: [tag],
        click: summary.url,
      },
    };
  },
};
