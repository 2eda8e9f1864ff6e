import { useQuery } from "@tanstack/react-query";
import type { EndpointDetail } from "../../../../src/monitoring/endpoints/api.ts";
import { endpointUptimeQuery } from "../../api/endpoint-queries.ts";
import { Changed } from "../../ui/changed.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Percent } from "../../ui/percent.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { UptimeBars } from "../../ui/uptime-bars.tsx";

const SPANS = [
  ["24h", "24 hours"],
  ["7d", "7 days"],
  ["30d", "30 days"],
  ["90d", "90 days"],
] as const;

/** How much of the observed time it answered, in figures and day by day. */
export function UptimeSection({ endpoint }: { endpoint: EndpointDetail }) {
  const { data, error, refetch } = useQuery(endpointUptimeQuery(endpoint.id));
  return (
    <Section title="Uptime" aside="Time it answered, of the time observed">
      <div className="grid grid-cols-[minmax(0,1fr)] items-end gap-x-10 gap-y-4 pt-3 lg:grid-cols-[auto_minmax(0,1fr)]">
        <dl className="grid grid-cols-4 gap-x-6">
          {SPANS.map(([span, name]) => (
            <div key={span}>
              <dt className="text-xs text-ink-2">{name}</dt>
              <dd className="mt-0.5 text-lg font-[550] whitespace-nowrap tabular-nums">
                <Changed value={endpoint.uptime[span]}>
                  <Percent value={endpoint.uptime[span]} />
                </Changed>
              </dd>
            </div>
          ))}
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
