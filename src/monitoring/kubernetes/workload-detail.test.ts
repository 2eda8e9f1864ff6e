import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { exposureOfOnly } from "../../../test/support/exposure.ts";
import { shop } from "../../../test/support/kubernetes-shop.ts";
import { clusterEvent, cutOff, objects, pod, service, sighting, waiting, workload } from "../../../test/support/kubernetes-topology.ts";
import { AGENT, OTHER_AGENT, watchClusters } from "../../../test/support/watched-clusters.ts";

const PATH = "/api/v1/kubernetes";
const MiB = 1024 ** 2;

type Json = Record<string, unknown>;

onBothDatabases((databases) => {
  const w = watchClusters(databases);
  describe("one workload", () => {
    const detailOf = (id: string): Promise<Json> => w.server.check("GET", `${PATH}/workloads/{id}`, { id });

    it("is shown with all that belongs to it, the worst pods first", async () => {
      const security = {
        ...{
          privileged: ["app"],
          hostNetwork: false,
          hostPid: false,
          hostIpc: false,
          hostPaths: ["/var/run"],
          hostPorts: [],
          runsAsRoot: ["app"],
        },
        ...{ withoutMemoryLimit: [], withoutCpuLimit: ["app"], addedCapabilities: [], serviceAccount: "default", automountsToken: true },
      };
      const all = shop();
      await w.showRows([{}]);
      await w.show({ ...all, workloads: [workload({ ...all.workloads?.[0], security }), ...(all.workloads?.slice(1) ?? [])] });
      await w.become(["crash_loop shop/web warning", "pvc_filling shop/data warning"]);
      const detail = await detailOf("w-web");
      const names = (of: string): unknown[] => (detail[of] as Json[]).map(({ name, reason, alert }) => name ?? reason ?? alert);
      assert.deepEqual(["pods", "services", "routes", "claims", "events", "problems"].map(names), [
        ["web-2", "web-1"],
        ["web"],
        ["any", "web"],
        ["data"],
        ["ScalingReplicaSet", "BackOff"],
        ["crash_loop"],
      ]);
      assert.deepEqual(detail["used"], { cpu_cores: 0.1, memory_bytes: 64 * MiB, pods_seen: 1, pods_running: 2 });
      assert.deepEqual(detail["autoscaler"], { name: "web", min: 1, max: 2, current: 2, desired: 2, at_limit: true, problem: null });
      assert.deepEqual(detail["rollout"], { state: "complete", reason: "NewReplicaSetAvailable", message: null });
      assert.deepEqual((detail["security"] as Json)["privileged"], ["app"]);
      assert.deepEqual((detail["security"] as Json)["namespace_level"], "baseline");
      assert.deepEqual(detail["commands"], {
        update: "kubectl -n shop set image deployment/web app=shop/web:1",
        undo: "kubectl -n shop rollout undo deployment/web",
        restart: "kubectl -n shop rollout restart deployment/web",
      });
      // By which its logs are found.
      const row = w.server.containers.present.find(null, "w-web");
      assert.deepEqual([detail["container_id"], (detail["pods"] as Json[])[0]?.["container_id"]], [row?.id, row?.id]);
    });

    it("counts for its risk what its services open beyond the cluster, as far as services are seen", async () => {
      const exposure = () => exposureOfOnly(w.server);
      const none = "0 or more: What its cluster opens for it is not known.";
      const ports = [80, 443].map((port) => ({ name: null, port, nodePort: 30_000 + port, protocol: "tcp" as const, target: "8080" }));
      await w.showRows([{}]);
      assert.equal(await exposure(), none);
      await w.show({ services: [service({ ports })] });
      assert.equal(await exposure(), "0: No port is exposed on all interfaces.");
      await w.change({ services: [service({ type: "NodePort", ports })] });
      assert.equal(await exposure(), "6: 2 ports of its services are open outside its cluster.");
      await w.change({ services: [service({ type: "LoadBalancer", ports: ports.slice(1), externalAddresses: ["198.51.100.7"] })] });
      assert.equal(await exposure(), "4: A port of its service is open outside its cluster.");
      await w.see(sighting({ unseen: [{ kind: "services", reason: "services is forbidden" }], objects: objects({ services: [] }) }));
      assert.equal(await exposure(), none);
    });

    it("leads to the row of the host that shows it now", async () => {
      await w.showRows([{}], AGENT);
      await w.show({}, AGENT);
      await w.showRows([{}], OTHER_AGENT);
      await w.see(cutOff("standby", "Another agent watches."), AGENT);
      await w.show({}, OTHER_AGENT);
      const detail = await detailOf("w-web");
      assert.deepEqual(
        [detail["agent_id"], detail["container_id"]],
        [OTHER_AGENT, w.server.containers.present.find(OTHER_AGENT, "w-web")?.id],
      );
    });

    it("is answered with 404 where it is not, and with what was seen last where its cluster is not", async () => {
      await w.show({});
      const { status, body } = await w.server.ask("GET", `${PATH}/workloads/none`);
      assert.deepEqual([status, (body["error"] as Json)["code"]], [404, "not_found"]);
      assert.equal((await w.server.ask("GET", `${PATH}/workloads/a%20b`)).status, 400);
      await w.see(cutOff("unreachable"));
      const detail = await detailOf("w-web");
      assert.deepEqual(
        [detail["state"], (detail["cluster"] as Json)["observed"], (detail["cluster"] as Json)["reason"]],
        ["running", false, "The API server does not answer."],
      );
    });

    it("is shown without labels that look secret, as in its alerts and events", async () => {
      const labels = { "db.password": "hunter2", tier: "front" };
      await w.show({ workloads: [workload({ labels })], pods: [pod(waiting("CrashLoopBackOff"))] });
      await w.become(["crash_loop shop/web warning"]);
      const masked = { "db.password": "***", tier: "front" };
      assert.deepEqual((await detailOf("w-web"))["labels"], masked);
      assert.deepEqual(
        w.server.events.flatMap(({ type, data }) => (type === "kubernetes.alert" ? [data.labels] : [])),
        [masked],
      );
      assert.equal(JSON.stringify(w.server.events).includes("hunter2"), false);
    });

    it("has no commands where a name cannot be put into one", async () => {
      await w.show({ workloads: [workload({ id: "w-1", name: "web;id" }), workload({ id: "w-2", name: "argo", kind: "Rollout" })] });
      for (const id of ["w-1", "w-2"]) assert.equal((await detailOf(id))["commands"], null);
    });

    it("names 500 of its pods and 50 events at most", async () => {
      const pods = Array.from({ length: 501 }, (_, index) => pod({ name: `web-${index}` }));
      await w.show({ pods, events: pods.slice(0, 60).map(({ id, name }) => clusterEvent({ name, about: { kind: "Pod", name, id } })) });
      const detail = await detailOf("w-web");
      assert.deepEqual([(detail["pods"] as Json[]).length, (detail["events"] as Json[]).length], [500, 50]);
    });
  });
});
