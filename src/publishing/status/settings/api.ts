import { z } from "zod";
import { DOMAIN_PATTERN, domainFault, STATUS_PAGE_BOUNDS } from "../../../contract/status-page.ts";
import { DECLARED, line, lineOrNothing, text } from "../../../http/texts.ts";

const link = text(STATUS_PAGE_BOUNDS.urlLength)
  .regex(/^[hH][tT][tT][pP][sS]?:\/\/[^\s/?#@\\]\S*$/, "Must be an http or https address")
  .refine((given) => URL.canParse(given), "Must be an http or https address")
  .nullable();

const domain = z
  .string()
  .superRefine((given, context) => {
    const message = domainFault(given);
    if (message !== undefined) context.addIssue({ code: "custom", message, params: DECLARED });
  })
  .meta({ maxLength: STATUS_PAGE_BOUNDS.domainLength, pattern: DOMAIN_PATTERN, examples: ["status.example.com"] });

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
    domain: domain.nullable().meta({ description: "a host name under which the page is shown; null takes it away" }),
    published: z.boolean(),
    show_uptime: z.boolean(),
  })
  .partial();
export type SettingsUpdate = z.infer<typeof settingsUpdate>;
