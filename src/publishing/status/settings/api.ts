import { z } from "zod";
import { STATUS_PAGE_BOUNDS } from "../../../contract/status-page.ts";
import { timestamp } from "../../../http/schemas.ts";
import { line, lineOrNothing, text } from "../../../http/texts.ts";

const link = text(STATUS_PAGE_BOUNDS.urlLength)
  .regex(/^[hH][tT][tT][pP][sS]?:\/\/[^\s/?#@\\]\S*$/, "Must be an http or https address")
  .refine((given) => URL.canParse(given), "Must be an http or https address")
  .nullable();

export const settings = z.object({
  title: z.string().meta({ description: "the head of the page" }),
  description: z.string(),
  accent: z.string().meta({ description: "#rrggbb; where it could not be read, the page takes the nearest that can" }),
  has_logo: z.boolean(),
  logo_url: z.string().nullable().meta({ description: "its path on this server" }),
  homepage_url: z.string().nullable().meta({ description: "where the title leads" }),
  support_url: z.string().nullable(),
  published: z.boolean().meta({ description: "when false, the public routes answer 404" }),
  show_uptime: z.boolean(),
  public_url: z.string(),
  updated_at: timestamp.nullable(),
});
export type SettingsRecord = z.infer<typeof settings>;

/** What is left out stays as it is. */
export const settingsUpdate = z
  .strictObject({
    title: line(STATUS_PAGE_BOUNDS.titleLength),
    description: lineOrNothing(STATUS_PAGE_BOUNDS.descriptionLength),
    accent: z.string().regex(/^#[0-9a-fA-F]{6}$/, "Must be #rrggbb"),
    logo: z
      .string()
      .max(Math.ceil((STATUS_PAGE_BOUNDS.logoBytes * 4) / 3) + 64)
      .regex(/^data:image\/(png|jpeg|webp);base64,[A-Za-z0-9+/]+=*$/, "Must be a PNG, JPEG or WebP as a data: URL")
      .nullable()
      .meta({ description: "at most 100 kB; null takes it away" }),
    homepage_url: link,
    support_url: link,
    published: z.boolean(),
    show_uptime: z.boolean(),
  })
  .partial();
export type SettingsUpdate = z.infer<typeof settingsUpdate>;
