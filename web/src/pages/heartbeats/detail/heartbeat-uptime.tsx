import { useQuery } from "@tanstack/react-query";
import type { DailyUptime, HeartbeatRecord } from "../../../../../src/monitoring/heartbeats/api.ts";
import { heartbeatUptimeQuery } from "../../../api/heartbeat-queries.ts";
import { UptimeSection } from "../../../ui/uptime-section.tsx";
import { meanUptime } from "./mean-uptime.ts";

const SPANS = [7, 30, 90];
const NONE: DailyUptime["days"] = [];

/** How much of the time nothing was wrong with it. */
export function HeartbeatUptime({ heartbeat }: { heartbeat: HeartbeatRecord }) {
  const { data, error, refetch } = useQuery(heartbeatUptimeQuery(heartbeat.id));
  const days = data?.days ?? NONE;
  return (
    <UptimeSection
      aside="Neither late nor failed, of monitored time"
      figures={SPANS.map((length) => [`${length} days`, meanUptime(days.slice(0, length))])}
      days={data?.days}
      error={error}
      onRetry={() => void refetch()}
    />
  );
}
