import { Link } from "@tanstack/react-router";
import type { ShownAlert } from "../../../../src/alerting/alerts/answers.ts";
import { ROWS_CLASS } from "../../lists/row-class.ts";
import { useRowKeys } from "../../lists/use-row-keys.ts";
import { SEVERITY_WORDS, SUPPRESSION_WORDS } from "../../format/alert-words.ts";
import { alertImpact, IMPACT_STATUS } from "../../format/impact.ts";
import { formatDuration } from "../../format/duration.ts";
import { withLocalTimes } from "../../format/time.ts";
import { GridTable } from "../../lists/grid-table.tsx";
import { Age } from "../../ui/age.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Name } from "../../ui/name.tsx";
import { StatusIcon } from "../../ui/status-icon.tsx";
import { Timestamp } from "../../ui/timestamp.tsx";

/** The columns of the list; on a phone a row has two lines instead. */
const COLUMNS =
  "grid items-center gap-x-4 md:grid-cols-[92px_minmax(0,2fr)_minmax(0,1fr)_116px_minmax(0,1fr)] xl:grid-cols-[92px_minmax(0,2.9fr)_minmax(0,1fr)_132px_minmax(0,0.9fr)]";
const TITLES = ["Severity", "Problem", "Source", "Fired", "Outcome"];

/** The alerts of the past. `j` and `k` go from row to row. */
export function HistoryTable({ alerts, total }: { alerts: readonly ShownAlert[]; total: number }) {
  useRowKeys();

  return (
    <GridTable label="Alerts" columns={COLUMNS} titles={TITLES} sticks rowCount={total} className="mt-3" rowsClass={ROWS_CLASS}>
      {alerts.map((alert, index) => (
        <HistoryRow key={alert.id} alert={alert} index={index} />
      ))}
    </GridTable>
  );
}

function HistoryRow({ alert, index }: { alert: ShownAlert; index: number }) {
  const { word } = SEVERITY_WORDS[alert.severity];
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={classNames(
        COLUMNS,
        "relative min-h-(--row) grid-cols-[minmax(0,1fr)_auto] border-t border-line py-[calc(var(--row)/2-12px)] [contain-intrinsic-block-size:auto_var(--row)] [content-visibility:auto] max-md:-mx-4 max-md:gap-y-0.5 max-md:px-4 max-md:py-2.5 hover:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:-outline-offset-2 has-[a:focus-visible]:outline-accent md:px-2.5",
      )}
    >
      <div role="cell" className="flex items-center gap-2 max-md:order-2 max-md:justify-self-end max-md:text-xs">
        <StatusIcon status={IMPACT_STATUS[alertImpact(alert)]} />
        {word}
      </div>
      <div role="cell" className="min-w-0 max-md:order-1">
        <Link
          to="/alerts/$id"
          params={{ id: alert.id }}
          className="block min-w-0 wrap-anywhere outline-none after:absolute after:inset-0 max-md:line-clamp-2 md:truncate"
        >
          <bdi title={withLocalTimes(alert.message)}>{withLocalTimes(alert.message)}</bdi>
        </Link>
      </div>
      <div role="cell" className="min-w-0 text-ink-2 max-md:hidden">
        <Name>{alert.entity_name}</Name>
      </div>
      <div role="cell" className="text-ink-2 max-md:order-4 max-md:text-right max-md:text-xs">
        <Timestamp at={alert.fired_at} precision="minute" />
      </div>
      <div role="cell" className="min-w-0 truncate text-ink-2 max-md:order-3 max-md:text-sm">
        <Ending alert={alert} />
      </div>
    </div>
  );
}

/** How long it lasted and who ended it, or that it lasts. */
function Ending({ alert }: { alert: ShownAlert }) {
  const { resolved_at, resolved_by, fired_at, suppressed_by } = alert;
  if (resolved_at === null)
    return (
      <span className="text-ink">
        Active for <Age at={fired_at} />
        {suppressed_by !== null && `, ${SUPPRESSION_WORDS[suppressed_by].word.toLowerCase()}`}
      </span>
    );
  const lasted = formatDuration(Date.parse(resolved_at) - Date.parse(fired_at));
  return (
    <span className="tabular-nums">
      After {lasted}
      {resolved_by !== null && resolved_by !== "auto" && `, by ${resolved_by}`}
    </span>
  );
}
