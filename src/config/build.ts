import { readFileSync } from "node:fs";
import { z } from "zod";
import { codeOf } from "../platform/errors.ts";

/** What is fixed when the program is built. */
export interface BuildInfo {
  version: string;
  builtAt: Date;
  /** Verifies licence keys; undefined in a checkout that has never made its pair. */
  publicKeyPem: string | undefined;
}

declare const BINNACLE_VERSION: string | undefined;
declare const BINNACLE_BUILT_AT: string | undefined;
declare const BINNACLE_PUBLIC_KEY: string | undefined;

/** From the constants that the build wrote in; run from source, from the checkout itself. */
export function buildInfo(): BuildInfo {
  if (typeof BINNACLE_VERSION === "string") {
    return {
      version: BINNACLE_VERSION,
      builtAt: new Date(typeof BINNACLE_BUILT_AT === "string" ? BINNACLE_BUILT_AT : 0),
      publicKeyPem: typeof BINNACLE_PUBLIC_KEY === "string" && BINNACLE_PUBLIC_KEY !== "" ? BINNACLE_PUBLIC_KEY : undefined,
    };
  }
  const root = new URL("../../", import.meta.url);
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(new URL("package.json", root), "utf8")));
  return { version, builtAt: new Date(performance.timeOrigin), publicKeyPem: readIfThere(new URL(".license/public.pem", root)) };
}

function readIfThere(file: URL): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
