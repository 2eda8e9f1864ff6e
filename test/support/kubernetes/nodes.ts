import { setTimeout as sleep } from "node:timers/promises";
import { type Api, ApiError } from "./api.ts";

/** A node without a kubelet: it says that it is Ready until it falls silent. Its pods do what a test asks for; see pods.ts. */
export interface TestNode {
  name: string;
  /** Stops renewing its lease, as a node that lost its power; the controllers notice within seconds. */
  silence(): void;
  /** Renews again. */
  wake(): Promise<void>;
  /** Its condition of that type is so from now on, as in MemoryPressure True. */
  condition(type: string, status: "True" | "False", reason?: string): Promise<void>;
  /** Falls silent and is taken out of the cluster. */
  remove(): Promise<void>;
  stop(): Promise<void>;
}

const RENEW_MS = 1500;
const LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";

interface Condition {
  type: string;
  status: string;
  reason: string;
}

const HEALTHY: readonly Condition[] = [
  { type: "MemoryPressure", status: "False", reason: "KubeletHasSufficientMemory" },
  { type: "DiskPressure", status: "False", reason: "KubeletHasNoDiskPressure" },
  { type: "PIDPressure", status: "False", reason: "KubeletHasSufficientPID" },
  { type: "Ready", status: "True", reason: "KubeletReady" },
];

export async function createNode(
  api: Api,
  name: string,
  { cpu = "8", memory = "16Gi", pods = "110" }: { cpu?: string; memory?: string; pods?: string } = {},
): Promise<TestNode> {
  const path = `/api/v1/nodes/${name}`;
  const resources = { cpu, memory, pods, "ephemeral-storage": "100Gi" };
  let conditions = HEALTHY;
  let isSilent = false;
  let ending = false;
  let beat: Promise<void> = Promise.resolve();

  function status(): object {
    const now = new Date().toISOString().replace(/\.\d+/, "");
    return {
      capacity: resources,
      allocatable: resources,
      conditions: conditions.map((each) => ({ ...each, message: each.reason, lastHeartbeatTime: now, lastTransitionTime: now })),
      addresses: [
        { type: "InternalIP", address: "127.0.0.1" },
        { type: "Hostname", address: name },
      ],
      nodeInfo: {
        ...{ machineID: name, systemUUID: name, bootID: name, kernelVersion: "6.1.0", osImage: "Debian GNU/Linux 12 (bookworm)" },
        ...{ containerRuntimeVersion: "containerd://1.6.20", kubeletVersion: "v1.20.2", kubeProxyVersion: "v1.20.2" },
        ...{ operatingSystem: "linux", architecture: "amd64" },
      },
    };
  }

  async function renew(): Promise<void> {
    const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime: new Date().toISOString().replace("Z", "000Z") };
    const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name }, spec };
    try {
      await api.patch(`${LEASES}/${name}`, { spec });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      await api.post(LEASES, lease);
    }
  }

  async function report(): Promise<void> {
    await api.patch(`${path}/status`, { status: status() });
  }

  function keepBeating(): void {
    beat = (async () => {
      while (!isSilent && !ending) {
        // An API server that is away is tried again, as a kubelet does.
        await renew().catch(() => undefined);
        for (let slept = 0; slept < RENEW_MS && !isSilent && !ending; slept += 50) await sleep(50, undefined, { ref: false });
      }
    })();
  }

  await api.post("/api/v1/nodes", {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels: { "kubernetes.io/hostname": name, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64" } },
  });
  await report();
  await renew();
  // A new node is marked as not ready; where no controller runs, nobody takes that away.
  await api.patch(path, { spec: { taints: null } });
  keepBeating();

  const node: TestNode = {
    name,
    silence() {
      isSilent = true;
    },
    async wake() {
      await beat;
      isSilent = false;
      await report();
      keepBeating();
    },
    async condition(type, value, reason = `Test${type}`) {
      conditions = [...conditions.filter((each) => each.type !== type), { type, status: value, reason }];
      await report();
    },
    async remove() {
      await node.stop();
      await api.remove(path);
      await api.remove(`${LEASES}/${name}`);
    },
    async stop() {
      ending = true;
      await beat;
    },
  };
  return node;
}
