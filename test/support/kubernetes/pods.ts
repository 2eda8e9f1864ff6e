import { setTimeout as sleep } from "node:timers/promises";
import type { Api } from "./api.ts";

/** What is needed of a pod here. */
export interface TestPod {
  metadata: { name: string; namespace: string; uid: string; deletionTimestamp?: string; labels?: Record<string, string> };
  spec: { nodeName?: string; containers: { name: string; image: string }[]; initContainers?: { name: string; image: string }[] };
  status: { phase: string };
}

/** Writes the status of a pod, or parts of it, as its kubelet would. */
export async function setPodStatus(
  api: Api,
  { namespace, name, status }: { namespace: string; name: string; status: object },
): Promise<void> {
  await api.patch(`/api/v1/namespaces/${namespace}/pods/${name}/status`, { status });
}

/** What a kubelet says of a pod whose containers all run. */
export function runningStatus({ spec, metadata }: TestPod, restartCount = 0): object {
  const now = new Date().toISOString().replace(/\.\d+/, "");
  const imageID = `docker-pullable://registry.test/app@sha256:${"ab".repeat(32)}`;
  const conditions = ["Initialized", "Ready", "ContainersReady", "PodScheduled"];
  return {
    phase: "Running",
    conditions: conditions.map((type) => ({ type, status: "True", lastProbeTime: null, lastTransitionTime: now })),
    ...{ hostIP: "127.0.0.1", podIP: "10.244.0.7", podIPs: [{ ip: "10.244.0.7" }], startTime: now, reason: null, message: null },
    containerStatuses: spec.containers.map(({ name, image }) => ({
      ...{ name, image, imageID, restartCount, ready: true, started: true, containerID: `containerd://${metadata.uid}-${name}` },
      ...{ state: { running: { startedAt: now } }, lastState: {} },
    })),
  };
}

/**
 * Does what the kubelets of all nodes would do with pods that nothing goes wrong with: new ones run, and those that are to go are gone. New pods that `leaves`
 * names are left to the test.
 */
export function runAllPods(api: Api, { leaves = () => false }: { leaves?: (pod: TestPod) => boolean } = {}): { stop(): Promise<void> } {
  let ending = false;
  const turn = async (): Promise<void> => {
    const { items } = await api.get<{ items: TestPod[] }>("/api/v1/pods?resourceVersion=0");
    await Promise.all(
      items
        .filter((pod) => pod.spec.nodeName !== undefined)
        .map(async (pod) => {
          const { namespace, name } = pod.metadata;
          if (pod.metadata.deletionTimestamp !== undefined) return api.remove(`/api/v1/namespaces/${namespace}/pods/${name}`);
          if (pod.status.phase === "Pending" && !leaves(pod)) return setPodStatus(api, { namespace, name, status: runningStatus(pod) });
        }),
    );
  };
  const running = (async () => {
    while (!ending) {
      // Pods come and go meanwhile, and so may the API server.
      await turn().catch(() => undefined);
      await sleep(100, undefined, { ref: false });
    }
  })();
  return {
    async stop() {
      ending = true;
      await running;
    },
  };
}
