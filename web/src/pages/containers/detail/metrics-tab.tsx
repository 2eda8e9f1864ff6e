import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo, type ReactNode } from "react";
import type { ContainerDetail, TransitionRecord } from "../../../../../src/monitoring/containers/answers.ts";
import type { Snapshot } from "../../../../../src/monitoring/resources/answers.ts";
import { isApiError } from "../../../api/client.ts";
import { currentQuery, editionQuery, generationsQuery, historyQuery, transitionsQuery } from "../../../api/queries.ts";
import { useSince } from "../../../app/server-time.ts";
import { useMedia } from "../../../app/use-media.ts";
import { oneOf } from "../../../app/search-params.ts";
import { extentOf, peakOf, pointsOf } from "../../../charts/points.ts";
import { RANGE_NAMES, SPANS_MS, type Range } from "../../../../../src/contract/ranges.ts";
import { Swatch } from "../../../charts/swatch.tsx";
import { formatLocal } from "../../../format/time.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { useNow } from "../../../ui/ticker.tsx";
import { formatLength } from "./length.ts";
import { MetricsCharts } from "./metrics-charts.tsx";
import { NoFigures, RangeNote } from "./metrics-empty.tsx";
import { requiredEdition } from "./metrics-gate.ts";
import { ChartsLoading } from "./metrics-loading.tsx";
import { marksOf } from "./metrics-marks.ts";
import { RangeSwitch } from "./metrics-range.tsx";
import { ThresholdSection } from "./threshold-form.tsx";
import { useThresholds, type ThresholdEditing } from "./use-thresholds.ts";

const route = getRouteApi("/containers/$id");

/** What a container used over a range of time, and from which use it raises an alert. */
export function MetricsTab({ container }: { container: ContainerDetail }) {
  const range = oneOf(route.useSearch().range, RANGE_NAMES) ?? "1h";
  const { data: edition, isPending } = useQuery(editionQuery);
  const required = edition === undefined ? undefined : requiredEdition(edition, range);
  const thresholds = useThresholds(container.id);
  const { data: current } = useQuery(currentQuery(container.id));
  // The ranges that every edition grants need not wait for what this one does.
  const isReady = range === "1h" || range === "6h" || !isPending;
  return (
    <>
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2 pt-4">
        <RangeSwitch id={container.id} range={range} edition={edition} />
      </div>
      {required === undefined && isReady && (
        <RangeCharts key={range} container={container} range={range} current={current} editing={thresholds.editing} />
      )}
      {required === undefined && !isReady && <ChartsLoading />}
      {required !== undefined && <RangeNote range={range} required={required} />}
      <ThresholdSection state={thresholds} limit={current?.memory_limit_bytes ?? null} />
    </>
  );
}

interface ChartsProperties {
  container: ContainerDetail;
  range: Range;
  current: Snapshot | undefined;
  editing: ThresholdEditing | undefined;
}

function RangeCharts({ container, range, current, editing }: ChartsProperties) {
  const {
    data: history,
    error,
    refetch,
  } = useQuery({
    ...historyQuery(container.id, range),
    // Short ranges grow with each reading; of a long one, what is shown of a step is settled when the step is over.
    refetchInterval: ({ state }) => (range === "1h" || range === "6h" ? false : (state.data?.step_seconds ?? 0) * 1000 || false),
  });
  const marks = useMarks(container, range);
  const points = useMemo(() => history && pointsOf(history), [history]);
  const isUp = container.state === "running" || container.state === "paused";
  const now = isUp ? (current ?? null) : null;
  const rest = useNow((nowMs) => restWords(isUp, now, nowMs));

  if (history === undefined || points === undefined) {
    if (error === null) return <ChartsLoading />;
    if (isApiError(error, "EDITION_REQUIRED")) return <RangeNote range={range} required={undefined} />;
    return (
      <ErrorNote what="Could not load metrics." error={error} onRetry={() => void refetch()}>
        Collection continues.
      </ErrorNote>
    );
  }
  const { times, stepMs, ...columns } = points;
  if (peakOf(...Object.values(columns)) === null) return <NoFigures container={container} range={range} />;
  return (
    <>
      <MetricsCharts networkMode={container.network_mode} {...{ history, points, marks, now, rest, editing }} />
      <Legend stepMs={stepMs} hasLimit={extentOf(columns.memory_limit_bytes).latest !== null} />
    </>
  );
}

/** Figures older than this are not of now. Source: contract, section 5. */
const FRESH_MS = 35_000;

function restWords(isUp: boolean, now: Snapshot | null, nowMs: number): string {
  if (!isUp) return "not running";
  const at = now?.timestamp ?? null;
  if (at === null) return "now";
  return nowMs - Date.parse(at) > FRESH_MS ? formatLocal(at, nowMs) : "now";
}

const NO_TRANSITIONS: TransitionRecord[] = [];

function useMarks(container: ContainerDetail, range: Range) {
  const since = useSince(SPANS_MS[range]);
  const { data } = useInfiniteQuery(transitionsQuery(container.id, { since, limit: 500 }));
  const generations = useQuery(generationsQuery(container)).data?.generations;
  const transitions = data?.pages[0]?.transitions ?? NO_TRANSITIONS;
  // Closer than this their shapes would lie on one another.
  const mergeMs = SPANS_MS[range] / (useMedia("(max-width: 639px)") ? 28 : 56);
  return useMemo(() => marksOf(transitions, { mergeMs, generations }), [transitions, mergeMs, generations]);
}

/** What is drawn in the charts in addition to their lines, and how much time a point stands for. */
function Legend({ stepMs, hasLimit }: { stepMs: number; hasLimit: boolean }) {
  return (
    <ul className="mt-4 flex flex-wrap gap-x-5 gap-y-1.5 text-xs text-ink-2">
      <Entry sign={<StatusIcon status="down" size={10} />}>ended</Entry>
      <Entry sign={<StatusIcon status="idle" size={10} />}>stopped or paused</Entry>
      <Entry sign={<StatusIcon status="ok" size={10} />}>started</Entry>
      <Entry sign={<span aria-hidden className="h-2.5 w-4 border-t-2 border-degraded bg-degraded-soft" />}>above its threshold</Entry>
      {hasLimit && <Entry sign={<Swatch look="limit" />}>memory limit</Entry>}
      <li className="sm:ml-auto">One point every {formatLength(stepMs)}</li>
    </ul>
  );
}

function Entry({ sign, children }: { sign: ReactNode; children: ReactNode }) {
  return (
    <li className="inline-flex items-center gap-2 whitespace-nowrap">
      {sign}
      {children}
    </li>
  );
}
