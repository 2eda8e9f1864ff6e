import type { HeartbeatRecord } from "../../../../src/monitoring/heartbeats/answers.ts";
import { zoneTime } from "../../format/zone-time.ts";
import { Timestamp } from "../../ui/timestamp.tsx";

/** When the next ping is expected, here, and in the zone of a job whose clock shows another time. */
export function ExpectedTime({ record }: { record: Pick<HeartbeatRecord, "next_expected_at" | "cron" | "timezone"> }) {
  const { next_expected_at: at, cron, timezone } = record;
  if (at === null) return <span className="text-ink-3">–</span>;
  const there = cron === null ? undefined : zoneTime(at, timezone);
  return (
    <>
      <Timestamp at={at} precision="minute" />
      {there !== undefined && (
        <span className="text-ink-2 tabular-nums" title={timezone}>
          {" "}
          · {there} {cityOf(timezone)}
        </span>
      )}
    </>
  );
}

/** `Europe/Berlin` is called Berlin, `America/Argentina/Salta` Salta. */
function cityOf(timezone: string): string {
  return timezone.slice(timezone.lastIndexOf("/") + 1).replaceAll("_", " ");
}
