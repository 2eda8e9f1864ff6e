import { toLocalField } from "../notifications/local-time.ts";

const HOUR_MS = 3_600_000;

/** How long to be quiet, by one press. */
export const PRESETS = [
  { key: "1h", label: "1 h" },
  { key: "8h", label: "8 h" },
  { key: "morning", label: "Until tomorrow 08:00" },
  { key: "week", label: "A week" },
] as const;
export type Preset = (typeof PRESETS)[number]["key"];

/** When such a period ends that begins at `fromMs`, as a field has it. */
export function presetEnd(preset: Preset, fromMs: number): string {
  switch (preset) {
    case "1h":
      return toLocalField(fromMs + HOUR_MS);
    case "8h":
      return toLocalField(fromMs + 8 * HOUR_MS);
    case "morning": {
      const morning = new Date(fromMs);
      // By the calendar, so that the night of a clock change is right.
      morning.setDate(morning.getDate() + 1);
      morning.setHours(8, 0, 0, 0);
      return toLocalField(morning.getTime());
    }
    case "week": {
      const later = new Date(fromMs);
      later.setDate(later.getDate() + 7);
      return toLocalField(later.getTime());
    }
  }
}
