import { HOUR_MS } from "../../../../src/contract/time.ts";
import { toLocalField } from "../../format/local-time.ts";

/** How long to be quiet, by one press. */
export const PRESETS = [
  { key: "30m", label: "30 min" },
  { key: "2h", label: "2 h" },
  { key: "8h", label: "8 h" },
  { key: "morning", label: "Until tomorrow 09:00" },
  { key: "week", label: "1 week" },
] as const;
export type Preset = (typeof PRESETS)[number]["key"];

/** When such a period ends that begins at `fromMs`, as a field has it. */
export function presetEnd(preset: Preset, fromMs: number): string {
  switch (preset) {
    case "30m":
      return toLocalField(fromMs + HOUR_MS / 2);
    case "2h":
      return toLocalField(fromMs + 2 * HOUR_MS);
    case "8h":
      return toLocalField(fromMs + 8 * HOUR_MS);
    case "morning": {
      const morning = new Date(fromMs);
      // By the calendar, so that the night of a clock change is right.
      morning.setDate(morning.getDate() + 1);
      morning.setHours(9, 0, 0, 0);
      return toLocalField(morning.getTime());
    }
    case "week": {
      const later = new Date(fromMs);
      later.setDate(later.getDate() + 7);
      return toLocalField(later.getTime());
    }
  }
}
