import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MINUTE_MS } from "../../contract/time.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import {
  clusterEvent,
  container,
  cutOff,
  namespace,
  node,
  nothing,
  objects,
  pod,
  replicas,
  sighting,
  waiting,
  workload,
} from "../../../test/support/kubernetes-topology.ts";
import { AGENT, OTHER_AGENT, watchClusters } from "../../../test/support/watched-clusters.ts";
import { isServiceError } from "../../platform/errors.ts";
import { eventQuery, workloadQuery } from "./api.ts";

onBothDatabases((databases) => {
  const w = watchClusters(databases);
  const { restart, see, show, change, lasts, become, stay } = w;
  const short = { workloads: [workload({ replicas: replicas(3, 2) })] };

  describe("an API server that does not answer", () => {
    it("is alerted after a minute, calls nothing gone, and is over when it is watched again alone", async () => {
      await show({});
      await see(cutOff("unreachable"));
      await lastsCutOff(45_000, "unreachable");
      await stay([]);
      await lastsCutOff(30_000, "unreachable");
      await become(["api_unreachable Kubernetes critical"]);
      const { clusters, workloads } = w.server.kubernetes.service.workloads(workloadQuery.parse({}));
      assert.deepEqual([clusters[0]?.observed, clusters[0]?.reason, workloads.length], [false, "The API server does not answer.", 1]);
      await w.clock.advance(5 * MINUTE_MS);
      await stay(["api_unreachable Kubernetes critical"]);
      await restart();
      await stay(["api_unreachable Kubernetes critical"]);
      await show({});
      await become([]);
      assert.match(w.lastEnd(), /"by":"observation"/);
    });

    it("is alerted even if it never did, under the name that it has then", async () => {
      await lastsCutOff(75_000, "denied");
      await become(["api_unreachable Kubernetes critical"]);
      await restart();
      await show({});
      await become([]);
      assert.match(w.lastEnd(), /"by":"observation"/);
    });

    async function lastsCutOff(ms: number, standing: "unreachable" | "denied"): Promise<void> {
      for (let passed = 0; passed < ms; passed += 15_000) {
        await see(cutOff(standing));
        await w.clock.advance(15_000);
      }
    }
  });

  describe("kinds that are not seen", () => {
    const unseen = [{ kind: "pods", reason: "pods is forbidden" }] as const;
    it("keep what was, and resolve nothing", async () => {
      await show({ pods: [pod(waiting("CrashLoopBackOff"))] });
      await become(["crash_loop shop/web warning"]);
      await w.clock.advance(15_000);
      await see(sighting({ objects: objects({ pods: [] }), unseen: [...unseen] }));
      await stay(["crash_loop shop/web warning"]);
      const { clusters } = w.server.kubernetes.service.workloads(workloadQuery.parse({}));
      assert.deepEqual([clusters[0]?.pods, clusters[0]?.unseen], [1, [...unseen]]);
    });

    it("are taken up after a restart when they are seen", async () => {
      await show({ pods: [pod(waiting("CrashLoopBackOff"))] });
      await become(["crash_loop shop/web warning"]);
      await restart();
      await see(sighting({ objects: objects({ pods: [] }), unseen: [...unseen] }));
      await stay(["crash_loop shop/web warning"]);
      await w.clock.advance(15_000);
      await show({});
      await become([]);
    });
  });

  describe("several hosts", () => {
    it("of one cluster are one cluster, of which the one that watches speaks", async () => {
      await see(cutOff("standby", "Another agent of this cluster watches it."), OTHER_AGENT);
      await show(short, AGENT);
      await see(sighting({ standing: "standby", reason: "Another agent watches.", isComplete: false, objects: nothing() }), OTHER_AGENT);
      await lasts(5 * MINUTE_MS, AGENT);
      await become(["replica_unhealthy shop/web warning"]);
      const { clusters } = w.server.kubernetes.service.workloads(workloadQuery.parse({}));
      assert.deepEqual(
        clusters.map(({ id, agent_id, hosts }) => [id, agent_id, hosts.map(({ standing }) => standing).toSorted()]),
        [["c1", AGENT, ["standby", "watching"]]],
      );

      // The other one is elected, and says what is different meanwhile.
      const before = w.server.events.length;
      await see(sighting({ standing: "standby", reason: "Another agent watches.", isComplete: false, objects: nothing() }), AGENT);
      await stay(["replica_unhealthy shop/web warning"]);
      await show({ workloads: [workload({ replicas: replicas(3) })] }, OTHER_AGENT);
      await become([]);
      assert.deepEqual(
        w.server.events
          .slice(before)
          .flatMap(({ type, data }) => (type === "kubernetes.workload_updated" ? [[data.agent_id, data.state]] : [])),
        [[OTHER_AGENT, "running"]],
      );
    });

    it("of two clusters are two clusters", async () => {
      await show({}, AGENT);
      await see(
        sighting({ clusterId: "c2", objects: objects({ workloads: [workload({ id: "w-2", replicas: replicas(3, 2) })] }) }),
        OTHER_AGENT,
      );
      const all = w.server.kubernetes.service.workloads(workloadQuery.parse({}));
      assert.deepEqual([all.total, all.clusters.map(({ id }) => id).toSorted()], [2, ["c1", "c2"]]);
      const of = w.server.kubernetes.service.workloads(workloadQuery.parse({ agent_id: OTHER_AGENT }));
      assert.deepEqual([of.total, of.workloads[0]?.state], [1, "degraded"]);
    });

    it("have their events recorded again when a host comes after one that was deleted, and none is news", async () => {
      const shown = { events: [clusterEvent({ message: "Scheduled." })] };
      await show(shown, AGENT);
      await w.server.removal.remove(AGENT, (purge) => w.database.tables<object>().write((unit) => purge(unit)));
      await show(shown, OTHER_AGENT);
      const { events } = await w.server.kubernetes.service.events(eventQuery.parse({}));
      assert.deepEqual(
        events.map(({ message }) => message),
        ["Scheduled."],
      );
      assert.equal(w.server.events.filter(({ type }) => type === "kubernetes.events_recorded").length, 0);
    });

    it("leave alerts that are raised again about another host when one is deleted", async () => {
      await show({ pods: [pod(waiting("CrashLoopBackOff"))] }, AGENT);
      await see(sighting({ standing: "standby", reason: "Another agent watches.", isComplete: false, objects: nothing() }), OTHER_AGENT);
      await become(["crash_loop shop/web warning"]);
      await w.server.removal.remove(AGENT, (purge) => w.database.tables<object>().write((unit) => purge(unit)));
      await show({ pods: [pod(waiting("CrashLoopBackOff"))] }, OTHER_AGENT);
      await become(["crash_loop shop/web warning"]);
      assert.equal(w.server.alerting.active().find(({ source }) => source === "kubernetes")?.agentId, OTHER_AGENT);
    });
  });

  it("says what to do where there is no cluster, and why it is not seen", async () => {
    const refused = (text: RegExp) => (error: unknown) => isServiceError(error, "conflict") && text.test(error.message);
    const ask = () => w.server.kubernetes.service.workloads(workloadQuery.parse({}));
    assert.throws(ask, refused(/No Kubernetes cluster is watched/));
    await see(cutOff("denied", "The service account may not list pods: apply the ClusterRole of the manifest."));
    assert.throws(ask, refused(/apply the ClusterRole/));
    assert.deepEqual(
      w.server.events.flatMap(({ type, data }) => (type === "kubernetes.status_changed" ? [data.standing] : [])),
      ["denied"],
    );
  });

  it("waits for all of a cluster before it publishes a part of it", async () => {
    await change({ workloads: [workload()] });
    assert.throws(() => w.server.kubernetes.service.workloads(workloadQuery.parse({})), /No Kubernetes cluster is watched/);
    await show({});
    await change({ workloads: [workload({ name: "api" })], pods: [] });
    assert.equal(w.server.kubernetes.service.workloads(workloadQuery.parse({})).total, 2);
  });

  it("publishes what changed, and nothing where nothing did", async () => {
    await show({});
    const before = w.server.events.length;
    const news = () => w.server.events.slice(before).flatMap(({ type }) => (type.startsWith("kubernetes.") ? [type] : []));
    await show({});
    await change({ pods: [pod({ usage: { cpuCores: 0.5, memoryBytes: 1000, throttledShare: null } })] });
    assert.deepEqual(news(), []);
    await change({
      pods: [pod({ ready: false, status: "Error", containers: [container({ ready: false })] })],
      workloads: [workload({ replicas: replicas(1, 0) })],
      nodes: [node(1, { unschedulable: true })],
      namespaces: [namespace({ name: "new" })],
    });
    assert.deepEqual(news(), [
      "kubernetes.namespace_changed",
      "kubernetes.node_updated",
      "kubernetes.workload_updated",
      "kubernetes.pods_changed",
    ]);
    await change({}, { removed: { workloads: ["w-web"], pods: ["p-web-1"], nodes: ["n-1"] } });
    assert.deepEqual(news().slice(4), ["kubernetes.node_removed", "kubernetes.workload_removed"]);
  });
});
