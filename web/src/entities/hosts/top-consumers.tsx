import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Top } from "../../../../src/monitoring/resources/answers.ts";
import { topQuery } from "../../api/queries.ts";
import { HostName } from "../../app/host-name.tsx";
import { useHosts, useLostHosts } from "../../app/hosts.ts";
import { useIsStale } from "../../app/sight.ts";
import { formatBytes } from "../../format/bytes.ts";
import { formatSigned, formatSignedPercent } from "../../format/signed.ts";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Meter } from "../../ui/meter.tsx";
import { Name } from "../../ui/name.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Timestamp } from "../../ui/timestamp.tsx";

const SORTS: readonly { sort: Top["sort"]; title: string; amount: string }[] = [
  { sort: "cpu", title: "CPU", amount: "Cores" },
  { sort: "memory", title: "Memory", amount: "In use" },
];

interface Properties {
  shown: number;
  host: string | undefined;
  /** What ranks them; the change since yesterday is then shown too, where the edition grants it. */
  by?: Top["by"] | undefined;
}

/** Who uses the most CPU, and who the most memory, on one host or on all. */
export function TopConsumers(properties: Properties) {
  return (
    <>
      <div className="grid gap-x-10 gap-y-6 xl:grid-cols-2">
        {SORTS.map((sort) => (
          <Consumers key={sort.sort} {...sort} {...properties} />
        ))}
      </div>
      <ComparedHour host={properties.host} by={properties.by} />
    </>
  );
}

const ROW = "grid items-center gap-x-2 sm:gap-x-3";
const COLUMNS = `${ROW} grid-cols-[20px_minmax(0,1fr)_auto_60px] sm:grid-cols-[20px_minmax(0,1fr)_auto_72px]`;
/** On a phone the change takes the place of the share. */
const COMPARED_COLUMNS = `${ROW} grid-cols-[20px_minmax(0,1fr)_64px_92px] sm:grid-cols-[20px_minmax(0,1fr)_auto_72px_140px]`;

function Consumers({ sort, title, amount, shown, host, by }: (typeof SORTS)[number] & Properties) {
  const { data, error, refetch } = useQuery(topQuery(sort, host, by));
  const lost = useLostHosts();
  const isStale = useIsStale();
  const isLost = host !== undefined && lost[host] !== undefined;
  const withHosts = useHosts().length > 1 && host === undefined;
  const isCompared = by !== undefined && data?.yesterday !== null;
  const columns = isCompared ? COMPARED_COLUMNS : COLUMNS;
  const consumers = data?.consumers.slice(0, shown) ?? [];
  const format = sort === "cpu" ? formatCores : formatBytes;
  return (
    <section aria-label={`${title}: top consumers`}>
      <header className={`${columns} h-8 text-xs font-medium text-ink-3`}>
        <h3 className="col-span-2">{title}</h3>
        {data?.consumers.length !== 0 && (
          <>
            {isCompared ? (
              <span className="w-[124px] max-sm:hidden xl:max-[1600px]:w-[54px]">
                <span className="xl:max-[1600px]:hidden">Of allocation</span>
                <span className="hidden xl:max-[1600px]:inline">Share</span>
              </span>
            ) : (
              <span className="w-[124px] max-sm:w-[54px]">
                <span className="max-sm:hidden">Of allocation</span>
                <span className="sm:hidden">Share</span>
              </span>
            )}
            <span className="text-right">{amount}</span>
            {isCompared && <span className="text-right whitespace-nowrap">Since yesterday</span>}
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
            className={`${columns} relative min-h-(--row) border-t border-line hover:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-accent`}
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
            <span className={isCompared ? "max-sm:hidden" : undefined}>
              <Meter percent={consumer.percent} bar={isCompared ? "w-[60px] xl:max-[1600px]:hidden" : "w-[60px] max-sm:hidden"} />
            </span>
            <span className="text-right whitespace-nowrap tabular-nums">{format(consumer.value)}</span>
            {isCompared && <ChangeCell since={consumer.since_yesterday} format={format} />}
          </li>
        ))}
      </ol>
    </section>
  );
}

type Since = Top["consumers"][number]["since_yesterday"];

/** How much more or less it is than yesterday, or why that is not known. */
function ChangeCell({ since, format }: { since: Since; format: (amount: number) => string }) {
  if (since?.state === "new") return <span className="text-right text-ink-2">new</span>;
  const change = since?.change ?? null;
  if (change === null)
    return (
      <span className="text-right text-ink-3">
        <span aria-hidden>–</span>
        <span className="sr-only">Not measured yesterday</span>
      </span>
    );
  const percent = since?.change_percent ?? null;
  return (
    <span className="flex justify-end gap-2 whitespace-nowrap tabular-nums">
      <span>{formatSigned(change, format)}</span>
      <span className="w-[58px] text-right text-ink-3 max-sm:hidden">{percent === null ? "" : formatSignedPercent(percent)}</span>
    </span>
  );
}

/** What the change is measured against. */
function ComparedHour({ host, by }: Omit<Properties, "shown">) {
  const { data } = useQuery(topQuery("memory", host, by));
  const hour = data?.yesterday ?? null;
  if (by === undefined || hour === null) return null;
  return (
    <p className="mt-2 text-xs text-ink-3">
      Since yesterday: now against the mean from <Timestamp at={hour.from} precision="minute" /> to{" "}
      <Timestamp at={hour.to} precision="minute" />.
    </p>
  );
}

/** Cores in use, in three digits. */
function formatCores(cores: number): string {
  return cores.toFixed(cores < 9.995 ? 2 : 1);
}
