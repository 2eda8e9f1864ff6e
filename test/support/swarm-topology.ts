import type { SwarmNode, SwarmService, SwarmSighting, SwarmTask, SwarmTopology } from "../../src/observations/swarm.ts";
import type { RuntimeSwarm } from "../../src/runtimes/runtime.ts";
import { defaultSettings } from "./sightings.ts";

const AT = new Date("2026-03-01T11:00:00Z");

/** A replicated service of one task. */
export function swarmService(facts: Partial<SwarmService> = {}): SwarmService {
  const name = facts.name ?? "web";
  return {
    id: `s${name}`,
    name,
    mode: "replicated",
    image: "shop/web:1",
    imageDigest: null,
    replicas: 1,
    jobIteration: null,
    stack: null,
    labels: {},
    settings: defaultSettings,
    labelErrors: [],
    endpoints: [],
    certificates: [],
    ports: [],
    constraints: [],
    configs: [],
    rollout: null,
    hasPrevious: true,
    createdAt: AT,
    updatedAt: AT,
    ...facts,
  };
}

/** A task of the service `web`, that runs on the first node. */
export function swarmTask(facts: Partial<SwarmTask> = {}): SwarmTask {
  return {
    id: "t1",
    serviceId: "sweb",
    slot: 1,
    nodeId: "n1",
    jobIteration: null,
    image: "shop/web:1",
    imageDigest: null,
    state: "running",
    desiredState: "running",
    error: null,
    exitCode: null,
    containerId: null,
    createdAt: AT,
    since: AT,
    ...facts,
  };
}

/** A manager that is ready, and leads when it is the first. */
export function swarmNode(number: number, facts: Partial<SwarmNode> = {}): SwarmNode {
  return {
    id: `n${number}`,
    hostname: `node-${number}`,
    role: "manager",
    availability: "active",
    state: "ready",
    message: null,
    manager: { leader: number === 1, reachability: "reachable" },
    address: `10.0.0.${number}`,
    engineVersion: "28.5.2",
    ...facts,
  };
}

export function swarmTopology(facts: Partial<SwarmTopology> = {}): SwarmTopology {
  return { services: [swarmService()], tasks: [swarmTask()], nodes: [swarmNode(1), swarmNode(2), swarmNode(3)], ...facts };
}

/** What the engine of a node shows, which is a manager by default. */
export function swarmSighting(facts: Partial<SwarmSighting> = {}): SwarmSighting {
  return { standing: "manager", clusterId: "c1", nodeId: "n1", leader: true, reason: null, topology: swarmTopology(), ...facts };
}

/** The same before labels were read; its containers have none. */
export function runtimeSwarm(facts: Partial<SwarmSighting> = {}): RuntimeSwarm {
  const { topology, ...swarm } = swarmSighting(facts);
  const services = (topology?.services ?? []).map(({ settings: _, labelErrors: __, endpoints: ___, certificates: ____, ...service }) => ({
    ...service,
    containerLabels: {},
  }));
  return { ...swarm, topology: topology && { ...topology, services } };
}
