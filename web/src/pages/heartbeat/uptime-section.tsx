import { useQuery } from "@tanstack/react-query";
import type { DailyUptime, HeartbeatRecord } from "../../../../src/monitoring/heartbeats/api.ts";
import { heartbeatUptimeQuery } from "../../api/heartbeat-queries.ts";
import { Changed } from "../../ui/changed.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Percent } from "../../ui/percent.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { UptimeBars } from "../../ui/uptime-bars.tsx";
import { meanUptime } from "./mean-uptime.ts";

const SPANS = [
  [7, "7 days"],
  [30, "30 days"],
  [90, "90 days"],
] as const;
const NONE: DailyUptime["days"] = [];

/** How much of the time nothing was wrong with it, in figures and day by day. */
export function UptimeSection({ heartbeat }: { heartbeat: HeartbeatRecord }) {
  const { data, error, refetch } = useQuery(heartbeatUptimeQuery(heartbeat.id));
  const days = data?.days ?? NONE;
  return (
    <Section title="Uptime" aside="Neither late nor failed, of the time watched">
      <div className="grid grid-cols-[minmax(0,1fr)] items-end gap-x-10 gap-y-4 pt-3 lg:grid-cols-[auto_minmax(0,1fr)]">
        <dl className="grid grid-cols-3 gap-x-6">
          {SPANS.map(([length, name]) => {
            const mean = meanUptime(days.slice(0, length));
            return (
              <div key={length}>
                <dt className="text-xs text-ink-2">{name}</dt>
                <dd className="mt-0.5 text-lg font-[550] whitespace-nowrap tabular-nums">
                  <Changed value={mean}>
                    <Percent value={mean} />
                  </Changed>
                </dd>
              </div>
            );
          })}
        </dl>
        <div className="min-h-[44px] min-w-0">
          {data !== undefined && (
            <>
              <UptimeBars days={data.days} />
              <div className="mt-1 flex justify-between text-xs text-ink-3">
                <span>90 days ago</span>
                <span>Today</span>
              </div>
            </>
          )}
          {data === undefined && error === null && <Skeleton className="h-6 w-full" />}
          {data === undefined && error !== null && (
            <ErrorNote what="The uptime by day could not be read." error={error} onRetry={() => void refetch()} />
          )}
        </div>
      </div>
    </Section>
  );
}
