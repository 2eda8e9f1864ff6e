import { discord } from "./discord.ts";
import { email } from "./email.ts";
import { gotify } from "./gotify.ts";
import type { Kind } from "./kind.ts";
import { mattermost } from "./mattermost.ts";
import { ntfy } from "./ntfy.ts";
import { pagerduty } from "./pagerduty.ts";
import { slack } from "./slack.ts";
import { teams } from "./teams.ts";
import { telegram } from "./telegram.ts";
import { webPush } from "./web-push.ts";
import { webhook } from "./webhook.ts";

/** Every kind of channel. To add one: a file next to these, a row here, and its guide in the web app. */
export const KINDS = {
  slack,
  discord,
  teams,
  webhook,
  email,
  ntfy,
  gotify,
  telegram,
  mattermost,
  pagerduty,
  web_push: webPush,
} satisfies Readonly<Record<string, Kind>>;
