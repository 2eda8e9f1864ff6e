import { Link } from "@tanstack/react-router";
import type { Moment, MomentAlert } from "../../../src/publishing/overview/moment/answers.ts";
import { HostName } from "../app/host-name.tsx";
import { useNamesHosts } from "../app/hosts.ts";
import { PageHeader } from "../app/page.tsx";
import { useTitle } from "../app/use-title.ts";
import { alertImpact, IMPACT_STATUS } from "../format/impact.ts";
import { countOf } from "../format/number.ts";
import { withLocalTimes } from "../format/time.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { EntityLink } from "../ui/entity-link.tsx";
import { Fact, Facts } from "../ui/facts.tsx";
import { StatusIcon } from "../ui/status-icon.tsx";
import { Timestamp } from "../ui/timestamp.tsx";
import { byImpact } from "./alert-order.ts";

/** The alerts that were active at a moment. */
export function PastAlerts({ moment: { at, alerts, alert_total: total } }: { moment: Moment }) {
  useTitle(`Alerts (${total})`);
  return (
    <>
      <PageHeader title="Alerts" note={`${countOf(total, "alert")} active then`} />
      <div className="mt-4">
        {total === 0 ? (
          <EmptyState title="No active alerts">
            <p>
              Nothing was wrong at <Timestamp at={at} precision="minute" />, as far as it is known.
            </p>
          </EmptyState>
        ) : (
          <PastAlertRows alerts={byImpact(alerts)} />
        )}
        {alerts.length < total && <p className="mt-2 text-ink-2">The {alerts.length} worst are shown.</p>}
      </div>
    </>
  );
}

/** One row each: what was wrong, of what, since when, and who knew. */
export function PastAlertRows({ alerts }: { alerts: readonly MomentAlert[] }) {
  const withHost = useNamesHosts();
  return (
    <ul aria-label="Alerts at that moment">
      {alerts.map((alert) => (
        <li
          key={alert.id}
          className="relative grid min-h-(--row) grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 border-b border-line py-1.5 hover:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:-outline-offset-2 has-[a:focus-visible]:outline-accent sm:grid-cols-[auto_minmax(0,1fr)_auto]"
        >
          <StatusIcon status={IMPACT_STATUS[alertImpact(alert)]} />
          <span className="flex min-w-0 items-baseline gap-2">
            <Link to="/alerts/$id" params={{ id: alert.id }} className="min-w-0 wrap-anywhere outline-none after:absolute after:inset-0">
              <bdi>{withLocalTimes(alert.message)}</bdi>
            </Link>
            {withHost && <HostName of={alert} />}
          </span>
          <span className="text-xs text-ink-2 max-sm:col-start-2 sm:text-right">
            {alert.acknowledged_at !== null && "acknowledged, "}since <Timestamp at={alert.fired_at} precision="minute" />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** One alert as far as it was known at a moment. */
export function PastAlert({ moment: { alerts }, id }: { moment: Moment; id: number }) {
  const alert = alerts.find((each) => each.id === id);
  useTitle(alert === undefined ? "Alert" : alert.message);
  const now = (
    <Link to="/alerts/$id" params={{ id }} search={{ at: undefined }} className="text-accent hover:underline">
      Show what became of it
    </Link>
  );
  if (alert === undefined)
    return (
      <EmptyState title="This alert was not active then">
        <p>It fired later, or was resolved before.</p>
        {now}
      </EmptyState>
    );
  return (
    <>
      <PageHeader
        title={
          <span className="inline-flex items-center gap-2">
            <StatusIcon status={IMPACT_STATUS[alertImpact(alert)]} />
            <bdi className="wrap-anywhere">{withLocalTimes(alert.message)}</bdi>
          </span>
        }
      />
      {alert.cause !== null && <p className="mt-1 wrap-anywhere text-ink-2">{withLocalTimes(alert.cause)}</p>}
      <Facts>
        <Fact name="Source">
          <EntityLink type={alert.entity_type} id={alert.entity_id} className="hover:underline">
            <bdi>{alert.entity_name}</bdi>
          </EntityLink>
        </Fact>
        <Fact name="Fired">
          <Timestamp at={alert.fired_at} />
        </Fact>
        <Fact name="Acknowledged">{alert.acknowledged_at === null ? "Not yet" : <Timestamp at={alert.acknowledged_at} />}</Fact>
        <Fact name="Resolved">{alert.resolved_at === null ? "Not to this day" : <Timestamp at={alert.resolved_at} />}</Fact>
      </Facts>
      <p className="mt-4">{now}</p>
    </>
  );
}
