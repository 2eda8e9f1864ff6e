import {
  placeOf,
  ROLLOUT_STATES,
  type ServicePort,
  type SwarmNode,
  type SwarmTask,
  TASK_STATES,
  type TaskState,
} from "../../observations/swarm.ts";
import { cleanName } from "../../platform/text.ts";
import type { RuntimeSwarmService } from "../runtime.ts";
import { boundedLabels, timeOf } from "./container.ts";
import type { NodeAnswer, ServiceAnswer, TaskAnswer } from "./schemas.ts";

const STACK = "com.docker.stack.namespace";
/** Of errors in the engine's words. */
const MAX_WORDS = 1000;
const MAX_IMAGE = 512;
/** Of one service; a range may publish thousands. */
const MAX_PORTS = 200;
const MAX_LIST = 50;
/** As many as an engine keeps by default. */
const MAX_ENDED_PER_SLOT = 5;
/** In all. Those that are to run come first. */
const MAX_TASKS = 10_000;

const OVER: ReadonlySet<TaskState> = new Set(["complete", "shutdown", "failed", "rejected", "remove", "orphaned"]);

export function serviceOf(answer: ServiceAnswer): RuntimeSwarmService {
  const { Name, Labels, Mode, TaskTemplate } = answer.Spec;
  const spec = TaskTemplate?.ContainerSpec;
  const labels = boundedLabels(Labels);
  const replicas = Mode?.Replicated?.Replicas ?? Mode?.ReplicatedJob?.TotalCompletions ?? null;
  return {
    id: answer.ID,
    name: cleanName(Name),
    mode: modeOf(Mode),
    ...imageOf(spec?.Image ?? ""),
    replicas: Mode?.Global || Mode?.GlobalJob ? null : (replicas ?? 1),
    jobIteration: answer.JobStatus?.JobIteration?.Index ?? null,
    stack: cleanName(labels[STACK] ?? "") || null,
    labels,
    containerLabels: boundedLabels(spec?.Labels ?? {}),
    ports: (answer.Endpoint?.Ports ?? []).slice(0, MAX_PORTS).flatMap(portOf),
    constraints: (TaskTemplate?.Placement?.Constraints ?? []).slice(0, MAX_LIST).map((each) => cleanName(each)),
    configs: (spec?.Configs ?? []).slice(0, MAX_LIST).map(({ ConfigName }) => cleanName(ConfigName)),
    rollout: rolloutOf(answer.UpdateStatus),
    hasPrevious: answer.PreviousSpec != null,
    createdAt: timeOf(answer.CreatedAt),
    updatedAt: timeOf(answer.UpdatedAt),
  };
}

function modeOf(mode: ServiceAnswer["Spec"]["Mode"]): RuntimeSwarmService["mode"] {
  if (mode?.Global) return "global";
  if (mode?.ReplicatedJob) return "replicated-job";
  return mode?.GlobalJob ? "global-job" : "replicated";
}

/** `name:tag@sha256:...` in two parts. */
function imageOf(text: string): { image: string; imageDigest: string | null } {
  const [image = "", digest] = text.split("@", 2);
  return {
    image: cleanName(image, MAX_IMAGE),
    imageDigest: digest !== undefined && /^sha256:[0-9a-f]{64}$/.test(digest) ? digest : null,
  };
}

type PortAnswer = NonNullable<ServiceAnswer["Endpoint"]>["Ports"][number];

function portOf({ Protocol, TargetPort, PublishedPort, PublishMode }: PortAnswer): ServicePort[] {
  if (TargetPort === null) return [];
  const protocol = Protocol === "udp" || Protocol === "sctp" ? Protocol : "tcp";
  return [{ protocol, targetPort: TargetPort, publishedPort: PublishedPort || null, mode: PublishMode === "host" ? "host" : "ingress" }];
}

function rolloutOf(status: ServiceAnswer["UpdateStatus"]): RuntimeSwarmService["rollout"] {
  const state = ROLLOUT_STATES.find((each) => each === status?.State);
  if (state === undefined || status == null) return null;
  const { StartedAt, CompletedAt, Message } = status;
  return { state, startedAt: timeOf(StartedAt), completedAt: timeOf(CompletedAt), message: cleanName(Message, MAX_WORDS) };
}

/** Undefined for a task without a service, as the engine makes for attached networks. */
export function taskOf(answer: TaskAnswer): SwarmTask | undefined {
  const { ID, ServiceID, Slot, Status } = answer;
  const createdAt = timeOf(answer.CreatedAt);
  if (ServiceID === "" || createdAt === null) return undefined;
  const state = stateOf(Status.State);
  const containerId = Status.ContainerStatus?.ContainerID || null;
  return {
    id: ID,
    serviceId: ServiceID,
    slot: Slot === null || Slot === 0 ? null : Slot,
    nodeId: answer.NodeID || null,
    jobIteration: answer.JobIteration?.Index ?? null,
    ...imageOf(answer.Spec?.ContainerSpec?.Image ?? ""),
    state,
    desiredState: stateOf(answer.DesiredState),
    error: cleanName(Status.Err, MAX_WORDS) || null,
    // The engine says 0 while it runs.
    exitCode: containerId !== null && OVER.has(state) ? (Status.ContainerStatus?.ExitCode ?? null) : null,
    containerId,
    createdAt,
    since: timeOf(Status.Timestamp) ?? createdAt,
  };
}

function stateOf(text: string): TaskState {
  return TASK_STATES.find((state) => state === text) ?? "new";
}

/** The tasks that are to run, and the newest of each place that are over; newest first within a place. */
export function keptTasks(all: readonly SwarmTask[], services: readonly Pick<RuntimeSwarmService, "id" | "mode">[]): SwarmTask[] {
  const modes = new Map(services.map(({ id, mode }) => [id, mode]));
  const tasks = all.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  const ended = new Map<string, number>();
  const [current, over]: [SwarmTask[], SwarmTask[]] = [[], []];
  for (const task of tasks) {
    // What is to be complete is a job's, and may run.
    if (!OVER.has(task.state) && (task.desiredState === "complete" || !OVER.has(task.desiredState))) {
      current.push(task);
      continue;
    }
    const place = `${task.serviceId} ${placeOf(task, modes.get(task.serviceId))}`;
    const count = ended.get(place) ?? 0;
    ended.set(place, count + 1);
    if (count < MAX_ENDED_PER_SLOT) over.push(task);
  }
  return [...current, ...over].slice(0, MAX_TASKS);
}

export function nodeOf({ ID, Spec, Description, Status, ManagerStatus }: NodeAnswer): SwarmNode {
  const { Availability } = Spec;
  const state = Status?.State;
  const reachability = ManagerStatus?.Reachability;
  return {
    id: ID,
    hostname: cleanName(Description?.Hostname ?? ""),
    role: Spec.Role === "manager" ? "manager" : "worker",
    availability: Availability === "pause" || Availability === "drain" ? Availability : "active",
    state: state === "ready" || state === "down" || state === "disconnected" ? state : "unknown",
    message: cleanName(Status?.Message ?? "", MAX_WORDS) || null,
    manager:
      ManagerStatus == null
        ? null
        : {
            leader: ManagerStatus.Leader,
            reachability: reachability === "reachable" || reachability === "unreachable" ? reachability : "unknown",
          },
    address: cleanName(Status?.Addr ?? "") || null,
    engineVersion: cleanName(Description?.Engine?.EngineVersion ?? "") || null,
  };
}
