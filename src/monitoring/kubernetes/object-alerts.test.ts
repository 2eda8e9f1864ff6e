import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DAY_MS, MINUTE_MS } from "../../contract/time.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { certificate, claim, container, node, notReady, pod, replicas, workload } from "../../../test/support/kubernetes-topology.ts";
import { watchClusters } from "../../../test/support/watched-clusters.ts";

onBothDatabases((databases) => {
  const w = watchClusters(databases);
  const { show, change, lasts, become, stay } = w;

  describe("a node", () => {
    it("that is not ready holds back what hangs on it", async () => {
      const down = pod({ ready: false, containers: [container({ ready: false })] });
      await show({ nodes: [notReady()], pods: [down], workloads: [workload({ replicas: replicas(1, 0) })] });
      await stay([]);
      await lasts(15_000);
      await become(["node_not_ready node-1 critical"]);
      await lasts(5 * MINUTE_MS);
      await become(["node_not_ready node-1 critical", "replica_unhealthy shop/web critical"]);
      const held = w.server.alerting.active().find(({ event }) => event === "replica_unhealthy");
      assert.equal(held?.suppressedBy, "dependency");
      await change({ nodes: [node()], pods: [pod()], workloads: [workload()] });
      await become([]);
    });

    it("under pressure is alerted until it is relieved", async () => {
      const conditions = [
        ...node().conditions,
        {
          type: "DiskPressure",
          status: "True" as const,
          reason: "KubeletHasDiskPressure",
          message: "kubelet has disk pressure",
          since: null,
        },
      ];
      await show({ nodes: [node(1, { conditions })] });
      await become(["node_pressure node-1 warning"]);
      await change({ nodes: [node()] });
      await become([]);
    });

    it("that was removed ends its alerts", async () => {
      await show({ nodes: [node(), notReady(2)] });
      await lasts(30_000);
      await become(["node_not_ready node-2 critical"]);
      await change({}, { removed: { nodes: ["n-2"] } });
      await become([]);
      assert.match(w.lastEnd(), /"by":"removal"/);
    });
  });

  it("alerts volumes that fill up, and holds on until there is room again", async () => {
    await show({ claims: [claim({ usedBytes: 840 })] });
    await stay([]);
    await change({ claims: [claim({ usedBytes: 850 })] });
    await become(["pvc_filling shop/data warning"]);
    await change({ claims: [claim({ usedBytes: 950 })] });
    await become(["pvc_filling shop/data critical"]);
    await change({ claims: [claim({ usedBytes: 830 })] });
    await stay(["pvc_filling shop/data critical"]);
    await change({ claims: [claim({ usedBytes: 800 })] });
    await become([]);
  });

  it("takes a volume whose use is not known any more for neither full nor well", async () => {
    await show({ claims: [claim({ usedBytes: 960 })] });
    await become(["pvc_filling shop/data critical"]);
    await change({ claims: [claim({ usedBytes: null })] });
    await stay(["pvc_filling shop/data critical"]);
    await w.restart();
    await show({ claims: [claim({ usedBytes: null })] });
    await become(["pvc_filling shop/data critical"]);
    await change({ claims: [claim({ usedBytes: 100 })] });
    await become([]);
  });

  it("alerts certificates in Secrets that expire, or whose chain is broken", async () => {
    const expires = (days: number) => ({ certificates: [certificate({ expiresAt: new Date(w.clock.now().getTime() + days * DAY_MS) })] });
    await show(expires(15));
    await stay([]);
    await change(expires(14));
    await become(["certificate_expiring shop/web-tls warning"]);
    await change(expires(3));
    await become(["certificate_expiring shop/web-tls critical"]);
    await change(expires(90));
    await become([]);
    await change({ certificates: [certificate({ chainError: "The chain ends at an issuer that is not in it." })] });
    await become(["certificate_expiring shop/web-tls warning"]);
  });
});
