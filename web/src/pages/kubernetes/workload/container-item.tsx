import type { PodContainerRecord } from "../../../../../src/monitoring/kubernetes/answers.ts";
import { formatBytes } from "../../../format/bytes.ts";
import { formatCores } from "../../../format/cores.ts";
import { endWords, podContainerStatus } from "../../../format/kubernetes-status.ts";
import { countOf } from "../../../format/number.ts";
import { Age } from "../../../ui/age.tsx";
import { Changed } from "../../../ui/changed.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { ImageName } from "../../../ui/image-name.tsx";
import { Name } from "../../../ui/name.tsx";
import { StatusWord } from "../../../ui/status-word.tsx";

const COLUMNS =
  "grid items-baseline gap-x-4 gap-y-0.5 grid-cols-[minmax(0,1fr)] md:grid-cols-[minmax(0,0.8fr)_minmax(0,1.6fr)_minmax(0,1.2fr)_84px]";

/** A container of a pod: what it is for, how it is and why, how it ended before, its image, what it may use. */
export function ContainerItem({ container }: { container: PodContainerRecord }) {
  const status = podContainerStatus(container);
  const { name, kind, image, restarts, last_end: last, requests, limits } = container;
  return (
    <li className={classNames(COLUMNS, "py-1 text-sm")}>
      <span className="flex min-w-0 items-baseline gap-2">
        <Name>{name}</Name>
        {kind !== "app" && <span className="shrink-0 text-xs text-ink-3">{kind}</span>}
      </span>
      <span className="min-w-0">
        <Changed value={`${status.word} ${status.cause}`} className="flex min-w-0">
          <StatusWord status={status} />
        </Changed>
        {last !== null && (
          <span className="block text-xs wrap-anywhere text-ink-2">
            Last ended: {endWords(last)}
            {last.finished_at !== null && (
              <>
                , <Age at={last.finished_at} form="ago" />
              </>
            )}
          </span>
        )}
      </span>
      <span className="min-w-0 text-ink-2">
        <ImageName image={image} />
        <span className="block text-xs text-ink-3 tabular-nums">
          {amountsText("CPU", requests.cpu_cores, limits.cpu_cores, formatCores)},{" "}
          {amountsText("memory", requests.memory_bytes, limits.memory_bytes, formatBytes)}
        </span>
      </span>
      <span className="text-xs text-ink-2 tabular-nums md:text-right">{countOf(restarts, "restart")}</span>
    </li>
  );
}

/** `CPU 100m to 500m`: what it requests, and its limit. */
function amountsText(name: string, request: number | null, limit: number | null, format: (amount: number) => string): string {
  if (request === null && limit === null) return `${name} without limit`;
  if (limit === null) return `${name} ${format(request ?? 0)}, no limit`;
  return request === null || request === limit ? `${name} ${format(limit)}` : `${name} ${format(request)} to ${format(limit)}`;
}
