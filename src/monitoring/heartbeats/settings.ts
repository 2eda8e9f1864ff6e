import { parseCron } from "../../contract/cron.ts";
import { HEARTBEAT_DEFAULTS } from "../../contract/heartbeat.ts";
import { openZone } from "../../contract/zone.ts";
import { type Fault, ServiceError } from "../../platform/errors.ts";
import type { Settings } from "./heartbeat.ts";
import type { Schedule } from "./schedule.ts";

/** What a body may set, as api.ts checks it. */
interface SettingsBody {
  name?: string | undefined;
  tags?: readonly string[] | undefined;
  schedule?: Schedule["kind"] | undefined;
  cron?: string | null | undefined;
  interval_seconds?: number | null | undefined;
  timezone?: string | undefined;
  grace_seconds?: number | undefined;
  max_runtime_seconds?: number | null | undefined;
}

/**
 * The settings that a body asks for; what it leaves out is as it was, or the default. Throws `unusable_values` with everything that
 * does not fit together.
 */
export function completeSettings(body: SettingsBody, current?: Settings): Settings {
  const faults: Fault[] = [];
  const completed = completeSchedule(body, current?.schedule, faults);
  if (completed === undefined || faults.length > 0) {
    const sentences = faults.map(({ path, message }) => `${path}: ${message}`).join(" ");
    throw new ServiceError("unusable_values", `The body cannot be used: ${sentences}`, faults);
  }
  return {
    name: body.name ?? current?.name ?? "",
    tags: body.tags === undefined ? (current?.tags ?? []) : [...new Set(body.tags)],
    schedule: completed,
    graceSeconds: body.grace_seconds ?? current?.graceSeconds ?? HEARTBEAT_DEFAULTS.grace_seconds,
    maxRuntimeSeconds: body.max_runtime_seconds === undefined ? (current?.maxRuntimeSeconds ?? null) : body.max_runtime_seconds,
  };
}

/** What does not fit together in the settings of a new one. */
export function faultsOfSettings(body: SettingsBody): Fault[] {
  const faults: Fault[] = [];
  completeSchedule(body, undefined, faults);
  return faults;
}

function completeSchedule(body: SettingsBody, current: Schedule | undefined, faults: Fault[]): Schedule | undefined {
  const { cron: cronLine = null, interval_seconds: interval = null } = body;
  const refuse = (path: string, message: string): undefined => void faults.push({ path, message });
  const timezone = body.timezone ?? current?.timezone ?? HEARTBEAT_DEFAULTS.timezone;
  if (openZone(timezone) === undefined) {
    refuse("timezone", `There is no time zone "${timezone}". Use a name of the IANA list, such as Europe/Berlin or UTC.`);
  }
  if (cronLine !== null && interval !== null) return refuse("cron", "An interval and a cron line exclude each other; send one of them.");
  const kind = body.schedule ?? (cronLine !== null ? "cron" : interval !== null ? "interval" : current?.kind);
  if (kind === undefined) return refuse("schedule", "Send interval_seconds or cron: when the job runs.");
  if (kind === "interval") {
    if (cronLine !== null) return refuse("cron", 'A heartbeat with the schedule "interval" has no cron line; leave it out.');
    const intervalSeconds = interval ?? (current?.kind === "interval" ? current.intervalSeconds : undefined);
    if (intervalSeconds === undefined) return refuse("interval_seconds", "Send how often the job runs, in seconds.");
    return { kind, intervalSeconds, timezone };
  }
  if (interval !== null) return refuse("interval_seconds", 'A heartbeat with the schedule "cron" has no interval; leave it out.');
  const cron = cronLine?.trim().replace(/\s+/g, " ") ?? (current?.kind === "cron" ? current.cron : undefined);
  if (cron === undefined) return refuse("cron", "Send the cron line by which the job runs, such as 0 3 * * *.");
  const parsed = parseCron(cron);
  if ("fault" in parsed) return refuse("cron", parsed.fault);
  return { kind, cron, timezone };
}
