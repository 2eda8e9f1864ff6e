import { MINUTE_MS } from "../../contract/time.ts";
import { BOUNDS } from "./api.ts";

/** One round through all images. */
export interface Scan {
  scanId: string;
  trigger: "schedule" | "manual";
  status: "running" | "completed" | "failed";
  /** Why it failed. */
  failure: string | null;
  startedAt: Date;
  completedAt: Date | null;
  /** Images, each however many containers run it. */
  total: number;
  scanned: number;
  updatesFound: number;
  errors: readonly { image: string; error: string }[];
}

export function newScan(scanId: string, trigger: Scan["trigger"], now: Date): Scan {
  return {
    scanId,
    trigger,
    status: "running",
    failure: null,
    startedAt: now,
    completedAt: null,
    total: 0,
    scanned: 0,
    updatesFound: 0,
    errors: [],
  };
}

/** A scan after one more image; `error` is what went wrong with it. */
export function withImage(scan: Scan, { image, found, error }: { image: string; found: boolean; error: string | null }): Scan {
  const errors = error === null || scan.errors.length >= BOUNDS.scanErrors ? scan.errors : [...scan.errors, { image, error }];
  return { ...scan, scanned: scan.scanned + 1, updatesFound: scan.updatesFound + Number(found), errors };
}

/** A scan begins this long after a start, so that it is known what runs. */
const AFTER_START_MS = 30_000;
/** After one that failed the next need not wait for a whole interval. */
const AFTER_FAILURE_MS = 10 * MINUTE_MS;
/** A scan may begin this share of the interval early, and never late: with 24 h it is at most 24 h away. */
const JITTER = 0.1;

/** A scan is never further away than this, whatever the clock said when the last one began: it may have been set back since. */
export function atLatest(due: Date, { intervalMs, now }: { intervalMs: number; now: Date }): Date {
  return new Date(Math.min(due.getTime(), now.getTime() + intervalMs));
}

export interface ScheduleFacts {
  intervalMs: number;
  startedAt: Date;
  last: Pick<Scan, "status" | "startedAt"> | undefined;
  /** From 0 to 1: so that not all programs ask at the same time. */
  chance: number;
}

/** When the next scan is due. */
export function nextScanAt({ intervalMs, startedAt, last, chance }: ScheduleFacts): Date {
  const earliest = startedAt.getTime() + AFTER_START_MS;
  if (last === undefined) return new Date(earliest);
  const waitMs = last.status === "failed" ? Math.min(intervalMs, AFTER_FAILURE_MS) : intervalMs;
  return new Date(Math.max(earliest, last.startedAt.getTime() + waitMs * (1 - JITTER * chance)));
}
