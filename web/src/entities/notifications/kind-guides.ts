/** What each kind of channel asks for, and where that is found. */
import type { ChannelType } from "../../../../src/alerting/channels/api.ts";

export interface KindField {
  name: string;
  label: string;
  placeholder: string;
  hint?: string;
  /** What it begins with. */
  initial?: string;
  isOptional?: boolean;
  /** It is made by the browser, which is asked by a button. */
  isSubscription?: true;
  choices?: readonly { value: string; label: string }[];
  /** What is wrong with a value that is not empty. */
  check?: (value: string) => string | undefined;
}

/** What was typed, by the names of the fields. */
export type KindValues = Readonly<Record<string, string>>;

export interface KindGuide {
  name: string;
  /** What an edition must grant; absent: every edition has it. */
  capability?: string;
  /** What it reaches, in a few words. */
  what: string;
  /** How its whole address is written, for docs/channels.md. */
  address: string;
  /** Where what is asked for is found, step by step. */
  steps: readonly string[];
  fields: readonly [KindField, ...KindField[]];
  /** Headers sent along: asked for, there for those who look for them, or none. */
  headers: "shown" | "folded" | "none";
  /** The address that the values make. */
  addressOf: (values: KindValues) => string;
  /** Headers that the values make. */
  headersOf?: (values: KindValues) => Readonly<Record<string, string>>;
  /** The values of an address as it is shown, where nothing in it is secret. */
  valuesOf?: (url: string) => KindValues;
}

const wholeAddress = (placeholder: string, { label = "Webhook URL", hint }: { label?: string; hint?: string } = {}): KindField => ({
  name: "url",
  label,
  placeholder,
  ...(hint !== undefined && { hint }),
  check: httpsFault,
});

const valueOf = (values: KindValues, name: string): string => (values[name] ?? "").trim();
const addressAsGiven = (values: KindValues): string => valueOf(values, "url");
const serverOf = (values: KindValues): string => valueOf(values, "server").replace(/\/+$/, "");

/** A private network may be allowed without TLS: the server knows. */
function httpsFault(value: string): string | undefined {
  return /^https?:\/\/[^\s/]+/i.test(value) ? undefined : "An address that begins with https://.";
}

const server = (placeholder: string, initial = ""): KindField => ({
  name: "server",
  label: "Server",
  placeholder,
  initial,
  check: httpsFault,
});

/** In the order in which they are offered: what every edition has, the most usual first. */
export const KIND_GUIDES: Readonly<Record<ChannelType, KindGuide>> = {
  discord: {
    name: "Discord",
    capability: "channel_discord",
    what: "Messages in a channel of a Discord server",
    address: "`https://discord.com/api/webhooks/ID/TOKEN`, optionally with `?thread_id=…`",
    steps: ["In Discord, open the settings of the channel: Integrations, Webhooks.", "New Webhook, then Copy Webhook URL."],
    fields: [wholeAddress("https://discord.com/api/webhooks/…/…")],
    headers: "none",
    addressOf: addressAsGiven,
  },
  webhook: {
    name: "Webhook",
    capability: "channel_webhook",
    what: "JSON via POST to any service",
    address: "any https address; it gets the JSON [below](#what-a-webhook-channel-gets)",
    steps: [
      "The URL of a service that accepts JSON via POST: an automation, a ticket system or your own script.",
      "It receives the event, the full alert and a link to it. Put tokens it needs into a header.",
    ],
    fields: [wholeAddress("https://automation.example.com/hooks/alerts", { label: "URL" })],
    headers: "shown",
    addressOf: addressAsGiven,
  },
  web_push: {
    name: "Browser",
    what: "Notifications on this computer or phone, also while the app is closed",
    address: "the endpoint of a subscription with `?p256dh=KEY&auth=SECRET`; see [Browsers](#browsers)",
    steps: [
      "Press the button, and allow notifications when the browser asks.",
      "Name the channel after this device. Other devices need a channel each.",
    ],
    fields: [{ name: "subscription", label: "Subscription", placeholder: "", isSubscription: true }],
    headers: "none",
    addressOf: (values) => valueOf(values, "subscription"),
  },
  ntfy: {
    name: "ntfy",
    what: "Push notifications on phones and desktops via ntfy",
    address: "`https://ntfy.sh/TOPIC`, or a topic of your own server",
    steps: [
      "Choose a topic name that is hard to guess and subscribe to it in the ntfy app.",
      "A protected topic needs an access token: in the web app of ntfy under Account, Access tokens.",
    ],
    fields: [
      server("https://ntfy.sh", "https://ntfy.sh"),
      {
        name: "topic",
        label: "Topic",
        placeholder: "harbour-alerts-7f3k",
        hint: "Anyone who knows it can read it.",
        check: (value) => (/^[-\w]{1,64}$/.test(value) ? undefined : "Letters, digits, - and _, at most 64."),
      },
      {
        name: "token",
        label: "Access token",
        placeholder: "tk_…",
        hint: "Only for a protected topic.",
        isOptional: true,
        check: (value) => (/^\S+$/.test(value) ? undefined : "A token has no spaces."),
      },
    ],
    headers: "folded",
    addressOf: (values) => `${serverOf(values)}/${valueOf(values, "topic")}`,
    headersOf: (values) => {
      const token = valueOf(values, "token");
      return token === "" ? {} : { Authorization: `Bearer ${token}` };
    },
  },
  gotify: {
    name: "Gotify",
    what: "Notifications via your own Gotify server",
    address: "`https://HOST/message?token=TOKEN`",
    steps: ["In Gotify, open Apps, then Create Application.", "The eye beside the new application shows its token."],
    fields: [
      server("https://gotify.example.com"),
      {
        name: "token",
        label: "Application token",
        placeholder: "A…",
        check: (value) => (/^[\w.-]{10,64}$/.test(value) ? undefined : "The token of an application, letters and digits without spaces."),
      },
    ],
    headers: "folded",
    addressOf: (values) => `${serverOf(values)}/message?token=${encodeURIComponent(valueOf(values, "token"))}`,
  },
  telegram: {
    name: "Telegram",
    what: "Messages of a Telegram bot to you, a group or a channel",
    address: "`https://api.telegram.org/botTOKEN/sendMessage?chat_id=CHAT`, optionally with `&message_thread_id=…`",
    steps: [
      "In Telegram, send /newbot to @BotFather; it answers with the token of the new bot.",
      "Message the bot, or add it to the group that should receive alerts.",
      "Find chat.id in https://api.telegram.org/bot<token>/getUpdates. For a public channel use @channel_name.",
    ],
    fields: [
      {
        name: "token",
        label: "Bot token",
        placeholder: "123456789:AA…",
        check: (value) => (/^\d{1,20}:[\w-]{20,100}$/.test(value) ? undefined : "A number, a colon and letters, as given by BotFather."),
      },
      {
        name: "chat",
        label: "Chat",
        placeholder: "-1001234567890",
        hint: "Group IDs start with a minus.",
        check: (value) => (/^(?:-?\d{1,20}|@\w{4,32})$/.test(value) ? undefined : "A number, or @ and the name of a channel."),
      },
      {
        name: "thread",
        label: "Topic of the group",
        placeholder: "none",
        hint: "The topic ID, if the group has topics.",
        isOptional: true,
        check: (value) => (/^\d{1,20}$/.test(value) ? undefined : "A number."),
      },
    ],
    headers: "none",
    addressOf(values) {
      const thread = valueOf(values, "thread");
      const query = new URLSearchParams({ chat_id: valueOf(values, "chat"), ...(thread !== "" && { message_thread_id: thread }) });
      return `https://api.telegram.org/bot${valueOf(values, "token")}/sendMessage?${query}`;
    },
  },
  mattermost: {
    name: "Mattermost",
    what: "Messages in a channel of a Mattermost server",
    address: "`https://HOST/hooks/KEY`",
    steps: [
      "In Mattermost, open the product menu: Integrations, Incoming Webhooks.",
      "Add Incoming Webhook, choose the channel, save, and copy the address.",
    ],
    fields: [wholeAddress("https://mattermost.example.com/hooks/…")],
    headers: "folded",
    addressOf: addressAsGiven,
  },
  pagerduty: {
    name: "PagerDuty",
    what: "Incidents of a PagerDuty service",
    address: "`https://events.pagerduty.com/v2/enqueue?routing_key=KEY`",
    steps: [
      "In PagerDuty, open the service: Integrations, Add an integration.",
      "Choose Events API v2, and copy the integration key of 32 characters.",
    ],
    fields: [
      {
        name: "key",
        label: "Integration key",
        placeholder: "32 letters and digits",
        check: (value) => (/^[a-z0-9]{32}$/i.test(value) ? undefined : "Exactly 32 letters and digits."),
      },
      {
        name: "region",
        label: "Region",
        placeholder: "",
        initial: "events.pagerduty.com",
        choices: [
          { value: "events.pagerduty.com", label: "United States" },
          { value: "events.eu.pagerduty.com", label: "Europe" },
        ],
      },
    ],
    headers: "none",
    addressOf: (values) => `https://${valueOf(values, "region")}/v2/enqueue?routing_key=${valueOf(values, "key")}`,
  },
  slack: {
    name: "Slack",
    capability: "channel_slack",
    what: "Messages in a Slack channel",
    address: "`https://hooks.slack.com/services/…`",
    steps: [
      "At api.slack.com/apps, make an app or open one: Incoming Webhooks, switched on.",
      "Add New Webhook to Workspace, choose the channel, and copy the address.",
    ],
    fields: [wholeAddress("https://hooks.slack.com/services/T…/B…/…")],
    headers: "none",
    addressOf: addressAsGiven,
  },
  teams: {
    name: "Teams",
    capability: "channel_teams",
    what: "Cards in a channel of Microsoft Teams",
    address: "the address of a workflow",
    steps: [
      "In Teams, open the menu of the channel: Workflows.",
      "Choose the template that posts to a channel when a Teams webhook request is received, and add it.",
      "Copy the address that it shows at the end.",
    ],
    fields: [
      wholeAddress("https://….logic.azure.com/workflows/…", { hint: "Addresses of the retired Office 365 connectors no longer work." }),
    ],
    headers: "none",
    addressOf: addressAsGiven,
  },
  email: {
    name: "Email",
    capability: "channel_email",
    what: "Email to one or more people",
    address: "`mailto:a@example.com,b@example.com`, at most 20; needs a [mail server](#mail)",
    steps: ["Sent through the server set with SERVICE_SMTP_HOST and related options."],
    fields: [
      {
        name: "recipients",
        label: "Recipients",
        placeholder: "ada@example.com, ops@example.com",
        hint: "Comma-separated, at most 20.",
        check: (value) =>
          recipientsOf(value).every((recipient) => /^[^\s@]+@[^\s@]+$/.test(recipient)) ? undefined : "Comma-separated email addresses.",
      },
    ],
    headers: "none",
    addressOf: (values) => `mailto:${recipientsOf(valueOf(values, "recipients")).join(",")}`,
    valuesOf: (url) => ({
      recipients: url
        .replace(/^mailto:/, "")
        .split(",")
        .join(", "),
    }),
  },
};

// The keys of a typed record are its type's.
export const KINDS = Object.keys(KIND_GUIDES) as ChannelType[];

function recipientsOf(text: string): string[] {
  return text
    .split(/[\s,;]+/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
