/** What the server knows of the font of the public status page, which is that of the web app; the build lays its file beside the program. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Latin letters in every weight. */
export const PAGE_FONT = join(import.meta.dirname, "../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2");

export function pageFont(): string {
  const version = createHash("sha256").update(readFileSync(PAGE_FONT)).digest("hex").slice(0, 12);
  return [
    "// Made of @fontsource-variable/inter by `npm run generate`.",
    "/** Part of the font's address, so that browsers may keep it. */",
    `export const FONT_VERSION = "${version}";`,
  ]
    .join("\n")
    .concat("\n");
}
