import { useState } from "react";
import type { PodRecord } from "../../../../../src/monitoring/kubernetes/answers.ts";
import { podStatus } from "../../../format/kubernetes-status.ts";
import { countOf } from "../../../format/number.ts";
import { Age } from "../../../ui/age.tsx";
import { Changed } from "../../../ui/changed.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { Name } from "../../../ui/name.tsx";
import { StatusWord } from "../../../ui/status-word.tsx";
import { Disclosure } from "../disclosure.tsx";
import { useFirst } from "../show-more.tsx";
import { ContainerItem } from "./container-item.tsx";

/** So many pods are shown at first; of so few, all are opened. */
const FIRST = 25;
const FEW = 4;

const COLUMNS =
  "grid items-center gap-x-4 gap-y-0.5 grid-cols-[minmax(0,1fr)_auto] md:grid-cols-[minmax(0,1.2fr)_minmax(0,1.5fr)_minmax(0,0.7fr)_84px_72px]";

/** Pods, each with its containers: of few pods, and of those that failed, they are open. */
export function PodsSection({ pods }: { pods: readonly PodRecord[] }) {
  const { shown, more } = useFirst(pods, FIRST, "pod");
  return (
    <>
      <ul aria-label="Pods" className="border-b border-line">
        {shown.map((pod) => (
          <PodItem key={pod.id} pod={pod} opensAtFirst={pods.length <= FEW || podStatus(pod).status === "down"} />
        ))}
      </ul>
      {more}
    </>
  );
}

function PodItem({ pod, opensAtFirst }: { pod: PodRecord; opensAtFirst: boolean }) {
  const [chosen, setChosen] = useState<boolean>();
  const isOpen = chosen ?? opensAtFirst;
  const status = podStatus(pod);
  const { name, node_name: nodeName, restarts, job_name: jobName, created_at: createdAt } = pod;
  return (
    <li className="border-t border-line">
      <div className={classNames(COLUMNS, "relative min-h-9 py-1.5 hover:bg-hover md:px-2.5")}>
        <div className="min-w-0">
          <Disclosure name={name} isOpen={isOpen} onToggle={setChosen} />
          {jobName !== null && <p className="truncate pl-5 text-xs text-ink-3">Job {jobName}</p>}
        </div>
        <Changed value={`${status.word} ${status.cause}`} className="flex min-w-0 max-md:order-3 max-md:pl-5 max-md:text-sm">
          <StatusWord status={status} />
        </Changed>
        <div className="min-w-0 text-ink-2 max-md:hidden">
          <Name>{nodeName ?? "on no node"}</Name>
        </div>
        <Changed value={restarts} className="text-right text-ink-2 tabular-nums max-md:order-4 max-md:text-xs">
          {countOf(restarts, "restart")}
        </Changed>
        <div className="text-right text-ink-2 max-md:text-xs">{createdAt !== null && <Age at={createdAt} />}</div>
      </div>
      {isOpen && (
        <div className="pb-2.5 pl-5 md:pl-7.5">
          {status.cause !== undefined && (
            <p dir="auto" className="max-w-[100ch] pb-1 text-sm wrap-anywhere text-ink-2">
              {status.cause}
            </p>
          )}
          <ul aria-label={`Containers of ${name}`} className="border-l border-line-strong pl-4">
            {pod.containers.map((container) => (
              <ContainerItem key={`${container.kind} ${container.name}`} container={container} />
            ))}
          </ul>
        </div>
      )}
    </li>
  );
}
