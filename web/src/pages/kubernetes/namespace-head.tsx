import { countOf } from "../../format/number.ts";
import { StatusIcon } from "../../ui/status-icon.tsx";
import type { NamespaceItem } from "./groups.ts";

interface Properties {
  item: NamespaceItem;
  index: number;
  /** What it is a head of: `workload`. */
  what: string;
  /** Where there are several clusters. */
  clusterName: string | undefined;
}

/** The head of a namespace: its name, its cluster, how many need attention, how many it has. */
export function NamespaceHead({ item: { namespace, count, attention, worst }, index, what, clusterName }: Properties) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className="flex h-full items-center gap-3 border-t border-line bg-sunken px-2.5 text-xs text-ink-2 max-md:-mx-4 max-md:px-4"
    >
      <div role="rowheader" className="flex min-w-0 items-baseline">
        <bdi title={namespace} className="truncate font-semibold text-ink">
          {namespace}
        </bdi>
        {clusterName !== undefined && (
          <span className="truncate whitespace-pre">
            {" · "}
            <bdi>{clusterName}</bdi>
          </span>
        )}
      </div>
      <span role="cell" className="ml-auto flex items-center gap-3 whitespace-nowrap tabular-nums">
        {attention > 0 && (
          <span className="flex items-center gap-1.5">
            <StatusIcon status={worst} size={10} />
            {attention} {attention === 1 ? "needs" : "need"} attention
          </span>
        )}
        {countOf(count, what)}
      </span>
    </div>
  );
}
