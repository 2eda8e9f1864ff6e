import type { KubernetesObjects } from "../../src/observations/kubernetes.ts";
import {
  certificate,
  claim,
  clusterEvent,
  container,
  ingress,
  namespace,
  node,
  notReady,
  pod,
  replicas,
  service,
  waiting,
  workload,
} from "./kubernetes-topology.ts";

const MiB = 1024 ** 2;

/** A shop of two workloads on two nodes, and a job runner in a separate namespace. */
export function shop(): Partial<KubernetesObjects> {
  const amounts = (cpuCores: number | null, memoryBytes: number | null) => ({ cpuCores, memoryBytes });
  const app = container({ requests: amounts(0.25, 128 * MiB), limits: amounts(null, 256 * MiB), restartCount: 2 });
  const init = container({ name: "migrate", kind: "init", state: "terminated", ready: true, requests: amounts(2, null) });
  return {
    namespaces: [namespace({ podSecurity: "baseline", hasNetworkPolicy: false }), namespace({ name: "jobs", phase: "Terminating" })],
    nodes: [node(1), notReady(2), node(10, { unschedulable: true, kubeletVersion: "v1.26.9" })],
    workloads: [
      workload({
        settings: { ...workload().settings, group: "front" },
        replicas: replicas(2, 1),
        autoscaler: { name: "web", min: 1, max: 2, current: 2, desired: 2, problem: null },
      }),
      workload({ name: "db", kind: "StatefulSet", containers: workload().containers.map((each) => ({ ...each, image: "postgres" })) }),
      workload({ name: "nightly", namespace: "jobs", kind: "CronJob", rollout: null, replicas: { ...replicas(0), desired: null } }),
    ],
    pods: [
      pod({ containers: [init, app], usage: { ...amounts(0.1, 64 * MiB), throttledShare: 0.375 }, claims: ["data"] }),
      pod({
        name: "web-2",
        nodeName: "node-2",
        ...waiting("CrashLoopBackOff", { lastEnd: { reason: "Error", message: null, exitCode: 3, finishedAt: null } }),
      }),
      pod({ name: "db-0", workloadId: "w-db", nodeName: "node-1", containers: [app] }),
      pod({
        name: "nightly-1",
        namespace: "jobs",
        workloadId: "w-nightly",
        jobName: "nightly-1",
        phase: "Succeeded",
        status: "Completed",
        ready: false,
      }),
    ],
    services: [
      service(),
      service({
        name: "db",
        workloadIds: ["w-db"],
        type: "NodePort",
        ports: [{ name: null, port: 5432, nodePort: 30_432, protocol: "tcp", target: "5432" }],
      }),
    ],
    routes: [
      ingress(),
      ingress({
        name: "any",
        rules: [
          { host: "*.shop.example", path: "/a(b", tls: false, serviceName: "web" },
          { host: "plain.example", path: "/x", tls: false, serviceName: "db" },
        ],
      }),
    ],
    claims: [claim({ usedBytes: 900 }), claim({ id: "c-tmp", name: "tmp", usedBytes: null, sizeBytes: null })],
    certificates: [certificate()],
    events: [
      clusterEvent(),
      clusterEvent({
        name: "scaled",
        type: "Normal",
        reason: "ScalingReplicaSet",
        message: "Scaled up",
        about: { kind: "Deployment", name: "web", id: "w-web" },
      }),
      clusterEvent({ name: "left", namespace: "jobs", message: "50%_done", about: { kind: "Job", name: "nightly-29", id: null } }),
    ],
  };
}
