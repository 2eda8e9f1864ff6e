import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Top } from "../../../../src/monitoring/resources/answers.ts";
import { topQuery } from "../../api/queries.ts";
import { HostName } from "../../app/host-name.tsx";
import { useHosts, useLostHosts } from "../../app/hosts.ts";
import { useIsStale } from "../../app/sight.ts";
import { formatBytes } from "../../format/bytes.ts";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Meter } from "../../ui/meter.tsx";
import { Name } from "../../ui/name.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";

const SORTS: readonly { sort: Top["sort"]; title: string; amount: string }[] = [
  { sort: "cpu", title: "CPU", amount: "Cores" },
  { sort: "memory", title: "Memory", amount: "In use" },
];

/** Who uses the most CPU, and who the most memory, on one host or on all. */
export function TopConsumers({ shown, host }: { shown: number; host: string | undefined }) {
  return (
    <div className="grid gap-x-10 gap-y-6 xl:grid-cols-2">
      {SORTS.map(({ sort, title, amount }) => (
        <Consumers key={sort} sort={sort} title={title} amount={amount} shown={shown} host={host} />
      ))}
    </div>
  );
}

const COLUMNS = "grid grid-cols-[20px_minmax(0,1fr)_auto_60px] items-center gap-x-2 sm:grid-cols-[20px_minmax(0,1fr)_auto_72px] sm:gap-x-3";

function Consumers({ sort, title, amount, shown, host }: (typeof SORTS)[number] & { shown: number; host: string | undefined }) {
  const { data, error, refetch } = useQuery(topQuery(sort, host));
  const lost = useLostHosts();
  const isStale = useIsStale();
  const isLost = host !== undefined && lost[host] !== undefined;
  const withHosts = useHosts().length > 1 && host === undefined;
  const consumers = data?.consumers.slice(0, shown) ?? [];
  return (
    <section aria-label={`${title}: top consumers`}>
      <header className={`${COLUMNS} h-8 text-xs font-medium text-ink-3`}>
        <h3 className="col-span-2">{title}</h3>
        {data?.consumers.length !== 0 && (
          <>
            <span className="w-[124px] max-sm:w-[54px]">
              <span className="max-sm:hidden">Of allocation</span>
              <span className="sm:hidden">Share</span>
            </span>
            <span className="text-right">{amount}</span>
          </>
        )}
      </header>
      {error !== null && data === undefined && (
        <ErrorNote what="Could not load top consumers." error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <SkeletonRows count={shown} label={`Loading top ${title} consumers`} />}
      {data !== undefined && consumers.length === 0 && (
        <p className="border-t border-line py-2 text-ink-2">
          {isLost
            ? "No data from this host."
            : isStale
              ? "No container data."
              : "No running containers with metrics. Metrics arrive every 10 seconds."}
        </p>
      )}
      <ol>
        {consumers.map((consumer) => (
          <li
            key={consumer.container_id}
            className={`${COLUMNS} relative min-h-(--row) border-t border-line hover:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-accent`}
          >
            <span className="text-right text-ink-3 tabular-nums">{consumer.rank}</span>
            <Link
              to="/containers/$id"
              params={{ id: consumer.container_id }}
              search={{ tab: "metrics" }}
              className="flex min-w-0 items-baseline gap-2 outline-none after:absolute after:inset-0"
            >
              <Name className="font-[550]">{consumer.name}</Name>
              {withHosts && <HostName of={consumer} />}
            </Link>
            <Meter percent={consumer.percent} bar="w-[60px] max-sm:hidden" />
            <span className="text-right tabular-nums">{sort === "cpu" ? formatCores(consumer.value) : formatBytes(consumer.value)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Cores in use, in three digits. */
function formatCores(cores: number): string {
  return cores.toFixed(cores < 9.995 ? 2 : 1);
}
