import { useQuery } from "@tanstack/react-query";
import type { EndpointDetail } from "../../../../../src/monitoring/endpoints/api.ts";
import { endpointUptimeQuery } from "../../../api/endpoint-queries.ts";
import { spanFigures, UptimeSection } from "../../../ui/uptime-section.tsx";

/** How much of the observed time it answered. */
export function EndpointUptime({ endpoint }: { endpoint: EndpointDetail }) {
  const { data, error, refetch } = useQuery(endpointUptimeQuery(endpoint.id));
  return (
    <UptimeSection
      aside="Responding, of monitored time"
      figures={spanFigures(endpoint.uptime)}
      days={data?.days}
      error={error}
      onRetry={() => void refetch()}
    />
  );
}
