import { until } from "../until.ts";
import type { TestCluster } from "./cluster.ts";
import { setPodStatus, type TestPod } from "./pods.ts";

const VERSIONS: Readonly<Record<string, string>> = {
  ...{ Deployment: "apps/v1", StatefulSet: "apps/v1", DaemonSet: "apps/v1" },
  ...{ Job: "batch/v1", CronJob: "batch/v1beta1" },
};
const WITHIN = { withinMs: 60_000, everyMs: 100 };

interface Facts {
  replicas?: number;
  resources?: object;
  progressDeadlineSeconds?: number;
}

/** The pods of a workload are found by the label `app`. */
export function podTemplate(name: string, { container = {}, pod = {} }: { container?: object; pod?: object } = {}) {
  return { metadata: { labels: { app: name } }, spec: { containers: [{ name: "app", image: `${name}:1`, ...container }], ...pod } };
}

/** The spec of a Deployment. */
export function deploymentOf(name: string, { replicas = 1, resources, ...more }: Facts = {}) {
  const container = resources === undefined ? {} : { resources };
  return { replicas, selector: { matchLabels: { app: name } }, template: podTemplate(name, { container }), ...more };
}

/** Orders to a cluster in the namespace `shop`, as its users and its kubelets give them. */
export function createShop(cluster: () => TestCluster, namespace = "shop") {
  async function scheduled(name: string): Promise<TestPod[]> {
    const path = `/api/v1/namespaces/${namespace}/pods?labelSelector=app%3D${name}`;
    const { items } = await cluster().api.get<{ items: TestPod[] }>(path);
    return items.filter(({ spec, metadata }) => spec.nodeName !== undefined && metadata.deletionTimestamp === undefined);
  }

  return {
    open: () => cluster().kubectl("create", "namespace", namespace),
    /** `kubectl apply` of an object with a spec. */
    apply: (kind: string, name: string, spec: object, annotations: Record<string, string> = {}): Promise<void> =>
      cluster().apply(JSON.stringify({ apiVersion: VERSIONS[kind] ?? "v1", kind, metadata: { name, namespace, annotations }, spec })),
    kubectl: (...args: string[]): Promise<string> => cluster().kubectl("-n", namespace, ...args),
    /** Pods of a workload that came to a node and are not to go. */
    scheduled,
    /** The kubelet of each pod of a workload says so of it. */
    async say(name: string, status: (pod: TestPod) => object, { count = 1 }: { count?: number } = {}): Promise<void> {
      const pods = await until(
        async () => {
          const found = await scheduled(name);
          return found.length >= count ? found : undefined;
        },
        { ...WITHIN, what: `pods of ${name} on a node` },
      );
      for (const pod of pods) await setPodStatus(cluster().api, { namespace, name: pod.metadata.name, status: status(pod) });
    },
  };
}
