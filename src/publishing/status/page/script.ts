import { createHash } from "node:crypto";
import { SCRIPT } from "./script.gen.ts";

/** Part of the script's address, so that browsers may keep it. The script is web/src/public-page. */
export const SCRIPT_VERSION = createHash("sha256").update(SCRIPT).digest("hex").slice(0, 12);
