import type { ClaimRecord } from "../../../../src/monitoring/kubernetes/api.ts";
import { GridTable } from "../../lists/grid-table.tsx";
import { Changed } from "../../ui/changed.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Meter } from "../../ui/meter.tsx";
import { Name } from "../../ui/name.tsx";
import { StatusWord } from "../../ui/status-word.tsx";
import { claimStatus, fillText } from "./claims.ts";
import { useFirst } from "./show-more.tsx";
import { WorkloadLinks } from "./workload-links.tsx";

const FIRST = 200;
const COLUMNS =
  "grid gap-x-4 gap-y-0.5 grid-cols-[minmax(0,1fr)_auto] md:grid-cols-[minmax(0,1.2fr)_minmax(0,1.2fr)_152px_144px_minmax(0,0.6fr)_minmax(0,0.8fr)] md:items-center";
const TITLES = ["Claim", "Status", "Used", "Size", "Class", "Mounted by"];

/** Persistent volume claims: how each is, how full, and who mounts it. */
export function ClaimTable({ claims }: { claims: readonly ClaimRecord[] }) {
  const { shown, more } = useFirst(claims, FIRST, "claim");
  return (
    <>
      <GridTable label="Claims" columns={COLUMNS} titles={TITLES} className="mt-3">
        {shown.map((claim) => (
          <ClaimRow key={claim.id} claim={claim} />
        ))}
      </GridTable>
      {more}
    </>
  );
}

function ClaimRow({ claim }: { claim: ClaimRecord }) {
  const status = claimStatus(claim);
  const fill = fillText(claim);
  return (
    <div role="row" className={classNames(COLUMNS, "min-h-9 border-t border-line py-1.5")}>
      <div role="cell" className="min-w-0 font-[550]">
        <Name>{`${claim.namespace}/${claim.name}`}</Name>
      </div>
      <div role="cell" className="min-w-0 max-md:order-3 max-md:text-sm">
        <Changed value={`${status.word} ${status.cause}`} className="flex min-w-0">
          <StatusWord status={status} />
        </Changed>
      </div>
      <div role="cell">
        <Meter percent={claim.used_percent} bar="w-[72px] max-sm:w-12" title={fill} />
      </div>
      <div role="cell" className="truncate text-ink-2 tabular-nums max-md:order-4 max-md:text-right max-md:text-sm" title={fill}>
        {fill}
      </div>
      <div role="cell" className="min-w-0 text-ink-2 max-md:hidden">
        <Name>{claim.storage_class ?? "–"}</Name>
      </div>
      <div role="cell" className="min-w-0 max-md:order-5 max-md:col-span-2 max-md:text-sm">
        <WorkloadLinks workloads={claim.workloads} />
      </div>
    </div>
  );
}
