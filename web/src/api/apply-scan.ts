import type { EventData } from "../../../src/events.ts";
import type { UpdateSummary } from "../../../src/monitoring/updates/answers.ts";

/** How far the scan is that runs. News of another one, or older than what is known, changes nothing. */
export function advanceScan(
  summary: UpdateSummary,
  { scan_id, total, scanned, updates_found }: EventData["update.scan_progress"],
): UpdateSummary {
  const { scanning } = summary;
  if (scanning?.scan_id !== scan_id || scanned < scanning.scanned) return summary;
  return { ...summary, scanning: { ...scanning, total, scanned, updates_found } };
}
