import type { SwarmNode, SwarmService, SwarmTask } from "../../observations/swarm.ts";
import type { NodeRecord, ServiceDetail, ServiceRecord, SwarmProblemRecord, TaskRecord } from "./answers.ts";
import type { SwarmProblem } from "./problem.ts";
import { isCurrent, lastFailure, taskName, type WatchedService } from "./replicas.ts";

const NO_GROUP = "No stack";

export function problemRecord({ alert, severity, message, cause, since }: SwarmProblem): SwarmProblemRecord {
  return { alert, severity, message, cause, since: since.toISOString() };
}

export function groupOf({ settings, stack }: SwarmService): string {
  return settings.group ?? stack ?? NO_GROUP;
}

export function serviceRecord(watched: WatchedService, clusterId: string, problems: readonly SwarmProblem[]): ServiceRecord {
  const { service, state, desired, running, completed, tasks } = watched;
  const failed = tasks.filter((task) => task.state === "failed" || task.state === "rejected");
  const { rollout } = service;
  return {
    id: service.id,
    cluster_id: clusterId,
    name: service.name,
    stack: service.stack,
    group: groupOf(service),
    mode: service.mode,
    ...{ state, desired, running, completed },
    image: service.image,
    image_digest: service.imageDigest,
    ports: service.ports.map(({ protocol, targetPort, publishedPort, mode }) => ({
      ...{ protocol, target_port: targetPort, published_port: publishedPort, mode },
    })),
    constraints: service.constraints,
    configs: service.configs,
    labels: service.labels,
    label_errors: service.labelErrors,
    ignored: service.settings.ignored,
    rollout: rollout && {
      state: rollout.state,
      started_at: textOf(rollout.startedAt),
      completed_at: textOf(rollout.completedAt),
      message: rollout.message,
    },
    failed_tasks: failed.length,
    last_error: lastFailure(tasks)?.error ?? null,
    problems: problems.filter(({ entity_type: type, id }) => type === "swarm_service" && id === service.id).map(problemRecord),
    created_at: textOf(service.createdAt),
    updated_at: textOf(service.updatedAt),
  };
}

/** What else is known of a task. */
export interface TaskFacts {
  clusterId: string;
  service: SwarmService | undefined;
  node: SwarmNode | undefined;
  container: { id: number; agentId: string | null; resources: TaskRecord["resources"] } | undefined;
}

export function taskRecord(task: SwarmTask, { clusterId, service, node, container }: TaskFacts): TaskRecord {
  return {
    id: task.id,
    cluster_id: clusterId,
    name: taskName(service, task),
    service_id: task.serviceId,
    service_name: service?.name ?? task.serviceId,
    slot: task.slot,
    node_id: task.nodeId,
    node_name: node?.hostname ?? null,
    state: task.state,
    desired_state: task.desiredState,
    is_current: isCurrent(task),
    error: task.error,
    exit_code: task.exitCode,
    image: task.image,
    image_digest: task.imageDigest,
    external_id: task.containerId,
    container_id: container?.id ?? null,
    agent_id: container?.agentId ?? null,
    resources: container?.resources ?? null,
    created_at: task.createdAt.toISOString(),
    since: task.since.toISOString(),
  };
}

/** What running tasks use together, as far as it is seen. */
export function usageOf(tasks: readonly TaskRecord[]): ServiceDetail["usage"] {
  const running = tasks.filter((task) => task.is_current && task.state === "running");
  const seen = running.flatMap(({ resources }) => resources ?? []);
  if (seen.length === 0) return null;
  // What cannot be measured is not nothing.
  const measured = (figure: keyof (typeof seen)[number]): number[] => seen.flatMap((resources) => resources[figure] ?? []);
  const total = (figures: readonly number[]): number | null =>
    figures.length === 0 ? null : figures.reduce((sum, figure) => sum + figure, 0);
  const shares = measured("cpu_percent");
  const share = total(shares);
  return {
    memory_bytes: total(measured("memory_bytes")),
    cpu_cores_used: total(measured("cpu_cores_used")),
    cpu_percent: share === null ? null : share / shares.length,
    tasks_seen: seen.length,
    tasks_running: running.length,
  };
}

export interface NodeFacts {
  clusterId: string;
  tasks: number;
  /** undefined: none of our hosts is this node. */
  host: { agentId: string | null } | undefined;
  problems: readonly SwarmProblem[];
}

export function nodeRecord(node: SwarmNode, { clusterId, tasks, host, problems }: NodeFacts): NodeRecord {
  const { id, hostname, role, availability, state, message, manager, address, engineVersion } = node;
  return {
    ...{ id, cluster_id: clusterId, hostname, role, availability, state, message },
    leader: manager?.leader ?? false,
    reachability: manager?.reachability ?? null,
    address,
    engine_version: engineVersion,
    tasks,
    watched: host !== undefined,
    agent_id: host?.agentId ?? null,
    problems: problems.filter(({ entity_type: type, id: of }) => type === "swarm_node" && of === id).map(problemRecord),
  };
}

function textOf(date: Date | null): string | null {
  return date === null ? null : date.toISOString();
}
