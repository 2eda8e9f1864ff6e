import { Link } from "@tanstack/react-router";
import type { ShownAlert } from "../../../../../src/alerting/alerts/answers.ts";
import type { AlertCaseRecord } from "../../../../../src/publishing/overview/answers.ts";
import { formatDuration } from "../../../format/duration.ts";
import { Section } from "../../../ui/section.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";

/** The latest times that the same alert fired before. Nothing where it is the first time. */
export function EarlierSection({ alert, earlier: { alerts, total } }: { alert: ShownAlert; earlier: AlertCaseRecord["earlier"] }) {
  if (alerts.length === 0) return null;
  return (
    <Section
      title="Earlier alerts"
      aside={
        <Link
          to="/alerts/history"
          search={{ entity: `${alert.entity_type}:${alert.entity_id}` }}
          className="tabular-nums hover:text-ink hover:underline"
        >
          {total === 1 ? "1 earlier alert" : `${total} earlier alerts`}
        </Link>
      }
    >
      <ol aria-label="Earlier alerts">
        {alerts.map(({ id, fired_at, resolved_at, acknowledged_by }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-3 border-b border-line py-2">
            <StatusIcon status={resolved_at === null ? "degraded" : "ok"} className="translate-y-px" />
            <Link to="/alerts/$id" params={{ id }} className="font-[550] hover:underline">
              <Timestamp at={fired_at} />
            </Link>
            <span className="text-ink-2 tabular-nums">
              {resolved_at === null ? "still active" : `lasted ${formatDuration(Date.parse(resolved_at) - Date.parse(fired_at))}`}
            </span>
            {acknowledged_by !== null && (
              <span className="min-w-0 wrap-anywhere text-ink-2">
                acknowledged by <bdi>{acknowledged_by}</bdi>
              </span>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}
