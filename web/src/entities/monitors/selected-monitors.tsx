import { lazy, Suspense } from "react";
import type { Selection } from "../../lists/use-selection.ts";
import type { Monitor } from "./monitor.ts";

const MonitorsBar = lazy(() => import("./monitors-bar.tsx").then((module) => ({ default: module.MonitorsBar })));

interface Properties<Row extends { id: number }> {
  selection: Selection<Row>;
  /** How many the list shows. */
  shown: number;
  toMonitor: (row: Row) => Monitor;
}

/** What can be done with the selected rows of a list of monitors; nothing while none are being selected. */
export function SelectedMonitors<Row extends { id: number }>({ selection, shown, toMonitor }: Properties<Row>) {
  if (!selection.isOn) return null;
  return (
    <Suspense>
      <MonitorsBar monitors={selection.rows.map(toMonitor)} shown={shown} onSelectAll={selection.toggleAll} onClear={selection.clear} />
    </Suspense>
  );
}
