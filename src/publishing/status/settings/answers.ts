import { z } from "zod";
import { timestamp } from "../../../http/schemas.ts";

export const settings = z.object({
  title: z.string().meta({ description: "the head of the page" }),
  description: z.string(),
  accent: z.string().meta({ description: "#rrggbb; where it could not be read, the page takes the nearest that can" }),
  has_logo: z.boolean(),
  logo_url: z.string().nullable().meta({ description: "its path on this server" }),
  homepage_url: z.string().nullable().meta({ description: "where the title leads" }),
  support_url: z.string().nullable(),
  domain: z.string().nullable().meta({ description: "a host name under which the page is shown, and nothing else of this server" }),
  published: z.boolean().meta({ description: "when false, the public routes answer 404" }),
  show_uptime: z.boolean(),
  public_url: z.string().meta({ description: "of the page; its other addresses are below /status/ of the same host" }),
  updated_at: timestamp.nullable(),
});
export type SettingsRecord = z.infer<typeof settings>;
