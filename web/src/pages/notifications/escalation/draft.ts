/** An escalation policy as it is being put together, and what is wrong with it. */
import { ESCALATION_BOUNDS } from "../../../../../src/contract/notifications.ts";
import type { CreateBody, ProbeBody, UpdateBody } from "../../../../../src/alerting/escalation/api.ts";
import type { PolicyRecord } from "../../../../../src/alerting/escalation/answers.ts";
import type { Severity } from "../../../format/alert-words.ts";
import { secondsWords } from "../../../format/schedule.ts";
import { readLength } from "../../../entities/heartbeats/draft.ts";
import { changesOf } from "../../../ui/forms/changes.ts";
import type { Faults } from "../../../ui/forms/server-faults.ts";

export interface LevelDraft {
  key: number;
  /** A length with its unit, counted from the start of the run: `10 min`. */
  delay: string;
  channels: readonly string[];
}

export interface PolicyDraft {
  name: string;
  active: boolean;
  severities: readonly Severity[];
  tags: readonly string[];
  levels: readonly LevelDraft[];
}

export const POLICY_FIELDS = ["name", "filters", "levels"];
const LONGEST_DELAY = ESCALATION_BOUNDS.delaySeconds.max;

export const NEW_POLICY: PolicyDraft = {
  name: "",
  active: true,
  severities: ["critical"],
  tags: [],
  levels: [
    { key: 0, delay: "5 min", channels: [] },
    { key: 1, delay: "15 min", channels: [] },
  ],
};

export function draftOf({ name, active, filters, levels }: PolicyRecord): PolicyDraft {
  return {
    name,
    active,
    severities: filters.severities,
    tags: filters.tags,
    levels: levels.map(({ delay_seconds, channel_ids }, key) => ({
      key,
      delay: delay_seconds === 0 ? "0" : secondsWords(delay_seconds),
      channels: channel_ids.map(String),
    })),
  };
}

/** The levels with one more at their end, later than the last. */
export function withLevel(levels: readonly LevelDraft[]): LevelDraft[] {
  const last = levels.at(-1);
  const after = last === undefined ? 0 : (readLength(last.delay) ?? 0);
  const delay = secondsWords(Math.min(LONGEST_DELAY, Math.max(300, after * 2)));
  return [...levels, { key: 1 + Math.max(-1, ...levels.map(({ key }) => key)), delay, channels: [] }];
}

/** The policy that the draft asks for, or what is wrong: of a level at `levels.1.delay_seconds` and `levels.1.channel_ids`. */
export function readDraft(draft: PolicyDraft): { body: CreateBody } | { faults: Faults } {
  const faults: Record<string, string> = {};
  const name = draft.name.trim();
  if (name === "") faults["name"] = "Enter a name.";
  const levels = readLevels(draft.levels, faults);
  if (Object.keys(faults).length > 0) return { faults };
  return { body: { name, active: draft.active, filters: filtersOf(draft), levels } };
}

/** The changes to send: of the filters, too, only those that were changed. */
export function withChangedFilters({ filters }: PolicyRecord, changes: UpdateBody): UpdateBody {
  return changes.filters === undefined ? changes : { ...changes, filters: changesOf(filters, changes.filters) };
}

/** What is asked of overlaps while it is edited; undefined as long as the levels are not whole. */
export function probeOf(draft: PolicyDraft, policyId: number | undefined): ProbeBody | undefined {
  const faults: Record<string, string> = {};
  const levels = readLevels(draft.levels, faults);
  if (Object.keys(faults).length > 0) return undefined;
  return { filters: filtersOf(draft), levels, ...(policyId !== undefined && { policy_id: policyId }) };
}

function filtersOf({ severities, tags }: PolicyDraft): { severities: Severity[]; tags: string[] } {
  return { severities: [...severities], tags: [...tags] };
}

function readLevels(levels: readonly LevelDraft[], faults: Record<string, string>): CreateBody["levels"] {
  let before = -1;
  return levels.map(({ delay, channels }, index) => {
    const seconds = readLength(delay);
    if (seconds === undefined) faults[`levels.${index}.delay_seconds`] = "A length with its unit, such as 10 min, or 0.";
    else if (seconds > LONGEST_DELAY) faults[`levels.${index}.delay_seconds`] = `At most ${secondsWords(LONGEST_DELAY)}.`;
    else if (seconds <= before) faults[`levels.${index}.delay_seconds`] = "Later than the level before: all count from the start.";
    if (channels.length === 0) faults[`levels.${index}.channel_ids`] = "Choose at least one channel.";
    before = seconds ?? before;
    return { delay_seconds: seconds ?? 0, channel_ids: channels.map(Number) };
  });
}
