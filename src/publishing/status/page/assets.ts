import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { FONT_VERSION } from "./font.gen.ts";
import { SCRIPT } from "./script.gen.ts";

/** Part of the script's address, so that browsers may keep it. The script is web/src/public-page. */
export const SCRIPT_VERSION = createHash("sha256").update(SCRIPT).digest("hex").slice(0, 12);

/** The font of the web app, with Latin letters. */
export const FONT_URL = `/status/font.woff2?v=${FONT_VERSION}`;

/** Beside the program when built, see tools/build.ts; from source, where its package has it. */
const FILE = import.meta.url.endsWith(".ts")
  ? "../../../../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2"
  : "./status-font.woff2";

export function readFont(): Promise<Buffer> {
  return readFile(new URL(FILE, import.meta.url));
}
