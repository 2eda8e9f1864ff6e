import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MINUTE_MS } from "../../contract/time.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import {
  claim,
  clusterEvent,
  container,
  cutOff,
  node,
  nothing,
  notReady,
  objects,
  pod,
  replicas,
  sighting,
  waiting,
  workload,
} from "../../../test/support/kubernetes-topology.ts";
import { AGENT, OTHER_AGENT, watchClusters } from "../../../test/support/watched-clusters.ts";
import type { CronJobState } from "../../observations/kubernetes-workloads.ts";
import type { KubernetesObjectKind, NodeCondition } from "../../observations/kubernetes.ts";
import { eventQuery, podQuery, workloadQuery } from "./api.ts";

/** What is not seen is neither well nor gone. */
onBothDatabases((databases) => {
  const w = watchClusters(databases);
  const { restart, see, show, change, lasts, become, stay } = w;
  const unseen = (...kinds: KubernetesObjectKind[]) => kinds.map((kind) => ({ kind, reason: `${kind} is forbidden` }));
  const standby = () => sighting({ standing: "standby", reason: "Another agent watches.", isComplete: false, objects: nothing() });
  const news = (from: number): string[] =>
    w.server.events.slice(from).flatMap(({ type }) => (/^kubernetes\.(workload|pods|node|namespace)/.test(type) ? [type] : []));
  const counts = (): [pods: number, workloads: number] => {
    const { service } = w.server.kubernetes;
    return [service.pods(podQuery.parse({})).total, service.workloads(workloadQuery.parse({})).total];
  };

  describe("a host that takes over, and may see less", () => {
    it("has the word once the one before it has been silent for 20 seconds", async () => {
      const speaker = (): unknown => w.server.kubernetes.service.workloads(workloadQuery.parse({})).clusters[0]?.agent_id;
      await show({}, AGENT);
      await show({}, OTHER_AGENT);
      await lasts(10_000, OTHER_AGENT);
      assert.equal(speaker(), AGENT);
      await lasts(15_000, OTHER_AGENT);
      assert.equal(speaker(), OTHER_AGENT);
      await lasts(10_000, AGENT);
      await lasts(5_000, OTHER_AGENT);
      assert.equal(speaker(), OTHER_AGENT);
    });

    it("keeps what the one before it saw", async () => {
      await show({ pods: [pod(waiting("CrashLoopBackOff"))] }, AGENT);
      await see(standby(), OTHER_AGENT);
      await become(["crash_loop shop/web warning"]);
      const before = w.server.events.length;
      await see(standby(), AGENT);
      await see(sighting({ unseen: unseen("pods", "workloads"), objects: { ...objects(), pods: [], workloads: [] } }), OTHER_AGENT);
      await stay(["crash_loop shop/web warning"]);
      assert.deepEqual([counts(), news(before)], [[1, 1], []]);

      // It may see them now: what is not among them was removed meanwhile.
      await see(
        sighting({ isComplete: false, objects: { ...nothing(), workloads: [workload()], pods: [pod({ name: "web-2" })] } }),
        OTHER_AGENT,
      );
      await w.server.see(OTHER_AGENT, {
        kind: "kubernetes.observed",
        observedAt: w.clock.now(),
        kubernetes: sighting({ isComplete: false, objects: nothing() }),
      });
      assert.deepEqual(
        w.server.kubernetes.service.pods(podQuery.parse({})).pods.map(({ name }) => name),
        ["web-2"],
      );
    });
  });

  describe("alerts of before our start", () => {
    it("end by removal once their kind is seen again without what they are about", async () => {
      await show({ workloads: [workload({ replicas: replicas(3, 0) })], pods: [] });
      await lasts(5 * MINUTE_MS);
      await become(["replica_unhealthy shop/web critical"]);
      await restart();
      await see(sighting({ unseen: unseen("workloads"), objects: { ...objects(), workloads: [], pods: [] } }));
      await w.clock.advance(15_000);
      await see(sighting({ isComplete: false, unseen: unseen("workloads"), objects: nothing() }));
      await stay(["replica_unhealthy shop/web critical"]);
      await see(sighting({ objects: { ...objects(), workloads: [], pods: [] } }));
      await become([]);
      assert.match(w.lastEnd(), /"by":"removal"/);
    });

    it("stay while their cluster cannot say its name", async () => {
      await show({ pods: [pod(waiting("CrashLoopBackOff"))] });
      await become(["crash_loop shop/web warning"]);
      await restart();
      await see(sighting({ clusterId: null, objects: { ...objects(), pods: [pod()] } }));
      await stay(["crash_loop shop/web warning"]);
    });

    it("of what happened once wait for ten minutes without it, with the words that they had", async () => {
      const killed = { reason: "OOMKilled", message: null, exitCode: 137, finishedAt: w.clock.now() };
      const limits = { cpuCores: null, memoryBytes: 64 * 1024 ** 2 };
      await show({ pods: [pod({ containers: [container({ restartCount: 1, lastEnd: killed, limits })] })] });
      await become(["oom shop/web warning"]);
      await change({ pods: [pod({ name: "web-2" })] }, { removed: { pods: ["p-web-1"] } });
      await restart();
      await show({ pods: [pod({ name: "web-2" })] });
      await lasts(9 * MINUTE_MS);
      await become(["oom shop/web warning"]);
      assert.equal(w.causeOf("oom"), "its limit is 64 MiB");
      await lasts(2 * MINUTE_MS);
      await become([]);
    });

    it("do not forget since when, while their kind is not seen", async () => {
      await show({ pods: [pod(waiting("CrashLoopBackOff"))] });
      await become(["crash_loop shop/web warning"]);
      const since = w.server.kubernetes.service.workloads(workloadQuery.parse({})).workloads[0]?.problems[0]?.since;
      await w.clock.advance(MINUTE_MS);
      await restart();
      await see(sighting({ unseen: unseen("pods"), objects: { ...objects(), pods: [] } }));
      await show({ pods: [pod(waiting("CrashLoopBackOff"))] });
      assert.equal(w.server.kubernetes.service.workloads(workloadQuery.parse({})).workloads[0]?.problems[0]?.since, since);
    });

    it("are none of pods that were evicted before they were seen", async () => {
      const evicted = { phase: "Failed", status: "Evicted", reason: "Evicted", message: null, ready: false } as const;
      await see(sighting({ unseen: unseen("pods"), objects: { ...objects(), pods: [] } }));
      await show({ pods: [pod(), pod({ name: "web-0", ...evicted })] });
      await stay([]);
    });
  });

  it("a volume whose use is not known any more is not known to have room", async () => {
    await show({ claims: [claim({ usedBytes: 900 })] });
    await become(["pvc_filling shop/data warning"]);
    await change({ claims: [claim({ usedBytes: null, sizeBytes: null })] });
    await stay(["pvc_filling shop/data warning"]);
    await change({ claims: [claim({ usedBytes: 100 })] });
    await become([]);
  });

  it("a node that fell silent is not known to be relieved", async () => {
    const pressure = (status: NodeCondition["status"]): NodeCondition => ({
      ...{ type: "DiskPressure", status, reason: "KubeletHasDiskPressure", message: "kubelet has disk pressure", since: null },
    });
    await show({ nodes: [node(1, { conditions: [...node().conditions, pressure("True")] })] });
    await become(["node_pressure node-1 warning"]);
    await change({ nodes: [node(1, { conditions: [...notReady().conditions, pressure("Unknown")] })] });
    await lasts(15_000);
    await become(["node_not_ready node-1 critical", "node_pressure node-1 warning"]);
    await change({ nodes: [node(1, { conditions: [...node().conditions, pressure("False")] })] });
    await become([]);
  });

  describe("a pod in the place of another", () => {
    const creating = pod({ name: "web-2", ...waiting("ContainerCreating") });
    it("has no image until it was started", async () => {
      await show({ pods: [pod(waiting("ImagePullBackOff"))], workloads: [workload({ replicas: replicas(1, 0) })] });
      await lasts(MINUTE_MS);
      await become(["image_pull shop/web critical"]);
      await change({}, { removed: { pods: ["p-web-1"] } });
      await stay(["image_pull shop/web critical"]);
      await change({ pods: [creating] });
      await stay(["image_pull shop/web critical"]);
      await change({ pods: [pod({ name: "web-2" })], workloads: [workload()] });
      await become([]);
    });

    it("has no node until it has one", async () => {
      const pending = { phase: "Pending", status: "Pending", ready: false, nodeName: null } as const;
      await show({ pods: [pod({ ...pending, unschedulable: "0/1 nodes are available" })] });
      await lasts(MINUTE_MS);
      await become(["unschedulable shop/web warning"]);
      await change({}, { removed: { pods: ["p-web-1"] } });
      await change({ pods: [pod({ name: "web-2", ...pending })] });
      await stay(["unschedulable shop/web warning"]);
      assert.equal(w.causeOf("unschedulable"), "0/1 nodes are available");
      await change({ pods: [creating] });
      await become([]);
    });
  });

  it("a bare pod that failed does not ask for fewer pods, and is not well", async () => {
    const bare = (desired: number) => workload({ kind: "Pod", rollout: null, replicas: replicas(desired, 0) });
    await show({ workloads: [bare(1)], pods: [pod({ ready: false, containers: [container({ ready: false })] })] });
    await lasts(5 * MINUTE_MS);
    await become(["replica_unhealthy shop/web critical"]);
    await change({ workloads: [bare(0)], pods: [pod({ phase: "Failed", status: "Error", ready: false })] });
    await stay(["replica_unhealthy shop/web critical"]);
    await change({}, { removed: { workloads: ["w-web"], pods: ["p-web-1"] } });
    await become([]);
  });

  it("a failed job that the cluster cleaned up did not succeed", async () => {
    const outcome = (of: "failed" | "complete", finishedAt: Date) => ({ jobName: "web-29", outcome: of, reason: null, finishedAt });
    const earlier = outcome("complete", new Date(w.clock.now().getTime() - 5 * MINUTE_MS));
    const cron = (facts: Partial<CronJobState>) =>
      workload({
        ...{ kind: "CronJob", rollout: null, replicas: { ...replicas(0), desired: null } },
        cronJob: {
          ...{ schedule: "0 0 1 1 *", timeZone: null, suspended: false, startingDeadlineSeconds: null, concurrencyPolicy: "Allow" },
          ...{ active: 0, scheduleChangedAt: null, lastScheduledAt: w.clock.now(), lastSuccessAt: null, lastOutcome: null },
          ...facts,
        },
      });
    await show({ workloads: [cron({ lastOutcome: outcome("failed", w.clock.now()) })], pods: [] });
    await become(["job_failed shop/web warning"]);
    await change({ workloads: [cron({ lastOutcome: null })] });
    await stay(["job_failed shop/web warning"]);
    await change({ workloads: [cron({ lastOutcome: earlier })] });
    await stay(["job_failed shop/web warning"]);
    await w.clock.advance(MINUTE_MS);
    await change({ workloads: [cron({ lastOutcome: outcome("complete", w.clock.now()) })] });
    await become([]);
  });

  it("says of an alert whose workload is to be ignored now that nothing was seen to be well", async () => {
    await show({ pods: [pod(waiting("CrashLoopBackOff"))] });
    await become(["crash_loop shop/web warning"]);
    await change({ workloads: [workload({ settings: { ...workload().settings, ignored: true } })] });
    await become([]);
    assert.match(w.lastEnd(), /"by":"removal"/);
  });

  it("follows the annotations of a workload that is alerted", async () => {
    await show({ pods: [pod(waiting("CrashLoopBackOff"))] });
    await become(["crash_loop shop/web warning"]);
    await change({ workloads: [workload({ labels: { "service.alert.severity": "critical" } })] });
    await become(["crash_loop shop/web critical"]);
  });

  describe("events of a cluster", () => {
    const events = async (query: object = {}): Promise<unknown[]> => {
      const found = await w.server.kubernetes.service.events(eventQuery.parse(query));
      return found.events.map(({ cluster_id: cluster, count }) => [cluster, count]);
    };

    it("are kept of one that may not be named, as in a role of some namespaces", async () => {
      await see(sighting({ clusterId: null, objects: objects({ events: [clusterEvent()] }) }), AGENT);
      assert.deepEqual(await events(), [[`host:${AGENT}`, 1]]);
    });

    it("do not go back to what a host that is behind shows of them", async () => {
      const at = (minutes: number, count: number) =>
        clusterEvent({ count, lastAt: new Date(w.clock.now().getTime() + (minutes - 60) * MINUTE_MS) });
      await show({ events: [at(2, 5)] }, AGENT);
      await show({ events: [at(1, 4)] }, OTHER_AGENT);
      assert.deepEqual(await events(), [["c1", 5]]);
      await restart();
      await show({ events: [at(1, 4)] }, OTHER_AGENT);
      assert.deepEqual(await events(), [["c1", 5]]);
    });
  });

  it("is cut off without a word of what it saw", async () => {
    await show({});
    await see(cutOff("unreachable"));
    assert.deepEqual(counts(), [1, 1]);
  });
});
