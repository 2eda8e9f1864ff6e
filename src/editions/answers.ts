import { z } from "zod";
import { timestamp } from "../http/schemas.ts";
import { EDITIONS } from "./edition.ts";

/** What GET /api/v1/edition answers. */
export const editionView = z.object({
  edition: z.enum(EDITIONS),
  organisation: z.string().nullable(),
  licence: z.object({
    status: z.enum(["none", "valid", "grace", "expired", "invalid"]),
    expires_at: timestamp.nullable(),
    message: z.string().nullable().meta({ description: "what is the matter with the licence, for a person" }),
  }),
  capabilities: z.array(z.object({ name: z.string(), granted: z.boolean(), required_edition: z.enum(EDITIONS) })),
  history_ranges: z.array(z.string()),
});

export type EditionView = z.infer<typeof editionView>;
