import { z } from "zod";
import { SEVERITIES } from "../../contract/alert.ts";
import { LOG_STREAMS } from "../../contract/log.ts";
import { SERVICE_STATES, SWARM_ALERTS } from "../../events.ts";
import { nextCursor } from "../../http/cursor.ts";
import { timestamp } from "../../http/schemas.ts";
import { ROLLOUT_STATES, SERVICE_MODES } from "../../observations/swarm.ts";

const count = z.number().int();
const dockerId = z.string();
const agentId = z.uuid().nullable();
export const words = z.string().nullable();

const rollout = z
  .object({
    state: z.enum(ROLLOUT_STATES),
    started_at: timestamp.nullable(),
    completed_at: timestamp.nullable(),
    message: z.string().meta({ description: "in the engine's words" }),
  })
  .nullable()
  .meta({ description: "the last update of the service, or its rollback; null when it was never updated" });

const port = z.object({
  protocol: z.enum(["tcp", "udp", "sctp"]),
  target_port: count,
  published_port: count.nullable(),
  mode: z.enum(["ingress", "host"]).meta({ description: "ingress: on every node, by the routing mesh; host: on the nodes of its tasks" }),
});

const problem = z.object({
  alert: z.enum(SWARM_ALERTS),
  severity: z.enum(SEVERITIES),
  message: z.string(),
  cause: words,
  since: timestamp,
});
export type SwarmProblemRecord = z.infer<typeof problem>;

export const service = z.object({
  id: dockerId.meta({ description: "as Docker names it" }),
  cluster_id: dockerId,
  name: z.string(),
  stack: words.meta({ description: "by the label com.docker.stack.namespace" }),
  group: z.string().meta({ description: "by the label service.group, else the stack, else `No stack`" }),
  mode: z.enum(SERVICE_MODES),
  state: z.enum(SERVICE_STATES),
  desired: count.meta({ description: "tasks that it asks for" }),
  running: count,
  completed: count.nullable().meta({ description: "of a job, and of a service whose tasks all ran once and are done; null of others" }),
  image: z.string(),
  image_digest: words,
  ports: z.array(port),
  constraints: z.array(z.string()),
  configs: z.array(z.string()).meta({ description: "names alone" }),
  labels: z.record(z.string(), z.string()).meta({ description: "of the service; values that look secret are masked" }),
  label_errors: z
    .array(z.object({ label: z.string(), message: z.string() }))
    .meta({ description: "labels of the service that were not understood; their defaults hold" }),
  ignored: z.boolean().meta({ description: "by its label service.ignore: nothing of it is alerted" }),
  rollout,
  failed_tasks: count.meta({ description: "of those that the swarm still remembers" }),
  last_error: words.meta({ description: "of the task that failed last, in the engine's words" }),
  problems: z.array(problem),
  created_at: timestamp.nullable(),
  updated_at: timestamp.nullable(),
});
export type ServiceRecord = z.infer<typeof service>;

export const task = z.object({
  id: dockerId,
  cluster_id: dockerId,
  name: z.string().meta({ description: "the service and the slot, as in `web.1`" }),
  service_id: dockerId,
  service_name: z.string(),
  slot: count.nullable().meta({ description: "null of a global service" }),
  node_id: words,
  node_name: words,
  state: z.string().meta({ description: "the engine's word, as in `running`" }),
  desired_state: z.string(),
  is_current: z.boolean().meta({ description: "false: it is over, and is kept as the history of its slot" }),
  error: words.meta({ description: "why it failed or cannot be placed, in the engine's words" }),
  exit_code: count.nullable(),
  image: z.string(),
  image_digest: words,
  external_id: words.meta({ description: "of its container" }),
  container_id: count.nullable().meta({ description: "of its container here; null where its node is not watched" }),
  agent_id: agentId.meta({ description: "of the host that watches its container" }),
  resources: z
    .object({ cpu_percent: z.number().nullable(), cpu_cores_used: z.number().nullable(), memory_bytes: z.number().nullable() })
    .nullable()
    .meta({ description: "what its container uses, by the last tick; null where that is not seen" }),
  created_at: timestamp,
  since: timestamp.meta({ description: "since when it has been in its state" }),
});
export type TaskRecord = z.infer<typeof task>;

export const node = z.object({
  id: dockerId,
  cluster_id: dockerId,
  hostname: z.string(),
  role: z.enum(["manager", "worker"]),
  availability: z.enum(["active", "pause", "drain"]),
  state: z.enum(["ready", "down", "disconnected", "unknown"]),
  message: words.meta({ description: "why it is down, in the engine's words" }),
  leader: z.boolean(),
  reachability: z.enum(["reachable", "unreachable", "unknown"]).nullable().meta({ description: "of a manager; null of a worker" }),
  address: words,
  engine_version: words,
  tasks: count.meta({ description: "that run on it" }),
  watched: z.boolean().meta({ description: "its engine is watched here, so its containers are" }),
  agent_id: agentId,
  problems: z.array(problem),
});
export type NodeRecord = z.infer<typeof node>;

export const cluster = z.object({
  id: dockerId,
  observed: z.boolean().meta({ description: "false: it is shown as it was last seen, see `reason`; nothing is known to be gone" }),
  observed_at: timestamp,
  reason: words,
  agent_id: agentId.meta({ description: "whose manager shows it" }),
  managers: count,
  nodes: count,
  services: count,
  tasks: count.meta({ description: "that run" }),
  problems: z.array(problem).meta({ description: "of the cluster itself" }),
});
export type ClusterRecord = z.infer<typeof cluster>;

const clusters = z.array(cluster).meta({ description: "the swarms that are seen" });

export const serviceList = z.object({ services: z.array(service), clusters, total: count, next_cursor: nextCursor });
export type ServiceList = z.infer<typeof serviceList>;

export const taskList = z.object({ tasks: z.array(task), total: count, next_cursor: nextCursor });
export type TaskList = z.infer<typeof taskList>;

export const nodeList = z.object({ nodes: z.array(node), clusters, total: count, next_cursor: nextCursor });
export type NodeList = z.infer<typeof nodeList>;

export const serviceDetail = service.extend({
  tasks: z.array(task).meta({ description: "those that are to run, by slot, then those that are over, newest first" }),
  cluster,
  usage: z
    .object({
      memory_bytes: z.number().nullable().meta({ description: "of all tasks whose containers are seen and can be measured" }),
      cpu_cores_used: z.number().nullable().meta({ description: "of the same together" }),
      cpu_percent: z.number().nullable().meta({ description: "mean of these tasks, each of the CPUs that it may use" }),
      tasks_seen: count,
      tasks_running: count,
    })
    .nullable()
    .meta({ description: "what its tasks use together; null while none of them is seen. A task is seen where its node is watched" }),
  commands: z
    .object({
      update: z.string(),
      rollback: z.string().nullable().meta({ description: "null while the swarm keeps nothing that it was before" }),
    })
    .nullable()
    .meta({ description: "to run on a manager; null where the name cannot be put into a command" }),
});
export type ServiceDetail = z.infer<typeof serviceDetail>;

const serviceLogLine = z.object({
  timestamp: timestamp.nullable(),
  stream: z.enum(LOG_STREAMS),
  text: z.string(),
  task_id: dockerId,
  task_name: z.string(),
  slot: count.nullable(),
  node_name: words,
});
export type ServiceLogLine = z.infer<typeof serviceLogLine>;

const unseenTasks = z
  .array(z.object({ task_id: dockerId, task_name: z.string(), node_name: words, reason: z.string() }))
  .meta({ description: "tasks whose log is not in it, and why" });
export type UnseenTasks = z.infer<typeof unseenTasks>;

export const serviceLogs = z.object({
  service_id: dockerId,
  lines: z.array(serviceLogLine).meta({ description: "of all tasks, in the order of time, oldest first" }),
  truncated: z.boolean().meta({ description: "there are older lines" }),
  unseen: unseenTasks,
});
export type ServiceLogs = z.infer<typeof serviceLogs>;
