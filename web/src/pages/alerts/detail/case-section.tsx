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
import { EarlierSection } from "./earlier-section.tsx";
import { LogSection } from "./log-section.tsx";
import { PrecedingSection } from "./preceding-section.tsx";

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
