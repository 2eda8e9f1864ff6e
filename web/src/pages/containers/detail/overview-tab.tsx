import { Link } from "@tanstack/react-router";
import type { ContainerDetail } from "../../../../../src/monitoring/containers/api.ts";
import { HealthSection } from "../../../entities/containers/health-output.tsx";
import { countOf } from "../../../format/number.ts";
import { Section } from "../../../ui/section.tsx";
import { ContainerFacts } from "./container-facts.tsx";
import { LabelErrors } from "./label-errors.tsx";
import { LabelList } from "./label-list.tsx";
import { LogPreview } from "./log-preview.tsx";
import { RecentChanges } from "./recent-changes.tsx";
import { ContainerUptime } from "./container-uptime.tsx";
import { UpdateLine } from "./update-line.tsx";

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
