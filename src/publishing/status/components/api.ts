import { z } from "zod";
import { COMPONENT_BOUNDS } from "../../../contract/status-page.ts";
import { pathId } from "../../../http/schemas.ts";
import { line, lineOrNothing } from "../../../http/texts.ts";
import { COMPONENT_STATUSES, FOLLOWED_TYPES } from "../vocabulary.ts";

const name = line(COMPONENT_BOUNDS.nameLength);
const description = lineOrNothing(COMPONENT_BOUNDS.descriptionLength);
const recordId = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER);
const sortOrder = z.number().int().min(0).max(1_000_000).meta({ description: "smaller ones stand first; last when left out" });

export const status = z.enum(COMPONENT_STATUSES);
export const groupBody = z.strictObject({ name, sort_order: sortOrder.optional() });
export type GroupBody = z.infer<typeof groupBody>;
export const groupUpdate = groupBody.partial();
export type GroupUpdate = z.infer<typeof groupUpdate>;

const optional = {
  group_id: recordId.nullable().optional(),
  description: description.optional(),
  sort_order: sortOrder.optional(),
  visible: z.boolean().optional(),
  status_override: status.nullable().optional(),
  auto_incident: z.boolean().optional(),
};
const monitorId = z
  .union([recordId, line(COMPONENT_BOUNDS.scopeLength)], "Must be an id; of a group its name, of a host `local` or the UUID of its agent")
  .meta({
    description:
      "the id of a monitor; of the type `group` the name of a group of containers, of the type `agent` a host: `local` or a UUID",
  });
export const componentBody = z.strictObject({ name, monitor_type: z.enum(FOLLOWED_TYPES), monitor_id: monitorId, ...optional });
export type ComponentBody = z.infer<typeof componentBody>;
/** What is left out stays as it is. */
export const componentUpdate = componentBody.partial();
export type ComponentUpdate = z.infer<typeof componentUpdate>;

export const params = z.strictObject({ id: pathId });

/** The whole order of the page at once; every group and every component is named. */
export const order = z.strictObject({
  groups: z.array(recordId).max(COMPONENT_BOUNDS.groups),
  components: z.array(z.strictObject({ id: recordId, group_id: recordId.nullable() })).max(COMPONENT_BOUNDS.components),
});
export type Order = z.infer<typeof order>;
