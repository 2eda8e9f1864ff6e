import { Link } from "@tanstack/react-router";
import type { WorkloadDetail } from "../../../../../src/monitoring/kubernetes/answers.ts";
import { countOf } from "../../../format/number.ts";
import { Age } from "../../../ui/age.tsx";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { Summary } from "../../../ui/summary.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";
import { autoscalerText, rolloutText, securityNotes, jobText } from "./facts.ts";

/** The facts of a workload in two columns: how it runs, and its security settings. */
export function WorkloadFacts({ workload }: { workload: WorkloadDetail }) {
  const { containers, group, namespace, revision, rollout, autoscaler, created_at: createdAt, ignored } = workload;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 lg:grid-cols-[repeat(2,minmax(0,1fr))]">
      <Facts>
        {containers.map(({ name, kind, image }) => (
          <Fact key={`${kind} ${name}`} name={kind === "app" ? "Image" : `Image, ${kind}`}>
            <bdi>{image}</bdi>
            <bdi className="block text-xs text-ink-2">{name}</bdi>
          </Fact>
        ))}
        {rollout !== null && (
          <Fact name="Rollout">
            {rolloutText(workload)}
            {rollout.message !== null && <span className="block text-ink-2">{rollout.message}</span>}
          </Fact>
        )}
        {revision !== null && <Fact name="Revision">{revision}</Fact>}
        {autoscaler !== null && (
          <Fact name="Autoscaler">
            {autoscalerText(autoscaler)}
            {autoscaler.problem !== null && <span className="block text-ink-2">{autoscaler.problem}</span>}
          </Fact>
        )}
        <RunFacts workload={workload} />
        <Fact name="Namespace">
          <Link to="/kubernetes" search={{ namespace }} className="underline decoration-line-strong hover:decoration-current">
            <bdi>{namespace}</bdi>
          </Link>
          {group !== namespace && <span className="text-ink-2"> · group {group}, from the annotation service.group</span>}
        </Fact>
        {createdAt !== null && (
          <Fact name="Created">
            <Timestamp at={createdAt} />
            <span className="text-ink-2">
              , <Age at={createdAt} form="ago" />
            </span>
          </Fact>
        )}
        {ignored && <Fact name="Alerts">Off, from the annotation service.ignore</Fact>}
      </Facts>
      <Facts>
        <SecurityFacts workload={workload} />
        <LabelFacts labels={workload.labels} />
      </Facts>
    </div>
  );
}

function LabelFacts({ labels }: Pick<WorkloadDetail, "labels">) {
  const entries = Object.entries(labels);
  if (entries.length === 0) return null;
  return (
    <Fact name="Labels">
      <details>
        <Summary>{countOf(entries.length, "label")}</Summary>
        <ul className="mt-1 font-mono text-xs">
          {entries.map(([name, value]) => (
            <li key={name}>
              <bdi>{`${name}=${value}`}</bdi>
            </li>
          ))}
        </ul>
      </details>
    </Fact>
  );
}

function SecurityFacts({ workload: { security } }: { workload: WorkloadDetail }) {
  if (security === null) return <Fact name="Security">Not known: its pod template is not read</Fact>;
  const notes = securityNotes(security);
  return (
    <>
      <Fact name="Security">
        {notes.length === 0 ? (
          "No risks found in its pod template"
        ) : (
          <ul>
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        )}
      </Fact>
      <Fact name="Service account">
        <bdi>{security.service_account}</bdi>
        <span className="text-ink-2">{security.automounts_token ? ", token mounted" : ", token not mounted"}</span>
      </Fact>
      <Fact name="Pod security">{security.namespace_level ?? "No level enforced in the namespace"}</Fact>
    </>
  );
}

/** How a job came out, or when a CronJob runs and how its last run came out. */
function RunFacts({ workload: { job, cron_job: cronJob } }: { workload: WorkloadDetail }) {
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
