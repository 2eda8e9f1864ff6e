import { toSighting } from "../../collector/labels.ts";
import { DAY_MS, HOUR_MS } from "../../contract/time.ts";
import { type FoundNewer, recordScan } from "../../monitoring/updates/index.ts";
import type { Clock } from "../../platform/clock.ts";
import { createDemoImages } from "../images.ts";
import { shownAt } from "../world/shown.ts";
import type { Moments, PastContainer } from "./past.ts";
import type { Rows } from "./store.ts";

/** The last scan of the demo's past. */
const SCANNED_AGO_MS = 4 * HOUR_MS + 10 * 60_000;
const SCAN_ID = "5c0f1a52-8f6b-4b7e-a1d4-2f6f0c6a9e11";

/** What the daily scan of this morning found. */
export async function updatesOf(
  past: readonly PastContainer[],
  { nowMs, updatedMs }: Moments,
  clock: Clock,
): Promise<{ tables: Rows[]; found: FoundNewer[] }> {
  const startedMs = nowMs - SCANNED_AGO_MS;
  const containers = past.map(({ id, container }) => ({ id, ...toSighting(shownAt(container, { atMs: nowMs, updatedMs })) }));
  return recordScan(containers, {
    readers: await createDemoImages({ nowMs, clock, pauses: false }),
    ...{ scanId: SCAN_ID, startedAt: new Date(startedMs), signal: new AbortController().signal },
    // A daily scan sees it within the day.
    seenAt: (publishedMs) => Math.min(startedMs, (publishedMs ?? startedMs) + DAY_MS / 2),
  });
}
