import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  ROLLOUT_STATES,
  SERVICE_MODES,
  type SwarmNode,
  type SwarmService,
  type SwarmSighting,
  type SwarmTask,
  type SwarmTopology,
  TASK_STATES,
} from "../../observations/swarm.ts";
import type * as wire from "./gen/service/agent/v1/ingest_pb.ts";
import { fromLabelled, toLabelled } from "./container.ts";
import {
  MAX_ERROR,
  MAX_ID,
  MAX_IMAGE,
  MAX_NAME,
  MAX_NODES,
  MAX_PORTS,
  MAX_SERVICE_LIST,
  MAX_SERVICES,
  MAX_TASKS,
  PORT_NUMBERS,
} from "./limits.ts";
import { dateOf, idOf, listOf, msOf, nameOf, numberOf, optionalDate, optionalName, required, within } from "./values.ts";
import { PROTOCOLS, STANDINGS } from "./vocabulary.ts";

export function toSwarm(swarm: SwarmSighting): MessageInitShape<typeof wire.SwarmObservedSchema> {
  const { standing, clusterId, nodeId, leader, reason, topology } = swarm;
  return {
    standing: STANDINGS.numbers[standing],
    clusterId: clusterId ?? undefined,
    nodeId: nodeId ?? undefined,
    leader,
    reason: reason ?? undefined,
    topology:
      topology === null
        ? undefined
        : { services: topology.services.map(toService), tasks: topology.tasks.map(toTask), nodes: topology.nodes.map(toNode) },
  };
}

export function fromSwarm(sent: wire.SwarmObserved, where: string): SwarmSighting {
  const standing = required(STANDINGS.wordOf(sent.standing), `${where}.standing`);
  return {
    standing,
    clusterId: sent.clusterId === undefined ? null : idOf(sent.clusterId, `${where}.cluster_id`, MAX_ID),
    nodeId: sent.nodeId === undefined ? null : idOf(sent.nodeId, `${where}.node_id`, MAX_ID),
    leader: sent.leader,
    reason: optionalName(sent.reason, `${where}.reason`, MAX_ERROR),
    topology: standing === "manager" ? fromTopology(sent.topology, `${where}.topology`) : null,
  };
}

function fromTopology(sent: wire.SwarmTopology | undefined, where: string): SwarmTopology {
  const topology = required(sent, where);
  return {
    services: listOf(topology.services, `${where}.services`, { most: MAX_SERVICES, read: fromService }),
    tasks: listOf(topology.tasks, `${where}.tasks`, { most: MAX_TASKS, read: fromTask }),
    nodes: listOf(topology.nodes, `${where}.nodes`, { most: MAX_NODES, read: fromNode }),
  };
}

function toService(service: SwarmService): MessageInitShape<typeof wire.SwarmServiceSchema> {
  const { rollout } = service;
  return {
    id: service.id,
    name: service.name,
    mode: service.mode,
    image: service.image,
    imageDigest: service.imageDigest ?? undefined,
    replicas: service.replicas ?? undefined,
    jobIteration: service.jobIteration === null ? undefined : BigInt(service.jobIteration),
    stack: service.stack ?? undefined,
    ...toLabelled(service),
    ports: service.ports.map(({ protocol, targetPort, publishedPort, mode }) => ({
      protocol: PROTOCOLS.numbers[protocol],
      targetPort,
      publishedPort: publishedPort ?? undefined,
      hostMode: mode === "host",
    })),
    constraints: service.constraints,
    configs: service.configs,
    rollout:
      rollout === null
        ? undefined
        : {
            state: rollout.state,
            startedAtMs: msOf(rollout.startedAt),
            completedAtMs: msOf(rollout.completedAt),
            message: rollout.message,
          },
    hasPrevious: service.hasPrevious ?? undefined,
    createdAtMs: msOf(service.createdAt),
    updatedAtMs: msOf(service.updatedAt),
  };
}

function fromService(sent: wire.SwarmService, where: string): SwarmService {
  const name = (text: string, at: string): string => nameOf(text, at, MAX_NAME);
  return {
    id: idOf(sent.id, `${where}.id`, MAX_ID),
    name: name(sent.name, `${where}.name`),
    mode: wordOf(SERVICE_MODES, sent.mode, `${where}.mode`),
    image: nameOf(sent.image, `${where}.image`, MAX_IMAGE),
    imageDigest: optionalName(sent.imageDigest, `${where}.image_digest`, MAX_IMAGE),
    replicas: sent.replicas ?? null,
    jobIteration: sent.jobIteration === undefined ? null : numberOf(sent.jobIteration, `${where}.job_iteration`),
    stack: optionalName(sent.stack, `${where}.stack`, MAX_NAME),
    ...fromLabelled(sent, where),
    ports: listOf(sent.ports, `${where}.ports`, { most: MAX_PORTS, read: fromPort }),
    constraints: listOf(sent.constraints, `${where}.constraints`, { most: MAX_SERVICE_LIST, read: name }),
    configs: listOf(sent.configs, `${where}.configs`, { most: MAX_SERVICE_LIST, read: name }),
    rollout: sent.rollout === undefined ? null : fromRollout(sent.rollout, `${where}.rollout`),
    hasPrevious: sent.hasPrevious ?? null,
    createdAt: optionalDate(sent.createdAtMs, `${where}.created_at_ms`),
    updatedAt: optionalDate(sent.updatedAtMs, `${where}.updated_at_ms`),
  };
}

function fromPort(sent: wire.SwarmPort, where: string): SwarmService["ports"][number] {
  return {
    protocol: PROTOCOLS.wordOf(sent.protocol) ?? "tcp",
    targetPort: within(sent.targetPort, `${where}.target_port`, [0, 65_535]),
    publishedPort: sent.publishedPort === undefined ? null : within(sent.publishedPort, `${where}.published_port`, PORT_NUMBERS),
    mode: sent.hostMode ? "host" : "ingress",
  };
}

function fromRollout(sent: wire.SwarmRollout, where: string): SwarmService["rollout"] {
  return {
    state: wordOf(ROLLOUT_STATES, sent.state, `${where}.state`),
    startedAt: optionalDate(sent.startedAtMs, `${where}.started_at_ms`),
    completedAt: optionalDate(sent.completedAtMs, `${where}.completed_at_ms`),
    message: nameOf(sent.message, `${where}.message`, MAX_ERROR),
  };
}

function toTask(task: SwarmTask): MessageInitShape<typeof wire.SwarmTaskSchema> {
  return {
    id: task.id,
    serviceId: task.serviceId,
    slot: task.slot ?? undefined,
    nodeId: task.nodeId ?? undefined,
    jobIteration: task.jobIteration === null ? undefined : BigInt(task.jobIteration),
    image: task.image,
    imageDigest: task.imageDigest ?? undefined,
    state: task.state,
    desiredState: task.desiredState,
    error: task.error ?? undefined,
    exitCode: task.exitCode === null ? undefined : BigInt(task.exitCode),
    containerId: task.containerId ?? undefined,
    createdAtMs: msOf(task.createdAt),
    sinceMs: msOf(task.since),
  };
}

function fromTask(sent: wire.SwarmTask, where: string): SwarmTask {
  return {
    id: idOf(sent.id, `${where}.id`, MAX_ID),
    serviceId: idOf(sent.serviceId, `${where}.service_id`, MAX_ID),
    slot: sent.slot ?? null,
    nodeId: sent.nodeId === undefined ? null : idOf(sent.nodeId, `${where}.node_id`, MAX_ID),
    jobIteration: sent.jobIteration === undefined ? null : numberOf(sent.jobIteration, `${where}.job_iteration`),
    image: nameOf(sent.image, `${where}.image`, MAX_IMAGE),
    imageDigest: optionalName(sent.imageDigest, `${where}.image_digest`, MAX_IMAGE),
    state: wordOf(TASK_STATES, sent.state, `${where}.state`),
    desiredState: wordOf(TASK_STATES, sent.desiredState, `${where}.desired_state`),
    error: optionalName(sent.error, `${where}.error`, MAX_ERROR),
    exitCode: sent.exitCode === undefined ? null : numberOf(sent.exitCode, `${where}.exit_code`),
    containerId: sent.containerId === undefined ? null : idOf(sent.containerId, `${where}.container_id`, MAX_ID),
    createdAt: dateOf(sent.createdAtMs, `${where}.created_at_ms`),
    since: dateOf(sent.sinceMs, `${where}.since_ms`),
  };
}

function toNode(node: SwarmNode): MessageInitShape<typeof wire.SwarmNodeSchema> {
  return {
    id: node.id,
    hostname: node.hostname,
    manager: node.role === "manager",
    availability: node.availability,
    state: node.state,
    message: node.message ?? undefined,
    leader: node.manager?.leader ?? false,
    reachability: node.manager?.reachability,
    address: node.address ?? undefined,
    engineVersion: node.engineVersion ?? undefined,
  };
}

function fromNode(sent: wire.SwarmNode, where: string): SwarmNode {
  const { reachability } = sent;
  return {
    id: idOf(sent.id, `${where}.id`, MAX_ID),
    hostname: nameOf(sent.hostname, `${where}.hostname`, MAX_NAME),
    role: sent.manager ? "manager" : "worker",
    availability: wordOf(["active", "pause", "drain"] as const, sent.availability, `${where}.availability`),
    state: wordOf(["ready", "down", "disconnected", "unknown"] as const, sent.state, `${where}.state`),
    message: optionalName(sent.message, `${where}.message`, MAX_ERROR),
    manager:
      reachability === undefined
        ? null
        : {
            leader: sent.leader,
            reachability: wordOf(["reachable", "unreachable", "unknown"] as const, reachability, `${where}.reachability`),
          },
    address: optionalName(sent.address, `${where}.address`, MAX_NAME),
    engineVersion: optionalName(sent.engineVersion, `${where}.engine_version`, MAX_NAME),
  };
}

function wordOf<Word extends string>(words: readonly Word[], text: string, where: string): Word {
  return required(
    words.find((word) => word === text),
    where,
  );
}
