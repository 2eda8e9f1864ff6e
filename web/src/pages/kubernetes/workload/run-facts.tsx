import type { WorkloadDetail } from "../../../../../src/monitoring/kubernetes/answers.ts";
import { Fact } from "../../../ui/facts.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";
import { jobText } from "./facts.ts";

/** How a job came out, or when a CronJob runs and how its last run came out. */
export function RunFacts({ workload: { job, cron_job: cronJob } }: { workload: WorkloadDetail }) {
  return (
    <>
      {job !== null && (
        <Fact name="Job">
          {jobText(job)}
          {job.message !== null && <span className="block text-ink-2">{job.message}</span>}
        </Fact>
      )}
      {cronJob !== null && <CronJobFacts cronJob={cronJob} />}
    </>
  );
}

function CronJobFacts({ cronJob }: { cronJob: NonNullable<WorkloadDetail["cron_job"]> }) {
  const { schedule, time_zone: zone, suspended, next_run_at: next, last_scheduled_at: last, last_success_at: success } = cronJob;
  const outcome = cronJob.last_outcome;
  return (
    <>
      <Fact name="Cron schedule">
        <code className="font-mono text-xs">{schedule}</code>
        <span className="text-ink-2"> {zone ?? "in the cluster's time zone"}</span>
      </Fact>
      <Fact name="Next run">{next === null ? suspended ? "None while suspended" : "Not known" : <Timestamp at={next} />}</Fact>
      <Fact name="Last run">
        {last === null ? "Never" : <Timestamp at={last} />}
        {outcome !== null && (
          <span className="text-ink-2">
            {" · "}
            {outcome.outcome}
            {outcome.reason !== null && `: ${outcome.reason}`}
          </span>
        )}
      </Fact>
      <Fact name="Last success">{success === null ? "None seen" : <Timestamp at={success} />}</Fact>
    </>
  );
}
