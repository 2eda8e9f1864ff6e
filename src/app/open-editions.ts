import type { BuildInfo } from "../config/build.ts";
import type { Config } from "../config/config.ts";
import { createEditions, type Editions } from "../editions/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";

export interface EditionsSetting {
  clock: Clock;
  log: Log;
  /** Keeps neither the key nor when it was first used. */
  readOnly?: boolean;
}

/** The editions that the configured licence, or the one kept from before, grants. */
export function openEditions(
  { licenseKey, dataDir }: Config,
  build: BuildInfo,
  { clock, log, readOnly = false }: EditionsSetting,
): Editions {
  return createEditions({
    licenseKey: licenseKey?.reveal(),
    publicKeyPem: build.publicKeyPem,
    dataDir,
    readOnly,
    buildDate: build.builtAt,
    clock,
    log,
  });
}
