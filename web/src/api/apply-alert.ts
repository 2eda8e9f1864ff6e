import type { ActiveAlerts, ShownAlert } from "../../../src/alerting/alerts/answers.ts";
import type { AlertData } from "../../../src/events.ts";

const RANKS: Readonly<Record<ShownAlert["severity"], number>> = { critical: 0, warning: 1, info: 2 };

/** The alert that an event is about; what events leave out stays as it is known. */
export function alertOfEvent({ name: _name, timestamp: _timestamp, ...data }: AlertData, known: ShownAlert | undefined): ShownAlert {
  // Events say with the same words what records say; only their type is wider.
  return {
    ...data,
    source: data.source as ShownAlert["source"],
    details: known?.details ?? {},
    not_seen_since: known?.not_seen_since ?? null,
    silenced_until: known?.silenced_until ?? null,
  };
}

/** The active alerts with these as they now are: in their places, new, or gone. The others stay the same objects. */
export function putActive(active: ActiveAlerts, ...records: readonly ShownAlert[]): ActiveAlerts {
  const known = new Map(active.alerts.map((alert) => [alert.id, alert]));
  for (const record of records) {
    if (record.status === "resolved") known.delete(record.id);
    else known.set(record.id, record);
  }
  const alerts = [...known.values()].sort(
    (one, other) => RANKS[one.severity] - RANKS[other.severity] || other.fired_at.localeCompare(one.fired_at) || other.id - one.id,
  );
  const counts = { critical: 0, warning: 0, info: 0 };
  for (const { severity } of alerts) counts[severity] += 1;
  return { ...active, alerts, counts };
}

/** The active alerts after their events, oldest first. */
export function applyEvents(active: ActiveAlerts, events: readonly AlertData[]): ActiveAlerts {
  const known = new Map(active.alerts.map((alert) => [alert.id, alert]));
  const latest = new Map(events.map((data) => [data.id, data]));
  return putActive(active, ...[...latest.values()].map((data) => alertOfEvent(data, known.get(data.id))));
}
