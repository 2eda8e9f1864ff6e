import type { WorkloadList } from "../../src/monitoring/kubernetes/answers.ts";
import { startCluster } from "../../test/support/kubernetes/cluster.ts";
import { runAllPods, setPodStatus, type TestPod } from "../../test/support/kubernetes/pods.ts";
import { endedStatus, endOf, waitingStatus } from "../../test/support/kubernetes/statuses.ts";
import { type Program, startProgram } from "../../test/support/program.ts";
import { until } from "../../test/support/until.ts";

/** A cluster with something of everything, and the program that watches it. */
export interface KubernetesScene {
  kubernetes: Program;
  /** The id of the workload whose pods crash. */
  crashing: string;
}

const podsOf = (app: string, image: string, container = ""): string =>
  `selector: { matchLabels: { app: ${app} } }
  template:
    metadata: { labels: { app: ${app} } }
    spec: { containers: [{ name: app, image: "${image}"${container} }] }`;
const LIMITED = ", resources: { requests: { cpu: 250m, memory: 128Mi }, limits: { memory: 256Mi } }";

const OBJECTS = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: storefront, namespace: shop }
spec:
  replicas: 3
  ${podsOf("storefront", "ghcr.example/shop/storefront:4.12.0", LIMITED)}
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: checkout, namespace: shop }
spec:
  replicas: 2
  ${podsOf("checkout", "ghcr.example/shop/checkout:2.7.1", LIMITED)}
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: recommendations, namespace: shop }
spec:
  replicas: 1
  ${podsOf("recommendations", "ghcr.example/shop/recommendations:1.9.0-rc2")}
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: search, namespace: shop }
spec:
  replicas: 1
  ${podsOf("search", "docker.io/library/opensearch:2", ", resources: { requests: { cpu: 64 } }")}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: orders-db, namespace: shop }
spec:
  replicas: 1
  serviceName: orders-db
  ${podsOf("orders-db", "docker.io/library/postgres:16", LIMITED)}
---
apiVersion: batch/v1
kind: Job
metadata: { name: migrate-2026-11, namespace: shop }
spec:
  backoffLimit: 0
  template:
    metadata: { labels: { app: migrate } }
    spec: { restartPolicy: Never, containers: [{ name: app, image: "ghcr.example/shop/migrate:4.12.0" }] }
---
apiVersion: batch/v1beta1
kind: CronJob
metadata: { name: nightly-report, namespace: shop }
spec:
  schedule: "0 3 * * *"
  jobTemplate: { spec: { template: { spec: { restartPolicy: Never, containers: [{ name: app, image: "ghcr.example/shop/report:3" }] } } } }
---
apiVersion: apps/v1
kind: DaemonSet
metadata: { name: node-exporter, namespace: monitoring }
spec:
  ${podsOf("node-exporter", "quay.example/prometheus/node-exporter:v1.8.2")}
---
apiVersion: v1
kind: Service
metadata: { name: storefront, namespace: shop }
spec: { type: NodePort, selector: { app: storefront }, ports: [{ port: 80, targetPort: 8080 }] }
---
apiVersion: v1
kind: Service
metadata: { name: orders-db, namespace: shop }
spec: { selector: { app: orders-db }, ports: [{ port: 5432 }] }
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: storefront, namespace: shop }
spec:
  rules:
    - host: shop.example.org
      http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: storefront, port: { number: 80 } } } }] }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: orders, namespace: shop }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 20Gi } } }
`;

/** What the kubelets say of pods that do not simply run, by the beginning of their names. */
const TROUBLE: Readonly<Record<string, () => object>> = {
  checkout: () => ({
    phase: "Running",
    containerStatuses: [
      waitingStatus("CrashLoopBackOff", {
        message: "back-off 5m0s restarting failed container",
        restarts: 14,
        last: endOf(137, "OOMKilled"),
      }),
    ],
  }),
  recommendations: () => ({
    phase: "Pending",
    containerStatuses: [waitingStatus("ImagePullBackOff", { message: "ghcr.example/shop/recommendations:1.9.0-rc2: not found" })],
  }),
  migrate: () => ({ phase: "Failed", containerStatuses: [endedStatus(1, "Error")] }),
};

const troubleOf = ({ metadata }: TestPod): (() => object) | undefined =>
  Object.entries(TROUBLE).find(([name]) => metadata.name.startsWith(name))?.[1];

/** Starts a control plane with three nodes and what they run. What was started is stopped with the stack. */
export async function startKubernetesScene(stack: AsyncDisposableStack): Promise<KubernetesScene> {
  const cluster = await startCluster({ controllers: true });
  stack.defer(() => cluster.stop());
  await cluster.addNode("node-a");
  await cluster.addNode("node-b");
  const full = await cluster.addNode("node-c");
  const kubelets = runAllPods(cluster.api, { leaves: (pod) => troubleOf(pod) !== undefined });
  stack.defer(() => kubelets.stop());
  for (const namespace of ["shop", "monitoring"]) await cluster.kubectl("create", "namespace", namespace);
  await cluster.apply(OBJECTS);
  await full.condition("MemoryPressure", "True", "KubeletHasInsufficientMemory");
  await breakPods(cluster.api);
  const kubernetes = await startProgram({ env: { SERVICE_RUNTIME: "kubernetes", SERVICE_KUBECONFIG: cluster.kubeconfig } });
  stack.defer(async () => void (await kubernetes.stop()));
  const crashing = await until(
    async () => {
      const { workloads = [] } = await kubernetes.get<Partial<WorkloadList>>("/api/v1/kubernetes/workloads");
      const isReady = workloads.some(({ name, state }) => name === "storefront" && state === "running");
      return isReady ? workloads.find(({ name, problems }) => name === "checkout" && problems.length > 0)?.id : undefined;
    },
    { withinMs: 60_000, everyMs: 500 },
  );
  return { kubernetes, crashing };
}

/** Says so of each pod that is in trouble, once all of them came to a node. */
async function breakPods(api: Parameters<typeof setPodStatus>[0]): Promise<void> {
  const pods = await until(
    async () => {
      const { items } = await api.get<{ items: TestPod[] }>("/api/v1/namespaces/shop/pods");
      const found = items.filter((pod) => troubleOf(pod) !== undefined && pod.spec.nodeName !== undefined);
      return found.length === 4 ? found : undefined;
    },
    { withinMs: 60_000, everyMs: 200, what: "the pods that are in trouble, on a node" },
  );
  for (const pod of pods)
    await setPodStatus(api, {
      namespace: "shop",
      name: pod.metadata.name,
      status: { startTime: new Date().toISOString(), ...troubleOf(pod)?.() },
    });
}
