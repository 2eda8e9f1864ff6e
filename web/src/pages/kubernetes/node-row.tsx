import { useEffect, useRef } from "react";
import type { NodeRecord } from "../../../../src/monitoring/kubernetes/answers.ts";
import { skewWords, type KubernetesStatus } from "../../format/kubernetes-status.ts";
import { Age } from "../../ui/age.tsx";
import { Changed } from "../../ui/changed.tsx";
import { StatusIcon } from "../../ui/status-icon.tsx";
import { StatusWord } from "../../ui/status-word.tsx";
import { AmountBar } from "./amount-bar.tsx";
import { nodeAmounts } from "./amounts.ts";
import { Disclosure } from "./disclosure.tsx";
import { taintText } from "./node-filter.ts";
import { NodeDetails } from "./node-details.tsx";

interface Properties {
  node: NodeRecord;
  status: KubernetesStatus;
  /** Where there are several clusters. */
  clusterName: string | undefined;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
}

/** One node: how it is, what is used of it, its version; opened, all that is known of it. */
export function NodeRow({ node, status, clusterName, isOpen, onToggle }: Properties) {
  const { name, roles, taints, pods, allocatable, kubelet_version: version, created_at: createdAt } = node;
  const skew = skewWords(node);
  const facts = [clusterName, roles.join(", ") || undefined, node.internal_ip ?? undefined].filter((fact) => fact !== undefined);
  const row = useRef<HTMLLIElement>(null);
  const opensAtFirst = useRef(isOpen);
  // An address that names a node leads to it.
  useEffect(() => {
    if (opensAtFirst.current) row.current?.scrollIntoView({ block: "center" });
  }, []);
  return (
    <li ref={row} className="border-t border-line">
      <div className="relative grid gap-x-6 gap-y-2 py-2.5 hover:bg-hover md:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)] md:px-2.5 lg:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)_minmax(0,1fr)_120px]">
        <div className="min-w-0">
          <Disclosure name={name} isOpen={isOpen} onToggle={onToggle} />
          <div className="mt-0.5 flex min-w-0 items-baseline gap-3 pl-5">
            <Changed value={`${status.word} ${status.cause}`} className="flex min-w-0">
              <StatusWord status={status} />
            </Changed>
          </div>
          <p className="mt-0.5 truncate pl-5 text-xs text-ink-3" title={facts.join(" · ")}>
            <bdi>{facts.join(" · ")}</bdi>
          </p>
        </div>
        {nodeAmounts(node).map((amount) => (
          <AmountBar key={amount.name} amount={amount} className="max-md:pl-5 max-lg:md:col-start-2" />
        ))}
        <div className="flex text-xs text-ink-2 max-lg:flex-wrap max-lg:gap-x-4 max-lg:pl-5 max-lg:md:col-span-2 lg:flex-col lg:items-end">
          <Changed value={pods} className="tabular-nums">
            {pods}
            {allocatable.pods !== null && ` / ${allocatable.pods}`} pods
          </Changed>
          <span className="flex min-w-0 items-center gap-1 tabular-nums" title={skew}>
            {skew !== undefined && <StatusIcon status={node.version_skew?.supported === false ? "degraded" : "idle"} size={10} />}
            <span className="truncate">{version ?? "version not known"}</span>
            {skew !== undefined && <span className="sr-only">{skew}</span>}
          </span>
          {createdAt !== null && <Age at={createdAt} />}
        </div>
        {taints.length > 0 && (
          <p className="truncate pl-5 text-xs text-ink-2 md:col-span-full" title={taints.map(taintText).join("\n")}>
            Taints: <bdi>{taints.map(taintText).join(", ")}</bdi>
          </p>
        )}
      </div>
      {isOpen && <NodeDetails node={node} />}
    </li>
  );
}
