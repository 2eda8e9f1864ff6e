import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import type { ShownAlert } from "../../../../../src/alerting/alerts/answers.ts";
import type { AlertCaseRecord } from "../../../../../src/publishing/overview/answers.ts";
import { alertCaseQuery } from "../../../api/alert-queries.ts";
import { createCrosshair } from "../../../charts/crosshair.ts";
import { HealthSection } from "../../../entities/containers/health-output.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Section } from "../../../ui/section.tsx";
import { SkeletonRows } from "../../../ui/skeleton.tsx";
import { PrecedingSection } from "./preceding-section.tsx";
import { logContextQuery } from "../../../api/logs.ts";
import { LogBlock } from "../../../logs/log-block.tsx";
import { formatDuration } from "../../../format/duration.ts";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";

/** With the code that draws; few alerts are about something with metrics. */
const UsageAround = lazy(() => import("../../../entities/containers/usage-around.tsx").then((module) => ({ default: module.UsageAround })));

const ResponseAround = lazy(() =>
  import("../../../entities/endpoints/response-around.tsx").then((module) => ({ default: module.ResponseAround })),
);

/** Why an alert was raised, as far as records say: reasons, metrics, log, what changed before, and earlier times. */
export function CaseSection({ alert }: { alert: ShownAlert }) {
  const { data, error, refetch } = useQuery(alertCaseQuery(alert.id));
  const [crosshair] = useState(createCrosshair);
  if (data === undefined)
    return (
      <Section title="Why">
        {error === null ? (
          <SkeletonRows count={3} label="Loading details" />
        ) : (
          <ErrorNote what="Could not load the details of this alert." error={error} onRetry={() => void refetch()}>
            The alert itself is shown.
          </ErrorNote>
        )}
      </Section>
    );
  const status = alert.severity === "critical" ? "down" : "degraded";
  const around = { moment: data.moment, words: alert.message, status, crosshair } as const;
  return (
    <>
      <Reasons known={data} />
      {data.health_check !== null && <HealthSection failure={{ ...data.health_check, output: data.health_check.lines.join("\n") }} />}
      {data.response_times !== null && (
        <Section
          title="Response time around the alert"
          aside={
            <Link to="/endpoints/$id" params={{ id: data.response_times.endpoint_id }} className="hover:text-ink hover:underline">
              All checks
            </Link>
          }
        >
          <Suspense fallback={<div className="h-[268px]" />}>
            <ResponseAround times={data.response_times} {...around} />
          </Suspense>
        </Section>
      )}
      {data.metrics !== null && (
        <Section
          title="Metrics around the alert"
          aside={
            <Link
              to="/containers/$id"
              params={{ id: data.metrics.container_id }}
              search={{ tab: "metrics" }}
              className="hover:text-ink hover:underline"
            >
              All metrics
            </Link>
          }
        >
          <Suspense fallback={<div className="h-[268px]" />}>
            <UsageAround metrics={data.metrics} {...around} />
          </Suspense>
        </Section>
      )}
      <LogSection known={data} />
      <PrecedingSection preceding={data.preceding} firedAt={alert.fired_at} />
      <EarlierSection alert={alert} earlier={data.earlier} />
    </>
  );
}

/** Sentences that records prove, the nearest reason first; and what no record says. */
function Reasons({ known: { cause, findings, missing } }: { known: AlertCaseRecord }) {
  // The header shows the cause.
  const others = findings.filter(({ claim }) => claim !== cause);
  if (others.length === 0 && missing.length === 0) return null;
  return (
    <Section title="Why">
      <ul aria-label="Why" className="max-w-[100ch] py-2">
        {others.map(({ claim }) => (
          <li key={claim} className="py-0.5">
            {claim}
          </li>
        ))}
        {missing.map((sentence) => (
          <li key={sentence} className="py-0.5 text-ink-3">
            {sentence}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The log that was kept before the end; else the lines around the moment, as the log has them now. */
function LogSection({ known: { container, logs, moment } }: { known: AlertCaseRecord }) {
  const [kept] = logs;
  const { data: around } = useQuery({
    ...logContextQuery({ container_id: container?.id ?? 0, timestamp: moment }),
    enabled: container !== null && kept === undefined,
  });
  const lines = kept?.lines ?? around?.map(({ text }) => text) ?? [];
  if (lines.length === 0) return null;
  return (
    <Section
      title={kept === undefined ? "Log around the alert" : "Log before it ended"}
      aside={
        container !== null && (
          <Link
            to="/containers/$id"
            params={{ id: container.id }}
            search={{ tab: "logs", log_at: moment }}
            className="hover:text-ink hover:underline"
          >
            Open log at this time
          </Link>
        )
      }
    >
      <div className="mt-3">
        <LogBlock lines={lines} label="Log lines" />
      </div>
    </Section>
  );
}

/** The latest times that the same alert fired before. Nothing where it is the first time. */
function EarlierSection({ alert, earlier: { alerts, total } }: { alert: ShownAlert; earlier: AlertCaseRecord["earlier"] }) {
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
