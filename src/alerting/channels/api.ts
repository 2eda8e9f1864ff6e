import { z } from "zod";
import { KINDS } from "./kinds/kinds.ts";
import { CHANNEL_BOUNDS } from "../../contract/notifications.ts";
import { pathId } from "../../http/schemas.ts";
import { line, lineWithoutComma, text } from "../../http/texts.ts";
import { ALERT_SOURCES, SEVERITIES } from "../vocabulary.ts";

/** Source: contract, sections 0 and 6. */
export type ChannelType = keyof typeof KINDS;
// The keys of a literal are those of its type.
export const CHANNEL_TYPES = Object.keys(KINDS) as ChannelType[];

/** `failing`: the last attempt did not arrive. */
export const CHANNEL_HEALTHS = ["untested", "healthy", "failing"] as const;
export type ChannelHealth = (typeof CHANNEL_HEALTHS)[number];

export const channelParams = z.strictObject({ id: pathId });
export const ruleParams = z.strictObject({ id: pathId, rule_id: pathId });

const settings = {
  name: lineWithoutComma(CHANNEL_BOUNDS.nameLength, "Must not contain a comma: labels list channels by commas"),
  type: z.enum(CHANNEL_TYPES),
  url: text(CHANNEL_BOUNDS.urlLength)
    .min(1, "Must not be empty")
    .meta({
      description:
        "https; of an email channel `mailto:a@example.com,b@example.com`; of a web_push channel the endpoint of the subscription with its keys at the end: `?p256dh=...&auth=...`",
      examples: ["https://hooks.example.com/alerts", "mailto:a@example.com"],
    }),
  headers: text(CHANNEL_BOUNDS.headersLength)
    .nullable()
    .meta({ description: "a JSON object of header names and values that are sent with each delivery", examples: ['{"x-team":"ops"}'] }),
  enabled: z.boolean(),
};

export const createBody = z.strictObject(settings).partial().required({ name: true, type: true, url: true });
export type CreateBody = z.infer<typeof createBody>;

/** Omitted fields and masked secrets stay as they are. The type cannot be changed. */
export const updateBody = z.strictObject(settings).partial();
export type UpdateBody = z.infer<typeof updateBody>;

/** An empty text is the same as null: any. */
const anyOr = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .union([z.literal("").transform(() => null), schema])
    .nullable()
    .default(null);

export const ruleBody = z
  .strictObject({
    source: anyOr(z.enum(ALERT_SOURCES)),
    severity: anyOr(z.enum(SEVERITIES)),
    entity_type: anyOr(
      text(CHANNEL_BOUNDS.entityTypeLength).regex(/^[a-z][a-z0-9_]*$/, "Must be the type of a monitored thing, such as container"),
    ),
    entity_id: anyOr(line(CHANNEL_BOUNDS.entityIdLength)).meta({
      description:
        "of the type `agent` `local` or a UUID, for all of that host; of the type `group` its name, for all that is in it at the time",
    }),
  })
  .refine(({ entity_type, entity_id }) => entity_id === null || entity_type !== null, {
    path: ["entity_type"],
    message: "Is needed with entity_id",
  });
export type RuleBody = z.infer<typeof ruleBody>;
