import type { UpdateStatus } from "../../../../src/events.ts";
import type { UpdateRecord } from "../../../../src/monitoring/updates/answers.ts";
import { UPDATE_STATUSES } from "../../../../src/contract/updates.ts";

interface Group {
  status: UpdateStatus;
  /** How many rows stand before it. */
  start: number;
  updates: UpdateRecord[];
}

/** The rows by status, those that can be updated first; within a status as they come. */
export function groupsOf(updates: readonly UpdateRecord[]): Group[] {
  const groups: Group[] = [];
  let start = 0;
  for (const status of UPDATE_STATUSES) {
    const rows = updates.filter((update) => update.status === status);
    if (rows.length > 0) groups.push({ status, start, updates: rows });
    start += rows.length;
  }
  return groups;
}
