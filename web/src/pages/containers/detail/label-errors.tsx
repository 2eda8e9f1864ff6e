import type { ContainerRecord } from "../../../../../src/monitoring/containers/api.ts";
import { StatusIcon } from "../../../ui/status-icon.tsx";

/** Invalid labels: what is wrong with each, and what holds instead. */
export function LabelErrors({ container }: { container: ContainerRecord }) {
  const errors = container.label_errors;
  if (errors.length === 0) return null;
  return (
    <section aria-label="Invalid labels" className="mt-6 rounded border border-line bg-degraded-soft px-4 py-3">
      <h2 className="flex items-center gap-2 font-[550]">
        <StatusIcon status="degraded" />
        {errors.length === 1 ? "1 invalid label" : `${errors.length} invalid labels`}
      </h2>
      <p className="mt-0.5 text-ink-2">Defaults are used instead. Fix the labels and recreate the container.</p>
      <dl className="mt-2 grid gap-x-6 gap-y-1 sm:grid-cols-[minmax(0,auto)_minmax(0,1fr)]">
        {errors.map(({ label, message }) => (
          <div key={label} className="contents">
            <dt dir="ltr" className="font-mono text-xs leading-5 wrap-anywhere">
              {label}
            </dt>
            <dd dir="auto" className="wrap-anywhere text-ink-2 max-sm:mb-1.5">
              {message} {inItsPlace(label, container)}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The value that holds where the label's own does not, for the labels whose value the record has. */
function inItsPlace(label: string, { alert_severity, alert_channels, restart_threshold, group }: ContainerRecord): string {
  const values: Readonly<Record<string, string>> = {
    "service.alert.severity": alert_severity,
    "service.alert.channels": alert_channels.length === 0 ? "no channel" : alert_channels.join(", "),
    "service.alert.restart_threshold": String(restart_threshold),
    "service.group": group,
  };
  const value = values[label];
  return value === undefined ? "" : `Using: ${value}.`;
}
