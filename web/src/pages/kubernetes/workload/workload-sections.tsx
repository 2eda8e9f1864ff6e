import { KEPT_DAYS } from "../../../../../src/contract/retention.ts";
import type { WorkloadDetail } from "../../../../../src/monitoring/kubernetes/api.ts";
import { countOf } from "../../../format/number.ts";
import { Section } from "../../../ui/section.tsx";
import { ClaimTable } from "../claim-table.tsx";
import { EventList } from "../event-list.tsx";
import { RouteTable } from "../route-table.tsx";
import { ServiceTable } from "../service-table.tsx";
import { CommandsSection } from "./commands-section.tsx";
import { PodsSection } from "./pods-section.tsx";
import { Topology } from "./topology.tsx";
import { UseSection } from "./use-section.tsx";
import { WorkloadFacts } from "./workload-facts.tsx";

/** Everything known of a workload, what one looks for first on top. */
export function WorkloadSections({ workload }: { workload: WorkloadDetail }) {
  const { pods, events, routes, services, claims, kind } = workload;
  return (
    <>
      {pods.length > 0 && (
        <Section title="Topology" aside={`${kind} → pods → nodes`}>
          <Topology workload={workload} />
        </Section>
      )}
      <Section title="Pods" aside={countOf(pods.length, "pod")}>
        {pods.length === 0 ? <p className="py-4 text-ink-2">{noPodsText(workload)}</p> : <PodsSection pods={pods} />}
      </Section>
      {pods.length > 0 && <UseSection workload={workload} />}
      {routes.length > 0 && (
        <Section title="Ingresses and routes that lead to it">
          <RouteTable routes={routes} />
        </Section>
      )}
      {services.length > 0 && (
        <Section title="Services that lead to it">
          <ServiceTable services={services} />
        </Section>
      )}
      {claims.length > 0 && (
        <Section title="Volumes">
          <ClaimTable claims={claims} />
        </Section>
      )}
      <Section title="Events" aside={`Kept for ${KEPT_DAYS.clusterEvents} days`}>
        {events.length === 0 ? (
          <p className="py-4 text-ink-2">None about it or its pods.</p>
        ) : (
          <EventList label="Events" events={events.toSorted(warningsFirst)} />
        )}
      </Section>
      <Section title="Facts">
        <WorkloadFacts workload={workload} />
      </Section>
      <CommandsSection workload={workload} />
    </>
  );
}

/** Keeps the order within each type. */
function warningsFirst(one: { type: string }, other: { type: string }): number {
  return Number(one.type !== "Warning") - Number(other.type !== "Warning");
}

function noPodsText({ state, kind, cluster }: WorkloadDetail): string {
  if (cluster.unseen.some(({ kind: unseen }) => unseen === "pods")) return "Pods are not visible: see above for the rule that shows them.";
  if (state === "stopped") return "It is scaled to zero.";
  return kind === "CronJob" ? "No run is active, and none of its last runs left a pod." : "It has none.";
}
