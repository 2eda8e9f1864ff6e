import type { QueryClient } from "@tanstack/react-query";
import type { UpdateSummary } from "../../../src/monitoring/updates/answers.ts";
import { advanceScan } from "./apply-scan.ts";
import { coalesce } from "./coalesce.ts";
import type { LiveUpdates } from "./live-stream.ts";

/** Keeps what is known of newer images as events say: how far a scan is stands in its events, what it found is read again. */
export function createUpdateUpdates(queryClient: QueryClient): LiveUpdates<"update"> {
  // A scan reports one container after the other.
  const soon = coalesce(() => void queryClient.invalidateQueries({ queryKey: ["updates"] }), { quietMs: 500, longestMs: 3000 });
  const reread = (): void => soon.call();
  const scanChanged = (): void => {
    void queryClient.invalidateQueries({ queryKey: ["updates", "summary"] });
    reread();
  };
  return {
    events: {
      "update.scan_started": scanChanged,
      "update.scan_progress": (data) =>
        void queryClient.setQueriesData<UpdateSummary>(
          { queryKey: ["updates", "summary"] },
          (summary) => summary && advanceScan(summary, data),
        ),
      "update.scan_completed": scanChanged,
      "update.detected": reread,
      "update.changed": reread,
      "update.pinned": reread,
      "update.unpinned": reread,
      "update.compared": reread,
    },
    reread,
    cancel: () => soon.cancel(),
  };
}
