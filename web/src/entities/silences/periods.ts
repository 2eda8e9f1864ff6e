import { HOUR_MS, MINUTE_MS } from "../../../../src/contract/time.ts";
import { fromLocalField, toLocalDraft } from "../../format/local-time.ts";

/** How long to be quiet, by one press. */
export const PRESETS = [
  { key: "30m", label: "30 min" },
  { key: "2h", label: "2 h" },
  { key: "8h", label: "8 h" },
  { key: "morning", label: "Until tomorrow 09:00" },
  { key: "week", label: "1 week" },
] as const;
export type Preset = (typeof PRESETS)[number]["key"];

/** When such a period ends that begins at `fromMs`. Both are milliseconds since the epoch: a local time occurs twice when clocks go back. */
export function presetEnd(preset: Preset, fromMs: number): number {
  switch (preset) {
    case "30m":
      return fromMs + HOUR_MS / 2;
    case "2h":
      return fromMs + 2 * HOUR_MS;
    case "8h":
      return fromMs + 8 * HOUR_MS;
    case "morning": {
      const morning = new Date(fromMs);
      // By the calendar, so that the night of a clock change is right.
      morning.setDate(morning.getDate() + 1);
      morning.setHours(9, 0, 0, 0);
      return morning.getTime();
    }
    case "week": {
      const later = new Date(fromMs);
      later.setDate(later.getDate() + 7);
      return later.getTime();
    }
  }
}

/** The same as a draft has it, which knows no seconds: up to a minute later, so that what was asked for is not cut. */
export function draftEnd(preset: Preset, fromMs: number): string {
  return toLocalDraft(Math.ceil(presetEnd(preset, fromMs) / MINUTE_MS) * MINUTE_MS);
}

/** The same from the start in the draft on, or from now on. */
export function presetDraft(preset: Preset, starts: string, nowMs: number): string {
  const from = fromLocalField(starts);
  return draftEnd(preset, from === undefined ? nowMs : Date.parse(from));
}
