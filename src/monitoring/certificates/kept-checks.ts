import { HOUR_MS } from "../../contract/time.ts";
import type { CertificateState } from "./certificate.ts";

/** Checks of one certificate kept within an hour out of turn: a peer with two faces shows another one every minute. */
const MOST_AN_HOUR = 12;
/** Scans are spread by that much. */
const SPREAD_MS = 180_000;

/** Whether a scan shows something else than the one before, for which nobody should have to wait. */
export function isNews(before: CertificateState, after: CertificateState): boolean {
  return before.status !== after.status || before.leaf?.fingerprint !== after.leaf?.fingerprint;
}

/** Which checks are kept: one an hour, and some out of turn. */
export interface KeptChecks {
  /** Counts one more with news; answers whether it may be kept out of turn. */
  mayKeep(id: number, at: Date): boolean;
  /** Whether an hour has passed since the last one, or the clock was set back. Of those before the start nothing is known. */
  isDue(id: number, at: Date): boolean;
  note(id: number, at: Date): void;
  forget(id: number): void;
}

export function createKeptChecks(): KeptChecks {
  const news = new Map<number, { hour: number; count: number }>();
  const lastMs = new Map<number, number>();
  return {
    mayKeep(id, at) {
      const hour = Math.floor(at.getTime() / HOUR_MS);
      const known = news.get(id);
      const count = known?.hour === hour ? known.count + 1 : 1;
      news.set(id, { hour, count });
      return count <= MOST_AN_HOUR;
    },
    isDue(id, at) {
      const passedMs = at.getTime() - (lastMs.get(id) ?? -Infinity);
      return passedMs >= HOUR_MS - SPREAD_MS || passedMs < 0;
    },
    note: (id, at) => void lastMs.set(id, at.getTime()),
    forget(id) {
      news.delete(id);
      lastMs.delete(id);
    },
  };
}
