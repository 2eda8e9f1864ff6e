import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { nodeRecord, podContainerRecord, podRecord, problemRecord, workloadRecord } from "../entities/kubernetes/record.fixture.ts";
import {
  alsoWrong,
  endWords,
  needsAttention,
  nodeStatus,
  podContainerStatus,
  podStatus,
  replicasText,
  skewWords,
  workloadStatus,
} from "./kubernetes-status.ts";

/** `down Failed: why`. */
const words = ({ status, word, cause }: { status: string; word: string; cause: string | undefined }): string =>
  `${status} ${word}${cause === undefined ? "" : `: ${cause}`}`;

describe("the status of a workload", () => {
  const of = (facts: Parameters<typeof workloadRecord>[0]) => words(workloadStatus(workloadRecord(facts)));

  it("is its state, with the sentence that says why", () => {
    assert.equal(of({}), "ok Running");
    assert.equal(of({ state: "degraded", message: "1 of 3 pods is not ready." }), "degraded Degraded: 1 of 3 pods is not ready.");
    assert.equal(of({ state: "down" }), "down Down");
    assert.equal(of({ state: "stopped" }), "idle Scaled to zero");
  });

  it("names what is wrong rather than the state, and is never calmer than that", () => {
    const problems = [problemRecord()];
    assert.equal(of({ state: "down", problems, message: "0 of 3." }), "down Crash-looping: 0 of 3.");
    assert.equal(of({ state: "running", problems: [problemRecord({ alert: "oom", message: "OOM." })] }), "degraded OOM killed: OOM.");
    assert.equal(
      of({ state: "degraded", problems: [problemRecord({ alert: "replica_unhealthy" })] }),
      "degraded Degraded: It crash-loops.",
    );
    // The one that says more is the word, wherever it stands.
    assert.equal(
      of({ problems: [problemRecord({ alert: "replica_unhealthy" }), problemRecord({ alert: "image_pull" })] }).split(":")[0],
      "degraded Image pull failing",
    );
  });

  it("is one thing; what else is wrong stands beside it, but for what the figures say", () => {
    const problems = [
      problemRecord({ alert: "replica_unhealthy" }),
      problemRecord({ alert: "crash_loop", cause: "out of memory (OOMKilled)" }),
      problemRecord({ alert: "oom", cause: "its limit is 256 MiB" }),
      problemRecord({ alert: "rollout_stalled" }),
    ];
    assert.deepEqual(alsoWrong({ problems }), ["OOM killed (its limit is 256 MiB)", "Rollout stalled"]);
    assert.deepEqual(alsoWrong({ problems: problems.slice(0, 2) }), []);
    assert.deepEqual(alsoWrong({ problems: [] }), []);
  });

  it("is down while a rollout in trouble has no pod ready", () => {
    const problems = [problemRecord()];
    assert.equal(of({ state: "progressing", problems, ready: 0, message: "0 of 1." }), "down Crash-looping: 0 of 1.");
    assert.equal(of({ state: "progressing", problems, ready: 1, message: "1 of 2." }), "degraded Crash-looping: 1 of 2.");
    assert.equal(of({ state: "progressing", ready: 0 }), "maintenance Rolling out");
  });

  it("distinguishes a rollout that stalled or is paused from one that continues", () => {
    assert.equal(of({ state: "progressing" }), "maintenance Rolling out");
    assert.equal(of({ rollout: { state: "paused", reason: null, message: null } }), "maintenance Rollout paused");
    assert.equal(
      of({ state: "progressing", rollout: { state: "stalled", reason: "ProgressDeadlineExceeded", message: "It timed out." } }),
      "degraded Rollout stalled: It timed out.",
    );
  });

  it("reads as the kind does: a job that runs is not a rollout, a CronJob is as its last run was", () => {
    assert.equal(of({ kind: "Job", state: "progressing" }), "ok Running");
    assert.equal(of({ kind: "CronJob", state: "failed" }), "down Last run failed");
    assert.equal(of({ kind: "CronJob", state: "pending" }), "idle Not run yet");
  });

  it("needs attention unless it is ignored or calm", () => {
    assert.equal(needsAttention(workloadRecord({ state: "degraded" })), true);
    assert.equal(needsAttention(workloadRecord({ state: "degraded", ignored: true })), false);
    assert.equal(needsAttention(workloadRecord({ state: "progressing" })), false);
  });

  it("has its pods, or runs, in figures", () => {
    const job = {
      completions: null,
      active: 0,
      succeeded: 1,
      failed: 2,
      started_at: null,
      completed_at: null,
      outcome: "complete" as const,
      reason: null,
      message: null,
    };
    assert.equal(replicasText(workloadRecord({ ready: 2 })), "2 / 3");
    assert.equal(replicasText(workloadRecord({ desired: null, ready: 2 })), "2");
    assert.equal(replicasText(workloadRecord({ kind: "Job", job })), "1 / 1 done");
  });
});

describe("the status of a pod", () => {
  const of = (facts: Parameters<typeof podRecord>[0]) => words(podStatus(podRecord(facts)));

  it("is the word of kubectl", () => {
    assert.equal(of({}), "ok Running");
    assert.equal(of({ ready: false }), "degraded Running: not ready");
    assert.equal(of({ status: "CrashLoopBackOff", ready: false, message: "Exit code 1." }), "down CrashLoopBackOff: Exit code 1.");
    assert.equal(of({ phase: "Pending", status: "Init:CrashLoopBackOff", ready: false }), "down Init:CrashLoopBackOff");
    assert.equal(of({ phase: "Pending", status: "ErrImagePull", ready: false }), "down ErrImagePull");
    assert.equal(of({ phase: "Failed", status: "Evicted", ready: false }), "down Evicted");
    assert.equal(of({ phase: "Succeeded", status: "Completed", ready: false }), "idle Completed");
  });

  it("waits calmly until something is known to be in the way", () => {
    assert.equal(of({ phase: "Pending", status: "ContainerCreating", ready: false }), "idle ContainerCreating");
    assert.equal(of({ phase: "Pending", status: "Init:0/1", ready: false }), "idle Init:0/1");
    assert.equal(of({ phase: "Pending", status: "Pending", ready: false, message: "No node." }), "degraded Pending: No node.");
  });

  it("that is to go is not at fault", () => {
    assert.equal(of({ status: "CrashLoopBackOff", deleting_since: "2026-03-01T11:00:00.000Z" }), "idle Terminating");
  });
});

describe("the status of a container of a pod", () => {
  const of = (facts: Parameters<typeof podContainerRecord>[0]) => words(podContainerStatus(podContainerRecord(facts)));
  const killed = { reason: "OOMKilled", message: null, exit_code: 137, finished_at: null };

  it("is its reason, where it has one", () => {
    assert.equal(of({}), "ok Running");
    assert.equal(of({ ready: false }), "degraded Running: not ready");
    assert.equal(of({ kind: "ephemeral", ready: false }), "ok Running");
    assert.equal(
      of({ state: "waiting", reason: "CrashLoopBackOff", last_end: killed }),
      "down CrashLoopBackOff: last ended: OOMKilled, exit code 137",
    );
    assert.equal(of({ state: "waiting", reason: "PodInitializing" }), "idle PodInitializing");
    assert.equal(of({ state: "terminated", end: killed }), "down OOMKilled: exit code 137");
    assert.equal(of({ state: "terminated", end: { ...killed, reason: "Completed", exit_code: 0 } }), "idle Completed");
  });

  it("says how it ended, a bare exit code in words", () => {
    assert.equal(endWords(killed), "OOMKilled, exit code 137");
    assert.match(endWords({ ...killed, reason: "Error", exit_code: 127 }), /^Error, .+, exit code 127$/);
    assert.equal(endWords({ ...killed, reason: null, exit_code: 0 }), "Completed");
  });
});

describe("the status of a node", () => {
  const of = (facts: Parameters<typeof nodeRecord>[0]) => words(nodeStatus(nodeRecord(facts)));

  it("is what matters most of it", () => {
    assert.equal(of({}), "ok Ready");
    assert.equal(of({ schedulable: false }), "maintenance Cordoned: takes no new pods");
    assert.equal(of({ schedulable: false, pressures: ["MemoryPressure", "DiskPressure"] }), "degraded Memory pressure, disk pressure");
    assert.equal(of({ state: "not_ready", pressures: ["MemoryPressure"], message: "Gone." }), "down Not ready: Gone.");
    assert.equal(of({ state: "unknown" }), "down Unknown");
  });

  it("says how far its version is from the API server's", () => {
    const skewOf = (minor: number, supported: boolean) => skewWords({ version_skew: { minor, supported } });
    assert.equal(skewOf(0, true), undefined);
    assert.equal(skewOf(1, true), "1 minor version behind the API server");
    assert.equal(skewOf(4, false), "4 minor versions behind the API server, not supported");
    assert.equal(skewOf(-1, false), "1 minor version ahead of the API server, not supported");
    assert.equal(skewWords({ version_skew: null }), undefined);
  });
});
