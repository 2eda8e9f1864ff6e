import type { HostRecord } from "../../../../src/monitoring/resources/answers.ts";
import { Meter, MeterBar, MeterFigure } from "../../ui/meter.tsx";
import { hostMeters } from "./host-meters.ts";

/** CPU, memory and disk of a host as three cells of its row. On narrow screens, where columns have no heads, each names itself. */
export function HostMeterCells({ host, withAmounts = false }: { host: HostRecord; withAmounts?: boolean }) {
  return hostMeters(host).map(({ name, percent, amount }) => (
    <div key={name} role="cell" className="min-w-0 [[data-stale]_&_*]:text-ink-3 [[data-stale]_&]:grayscale">
      <div className="flex items-baseline justify-between text-xs text-ink-2 xl:hidden">
        {name}
        <MeterFigure percent={percent} className="text-ink" />
      </div>
      <MeterBar percent={percent} className="mt-1 xl:hidden" />
      <div className="max-xl:hidden">
        <Meter percent={percent} bar="w-20" title={withAmounts ? undefined : amount} />
      </div>
      {withAmounts && <p className="truncate text-xs text-ink-3 tabular-nums max-xl:mt-1">{amount}</p>}
    </div>
  ));
}
