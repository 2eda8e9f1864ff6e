import { z } from "zod";
import { IMAGE_PATTERN } from "../../contract/image-pattern.ts";
import { UPDATE_BOUNDS, UPDATE_STATUSES, UPDATE_TYPES } from "../../contract/updates.ts";
import { agentFilter, paging, pathId } from "../../http/schemas.ts";
import { sorting } from "../../http/sorting.ts";
import { lineOrNothing, text as textOf } from "../../http/texts.ts";

export const updateType = z.enum(UPDATE_TYPES).meta({ description: "`digest` is the same tag with another content" });
export const updateStatus = z.enum(UPDATE_STATUSES).meta({
  description:
    "`pinned` and `excluded` ones may have something available and raise no alert; `unknown`: never asked, or the registry did not answer (check_error)",
});

/** One line of text: cleaned; empty is null. */
const reason = lineOrNothing(UPDATE_BOUNDS.reasonLength)
  .transform((given) => given || null)
  .nullable()
  .default(null);

export const SORT_KEYS = ["name", "image", "update_type", "published", "risk", "fixed"] as const;
export type SortKey = (typeof SORT_KEYS)[number];

export const updateQuery = z.strictObject({
  status: updateStatus.optional(),
  update_type: updateType.optional(),
  agent_id: agentFilter,
  search: textOf(200).optional().meta({ description: "part of the container's name or of the image" }),
  ...sorting(SORT_KEYS),
  ...paging({ limit: 100 }),
});
export type UpdateQuery = z.infer<typeof updateQuery>;

export const summaryQuery = z.strictObject({ agent_id: agentFilter });
export const scanParams = z.object({ scan_id: z.uuid() });

export const updateParams = z.object({ container_id: pathId });

export const pinBody = z.strictObject({ reason }).prefault({});

export const exclusionBody = z.strictObject({
  image: z
    .string()
    .min(1)
    .max(UPDATE_BOUNDS.patternLength)
    .regex(IMAGE_PATTERN, "Must be an image's name, in which * stands for any text and ? for one character"),
});
export const exclusionParams = z.object({ id: pathId });
