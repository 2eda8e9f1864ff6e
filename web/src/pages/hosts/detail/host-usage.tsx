import type { HostRecord } from "../../../../../src/monitoring/resources/api.ts";
import { formatAge } from "../../../format/time.ts";
import { MeterBar, MeterFigure } from "../../../ui/meter.tsx";
import { hostMeters } from "../../../entities/hosts/host-meters.ts";

/** What a host has of CPU, memory and disk, and how much of that is in use; last known where nothing comes any more. */
export function HostUsage({ host, isStale }: { host: HostRecord; isStale: boolean }) {
  return (
    <dl className="grid grid-cols-3 gap-x-5 gap-y-4 pt-4" data-stale={isStale || undefined}>
      {hostMeters(host).map(({ name, percent, amount }) => (
        <div key={name} className="min-w-0 [[data-stale]_&]:grayscale [[data-stale]_&_*]:text-ink-3">
          <dt className="text-xs text-ink-2">{name}</dt>
          <dd className="mt-0.5">
            <MeterFigure percent={percent} className="text-lg font-[550]" />
            <MeterBar percent={percent} className="mt-1" />
            <p className="mt-1 min-h-4 truncate text-xs text-ink-3 tabular-nums">{amount}</p>
          </dd>
        </div>
      ))}
      <div className="min-w-0">
        <dt className="text-xs text-ink-2" title="1, 5 and 15 minute averages">
          Load
        </dt>
        <dd className="mt-0.5 tabular-nums [[data-stale]_&]:text-ink-3">
          {host.load === null ? "–" : host.load.map((value) => value.toFixed(2)).join(" ")}
        </dd>
      </div>
      <div className="min-w-0">
        <dt className="text-xs text-ink-2">Up</dt>
        <dd className="mt-0.5 tabular-nums [[data-stale]_&]:text-ink-3">
          {host.uptime_seconds === null ? "–" : formatAge(host.uptime_seconds * 1000)}
        </dd>
      </div>
    </dl>
  );
}
