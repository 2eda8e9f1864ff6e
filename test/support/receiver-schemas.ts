import { z } from "zod";

/**
 * What each receiver takes, written from its documentation. Anything it does not name is refused here, though some receivers would let it pass.
 */

const link = z.url({ protocol: /^https?$/ });

/** https://docs.slack.dev/reference/block-kit/blocks and /composition-objects/text-object */
const mrkdwn = (max: number) =>
  z.strictObject({ type: z.literal("mrkdwn"), text: z.string().min(1).max(max), verbatim: z.boolean().optional() });
const plainText = (max: number) =>
  z.strictObject({ type: z.literal("plain_text"), text: z.string().min(1).max(max), emoji: z.boolean().optional() });
export const slackMessage = z.strictObject({
  text: z.string().min(1).max(40_000),
  unfurl_links: z.boolean(),
  unfurl_media: z.boolean(),
  blocks: z
    .array(
      z.union([
        z.strictObject({ type: z.literal("header"), text: plainText(150) }),
        z.strictObject({ type: z.literal("section"), text: mrkdwn(3000) }),
        z.strictObject({ type: z.literal("section"), fields: z.array(mrkdwn(2000)).min(1).max(10) }),
      ]),
    )
    .min(1)
    .max(50),
});

/** https://discord.com/developers/docs/resources/webhook#execute-webhook and message#embed-object-embed-limits */
export const discordMessage = z
  .strictObject({
    allowed_mentions: z.strictObject({ parse: z.array(z.never()) }),
    embeds: z
      .array(
        z.strictObject({
          title: z.string().min(1).max(256),
          description: z.string().max(4096),
          url: link,
          color: z.number().int().min(0).max(0xffffff),
          timestamp: z.iso.datetime(),
          fields: z
            .array(z.strictObject({ name: z.string().min(1).max(256), value: z.string().min(1).max(1024), inline: z.boolean() }))
            .max(25),
        }),
      )
      .min(1)
      .max(10),
  })
  .refine(
    ({ embeds }) =>
      embeds
        .flatMap(({ title, description, fields }) => [title, description, ...fields.flatMap(({ name, value }) => [name, value])])
        .join("").length <= 6000,
    "an embed has at most 6000 characters",
  );

/** https://learn.microsoft.com/connectors/teams (post a card by a webhook), https://adaptivecards.io/explorer; a message has at most 28 KB. */
const textRun = z.strictObject({
  type: z.literal("TextRun"),
  text: z.string().min(1),
  size: z.enum(["default", "small", "medium", "large", "extraLarge"]).optional(),
  weight: z.enum(["default", "lighter", "bolder"]).optional(),
  color: z.enum(["default", "dark", "light", "accent", "good", "warning", "attention"]).optional(),
});
export const teamsMessage = z
  .strictObject({
    type: z.literal("message"),
    attachments: z
      .array(
        z.strictObject({
          contentType: z.literal("application/vnd.microsoft.card.adaptive"),
          contentUrl: z.null(),
          content: z.strictObject({
            $schema: z.literal("http://adaptivecards.io/schemas/adaptive-card.json"),
            type: z.literal("AdaptiveCard"),
            version: z.enum(["1.0", "1.1", "1.2", "1.3", "1.4", "1.5"]),
            fallbackText: z.string(),
            msteams: z.strictObject({ width: z.literal("Full") }),
            body: z.array(z.strictObject({ type: z.literal("RichTextBlock"), inlines: z.array(textRun).min(1) })).min(1),
            actions: z.array(z.strictObject({ type: z.literal("Action.OpenUrl"), title: z.string().min(1), url: link })).max(6),
          }),
        }),
      )
      .length(1),
  })
  .refine((message) => Buffer.byteLength(JSON.stringify(message)) <= 28 * 1024, "a message has at most 28 KB");

/** https://docs.ntfy.sh/publish/#publish-as-json and #limitations */
export const ntfyMessage = z
  .strictObject({
    topic: z.string().regex(/^[-_A-Za-z0-9]{1,64}$/),
    title: z.string().min(1).max(250),
    message: z.string().min(1),
    priority: z.number().int().min(1).max(5),
    tags: z.array(z.string().regex(/^[\w-]+$/)),
    click: link,
  })
  .refine(({ message }) => Buffer.byteLength(message) <= 4096, "a message has at most 4096 bytes");

/** https://gotify.net/api-docs (createMessage) and https://gotify.net/docs/msgextras */
export const gotifyMessage = z.strictObject({
  title: z.string(),
  message: z.string().min(1),
  priority: z.number().int().min(0).max(10),
  extras: z.strictObject({
    "client::display": z.strictObject({ contentType: z.enum(["text/plain", "text/markdown"]) }),
    "client::notification": z.strictObject({ click: z.strictObject({ url: link }) }),
  }),
});

/** https://core.telegram.org/bots/api#sendmessage and #html-style: 4096 characters after entities are parsed, these tags alone. */
export const telegramMessage = z.strictObject({
  chat_id: z.string().regex(/^(-?\d+|@\w+)$/),
  message_thread_id: z.number().int().optional(),
  text: z.string().refine((text) => {
    const plain = text.replace(/<\/?(?:b|i)>|<a href="[^"<>]*">|<\/a>/g, "");
    const parsed = plain.replace(/&(?:amp|lt|gt|quot|#39);/g, "x");
    return !/[<>&]/.test(parsed) && parsed.length >= 1 && parsed.length <= 4096;
  }, "at most 4096 characters and no other markup"),
  parse_mode: z.literal("HTML"),
  link_preview_options: z.strictObject({ is_disabled: z.boolean() }),
});

/** https://developers.mattermost.com/integrate/webhooks/incoming and /reference/message-attachments */
export const mattermostMessage = z.strictObject({
  username: z.string().max(64),
  attachments: z
    .array(
      z.strictObject({
        fallback: z.string().min(1),
        color: z.string().regex(/^#[0-9a-f]{6}$/),
        title: z.string().max(1024),
        title_link: link,
        text: z.string().max(16_383),
        fields: z.array(z.strictObject({ title: z.string(), value: z.string().max(7500), short: z.boolean() })),
      }),
    )
    .length(1),
});

/** https://developer.pagerduty.com/docs/send-alert-event: 512 KB, summary 1024, dedup_key 255. */
const pagerdutyBase = { routing_key: z.string().length(32), dedup_key: z.string().min(1).max(255) };
export const pagerdutyMessage = z.discriminatedUnion("event_action", [
  z.strictObject({ ...pagerdutyBase, event_action: z.enum(["acknowledge", "resolve"]) }),
  z.strictObject({
    ...pagerdutyBase,
    event_action: z.literal("trigger"),
    client: z.string(),
    client_url: link,
    links: z.array(z.strictObject({ href: link, text: z.string() })),
    payload: z.strictObject({
      summary: z.string().min(1).max(1024),
      source: z.string().min(1),
      severity: z.enum(["critical", "error", "warning", "info"]),
      timestamp: z.iso.datetime(),
      component: z.string(),
      group: z.string(),
      class: z.string(),
      custom_details: z.record(z.string(), z.string()),
    }),
  }),
]);

/** Our own, for those who write receivers. Source: contract, section 6. */
export const webhookMessage = z.strictObject({
  event: z.enum(["alert.fired", "alert.resolved", "alert.acknowledged", "test"]),
  alert: z.looseObject({ id: z.number().int(), agent_id: z.string().nullable(), url: link }),
  escalation: z
    .strictObject({
      run_id: z.number().int(),
      policy_name: z.string(),
      level: z.number().int(),
      kind: z.enum(["level", "closure", "exhausted"]),
    })
    .nullable(),
  timestamp: z.iso.datetime(),
});

/** Our own service worker shows it. */
export const pushMessage = z.strictObject({
  title: z.string().min(1).max(120),
  body: z.string().min(1).max(400),
  tag: z.string().regex(/^alert-\d+$/),
  url: z.string().url(),
  stays: z.boolean(),
  quiet: z.boolean(),
  at: z.number().int(),
});
