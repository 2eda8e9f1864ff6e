import { z } from "zod";
import { timestamp } from "../../../http/schemas.ts";

/** What happened to a container just before its alert fired. */
export const PRECEDING_KINDS = ["image_changed", "recreated", "state_changed"] as const;

const preceding = z.object({
  at: timestamp,
  kind: z.enum(PRECEDING_KINDS),
  container_id: z.number().int(),
  container_name: z.string(),
  from: z.string().nullable().meta({ description: "the image or state before; null where that is not known" }),
  to: z.string().meta({ description: "the image or state after" }),
});
export type Preceding = z.infer<typeof preceding>;

export const alertContext = z.object({
  alert_id: z.number().int(),
  log_line: z
    .object({ text: z.string(), at: timestamp })
    .nullable()
    .meta({ description: "the last line that its container wrote before it last ended; null where none is kept" }),
  preceding: z.array(preceding).meta({ description: "what changed in the hour before it fired, newest first; at most 3" }),
});
export type AlertContext = z.infer<typeof alertContext>;

export const alertContexts = z.object({
  contexts: z.array(alertContext).meta({ description: "of the 50 worst active alerts, as far as anything is known" }),
});
export type AlertContexts = z.infer<typeof alertContexts>;
