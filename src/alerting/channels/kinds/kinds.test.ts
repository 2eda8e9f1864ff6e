import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { z } from "zod";
import { notificationOf } from "../../../../test/support/alert-records.ts";
import * as schemas from "../../../../test/support/receiver-schemas.ts";
import { fc } from "../../../../test/support/seed.ts";
import type { MailMessage } from "../../../platform/mailer.ts";
import type { AlertNotification, AlertRecord } from "../../alerts/api.ts";
import type { Notification } from "../../vocabulary.ts";
import { CHANNEL_TYPES, type ChannelType } from "../api.ts";
import { summarize } from "../summary.ts";
import { LONGEST_PLAINTEXT } from "../push/encryption.ts";
import type { HttpMessage, Kind, PushMessage } from "./kind.ts";
import { KINDS } from "./kinds.ts";

const SECRET = "s3cretS3CRETs3cretS3CRETs3cret12";

/** A point on P-256. Source: RFC 8291, section 5. */
const BROWSER_KEY = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";

/** An address of each kind that is right, and what its messages must be. */
const CASES: Record<ChannelType, { url: string; schema: z.ZodType | undefined; wrong: readonly string[] }> = {
  slack: { url: `https://hooks.slack.com/services/T0/B0/${SECRET}`, schema: schemas.slackMessage, wrong: ["https://hooks.slack.com/"] },
  discord: {
    url: `https://discord.com/api/webhooks/123/${SECRET}`,
    schema: schemas.discordMessage,
    wrong: [
      "https://discord.com/channels/1/2",
      `https://discord.com/api/webhooks/123/${SECRET}/slack`,
      `https://discord.com/api/webhooks/1/a?x=1`,
    ],
  },
  teams: {
    url: `https://prod-1.westeurope.logic.azure.com/workflows/${SECRET}/triggers/manual/paths/invoke?api-version=2016-06-01&sig=${SECRET}`,
    schema: schemas.teamsMessage,
    wrong: ["https://prod-1.westeurope.logic.azure.com/"],
  },
  webhook: { url: `https://hook.example/${SECRET}?key=${SECRET}`, schema: schemas.webhookMessage, wrong: [] },
  email: {
    url: "mailto:a@example.com,b@example.com",
    schema: undefined,
    wrong: [
      "mailto:",
      "mailto:nobody",
      "mailto:a@example.com,",
      "mailto:a@example.com,a@example.com",
      "mailto:a@example.com?subject=x",
      "mailto:a%0d%0aBcc:x@example.com",
      "mailto:%22a%20b%22@example.com",
      "mailto:a@example.com%2Cb@example.com",
      "mailto:<a@example.com>",
      `mailto:${Array.from({ length: 21 }, (_, index) => `a${index}@example.com`).join(",")}`,
    ],
  },
  ntfy: {
    url: `https://ntfy.sh/${SECRET}`,
    schema: schemas.ntfyMessage,
    wrong: [
      "https://ntfy.sh/",
      "https://ntfy.sh/a.b",
      "https://ntfy.sh/topic?auth=x",
      "https://ntfy.sh//topic",
      "https://ntfy.sh/a//topic",
    ],
  },
  gotify: {
    url: `https://gotify.example/message?token=${SECRET}`,
    schema: schemas.gotifyMessage,
    wrong: [
      "https://gotify.example/message",
      "https://gotify.example/?token=abcdefghijkl",
      `https://gotify.example/message?token=${SECRET}&x=1`,
    ],
  },
  telegram: {
    url: `https://api.telegram.org/bot123:${SECRET}/sendMessage?chat_id=-100&message_thread_id=3`,
    schema: schemas.telegramMessage,
    wrong: [`https://api.telegram.org/bot123:${SECRET}/sendMessage`, "https://api.telegram.org/bot/sendMessage?chat_id=1"],
  },
  mattermost: { url: `https://chat.example/hooks/${SECRET}`, schema: schemas.mattermostMessage, wrong: ["https://chat.example/hooks/"] },
  pagerduty: {
    url: `https://events.pagerduty.com/v2/enqueue?routing_key=${SECRET}`,
    schema: schemas.pagerdutyMessage,
    wrong: ["https://events.pagerduty.com/v2/enqueue", "https://events.pagerduty.com/v2/enqueue?routing_key=short"],
  },
  web_push: {
    url: `https://push.example/w/${SECRET}?p256dh=${BROWSER_KEY}&auth=BTBZMqHH6r4Tts7J_aSIgg`,
    schema: schemas.pushMessage,
    wrong: [
      `https://push.example/w/${SECRET}`,
      `https://push.example/w/${SECRET}?p256dh=${BROWSER_KEY}`,
      `https://push.example/w/${SECRET}?p256dh=${"A".repeat(87)}&auth=BTBZMqHH6r4Tts7J_aSIgg`,
      `https://push.example/w/${SECRET}?p256dh=${BROWSER_KEY}&auth=BTBZMqHH6r4Tts7J_aSIgg&x=1`,
    ],
  },
};

const escalation = (kind: "level" | "closure" | "exhausted", level = 1): NonNullable<Notification["escalation"]> => ({
  run_id: 3,
  policy_name: "Nights",
  level,
  kind,
});

const resolved = { status: "resolved", resolved_at: "2026-03-01T12:30:00.000Z", resolved_by: "auto" } as const;

const NOTIFICATIONS: Record<string, (changes?: Partial<AlertRecord>) => AlertNotification> = {
  fired: (changes) => notificationOf("alert.fired", changes),
  "fired as a warning": (changes) => notificationOf("alert.fired", { ...changes, severity: "warning" }),
  "fired as info, without a cause": (changes) => notificationOf("alert.fired", { ...changes, severity: "info", cause: null }),
  "fired at a level of escalation": (changes) => notificationOf("alert.fired", changes, escalation("level")),
  exhausted: (changes) => notificationOf("alert.fired", changes, escalation("exhausted")),
  acknowledged: (changes) =>
    notificationOf("alert.acknowledged", { acknowledged_at: "2026-03-01T12:10:00.000Z", acknowledged_by: "Ada", ...changes }),
  "closed by an acknowledgment": (changes) =>
    notificationOf("alert.acknowledged", { acknowledged_by: "Ada", ...changes }, escalation("closure")),
  resolved: (changes) => notificationOf("alert.resolved", { ...resolved, ...changes }),
  "resolved manually": (changes) => notificationOf("alert.resolved", { ...resolved, resolved_by: "Grace", ...changes }),
  test: (changes) => notificationOf("test", changes),
};

/** Names that mean something to somebody. */
const HOSTILE = [
  "<!channel> <@U1> & <https://evil.example|click>",
  "@everyone @here @all <@&1> <@1>",
  "**bold** _it_ ~~no~~ `code` ||spoiler|| [x](https://evil.example) # head > quote - list",
  '</b><a href="https://evil.example">x</a><script>alert(1)</script>" onmouseover="x" \' &amp;',
  "{{DATE(2026-01-01T00:00:00Z,SHORT)}} ${evil} {{{x}}}",
  "a\r\nBcc: everybody@example.com\r\n\r\nbody",
  "\u202egnp.exe \u0000 \u001b[31m \ud83d\ude00 \ufeff",
];

const CHANGEABLE = ["message", "cause", "entity_name", "acknowledged_by", "acknowledged_note"] as const;

function hostile(text: string): Partial<AlertRecord> {
  return Object.fromEntries(CHANGEABLE.map((name) => [name, text]));
}

type AnyMessage = HttpMessage | MailMessage | PushMessage;

function messageOf(kind: Kind, notification: AlertNotification, url: URL): AnyMessage {
  return kind.transport === "http" ? kind.message(notification, url) : kind.message(notification);
}

/** Every text in a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** What a receiver must show of a notification. PagerDuty closes by its key alone, and programs read the record instead of sentences. */
function wordsFor(type: ChannelType, notification: AlertNotification): string[] {
  const { alert, event } = notification;
  const { headline, message, cause, facts } = summarize(notification);
  if (type === "pagerduty" && (event === "alert.acknowledged" || event === "alert.resolved")) return ["binnacle", alert.url];
  // A notification of a browser has two lines, and leads to the rest.
  if (type === "web_push") return [headline, message, cause ?? ""];
  if (type === "webhook") return [event, alert.message, alert.cause ?? "", alert.entity_name, alert.url, ...alert.tags];
  return [headline, message, cause ?? "", ...facts.flatMap(({ label, value }) => [label, value])];
}

/** What is shown where the message itself cannot be does not stand in for it. */
function withoutFallback(key: string, value: unknown): unknown {
  return key.startsWith("fallback") ? "" : value;
}

/** Without what receivers need before marks. */
function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, "");
}

for (const type of CHANNEL_TYPES) {
  const kind = KINDS[type];
  const { url: address, schema, wrong } = CASES[type];
  const url = new URL(address);

  function check(notification: AlertNotification): AnyMessage {
    const message = messageOf(kind, notification, url);
    if ("body" in message) {
      assert.deepEqual(schema?.safeParse(message.body).error?.issues, undefined);
      if ("url" in message) assert.ok(message.url.startsWith("https://"));
      if ("topic" in message) assert.match(message.topic, /^[\w-]{1,32}$/);
      assert.ok(Buffer.byteLength(JSON.stringify(message.body)) <= ("topic" in message ? LONGEST_PLAINTEXT : 512 * 1024));
    } else {
      assert.match(message.subject, /^[^\p{Cc}]{1,200}$/u);
      assert.ok(message.text.length > 0);
    }
    return message;
  }

  describe(`the kind ${type}`, () => {
    it("sends what no other receiver would take", () => {
      const message = check(notificationOf("alert.fired"));
      const takers = CHANNEL_TYPES.filter((other) => "body" in message && CASES[other].schema?.safeParse(message.body).success);
      assert.deepEqual(takers, type === "email" ? [] : [type]);
    });

    it("takes its address and refuses others", () => {
      assert.deepEqual(kind.validate(url), []);
      for (const text of wrong) assert.notDeepEqual(kind.validate(new URL(text)), [], text);
    });

    it("shows its address without what proves that we may send there", () => {
      assert.ok(!kind.shown(url).includes(SECRET));
      for (const text of wrong) for (const { message } of kind.validate(new URL(text))) assert.ok(!message.includes(SECRET));
    });

    for (const [event, notification] of Object.entries(NOTIFICATIONS)) {
      it(`describes an alert that is ${event}`, () => {
        const given = notification();
        const message = check(given);
        const parts = "body" in message ? [JSON.stringify(message.body, withoutFallback)] : [message.subject + message.text, message.html];
        for (const part of parts)
          for (const words of wordsFor(type, given)) assert.ok(lettersOf(part).includes(lettersOf(words)), `${words} in ${part}`);
      });

      it(`describes it without letting names be markup: ${event}`, () => {
        for (const text of HOSTILE) harmless(type, check(notification(hostile(text))));
      });
    }

    it("keeps to the limits, whatever the text", () => {
      for (const text of [
        "",
        " ",
        "x".repeat(100_000),
        "<&>".repeat(20_000),
        "*_`@".repeat(20_000),
        "\ud83d\ude00".repeat(20_000),
        "ü".repeat(20_000),
      ]) {
        for (const notification of Object.values(NOTIFICATIONS))
          check(notification({ ...hostile(text), event: text, labels: { [text]: text } }));
      }
      const text = fc.oneof(fc.string({ unit: "binary", maxLength: 3000 }), fc.string({ maxLength: 3000 }));
      fc.assert(
        fc.property(text, text, fc.constantFrom(...Object.values(NOTIFICATIONS)), (one, other, notification) => {
          harmless(type, check(notification({ message: one, cause: other, entity_name: other })));
        }),
        { numRuns: 30 },
      );
    });

    it("never repeats its secret to the reader", () => {
      for (const notification of Object.values(NOTIFICATIONS)) {
        const message = messageOf(kind, notification(), url);
        // PagerDuty has its key in the message.
        const body = "body" in message ? { ...message.body, routing_key: "" } : message;
        assert.ok(!JSON.stringify(type === "ntfy" ? { ...body, topic: "" } : body).includes(SECRET));
      }
    });
  });
}

/** Whether what came from outside can still be read as the receiver's markup. */
function harmless(type: ChannelType, message: AnyMessage): void {
  const text = "body" in message ? JSON.stringify(message.body) : "";
  switch (type) {
    case "slack":
      for (const each of mrkdwnIn(message))
        assert.doesNotMatch(each.replace(/<https:\/\/monitor\.example\/alerts\/7\|Open the alert>/, ""), /[<>]|&(?!amp;|lt;|gt;)/);
      return;
    case "discord":
    case "mattermost":
      // No character that begins something stands without a backslash, but for our own bold words.
      for (const each of textsIn("body" in message ? message.body : {})) {
        if (/^https:\/\/|^#[0-9a-f]{6}$|^\d{4}-\d\d-\d\dT|^Binnacle$/.test(each)) continue;
        const rest = each.replaceAll("**Cause:**", "").replace(/\\[\\`*_{}[\]()#+\-.!|~<>:]/g, "");
        assert.doesNotMatch(rest, /[\\`*_[\]<>|~#]|@(?!\u200b)/);
      }
      return;
    case "teams":
      assert.doesNotMatch(text, /\{\{|"TextBlock"|"FactSet"/);
      return;
    case "email":
      if ("html" in message) {
        const ours = /<\/?(?:!doctype html|html|head|meta|title|body|h1|p|table|tr|td|a)(?: (?:lang|charset|style|href)="[^"<>]*")*>/g;
        assert.doesNotMatch(message.html.replace(ours, ""), /[<>]/);
        assert.doesNotMatch(message.subject, /[\r\n]/);
      }
      return;
    default:
  }
}

function mrkdwnIn(message: AnyMessage): string[] {
  const found: string[] = [];
  JSON.stringify("body" in message ? message.body : {}, (_key, value: unknown) => {
    if (typeof value === "object" && value !== null && "type" in value && value.type === "mrkdwn" && "text" in value)
      found.push(String(value.text));
    return value;
  });
  return found;
}

describe("PagerDuty", () => {
  it("gets trigger, acknowledge and resolve of an alert by one key, which no other alert has", () => {
    const url = new URL(CASES.pagerduty.url);
    const bodyOf = (notification: AlertNotification): Record<string, unknown> => {
      const message = messageOf(KINDS.pagerduty, notification, url);
      return "body" in message ? { ...message.body } : {};
    };
    const bodies = [NOTIFICATIONS["fired"], NOTIFICATIONS["acknowledged"], NOTIFICATIONS["resolved"]].map((notification) =>
      bodyOf(notification?.() ?? notificationOf("test")),
    );
    assert.deepEqual(
      bodies.map(({ event_action }) => event_action),
      ["trigger", "acknowledge", "resolve"],
    );
    assert.equal(new Set(bodies.map(({ dedup_key }) => dedup_key)).size, 1);
    assert.notEqual(
      bodyOf(notificationOf("alert.fired", { id: 8, url: "https://monitor.example/alerts/8" }))["dedup_key"],
      bodies[0]?.["dedup_key"],
    );
  });
});

it("a webhook gets no labels and details in a message that would be longer than its bound in bytes", () => {
  const alert = { labels: { note: "…".repeat(100_000) }, details: { restarts: 9 } };
  const { body } = KINDS.webhook.message(notificationOf("alert.fired", alert), new URL("https://receiver.example/"));
  assert.partialDeepStrictEqual(body, { alert: { labels: {}, details: {} } });
  assert.ok(Buffer.byteLength(JSON.stringify(body)) <= 262_144);
});
