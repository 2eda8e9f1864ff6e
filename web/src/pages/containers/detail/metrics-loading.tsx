import { FRAME } from "../../../charts/geometry.ts";
import { Skeleton } from "../../../ui/skeleton.tsx";

/** Two beside each other where there is room. */
export const CHART_GRID = "mt-4 grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-6 lg:grid-cols-2";

/** Holds the place of the four charts. */
export function ChartsLoading() {
  return (
    <div role="status" aria-label="Loading metrics" className={CHART_GRID}>
      {["CPU", "Memory", "Network", "Disk"].map((name) => (
        <div key={name} className="min-w-0">
          <Skeleton className="my-0.5 h-4 w-40 max-w-full" />
          <Skeleton className="mt-2 h-3 w-56 max-w-full" />
          <div
            className="mt-2.5"
            style={{ height: FRAME.height, paddingLeft: FRAME.left, paddingRight: FRAME.right, paddingBottom: FRAME.bottom }}
          >
            <div className="h-full rounded-[4px] border border-line" />
          </div>
        </div>
      ))}
    </div>
  );
}

/** Holds the place of the whole tab while its code is on its way. */
export function MetricsLoading() {
  return (
    <>
      <Skeleton className="mt-4 h-8 w-64" />
      <ChartsLoading />
    </>
  );
}
