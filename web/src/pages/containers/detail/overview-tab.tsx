import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ContainerDetail } from "../../../../../src/monitoring/containers/answers.ts";
import { HealthSection } from "../../../entities/containers/health-output.tsx";
import { dailyUptimeQuery } from "../../../api/queries.ts";
import { containerUpdateQuery } from "../../../api/updates.ts";
import { containerLine } from "../../../entities/updates/words.ts";
import { countOf } from "../../../format/number.ts";
import { Section } from "../../../ui/section.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { spanFigures, UptimeSection } from "../../../ui/uptime-section.tsx";
import { ContainerFacts } from "./container-facts.tsx";
import { LabelErrors } from "./label-errors.tsx";
import { LabelList } from "./label-list.tsx";
import { LogPreview } from "./log-preview.tsx";
import { RecentChanges } from "./recent-changes.tsx";

/** What a container is and how it did, with the ends of its history and its log. */
export function OverviewTab({ container }: { container: ContainerDetail }) {
  const link = { to: "/containers/$id", params: { id: container.id }, className: "hover:text-ink hover:underline" } as const;
  const labels = Object.keys(container.labels).length;
  return (
    <>
      {container.health === "unhealthy" && container.health_failure !== null && <HealthSection failure={container.health_failure} />}
      {container.archived_at === null && <UpdateLine id={container.id} />}
      {container.archived_at === null && <LabelErrors container={container} />}
      <ContainerUptime container={container} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <Section
          title="Last changes"
          aside={
            <Link {...link} search={{ tab: "history" }}>
              History
            </Link>
          }
        >
          <RecentChanges container={container} />
        </Section>
        <Section
          title="Recent logs"
          aside={
            <Link {...link} search={{ tab: "logs" }}>
              Logs
            </Link>
          }
        >
          <LogPreview container={container} />
        </Section>
      </div>
      <Section title="Facts">
        <ContainerFacts container={container} />
      </Section>
      {labels > 0 && (
        <Section title="Labels" aside={countOf(labels, "label")}>
          <LabelList labels={container.labels} />
        </Section>
      )}
    </>
  );
}

/** How much of the observed time it ran and was not unhealthy. */
function ContainerUptime({ container }: { container: ContainerDetail }) {
  const { data, error, refetch } = useQuery(dailyUptimeQuery(container.id));
  return (
    <UptimeSection
      aside="Running and healthy, of monitored time"
      figures={spanFigures(container.uptime)}
      days={data?.days}
      error={error}
      onRetry={() => void refetch()}
    />
  );
}

/** One line when a newer image is there, or when it performs worse since its image changed. Its place is kept, so that nothing moves. */
function UpdateLine({ id }: { id: number }) {
  const { data } = useQuery(containerUpdateQuery(id));
  const line = data === undefined ? undefined : containerLine(data);
  return <div className="mt-3 -mb-4 h-5 max-md:-mb-1">{line !== undefined && <Line id={id} {...line} />}</div>;
}

function Line({ id, text, isWorse }: { id: number; text: string; isWorse: boolean }) {
  return (
    <Link
      to="/containers/$id"
      params={{ id }}
      search={{ tab: "updates" }}
      className="flex w-fit max-w-full items-center gap-2 text-ink-2 hover:text-ink"
    >
      {isWorse && <StatusIcon status="degraded" />}
      <span dir="auto" title={text} className="truncate underline decoration-line-strong underline-offset-2">
        {text}
      </span>
    </Link>
  );
}
