import { KEPT_DAYS } from "../../../../../src/contract/retention.ts";
import type { WorkloadDetail } from "../../../../../src/monitoring/kubernetes/answers.ts";
import { countOf } from "../../../format/number.ts";
import { useRowKeys } from "../../../lists/use-row-keys.ts";
import { CommandLine } from "../../../ui/command-line.tsx";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { Section } from "../../../ui/section.tsx";
import { AmountBar } from "../amount-bar.tsx";
import { workloadAmounts } from "../amounts.ts";
import { ClaimTable } from "../claim-table.tsx";
import { EventList } from "../event-list.tsx";
import { RouteTable } from "../route-table.tsx";
import { ServiceTable } from "../service-table.tsx";
import { PodsSection } from "./pods-section.tsx";
import { Topology } from "./topology.tsx";
import { WorkloadFacts } from "./workload-facts.tsx";

/** Everything known of a workload, what one looks for first on top. */
export function WorkloadSections({ workload }: { workload: WorkloadDetail }) {
  useRowKeys();
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
          <p className="py-4 text-ink-2">No events for it or its pods.</p>
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

/** What the pods of a workload use together, against what they request and may use at most. */
function UseSection({ workload }: { workload: WorkloadDetail }) {
  const { used, limits, requests, cpu_throttled_percent } = workload;
  return (
    <Section title="Usage against requests and limits" aside={used === null ? undefined : seenText(used)}>
      <div className="grid gap-x-10 gap-y-3 py-4 md:grid-cols-2">
        {workloadAmounts({ limits, requests, usage: used, cpu_throttled_percent }).map((amount) => (
          <AmountBar key={amount.name} amount={amount} />
        ))}
      </div>
      {used === null && (
        <p className="text-sm text-ink-2">What its pods use is not visible: the cluster has no metrics API, or it may not be read.</p>
      )}
    </Section>
  );
}

function seenText({ pods_seen: seen, pods_running: running }: NonNullable<WorkloadDetail["used"]>): string {
  return seen === running ? `Of ${countOf(running, "running pod")}` : `Of ${seen} of ${countOf(running, "running pod")}`;
}

/** Commands that change a workload, to copy. */
function CommandsSection({ workload: { commands } }: { workload: WorkloadDetail }) {
  if (commands === null) return null;
  const { update, undo, restart } = commands;
  return (
    <Section title="Commands">
      <Facts>
        <Fact name="Set images">
          <CommandLine command={update} />
        </Fact>
        {undo !== null && (
          <Fact name="Roll back">
            <CommandLine command={undo} />
          </Fact>
        )}
        {restart !== null && (
          <Fact name="Restart">
            <CommandLine command={restart} />
          </Fact>
        )}
      </Facts>
    </Section>
  );
}
