import { parseCron } from "../../../../src/contract/cron.ts";
import { HEARTBEAT_BOUNDS, HEARTBEAT_DEFAULTS } from "../../../../src/contract/heartbeat.ts";
import { openZone } from "../../../../src/contract/zone.ts";
import type { CreateBody } from "../../../../src/monitoring/heartbeats/api.ts";
import type { HeartbeatRecord } from "../../../../src/monitoring/heartbeats/answers.ts";
import { secondsWords } from "../../format/schedule.ts";

/** A heartbeat's settings as they stand in the form. */
export interface HeartbeatDraft {
  name: string;
  kind: "interval" | "cron";
  interval: string;
  cron: string;
  timezone: string;
  grace: string;
  /** Empty: no limit. */
  maxRuntime: string;
  /** Joined by commas. */
  tags: string;
}

export type DraftField = Exclude<keyof HeartbeatDraft, "kind">;
export type DraftFaults = Partial<Record<DraftField, string>>;

const { nameLength, intervalSeconds, graceSeconds, maxRuntimeSeconds, cronLength, tags: mostTags, tagLength } = HEARTBEAT_BOUNDS;

export function newDraft(timezone: string): HeartbeatDraft {
  return {
    name: "",
    kind: "interval",
    interval: "1 h",
    cron: "0 3 * * *",
    timezone,
    grace: secondsWords(HEARTBEAT_DEFAULTS.grace_seconds),
    maxRuntime: "",
    tags: "",
  };
}

export function draftOf(record: HeartbeatRecord): HeartbeatDraft {
  return {
    name: record.name,
    kind: record.schedule,
    interval: record.interval_seconds === null ? "1 h" : secondsWords(record.interval_seconds),
    cron: record.cron ?? "0 3 * * *",
    timezone: record.timezone,
    grace: secondsWords(record.grace_seconds),
    maxRuntime: record.max_runtime_seconds === null ? "" : secondsWords(record.max_runtime_seconds),
    tags: record.tags.join(", "),
  };
}

/** What to send, or what is wrong field by field. */
export function readDraft(draft: HeartbeatDraft): { body: CreateBody } | { faults: DraftFaults } {
  const faults: DraftFaults = {};
  const name = draft.name.trim();
  if (name === "") faults.name = "Enter a name.";
  else if (name.length > nameLength) faults.name = `A name has at most ${nameLength} characters.`;
  const schedule = draft.kind === "interval" ? readInterval(draft, faults) : readCronDraft(draft, faults);
  const grace = readBounded(draft.grace, graceSeconds, (fault) => void (faults.grace = fault));
  const isLimited = draft.maxRuntime.trim() !== "";
  const limit = isLimited ? readBounded(draft.maxRuntime, maxRuntimeSeconds, (fault) => void (faults.maxRuntime = fault)) : null;
  const tags = [...new Set(draft.tags.split(",").map((tag) => tag.trim()))].filter((tag) => tag !== "");
  if (tags.length > mostTags) faults.tags = `At most ${mostTags} tags.`;
  else if (tags.some((tag) => tag.length > tagLength)) faults.tags = `A tag has at most ${tagLength} characters.`;
  if (Object.keys(faults).length > 0 || schedule === undefined || grace === undefined || limit === undefined) return { faults };
  return { body: { name, ...schedule, grace_seconds: grace, max_runtime_seconds: limit, tags } };
}

function readInterval({ interval }: HeartbeatDraft, faults: DraftFaults) {
  const seconds = readBounded(interval, intervalSeconds, (fault) => void (faults.interval = fault));
  return seconds === undefined ? undefined : { schedule: "interval" as const, interval_seconds: seconds };
}

function readCronDraft({ cron, timezone }: HeartbeatDraft, faults: DraftFaults) {
  const read = parseCron(cron);
  if (cron.length > cronLength) faults.cron = `A cron line has at most ${cronLength} characters.`;
  else if ("fault" in read) faults.cron = read.fault;
  if (openZone(timezone) === undefined) faults.timezone = `There is no time zone "${timezone}". Use a name such as Europe/Berlin or UTC.`;
  return { schedule: "cron" as const, cron: cron.trim().replace(/\s+/g, " "), timezone };
}

function readBounded(text: string, { min, max }: { min: number; max: number }, refuse: (fault: string) => void): number | undefined {
  const seconds = readLength(text);
  if (seconds === undefined) {
    refuse("Enter a duration with its unit, such as 30 s, 5 min, 1 h 30 min or 2 d.");
    return undefined;
  }
  if (seconds >= min && seconds <= max) return seconds;
  refuse(`From ${secondsWords(min)} to ${secondsWords(max)}.`);
  return undefined;
}

const UNITS: Readonly<Record<string, number>> = { s: 1, sec: 1, m: 60, min: 60, h: 3600, d: 86_400 };

/** Seconds of `90 s`, `5 min`, `1h30m`, `2 d`; undefined for anything else. Nothing but 0 goes without a unit. */
export function readLength(text: string): number | undefined {
  const asked = text.trim().toLowerCase();
  if (asked === "0") return 0;
  if (!/^(\d{1,9}\s*[a-z]+\s*)+$/.test(asked)) return undefined;
  let seconds = 0;
  for (const [, count, unit = ""] of asked.matchAll(/(\d+)\s*([a-z]+)/g)) {
    const length = UNITS[unit];
    if (length === undefined) return undefined;
    seconds += Number(count) * length;
  }
  return seconds;
}

const FIELD_OF: Readonly<Record<string, DraftField>> = {
  name: "name",
  interval_seconds: "interval",
  schedule: "interval",
  cron: "cron",
  timezone: "timezone",
  grace_seconds: "grace",
  max_runtime_seconds: "maxRuntime",
  tags: "tags",
};

const HIDDEN: Readonly<Record<HeartbeatDraft["kind"], readonly DraftField[]>> = { interval: ["cron", "timezone"], cron: ["interval"] };

/** The fields that faults can stand beside, as the form of this kind shows them. */
export function fieldsOf(kind: HeartbeatDraft["kind"]): string[] {
  return Object.entries(FIELD_OF).flatMap(([path, field]) => (HIDDEN[kind].includes(field) ? [] : [path]));
}

/** The server's faults, at the fields of the form that they are about. */
export function draftFaults(faults: Readonly<Record<string, string>>): DraftFaults {
  const shown: DraftFaults = {};
  for (const [path, message] of Object.entries(faults)) {
    const field = FIELD_OF[path.split(".")[0] ?? ""];
    if (field !== undefined) shown[field] ??= message;
  }
  return shown;
}
