import { Link } from "@tanstack/react-router";
import type { WorkloadDetail } from "../../../../../src/monitoring/kubernetes/answers.ts";
import { alsoWrong, replicasText, workloadStatus } from "../../../format/kubernetes-status.ts";
import { buttonClass } from "../../../ui/button.tsx";
import { Changed } from "../../../ui/changed.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";

/** What a workload is, how it is and why, and the way to its row among the containers, where history, uptime, logs and alerts are. */
export function WorkloadHeader({ workload }: { workload: WorkloadDetail }) {
  const { namespace, name, kind, container_id: containerId, job, cron_job: cronJob } = workload;
  const { status, word, cause } = workloadStatus(workload);
  const replicas = replicasText(workload);
  const others = alsoWrong(workload);
  return (
    <header className="grid gap-x-3 sm:grid-cols-[minmax(0,1fr)_auto]">
      <nav aria-label="Breadcrumb" className="text-xs text-ink-2 sm:col-span-2">
        <Link to="/kubernetes" search={{}} className="hover:text-ink hover:underline">
          Kubernetes
        </Link>
        {" · "}
        <Link to="/kubernetes" search={{ namespace }} className="hover:text-ink hover:underline">
          <bdi>{namespace}</bdi>
        </Link>
        {" · "}
        <bdi>{kind}</bdi>
      </nav>
      <div className="mt-1 flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-1">
        <h1 className="min-w-0 text-[19px] leading-[26px] font-[620] tracking-[-0.012em] wrap-anywhere sm:text-xl">
          <bdi>{name}</bdi>
        </h1>
        <Changed value={word} className="inline-flex items-center gap-2">
          <StatusIcon status={status} />
          {word}
        </Changed>
        {replicas !== "–" && (
          <Changed value={replicas} className="text-ink-2 tabular-nums">
            {replicas}
            {job === null && cronJob === null && " ready"}
          </Changed>
        )}
      </div>
      {containerId !== null && (
        <div className="flex flex-wrap items-center gap-2 max-sm:order-last max-sm:mt-3">
          <Link to="/containers/$id" params={{ id: containerId }} search={{ tab: "logs" }} className={buttonClass()}>
            Logs
          </Link>
          <Link to="/containers/$id" params={{ id: containerId }} search={{}} className={buttonClass()}>
            History, uptime and alerts
          </Link>
        </div>
      )}
      <div className="mt-1.5 min-h-5 max-w-[100ch] wrap-anywhere sm:col-span-2">
        {cause !== undefined && <p dir="auto">{cause}</p>}
        {others.length > 0 && (
          <p dir="auto" className="text-ink-2">
            Also: {others.join(" · ")}
          </p>
        )}
      </div>
    </header>
  );
}
