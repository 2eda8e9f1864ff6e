import { useQuery } from "@tanstack/react-query";
import type { ContainerDetail } from "../../../../../src/monitoring/containers/api.ts";
import { dailyUptimeQuery } from "../../../api/queries.ts";
import { spanFigures, UptimeSection } from "../../../ui/uptime-section.tsx";

/** How much of the observed time it ran and was not unhealthy. */
export function ContainerUptime({ container }: { container: ContainerDetail }) {
  const { data, error, refetch } = useQuery(dailyUptimeQuery(container.id));
  return (
    <UptimeSection
      aside="Running and healthy, of monitored time"
      figures={spanFigures(container.uptime)}
      days={data?.days}
      error={error}
      onRetry={() => void refetch()}
    />
  );
}
