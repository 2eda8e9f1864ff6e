import type { BuildInfo } from "../config/build.ts";
import type { Config } from "../config/config.ts";
import { systemClock } from "../platform/clock.ts";
import { silentLog } from "../platform/log.ts";
import { openEditions } from "./open-editions.ts";

/** Prints the edition in force and what it grants. */
export function showLicense(config: Config, build: BuildInfo): number {
  const { edition, organisation, licence, capabilities, history_ranges } = openEditions(config, build, {
    clock: systemClock,
    log: silentLog,
  }).view();
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
