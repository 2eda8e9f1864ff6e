import { Link } from "@tanstack/react-router";
import type { ContainerRecord } from "../../../../../src/monitoring/containers/api.ts";
import { hostId } from "../../../app/host-id.ts";
import { useHostName, useLostRuntimes, useLostSince } from "../../../app/hosts.ts";
import { useIsUnseen } from "../../../app/sight.ts";
import { containerStatus } from "../../../format/container-status.ts";
import { lastKnown } from "../../../format/last-known.ts";
import { Changed } from "../../../ui/changed.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { useNow } from "../../../ui/ticker.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";
import { headline } from "./headline.ts";

/** Whose page it is, how it is, and why. */
export function ContainerHeader({ container }: { container: ContainerRecord }) {
  const isUnseen = useIsUnseen()("container", container.agent_id) && container.archived_at === null;
  const { status, word } = isUnseen ? lastKnown(containerStatus(container)) : containerStatus(container);
  const what = useNow((nowMs) => headline(container, nowMs).what);
  const host = useHostName()(hostId(container));
  const lostSince = useLostSince(container);
  const runtimeLostSince = useLostRuntimes()[hostId(container)];
  const detail = useNow((nowMs) => headline(container, nowMs).detail);
  return (
    <header data-stale={lostSince !== undefined || runtimeLostSince !== undefined || undefined}>
      <nav aria-label="Breadcrumb" className="flex min-w-0 gap-1.5 text-xs text-ink-2">
        <Link to="/containers" className="hover:text-ink hover:underline">
          Containers
        </Link>
        <span aria-hidden>/</span>
        <Link
          to="/containers"
          search={{ group: container.group }}
          className="min-w-0 truncate max-md:min-w-10 hover:text-ink hover:underline"
        >
          <bdi>{container.group}</bdi>
        </Link>
      </nav>
      <div className="mt-1 flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h1
          title={container.name}
          className="line-clamp-2 min-w-0 text-[19px] leading-[26px] font-[620] tracking-[-0.012em] wrap-anywhere sm:text-xl"
        >
          <bdi>{container.name}</bdi>
        </h1>
        <Changed
          value={`${status} ${word}`}
          className="inline-flex items-center gap-2 [[data-stale]_&]:opacity-80 [[data-stale]_&]:grayscale"
        >
          <StatusIcon status={status} />
          {word}
        </Changed>
        <span className="text-ink-2">
          {container.agent_id === null ? (
            host
          ) : (
            <Link to="/hosts/$id" params={{ id: container.agent_id }} className="hover:text-ink hover:underline">
              <bdi>{host}</bdi>
            </Link>
          )}
          {lostSince !== undefined && (
            <>
              , not connected since <Timestamp at={lostSince} precision="minute" />
            </>
          )}
          {lostSince === undefined && runtimeLostSince !== undefined && (
            <>
              , engine unreachable since <Timestamp at={runtimeLostSince} precision="minute" />
            </>
          )}
        </span>
        {container.is_ignored && (
          <span className="text-ink-3" title="Excluded from alerts by the label service.ignore">
            Ignored
          </span>
        )}
      </div>
      <p dir="auto" className="mt-1.5 min-h-5 wrap-anywhere tabular-nums">
        {what} <span className="text-ink-2">{detail}</span>
      </p>
    </header>
  );
}
