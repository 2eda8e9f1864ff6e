import { SECURITY_BOUNDS } from "../../contract/security.ts";
import { DAY_MS, HOUR_MS } from "../../contract/time.ts";
import { createSerial, hold } from "../../platform/serial.ts";
import type { PostureDay } from "./rows.ts";
import type { SecurityStore } from "./store.ts";

const SAVED_EVERY_MS = HOUR_MS;
const SAVING = "days";

/** How safe things stood, day by day. */
export interface PostureHistory {
  /** The last days that are known of a host, or of all, oldest first. */
  days(host: string | undefined, days: number, now: Date): Promise<PostureDay[]>;
  /** Something changed: today is saved with the next {@link keep}. */
  touch(): void;
  /** Saves today when something changed, and once an hour. Answers in how many milliseconds it is due again. Throws `storage_unavailable`. */
  keep(now: Date): Promise<number>;
  prune(now: Date, signal: AbortSignal): Promise<void>;
  /** Saves nothing until the answer is called. */
  hold(): Promise<() => void>;
}

export function createPostureHistory(store: SecurityStore, today: (now: Date) => readonly PostureDay[]): PostureHistory {
  const serial = createSerial();
  let changed = true;
  let savedMs = -Infinity;
  /** The next hour or the next day, unless something changes before. */
  function dueInMs(now: Date): number {
    const nowMs = now.getTime();
    return Math.min(savedMs + SAVED_EVERY_MS - nowMs, DAY_MS - (nowMs % DAY_MS));
  }

  return {
    days: (host, days, now) => store.days(host ?? "all", dayText(now.getTime() - (days - 1) * DAY_MS)),
    touch() {
      changed = true;
    },
    keep: (now) =>
      serial(SAVING, async () => {
        const isDue = Math.abs(now.getTime() - savedMs) >= SAVED_EVERY_MS || dayText(now.getTime()) !== dayText(savedMs);
        if (!changed && !isDue) return dueInMs(now);
        changed = false;
        const days = today(now);
        try {
          if (days.length > 0) await store.saveDays(days, now);
          savedMs = now.getTime();
          return dueInMs(now);
        } catch (error) {
          changed = true;
          throw error;
        }
      }),
    hold: () => hold(serial, SAVING),
    async prune(now, signal) {
      const before = dayText(now.getTime() - (SECURITY_BOUNDS.historyDays - 1) * DAY_MS);
      while (!signal.aborted && (await store.pruneDays(before)));
    },
  };
}

function dayText(ms: number): string {
  return Number.isFinite(ms) ? new Date(ms).toISOString().slice(0, 10) : "";
}
