import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useMemo, useState } from "react";
import { SCOPES } from "../../../../src/contract/scope.ts";
import type { ContainerList } from "../../../../src/monitoring/containers/answers.ts";
import type { ScopeThresholds, Thresholds } from "../../../../src/monitoring/resources/answers.ts";
import { thresholdListQuery } from "../../api/queries.ts";
import { HostName } from "../../app/host-name.tsx";
import { countOf, formatPercent } from "../../format/number.ts";
import { formatShare } from "../../format/usage.ts";
import { ColumnHeads } from "../../lists/grid-table.tsx";
import { Age } from "../../ui/age.tsx";
import { Button } from "../../ui/button.tsx";
import { CommandLine } from "../../ui/command-line.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Name } from "../../ui/name.tsx";
import { Section } from "../../ui/section.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { StatusIcon } from "../../ui/status-icon.tsx";
import { ScopeRows } from "./scope-rows.tsx";
import { thresholdRows, type ThresholdRow } from "./threshold-rows.ts";
import { durationWords, limitWords } from "./threshold-words.ts";

const ScopeDialog = lazy(() => import("./scope-dialog.tsx").then((module) => ({ default: module.ScopeDialog })));

const COLUMNS = "grid items-center gap-x-4 sm:grid-cols-[minmax(0,1fr)_56px_64px_80px_minmax(0,1.4fr)]";
const TITLES = ["Container", ["CPU", "text-right"], ["Memory", "text-right"], ["Duration", "text-right"], "Now"] as const;

/** Which containers have thresholds, and which of them are exceeded now. */
export function ThresholdsSection({ groups, withHosts }: { groups: ContainerList["groups"]; withHosts: boolean }) {
  const { data, error, refetch } = useQuery(thresholdListQuery);
  const rows = useMemo(() => thresholdRows(data?.thresholds ?? [], groups), [data, groups]);
  const exceeded = rows.filter(({ exceededSince }) => exceededSince !== undefined).length;
  const scopes = data?.scopes ?? [];
  const [edited, setEdited] = useState<ScopeThresholds | "new" | undefined>(undefined);
  return (
    <Section title="Thresholds" aside={rows.length > 0 && countNote(rows.length, exceeded)}>
      {error !== null && <ErrorNote what="Could not load thresholds." error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <SkeletonRows count={3} label="Loading thresholds" />}
      {data !== undefined && (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
          <Button onClick={() => setEdited("new")}>Add threshold</Button>
        </p>
      )}
      {scopes.length > 0 && <ScopeRows scopes={scopes} onEdit={setEdited} />}
      {edited !== undefined && (
        <Suspense>
          <ScopeDialog saved={edited === "new" ? undefined : edited} onClose={() => setEdited(undefined)} />
        </Suspense>
      )}
      {data !== undefined && rows.length === 0 && scopes.length === 0 && <NoThresholds id={groups[0]?.containers[0]?.id} />}
      {rows.length > 0 && (
        <div role="table" aria-label="Thresholds">
          <div role="row" className={`${COLUMNS} h-8 text-xs font-medium text-ink-3 max-sm:sr-only`}>
            <ColumnHeads titles={TITLES} />
          </div>
          {rows.map((row) => (
            <Row key={row.container.id} row={row} withHost={withHosts} />
          ))}
        </div>
      )}
    </Section>
  );
}

function countNote(count: number, exceeded: number): string {
  return `${countOf(count, "container")}${exceeded === 0 ? "" : `, ${exceeded} exceeded`}`;
}

function Row({ row: { container, thresholds }, withHost }: { row: ThresholdRow; withHost: boolean }) {
  const { cpu_threshold: cpu, memory_threshold: memory, debounce_seconds: debounce, source } = thresholds;
  return (
    <div
      role="row"
      className={`${COLUMNS} relative min-h-(--row) border-t border-line py-[calc(var(--row)/2-12px)] hover:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-accent max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:gap-y-0.5 max-sm:py-2`}
    >
      <div role="cell" className="min-w-0">
        <Link
          to="/containers/$id"
          params={{ id: container.id }}
          search={{ tab: "metrics" }}
          className="flex min-w-0 items-baseline gap-2 outline-none after:absolute after:inset-0"
        >
          <Name className="font-[550]">{container.name}</Name>
          {withHost && <HostName of={container} />}
          {source !== null && source.entity_type !== "container" && (
            <span className="min-w-0 truncate text-xs text-ink-3">by its {source.entity_type === SCOPES.host ? "host" : "group"}</span>
          )}
        </Link>
      </div>
      <Limit name="CPU" percent={cpu} />
      <Limit name="Memory" percent={memory} />
      <div
        role="cell"
        className="text-right text-ink-2 tabular-nums max-sm:hidden"
        title="How long usage must stay above the threshold before the alert fires"
      >
        {durationWords(debounce)}
      </div>
      <div role="cell" className="text-right text-xs text-ink-2 tabular-nums sm:hidden">
        {limitWords(thresholds)}
      </div>
      <div role="cell" className="min-w-0 max-sm:col-span-2 max-sm:text-sm">
        <Now thresholds={thresholds} />
      </div>
    </div>
  );
}

function Limit({ name, percent }: { name: string; percent: number | null }) {
  return (
    <div role="cell" className="text-right tabular-nums max-sm:hidden">
      {percent === null ? (
        <span className="text-ink-3" title={`No ${name} threshold`}>
          off
        </span>
      ) : (
        formatPercent(percent)
      )}
    </div>
  );
}

/** What is exceeded, since when and how far. */
function Now({ thresholds: { cpu_breach, memory_breach, cpu_threshold, memory_threshold } }: { thresholds: Thresholds }) {
  const breaches = [
    { name: "CPU", breach: cpu_breach, threshold: cpu_threshold },
    { name: "Memory", breach: memory_breach, threshold: memory_threshold },
  ].flatMap(({ breach, ...rest }) => (breach === null ? [] : [{ ...rest, ...breach }]));
  if (breaches.length === 0) {
    return (
      <span className="flex items-center gap-2 text-ink-2">
        <StatusIcon status="ok" />
        Below
      </span>
    );
  }
  return breaches.map(({ name, threshold, since, peak }) => (
    <span key={name} className="flex items-start gap-2">
      <StatusIcon status="degraded" className="mt-1" />
      <span>
        {name} above {formatPercent(threshold)} for <Age at={since} />, peak {formatShare(peak)}
      </span>
    </span>
  ));
}

/** What thresholds are, and how to set one. */
function NoThresholds({ id }: { id: number | undefined }) {
  const path = `${location.origin}/api/v1/containers/${id ?? 1}/resources/alerts`;
  return (
    <div className="flex max-w-[68ch] flex-col items-start gap-3 py-3 text-ink-2">
      <p>
        No thresholds yet. A threshold fires an alert when a container stays above a share of its allocated CPU or memory. Set one for a
        group or host above, on a container's Metrics tab, or with a command:
      </p>
      <CommandLine
        command={`curl -X PUT ${path} -H 'content-type: application/json' -d '{"cpu_threshold": 90, "memory_threshold": 90, "debounce_seconds": 60}'`}
      />
    </div>
  );
}
