import type { NodeRecord, PodContainerRecord, PodRecord, WorkloadRecord } from "../../../../src/monitoring/kubernetes/answers.ts";

const AT = "2026-03-01T11:00:00.000Z";
const NONE = { cpu_cores: null, memory_bytes: null };

/** A Deployment of three pods, all ready. */
export function workloadRecord(facts: Partial<WorkloadRecord> = {}): WorkloadRecord {
  const name = facts.name ?? "web";
  return {
    id: `w-${name}`,
    cluster_id: "c1",
    namespace: "shop",
    name,
    kind: "Deployment",
    group: "shop",
    state: "running",
    message: null,
    desired: 3,
    current: 3,
    ready: 3,
    updated: 3,
    available: 3,
    restarts: 0,
    containers: [{ name: "app", kind: "app", image: "shop/web:1", requests: NONE, limits: NONE }],
    labels: {},
    ignored: false,
    rollout: { state: "complete", reason: null, message: null },
    revision: null,
    job: null,
    cron_job: null,
    autoscaler: null,
    nodes: ["node-1"],
    requests: NONE,
    limits: NONE,
    usage: null,
    cpu_throttled_percent: null,
    container_id: 1,
    agent_id: null,
    problems: [],
    created_at: AT,
    ...facts,
  };
}

export function problemRecord(facts: Partial<WorkloadRecord["problems"][number]> = {}): WorkloadRecord["problems"][number] {
  return { alert: "crash_loop", severity: "warning", message: "It crash-loops.", cause: null, since: AT, ...facts };
}

/** A container that runs and is ready. */
export function podContainerRecord(facts: Partial<PodContainerRecord> = {}): PodContainerRecord {
  return {
    name: "app",
    kind: "app",
    image: "shop/web:1",
    image_digest: null,
    state: "running",
    reason: null,
    message: null,
    ready: true,
    restarts: 0,
    started_at: AT,
    end: null,
    last_end: null,
    requests: NONE,
    limits: NONE,
    ...facts,
  };
}

/** A pod that runs and is ready. */
export function podRecord(facts: Partial<PodRecord> = {}): PodRecord {
  const name = facts.name ?? "web-1";
  return {
    id: `p-${name}`,
    cluster_id: "c1",
    namespace: "shop",
    name,
    workload_id: "w-web",
    workload_name: "web",
    workload_kind: "Deployment",
    job_name: null,
    node_id: "n1",
    node_name: "node-1",
    phase: "Running",
    status: "Running",
    message: null,
    reason: null,
    ready: true,
    containers_ready: 1,
    containers_total: 1,
    restarts: 0,
    containers: [podContainerRecord()],
    pod_ip: null,
    qos_class: null,
    claims: [],
    requests: NONE,
    limits: NONE,
    usage: null,
    cpu_throttled_percent: null,
    container_id: 1,
    agent_id: null,
    created_at: AT,
    started_at: AT,
    deleting_since: null,
    ...facts,
  };
}

/** A node that is ready. */
export function nodeRecord(facts: Partial<NodeRecord> = {}): NodeRecord {
  const name = facts.name ?? "node-1";
  return {
    id: `n-${name}`,
    cluster_id: "c1",
    name,
    state: "ready",
    schedulable: true,
    message: null,
    roles: ["worker"],
    conditions: [],
    taints: [],
    pressures: [],
    capacity: { ...NONE, pods: null },
    allocatable: { ...NONE, pods: null },
    requests: NONE,
    limits: NONE,
    usage: null,
    pods: 0,
    kubelet_version: "v1.29.2",
    version_skew: null,
    os_image: null,
    container_runtime: null,
    internal_ip: null,
    problems: [],
    created_at: AT,
    ...facts,
  };
}
