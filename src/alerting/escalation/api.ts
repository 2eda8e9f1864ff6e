import { z } from "zod";
import { ESCALATION_BOUNDS } from "../../contract/notifications.ts";
import { pathId, paging } from "../../http/schemas.ts";
import { line, lineWithoutComma } from "../../http/texts.ts";
import { SEVERITIES } from "../vocabulary.ts";

export const severity = z.enum(SEVERITIES);
export const channelId = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER);

export const byId = z.strictObject({ id: pathId });
export const pageQuery = z.strictObject(paging({ limit: 50, maxLimit: 200 }));
export type PageQuery = z.infer<typeof pageQuery>;

const tagInput = lineWithoutComma(ESCALATION_BOUNDS.tagLength);

const levelInput = z.strictObject({
  delay_seconds: z.number().int().min(ESCALATION_BOUNDS.delaySeconds.min).max(ESCALATION_BOUNDS.delaySeconds.max),
  channel_ids: z.array(channelId).min(1, "Name at least one channel").max(ESCALATION_BOUNDS.channelsOfLevel),
});

/** Delays count from the start of the run, so each must be longer than the one before. */
const levelInputs = z
  .array(levelInput)
  .min(1, "A policy has at least one level")
  .max(ESCALATION_BOUNDS.levels)
  .superRefine((levels, context) => {
    levels.forEach((each, index) => {
      const before = levels[index - 1];
      if (before === undefined || each.delay_seconds > before.delay_seconds) return;
      const message = `Must be more than the ${before.delay_seconds} seconds of the level before: delays count from the start of the run`;
      context.addIssue({ code: "custom", path: [index, "delay_seconds"], message });
    });
  });

const settings = {
  name: line(ESCALATION_BOUNDS.nameLength),
  active: z.boolean(),
  filters: z
    .strictObject({ severities: z.array(severity).max(SEVERITIES.length), tags: z.array(tagInput).max(ESCALATION_BOUNDS.tags) })
    .partial(),
  levels: levelInputs,
};

/** Without `active` the policy is active; without filters it matches every alert. */
export const createBody = z.strictObject(settings).partial().required({ name: true, levels: true });
export type CreateBody = z.infer<typeof createBody>;

/** Omitted fields stay as they are. */
export const updateBody = z.strictObject(settings).partial();
export type UpdateBody = z.infer<typeof updateBody>;

export const activeBody = z.strictObject({ active: z.boolean() });

/** A policy as it would be saved. */
export const probeBody = z
  .strictObject({
    ...settings,
    policy_id: channelId.meta({ description: "the policy that is being changed: not compared with itself" }),
  })
  .partial()
  .required({ levels: true });
export type ProbeBody = z.infer<typeof probeBody>;
