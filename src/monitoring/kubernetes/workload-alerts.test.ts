import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/time.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { container, cutOff, namespace, pod, replicas, waiting, workload } from "../../../test/support/kubernetes-topology.ts";
import { watchClusters } from "../../../test/support/watched-clusters.ts";
import type { CronJobState } from "../../observations/kubernetes-workloads.ts";

onBothDatabases((databases) => {
  const w = watchClusters(databases);
  const { restart, see, show, change, lasts, become, stay } = w;
  const short = { workloads: [workload({ replicas: replicas(3, 2) })] };

  describe("missing pods", () => {
    it("are alerted after five minutes, and resolved by seeing them alone", async () => {
      await show(short);
      await lasts(4 * MINUTE_MS);
      await stay([]);
      await lasts(MINUTE_MS);
      await become(["replica_unhealthy shop/web warning"]);

      // Nothing comes any more, then a restart: not seen is not well.
      await w.clock.advance(10 * MINUTE_MS);
      await become(["replica_unhealthy shop/web warning"]);
      await restart();
      await become(["replica_unhealthy shop/web warning"]);
      await see(cutOff("standby", "Another agent of this cluster watches it."));
      await become(["replica_unhealthy shop/web warning"]);
      await show(short);
      await become(["replica_unhealthy shop/web warning"]);

      await change({ workloads: [workload({ replicas: replicas(3) })] });
      await become([]);
      assert.match(w.lastEnd(), /"by":"observation"/);
    });

    it("are critical when none is ready", async () => {
      const down = workload({ replicas: replicas(2, 0) });
      await show({ workloads: [down], pods: [pod({ ready: false, containers: [container({ ready: false })] })] });
      await lasts(5 * MINUTE_MS);
      await become(["replica_unhealthy shop/web critical"]);
      assert.match(String(w.causeOf("replica_unhealthy")), /app runs and is not ready/);
    });

    it("are explained by a rollout until that is past its deadline", async () => {
      const comesIn = workload({ replicas: replicas(3, 2), rollout: { state: "progressing", reason: "ReplicaSetUpdated", message: null } });
      await show({ workloads: [comesIn] });
      await lasts(9 * MINUTE_MS);
      await stay([]);
      const stalled = {
        state: "stalled",
        reason: "ProgressDeadlineExceeded",
        message: 'ReplicaSet "web-2" has timed out progressing.',
      } as const;
      await change({ workloads: [workload({ replicas: replicas(3, 2), rollout: stalled })] });
      await become(["rollout_stalled shop/web warning"]);
      await lasts(5 * MINUTE_MS);
      await become(["replica_unhealthy shop/web warning", "rollout_stalled shop/web warning"]);
      await change({ workloads: [workload({ replicas: replicas(3) })] });
      await become([]);
    });

    for (const kind of ["StatefulSet", "Deployment"]) {
      it(`of a rollout without a deadline are explained for as long as that makes its way: ${kind}`, async () => {
        const rollout = { state: "progressing", reason: null, message: null } as const;
        const set = (updated: number) => workload({ kind, rollout, replicas: { ...replicas(5, 4), updated } });
        await show({ workloads: [set(1)] });
        await lasts(4 * MINUTE_MS);
        await change({ workloads: [set(2)] });
        await lasts(4 * MINUTE_MS);
        await stay([]);
        await lasts(2 * MINUTE_MS);
        await become(["replica_unhealthy shop/web warning"]);
      });
    }

    it("are nobody's business of a workload that is to be ignored", async () => {
      const settings = { ...workload().settings, ignored: true };
      await show({ workloads: [workload({ settings, replicas: replicas(1, 0) })], pods: [pod(waiting("CrashLoopBackOff"))] });
      await lasts(6 * MINUTE_MS);
      await stay([]);
    });
  });

  it("misses nothing of much that changes at once, and keeps what is removed in the same moment", async () => {
    const numbers = Array.from({ length: 250 }, (_, index) => index);
    const all = (ready: (number: number) => number) =>
      numbers.map((number) => workload({ id: `w-${number}`, name: `web-${number}`, replicas: replicas(1, ready(number)) }));
    await show({ workloads: all(() => 1), pods: [] });
    await change({ workloads: all((number) => (number % 100 === 0 ? 0 : 1)) });
    await lasts(5 * MINUTE_MS);
    const down = [0, 100, 200].map((number) => `replica_unhealthy shop/web-${number} critical`);
    await become(down);
    await change({ workloads: all((number) => (number === 200 ? 0 : 1)).slice(1) }, { removed: { workloads: ["w-0"] } });
    await become(down.slice(2));
  });

  it("ends the alerts of a workload that was removed, and says so", async () => {
    await show({ ...short, namespaces: [namespace({ name: "shop" })] });
    await lasts(5 * MINUTE_MS);
    await become(["replica_unhealthy shop/web warning"]);
    // A namespace that goes is not to be mended, and what was alerted stays until it is gone.
    await change({ namespaces: [namespace({ phase: "Terminating" })], pods: [pod(waiting("CrashLoopBackOff"))] });
    await stay(["replica_unhealthy shop/web warning"]);
    await change({}, { removed: { workloads: ["w-web"], pods: ["p-web-1"], namespaces: ["ns-shop"] } });
    await become([]);
    assert.match(w.lastEnd(), /"by":"removal"/);
  });

  it("ends the alerts of what was removed while nobody looked", async () => {
    await show(short);
    await lasts(5 * MINUTE_MS);
    await become(["replica_unhealthy shop/web warning"]);
    await restart();
    await stay(["replica_unhealthy shop/web warning"]);
    await show({ workloads: [], pods: [] });
    await become([]);
    assert.match(w.lastEnd(), /"by":"removal"/);
  });

  describe("a crash loop", () => {
    it("is what the kubelet calls so, until ten minutes passed without a restart", async () => {
      const lastEnd = { reason: "Error", message: null, exitCode: 3, finishedAt: w.clock.now() };
      await show({ pods: [pod(waiting("CrashLoopBackOff", { restartCount: 4, lastEnd }))] });
      await become(["crash_loop shop/web warning"]);
      assert.equal(w.causeOf("crash_loop"), "exit code 3");
      await change({ pods: [pod({ containers: [container({ restartCount: 5, lastEnd: { ...lastEnd, finishedAt: w.clock.now() } })] })] });
      await lasts(9 * MINUTE_MS);
      await become(["crash_loop shop/web warning"]);
      await lasts(2 * MINUTE_MS);
      await become([]);
    });

    it("is three restarts of one container in ten minutes", async () => {
      const restarted = (restartCount: number) => ({
        pods: [
          pod({
            containers: [container({ restartCount, lastEnd: { reason: "Error", message: null, exitCode: 1, finishedAt: w.clock.now() } })],
          }),
        ],
      });
      await show(restarted(7));
      for (const count of [8, 9]) {
        await stay([]);
        await lasts(MINUTE_MS);
        await change(restarted(count));
      }
      await become(["crash_loop shop/web warning"]);
    });

    it("is none of many pods that were restarted once", async () => {
      const names = ["web-1", "web-2", "web-3", "web-4"];
      const end = { reason: "Error", message: null, exitCode: 1, finishedAt: w.clock.now() };
      await show({ pods: names.map((name) => pod({ name })) });
      await change({ pods: names.map((name) => pod({ name, containers: [container({ restartCount: 1, lastEnd: end })] })) });
      await stay([]);
    });
  });

  it("alerts images that cannot be pulled for a minute", async () => {
    const pull = waiting("ImagePullBackOff", { message: 'Back-off pulling image "shop/web:2"', image: "shop/web:2" });
    await show({ pods: [pod(pull)], workloads: [workload({ replicas: replicas(1, 0) })] });
    await lasts(MINUTE_MS - 5_000);
    await stay([]);
    await lasts(10_000);
    await become(["image_pull shop/web critical"]);
    assert.match(String(w.causeOf("image_pull")), /Back-off pulling/);
    await change({ pods: [pod()], workloads: [workload()] });
    await become([]);
  });

  it("alerts containers that ran out of memory, until there was none for ten minutes", async () => {
    await show({});
    const killed = { reason: "OOMKilled", message: null, exitCode: 137, finishedAt: w.clock.now() };
    const limits = { cpuCores: null, memoryBytes: 64 * 1024 ** 2 };
    await change({ pods: [pod({ containers: [container({ restartCount: 1, lastEnd: killed, limits })] })] });
    await become(["oom shop/web warning"]);
    assert.equal(w.causeOf("oom"), "its limit is 64 MiB");
    // The pod is replaced: the cluster forgets, we do not.
    await change({ pods: [pod({ name: "web-2" })] }, { removed: { pods: ["p-web-1"] } });
    await lasts(9 * MINUTE_MS);
    await become(["oom shop/web warning"]);
    await lasts(2 * MINUTE_MS);
    await become([]);
    // What was long ago is no news.
    const before = { ...killed, finishedAt: new Date(w.clock.now().getTime() - DAY_MS) };
    await change({ pods: [pod({ name: "web-2", containers: [container({ restartCount: 1, lastEnd: before })] })] });
    await stay([]);
  });

  it("alerts pods that were evicted, and those of before our start no more", async () => {
    const evicted = {
      phase: "Failed",
      status: "Evicted",
      reason: "Evicted",
      message: "The node was low on resource: memory.",
      ready: false,
    } as const;
    await show({ pods: [pod(), pod({ name: "web-0", ...evicted })] });
    await stay([]);
    await change({ pods: [pod({ name: "web-2", ...evicted })] });
    await become(["evicted shop/web warning"]);
    assert.equal(w.causeOf("evicted"), "The node was low on resource: memory.");
    // The cluster keeps such pods for long.
    await lasts(11 * MINUTE_MS);
    await become([]);
    await restart();
    await show({ pods: [pod(), pod({ name: "web-2", ...evicted })] });
    await stay([]);
  });

  it("alerts pods that no node takes, in the scheduler's words", async () => {
    const unschedulable = "0/1 nodes are available: 1 Insufficient cpu.";
    await show({ pods: [pod(), pod({ name: "web-2", phase: "Pending", status: "Pending", ready: false, nodeName: null, unschedulable })] });
    await lasts(MINUTE_MS);
    await become(["unschedulable shop/web warning"]);
    assert.equal(w.causeOf("unschedulable"), unschedulable);
    await change({ pods: [pod({ name: "web-2" })] });
    await become([]);
  });

  describe("jobs", () => {
    const job = { completions: 1, active: 0, succeeded: 0, failed: 1, startedAt: null, completedAt: null } as const;
    it("that failed are alerted until they are gone", async () => {
      const failed = {
        ...job,
        outcome: "failed",
        reason: "BackoffLimitExceeded",
        message: "Job has reached the specified backoff limit",
      } as const;
      await show({
        workloads: [workload({ kind: "Job", job: failed, rollout: null, replicas: { ...replicas(0), desired: null } })],
        pods: [],
      });
      await become(["job_failed shop/web warning"]);
      await change({}, { removed: { workloads: ["w-web"] } });
      await become([]);
    });

    const cron = (facts: Partial<CronJobState>) =>
      workload({
        ...{ kind: "CronJob", rollout: null, replicas: { ...replicas(0), desired: null } },
        cronJob: {
          ...{ schedule: "*/5 * * * *", timeZone: null, suspended: false, startingDeadlineSeconds: null, concurrencyPolicy: "Allow" },
          ...{ active: 0, scheduleChangedAt: null, lastScheduledAt: w.clock.now(), lastSuccessAt: null, lastOutcome: null },
          ...facts,
        },
      });

    it("of a schedule that failed are alerted until one succeeds", async () => {
      const outcome = (of: "failed" | "complete") => ({ jobName: "web-29", outcome: of, reason: null, finishedAt: w.clock.now() });
      await show({ workloads: [cron({ lastOutcome: outcome("failed") })], pods: [] });
      await become(["job_failed shop/web warning"]);
      await change({ workloads: [cron({ lastOutcome: outcome("complete") })] });
      await become([]);
    });

    it("of a schedule are distinguished by the clock of the cluster, which may be behind ours", async () => {
      const ended = (of: "failed" | "complete", minutesAgo: number) => ({
        ...{ jobName: "web-29", outcome: of, reason: null },
        finishedAt: new Date(w.clock.now().getTime() - minutesAgo * MINUTE_MS),
      });
      await show({ workloads: [cron({ lastOutcome: ended("failed", 60) })], pods: [] });
      await become(["job_failed shop/web warning"]);
      await change({ workloads: [cron({ lastOutcome: ended("complete", 65) })] });
      await stay(["job_failed shop/web warning"]);
      await change({ workloads: [cron({ lastOutcome: ended("complete", 59) })] });
      await become([]);
    });

    it("that did not begin are alerted by their schedule, a minute late", async () => {
      await show({ workloads: [cron({})], pods: [] });
      await lasts(5 * MINUTE_MS);
      await stay([]);
      await lasts(2 * MINUTE_MS);
      await become(["cronjob_missed shop/web warning"]);
      await change({ workloads: [cron({})] });
      await become([]);
    });

    it("are missed by their own time zone, and no sooner than they may begin", async () => {
      // 12:05 in UTC is 14:05 in Helsinki.
      const schedule = { schedule: "5 14 * * *", timeZone: "Europe/Helsinki", startingDeadlineSeconds: 600 };
      await show({ workloads: [cron(schedule)], pods: [] });
      await lasts(14 * MINUTE_MS);
      await stay([]);
      await lasts(3 * MINUTE_MS);
      await become(["cronjob_missed shop/web warning"]);
    });

    it("are not missed while they are suspended, or while the run before continues", async () => {
      await show({ workloads: [cron({ suspended: true })], pods: [] });
      await lasts(8 * MINUTE_MS);
      await stay([]);
      const since = new Date(w.clock.now().getTime() - 20 * MINUTE_MS);
      await change({ workloads: [cron({ concurrencyPolicy: "Forbid", active: 1, lastScheduledAt: since })] });
      await lasts(3 * MINUTE_MS);
      await stay([]);
    });

    it("are missed after they were resumed by the first time after that", async () => {
      // By its starting deadline the cluster makes up for none of the runs of before.
      const facts = { startingDeadlineSeconds: 120, lastScheduledAt: w.clock.now() };
      await show({ workloads: [cron({ ...facts, suspended: true })], pods: [] });
      await lasts(21 * MINUTE_MS);
      await change({ workloads: [cron(facts)] });
      await lasts(5 * MINUTE_MS);
      await stay([]);
      await lasts(3 * MINUTE_MS);
      await become(["cronjob_missed shop/web warning"]);
    });

    it("are not missed by a time before they were resumed, though that was before our start", async () => {
      const lastScheduledAt = new Date(w.clock.now().getTime() - 10 * HOUR_MS);
      await show({ workloads: [cron({ lastScheduledAt, scheduleChangedAt: w.clock.now() })], pods: [] });
      await lasts(5 * MINUTE_MS);
      await stay([]);
      await lasts(3 * MINUTE_MS);
      await become(["cronjob_missed shop/web warning"]);
    });

    it("are missed before our start too, unless the cluster says that they were not due then", async () => {
      const ago = (minutes: number): Date => new Date(w.clock.now().getTime() - minutes * MINUTE_MS);
      await show({ workloads: [cron({ lastScheduledAt: ago(60), scheduleChangedAt: ago(9000) })], pods: [] });
      await lasts(2 * MINUTE_MS);
      await become(["cronjob_missed shop/web warning"]);
    });

    it("are not missed by a schedule that they did not have then", async () => {
      const atThree = new Date(w.clock.now().getTime() - 9 * HOUR_MS);
      const facts = { startingDeadlineSeconds: 120, lastScheduledAt: atThree };
      await show({ workloads: [cron({ ...facts, schedule: "0 3 * * *" })], pods: [] });
      await change({ workloads: [cron({ ...facts, schedule: "0 6 * * *" })] });
      await lasts(3 * MINUTE_MS);
      await stay([]);
    });

    it("of a schedule that is not understood are never missed", async () => {
      await show({ workloads: [cron({ schedule: "@every 1m" })], pods: [] });
      await lasts(10 * MINUTE_MS);
      await stay([]);
    });
  });
});
