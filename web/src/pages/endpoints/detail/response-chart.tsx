import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { getRouteApi, linkOptions } from "@tanstack/react-router";
import { RANGE_NAMES, type Range } from "../../../../../src/contract/ranges.ts";
import type { EndpointDetail } from "../../../../../src/monitoring/endpoints/answers.ts";
import { responseTimesQuery } from "../../../api/endpoint-queries.ts";
import { FRAME } from "../../../charts/geometry.ts";
import { RANGE_LABELS } from "../../../format/range-labels.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { LinkSwitch } from "../../../ui/link-switch.tsx";
import { Section } from "../../../ui/section.tsx";

const route = getRouteApi("/endpoints/$id");
// What draws charts is heavy: the rest of the page need not wait for it.
const ResponsePlot = lazy(() => import("./response-plot.tsx").then((module) => ({ default: module.ResponsePlot })));

/** How fast it answered, over a range that has its own address. */
export function ResponseChart({ endpoint }: { endpoint: EndpointDetail }) {
  const range = route.useSearch().range ?? "24h";
  const { data, error, refetch } = useQuery(responseTimesQuery(endpoint.id, range));
  const placeholder = <div role="status" aria-label="Loading response times" style={{ height: FRAME.height + 44 }} />;
  return (
    <Section title="Response time" aside={<RangeSwitch id={endpoint.id} range={range} />}>
      <div className="pt-3">
        {data === undefined && error === null && placeholder}
        {data === undefined && error !== null && (
          <ErrorNote what="Could not load response times." error={error} onRetry={() => void refetch()}>
            Monitoring continues.
          </ErrorNote>
        )}
        {data !== undefined && (
          <Suspense fallback={placeholder}>
            <ResponsePlot key={range} times={data} atRest={endpoint.last_response_time_ms} />
          </Suspense>
        )}
      </div>
    </Section>
  );
}

function RangeSwitch({ id, range }: { id: number; range: Range }) {
  const choices = RANGE_NAMES.map((value) => ({
    value,
    name: RANGE_LABELS[value],
    link: linkOptions({ to: "/endpoints/$id", params: { id }, search: value === "24h" ? {} : { range: value } }),
  }));
  return <LinkSwitch label="Range" value={range} choices={choices} />;
}
