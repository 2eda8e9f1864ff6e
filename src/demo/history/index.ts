import type { Clock } from "../../platform/clock.ts";
import { hostRows } from "./hosts.ts";
import { writeRows } from "./store.ts";

export interface HistoryOptions {
  nowMs: number;
  updatedMs: number;
  /** Of this program. */
  version: string;
  clock: Clock;
}

const YEAR_MS = 364 * 86_400_000;

/** Writes a year of made-up history into a new database. */
export async function writeHistory(path: string, { nowMs, updatedMs, version, clock }: HistoryOptions): Promise<void> {
  const moments = { nowMs, updatedMs, startMs: nowMs - YEAR_MS };
  await writeRows(path, [...hostRows({ ...moments, version })], clock);
}
