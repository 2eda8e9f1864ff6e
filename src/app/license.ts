import type { BuildInfo } from "../config/build.ts";
import type { Config } from "../config/config.ts";
import { createEditions } from "../editions/index.ts";
import { systemClock } from "../platform/clock.ts";
import { silentLog } from "../platform/log.ts";

/** Prints the edition in force and what it grants. */
export function showLicense({ licenseKey, dataDir }: Config, { publicKeyPem, builtAt }: BuildInfo): number {
  const editions = createEditions({
    licenseKey: licenseKey?.reveal(),
    publicKeyPem,
    dataDir,
    buildDate: builtAt,
    clock: systemClock,
    log: silentLog,
  });
  const { edition, organisation, licence, capabilities, history_ranges } = editions.view();
  const lines = [
    `edition       ${edition}`,
    `licence       ${licence.status}${licence.expires_at === null ? "" : `, until ${licence.expires_at.slice(0, 10)}`}`,
    ...(organisation === null ? [] : [`organisation  ${organisation}`]),
    ...(licence.message === null ? [] : [`note          ${licence.message}`]),
    `history       ${history_ranges.join(", ")}`,
    "",
    ...capabilities.map(
      ({ name, granted, required_edition }) => `${granted ? "yes" : "no "}  ${name}${granted ? "" : ` (needs ${required_edition})`}`,
    ),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
  return licence.status === "invalid" ? 1 : 0;
}
