import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { getRouteApi, Link } from "@tanstack/react-router";
import { RANGE_NAMES, type Range } from "../../../../../src/contract/ranges.ts";
import type { EndpointDetail } from "../../../../../src/monitoring/endpoints/answers.ts";
import { responseTimesQuery } from "../../../api/endpoint-queries.ts";
import { FRAME } from "../../../charts/geometry.ts";
import { classNames } from "../../../ui/class-names.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Section } from "../../../ui/section.tsx";

const route = getRouteApi("/endpoints/$id");
// What draws charts is heavy: the rest of the page need not wait for it.
const ResponsePlot = lazy(() => import("./response-plot.tsx").then((module) => ({ default: module.ResponsePlot })));
const RANGE_WORDS: Readonly<Record<Range, string>> = { "1h": "1 h", "6h": "6 h", "24h": "24 h", "7d": "7 d", "30d": "30 d" };

/** How fast it answered, over a range that has its own address. */
export function ResponseChart({ endpoint }: { endpoint: EndpointDetail }) {
  const range = route.useSearch().range ?? "24h";
  const { data, error, refetch } = useQuery(responseTimesQuery(endpoint.id, range));
  const placeholder = <div role="status" aria-label="Loading response times" style={{ height: FRAME.height + 44 }} />;
  return (
    <Section title="Response time" aside={<RangeLinks id={endpoint.id} range={range} />}>
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

function RangeLinks({ id, range }: { id: number; range: Range }) {
  return (
    <nav aria-label="Range" className="flex gap-1">
      {RANGE_NAMES.map((name) => (
        <Link
          key={name}
          to="/endpoints/$id"
          params={{ id }}
          search={name === "24h" ? {} : { range: name }}
          activeOptions={{ exact: true }}
          replace
          resetScroll={false}
          aria-current={name === range ? "page" : undefined}
          className={classNames(
            "inline-flex h-7 min-w-9 max-md:min-w-10 items-center justify-center rounded px-1.5 whitespace-nowrap tabular-nums hover:bg-hover hover:text-ink",
            "aria-[current=page]:bg-accent-soft aria-[current=page]:font-[550] aria-[current=page]:text-ink",
          )}
        >
          {RANGE_WORDS[name]}
        </Link>
      ))}
    </nav>
  );
}
