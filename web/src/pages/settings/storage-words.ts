import type { StorageUse } from "../../../../src/app/meta/answers.ts";
import { formatBytes } from "../../format/bytes.ts";
import { countOf } from "../../format/number.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;
/** Further ahead a forecast is given in years. */
const YEAR = 365;

/** Each kind of record for people. */
export const KIND_WORDS: Readonly<Record<StorageUse["kinds"][number]["kind"], string>> = {
  journal: "Metrics, uncompressed",
  detail: "Metrics every 10 seconds",
  minutes: "Metrics every minute",
  hours: "Metrics every hour",
  checks: "Endpoint checks",
  pings: "Heartbeat pings",
  history: "Container history, last log lines",
  alerts: "Alerts",
  deliveries: "Notifications and escalations",
  webhook_deliveries: "Webhook deliveries",
  certificate_checks: "Certificate checks",
  images: "Updates, packages, vulnerabilities",
  audit: "Audit log",
  other: "Everything else: containers, status page, settings",
};

/** How long something is kept: `48 h`, `30 days`. */
export function retentionWords(seconds: number): string {
  return seconds <= 2 * DAY ? `${Math.round(seconds / HOUR)} h` : countOf(Math.round(seconds / DAY), "day");
}

/** How often backups are taken, how many are kept, and where. */
export function backupWords({ interval_seconds: interval, keep, folder }: NonNullable<StorageUse["backups"]>): string {
  const every = interval < HOUR ? countOf(Math.round(interval / 60), "minute") : retentionWords(interval);
  return `Every ${every} into ${folder}, of which ${countOf(keep, "backup")} ${keep === 1 ? "is" : "are"} kept`;
}

/** How fast the database grows. */
export function growthWords({ growth_bytes_per_day: growth }: Pick<StorageUse, "growth_bytes_per_day">): string {
  if (growth === null) return "Available after 24 h";
  if (growth <= 0) return "Stable";
  return `About ${formatBytes(growth)} a day`;
}

/** What becomes of the database. */
export function forecastWords({ forecast, limit_bytes: limit }: Pick<StorageUse, "forecast" | "limit_bytes">): string {
  const { bytes, days_until_limit: days } = forecast;
  if (bytes === null) return "Available after 24 h";
  const grown = `About ${formatBytes(bytes)} once all data reaches its retention period.`;
  if (limit === null) return grown;
  if (days === null) return `${grown} The limit will not be reached soon.`;
  const when = days < 1 ? "The limit is reached today" : `The limit is reached in about ${daysWords(days)}`;
  return `${grown} ${when}. Then the least important data is deleted first, oldest first.`;
}

function daysWords(days: number): string {
  return days < 2 * YEAR ? countOf(Math.round(days), "day") : countOf(Math.round(days / YEAR), "year");
}
