import type { Event } from "../../events.ts";
import type { Route } from "../../http/route.ts";
import type { Tool } from "../../mcp/tool.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import type { DueTimer, Scheduler } from "../../platform/scheduler.ts";
import type { Observation, ObservationSink } from "../../observations.ts";
import type { SwarmTask } from "../../observations/swarm.ts";
import { type Containers, slotOf } from "../containers/index.ts";
import type { ServiceCertificates } from "../certificates/index.ts";
import type { ServiceEndpoints } from "../endpoints/index.ts";
import type { HostData } from "../hosts/index.ts";
import type { Observer } from "../intake.ts";
import type { MoveContainer } from "../move-container.ts";
import type { ActiveSwarmAlert } from "./changes.ts";
import { createMembership, type HostContainer, type Membership, serviceIdOf, TASK_ID } from "./membership.ts";
import { followMoves } from "./moves.ts";
import { createRegister } from "./register.ts";
import { swarmRoutes } from "./routes.ts";
import { createSwarmService, type SwarmService } from "./service.ts";
import { createTaskContainers, followServiceLabels } from "./task-containers.ts";

export type { ActiveSwarmAlert } from "./changes.ts";

export interface SwarmDependencies {
  containers: Pick<Containers, "present" | "service">;
  moveContainer: MoveContainer;
  endpoints: ServiceEndpoints;
  certificates: ServiceCertificates;
  /** Where containers are given again whose services have other labels now. */
  sink: ObservationSink;
  bus: Bus<Event>;
  clock: Clock;
  scheduler: Scheduler;
  /** The alerts of swarms that are active. */
  activeAlerts: () => readonly ActiveSwarmAlert[];
}

export interface Swarm extends Observer, HostData {
  service: SwarmService;
  routes: Route[];
  /** For assistants; made when they are asked for. */
  tools(): Promise<Tool[]>;
  /** Puts the labels of services under those of the containers of their tasks. */
  complete(agentId: string | null, observation: Observation, isReplayed: boolean): Observation;
  /** The events of all that is wrong now. */
  announce(): Event[];
  /** Ports of the service that a container is a task of, as the routing mesh publishes them on every node. */
  nodePortsOf(container: HostContainer): NodePort[];
  /** The same; undefined while the service is not seen, as on a worker whose managers are not watched. */
  servicePortsOf(container: HostContainer): NodePort[] | undefined;
  /** Whether a container is that of an earlier task whose slot has another one that runs; undefined as long as that may still be shown. */
  isSuperseded(container: HostContainer): boolean | undefined;
  /** Calls back when that may be another answer. */
  onSuccession(listener: () => void): void;
  /** Whether a manager shows a cluster now, so that what is not wrong is seen to be well. */
  isObserved(clusterId: string): boolean;
  start(): void;
}

/** A port that is open on every node, on all of its addresses. */
export interface NodePort {
  port: number;
  protocol: "tcp" | "udp" | "sctp";
  bindings: { hostIp: string; hostPort: number }[];
}

/** While there are swarms: some problems begin, and every sight of a swarm ends, by time alone. */
const JUDGE_EVERY_MS = 5_000;

/** Swarms: services, tasks and nodes as managers show them. All of it is in memory, since a host says it again on connect; alerts keep what is wrong. */
export function createSwarm({
  containers,
  moveContainer,
  endpoints,
  certificates,
  sink,
  bus,
  clock,
  scheduler,
  activeAlerts,
}: SwarmDependencies): Swarm {
  const register = createRegister({ active: activeAlerts, startedMs: clock.monotonicMs() });
  const membership = createMembership({ register, clock });
  const taskContainers = createTaskContainers({ present: containers.present, membership });
  const followLabels = followServiceLabels({ register, membership, taskContainers, endpoints, certificates, sink });
  const followSlots = followMoves({ register, membership, present: containers.present, move: moveContainer, taskContainers, sink });
  const listeners: (() => void)[] = [];
  let judging: DueTimer | undefined;
  const service = createSwarmService({ register, present: containers.present, containers: containers.service, clock });
  function notifySuccession(): void {
    for (const listener of listeners) listener();
  }

  function servicePortsOf(container: HostContainer): NodePort[] | undefined {
    return membership
      .serviceOf(container)
      ?.ports.flatMap(({ protocol, targetPort, publishedPort, mode }) =>
        mode === "host" || publishedPort === null
          ? []
          : [{ port: targetPort, protocol, bindings: [{ hostIp: "0.0.0.0", hostPort: publishedPort }] }],
      );
  }

  async function follow(): Promise<void> {
    await followLabels();
    await followSlots();
  }

  return {
    service,
    routes: swarmRoutes(service),
    tools: async () => (await import("./tools.ts")).swarmTools(service),
    announce: () => register.announce(clock.now()),
    complete: taskContainers.complete,
    nodePortsOf: (container) => servicePortsOf(container) ?? [],
    servicePortsOf,
    isSuperseded: createSupersession(membership),
    onSuccession: (listener) => void listeners.push(listener),
    isObserved: (clusterId) => register.clusters().some(({ id, isObserved }) => id === clusterId && isObserved),
    async observe(agentId, observations) {
      const hadAny = register.isAny();
      const sightings = observations.filter((each) => each.kind === "swarm.observed");
      for (const { swarm, observedAt } of sightings) {
        const view = { agentId, swarm, observedAt, receivedMs: clock.monotonicMs() };
        for (const event of register.take(view, clock.now())) bus.publish(event);
      }
      if (sightings.length === 0) return;
      // Engines that are in no swarm say so again and again.
      if (hadAny || register.isAny()) {
        judging?.within(JUDGE_EVERY_MS);
        notifySuccession();
      }
      await follow();
    },
    // It is kept in memory alone.
    purgeHost: async () => undefined,
    forgetHost(agentId) {
      register.forgetHost(agentId, clock.monotonicMs());
      taskContainers.forgetHost(agentId);
      judging?.within(JUDGE_EVERY_MS);
      notifySuccession();
    },
    start() {
      judging = scheduler.whenDue({
        name: "swarm problems",
        async run() {
          for (const event of register.judge(clock.now(), clock.monotonicMs())) bus.publish(event);
          if (register.isAny()) notifySuccession();
          await follow();
          return register.isAny() ? JUDGE_EVERY_MS : Infinity;
        },
      });
    },
  };
}

/**
 * Answers whether a container is that of an earlier task of its slot: its swarm started the next one, on whichever node, and that runs. Undefined as long as
 * no manager has shown its service since the start and one may still do so. What was shown last holds while no manager is reached.
 */
function createSupersession({ ofContainer, serviceOf, isSettled }: Membership) {
  return (container: HostContainer): boolean | undefined => {
    const serviceId = serviceIdOf(container);
    if (serviceId === undefined) return false;
    if (serviceOf(container) === undefined) return isSettled() ? false : undefined;
    // That of a global service is a node, which has no number.
    const slot = Number(slotOf(container.labels));
    const isNext = ({ serviceId: of, slot: other, id, state, desiredState }: SwarmTask): boolean =>
      of === serviceId && other === slot && id !== container.labels[TASK_ID] && state === "running" && desiredState === "running";
    return ofContainer(container)?.topology.tasks.some(isNext) === true;
  };
}
