import { z } from "zod";
import { TRIGGER_BOUNDS } from "../../contract/notifications.ts";
import { pathId } from "../../http/schemas.ts";
import { line, text } from "../../http/texts.ts";

const filter = text(TRIGGER_BOUNDS.filterLength);

export const triggerParams = z.strictObject({ id: pathId });

const name = line(TRIGGER_BOUNDS.nameLength);
const channelIds = z
  .array(z.number().int().min(1).max(Number.MAX_SAFE_INTEGER))
  .min(1, "Name at least one channel")
  .max(TRIGGER_BOUNDS.channels);
const optional = {
  filter_severities: filter.optional().meta({ examples: ["critical,warning"] }),
  filter_sources: filter.optional().meta({ examples: ["container,endpoint"] }),
  filter_entities: filter.optional().meta({ examples: ["container:42,group:shop"] }),
  filter_tags: filter.optional().meta({ examples: ["shop,payments"] }),
  enabled: z.boolean().optional(),
  notify_on_resolve: z.boolean().optional(),
};

/** Without filters it matches every alert. By default it is enabled and notifies of the end. */
export const createBody = z.strictObject({ name, ...optional, channel_ids: channelIds });
export type CreateBody = z.infer<typeof createBody>;

/** Omitted fields stay as they are. */
export const updateBody = z.strictObject({ name, ...optional, channel_ids: channelIds }).partial();
export type UpdateBody = z.infer<typeof updateBody>;

/** A trigger to try. It needs no name, and is tried as if it were enabled. */
export const simulateBody = z.strictObject({ trigger: z.strictObject({ name: name.optional(), ...optional, channel_ids: channelIds }) });
export type SimulateBody = z.infer<typeof simulateBody>;
