import type { WorkloadDetail } from "../../../../../src/monitoring/kubernetes/api.ts";
import { countOf } from "../../../format/number.ts";
import { Section } from "../../../ui/section.tsx";
import { AmountBar } from "../amount-bar.tsx";
import { workloadAmounts } from "../amounts.ts";

/** What the pods of a workload use together, against what they request and may use at most. */
export function UseSection({ workload }: { workload: WorkloadDetail }) {
  const { used, limits, requests } = workload;
  return (
    <Section title="Usage against requests and limits" aside={used === null ? undefined : seenText(used)}>
      <div className="grid gap-x-10 gap-y-3 py-4 md:grid-cols-2">
        {workloadAmounts({ limits, requests, usage: used }).map((amount) => (
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
