import { HOUR_MS } from "../../contract/time.ts";
import type { CertificateState } from "./certificate.ts";

/** Checks of one certificate kept within an hour out of turn: a peer with two faces shows another one every minute. */
const MOST_AN_HOUR = 12;

/** Whether a scan shows something else than the one before, for which nobody should have to wait. */
export function isNews(before: CertificateState, after: CertificateState): boolean {
  return before.status !== after.status || before.leaf?.fingerprint !== after.leaf?.fingerprint;
}

/** How much news there was of certificates. */
export interface News {
  /** Whether one more check may be kept out of turn. */
  mayKeep(id: number, at: Date): boolean;
  forget(id: number): void;
}

export function createNews(): News {
  const published = new Map<number, { hour: number; count: number }>();
  return {
    mayKeep(id, at) {
      const hour = Math.floor(at.getTime() / HOUR_MS);
      const known = published.get(id);
      const count = known?.hour === hour ? known.count + 1 : 1;
      published.set(id, { hour, count });
      return count <= MOST_AN_HOUR;
    },
    forget: (id) => void published.delete(id),
  };
}

/** When checks were saved; of those before the start nothing is known. */
export interface SavedTimes {
  /** Whether an hour has passed, give or take what scans are spread by, or the clock was set back since. */
  isDue(id: number, at: Date): boolean;
  note(id: number, at: Date): void;
  forget(id: number): void;
}

const SPREAD_MS = 180_000;

export function createSavedTimes(): SavedTimes {
  const savedMs = new Map<number, number>();
  return {
    isDue(id, at) {
      const passedMs = at.getTime() - (savedMs.get(id) ?? -Infinity);
      return passedMs >= HOUR_MS - SPREAD_MS || passedMs < 0;
    },
    note: (id, at) => void savedMs.set(id, at.getTime()),
    forget: (id) => void savedMs.delete(id),
  };
}
