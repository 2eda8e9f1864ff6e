import { z } from "zod";
import { CHANGE_KINDS } from "../../contract/change-kinds.ts";
import { ENDPOINT_STATUSES } from "../../contract/endpoint.ts";
import { STRIP_STATES, STRIP_STEPS } from "../../contract/strip.ts";
import { CONTAINER_STATES } from "../../events.ts";
import { nextCursor } from "../../http/cursor.ts";
import { timestamp } from "../../http/schemas.ts";
import { aroundFields, ENTITY_TYPES, EVIDENCE_KINDS, findingsSchema } from "../assistant/index.ts";
import { MOST_USERS } from "./limits.ts";

/** What happened to a container just before its alert fired. */
export const PRECEDING_KINDS = ["image_changed", "recreated", "state_changed"] as const;

const preceding = z.object({
  at: timestamp,
  kind: z.enum(PRECEDING_KINDS),
  container_id: z.number().int(),
  container_name: z.string(),
  from: z.string().nullable().meta({ description: "the image or state before; null where that is not known" }),
  to: z.string().meta({ description: "the image or state after" }),
});
export type Preceding = z.infer<typeof preceding>;

export const alertContext = z.object({
  alert_id: z.number().int(),
  log_line: z
    .object({ text: z.string(), at: timestamp })
    .nullable()
    .meta({ description: "the last line that its container wrote before it last ended; null where none is kept" }),
  preceding: z.array(preceding).meta({ description: "what changed in the hour before it fired, newest first; at most 3" }),
});
export type AlertContext = z.infer<typeof alertContext>;

export const alertContexts = z.object({
  contexts: z.array(alertContext).meta({ description: "of the 50 worst active alerts, as far as anything is known" }),
});
export type AlertContexts = z.infer<typeof alertContexts>;

export const alertCase = z.object({
  cause: z.string().nullable().meta({ description: "one line: why, as far as is known" }),
  moment: timestamp.meta({ description: "when it happened, according to records: all below is around this" }),
  findings: findingsSchema(),
  missing: z.array(z.string()).meta({ description: "what no record shows" }),
  container: z
    .object({ id: z.number().int(), name: z.string() })
    .nullable()
    .meta({ description: "what the alert is about, or what ran it; null where there is none, or where it was replaced since" }),
  ...aroundFields(),
});
export type AlertCaseRecord = z.infer<typeof alertCase>;

const recordId = z.union([z.number().int(), z.string()]);

export const pastChange = z.object({
  at: timestamp,
  kind: z.enum(CHANGE_KINDS),
  what: z.string().meta({ description: "in a sentence; names stand in `entity`" }),
  entity: z.object({
    type: z.enum(ENTITY_TYPES),
    id: recordId.nullable(),
    name: z.string(),
  }),
  from: z.string().nullable().meta({ description: "of another image: the one before" }),
  to: z.string().nullable(),
  record: z.object({ kind: z.enum(EVIDENCE_KINDS), id: recordId }).meta({ description: "the record that shows it" }),
  agent_id: z.uuid().nullable().meta({ description: "null: the local host" }),
});

export const pastChanges = z.object({
  from: timestamp,
  to: timestamp,
  changes: z.array(pastChange).meta({
    description:
      "newest first. Of an endpoint, a heartbeat, a found update and a lost agent only the latest change is kept as such, so that what changed again after `to` is not in the list; its alerts are.",
  }),
  next_cursor: nextCursor,
});
export type PastChangeList = z.infer<typeof pastChanges>;

export const STRIP_TYPES = ["container", "endpoint", "heartbeat"] as const;

const run = z.object({ state: z.enum(STRIP_STATES), steps: z.number().int().min(1).max(STRIP_STEPS) });

export const strip = z.object({
  type: z.enum(STRIP_TYPES),
  id: z.number().int(),
  runs: z.array(run).min(1).max(STRIP_STEPS).meta({
    description:
      "from `from` on, without gaps. A step is as bad as the worst moment in it; `unknown`: nothing was seen in it; `stopped`: nobody expects it to run",
  }),
});
export type Strip = z.infer<typeof strip>;

export const stripList = z.object({
  from: timestamp,
  to: timestamp.meta({ description: "now, or the end that was asked for; the last step may reach beyond it" }),
  step_seconds: z.number().int().meta({ description: "900 for a whole day" }),
  strips: z.array(strip).meta({ description: "those that were down longest first, then degraded, then unknown" }),
  left_out: z.number().int().meta({ description: "how many more there are than `limit`" }),
});
export type StripList = z.infer<typeof stripList>;

/** How it is known that a container needs another one. */
export const DEPENDENCY_SOURCES = ["compose", "network_mode"] as const;
/** How it is known that an endpoint leads to a container. */
export const LEADS = ["label", "published_port"] as const;
/** What containers can be joined by, without needing each other. */
export const NETWORK_KINDS = ["docker_network", "kubernetes_service"] as const;
/** Who reaches a published port. */
export const REACHES = ["every_network", "one_network", "host"] as const;

const containerId = z.number().int();

export const topology = z.object({
  containers: z
    .array(
      z.object({
        id: containerId,
        agent_id: z.uuid().nullable().meta({ description: "null: the local host" }),
        name: z.string(),
        group: z.string(),
        image: z.string(),
        state: z.enum(CONTAINER_STATES),
        health: z.enum(["healthy", "unhealthy", "starting"]).nullable(),
        host_network: z
          .boolean()
          .meta({ description: "it uses the network of its host: every port that it listens on is one of the host" }),
      }),
    )
    .meta({ description: "present and not ignored, by host, group and name; at most 2000" }),
  dependencies: z.array(z.object({ container_id: containerId, depends_on_id: containerId, source: z.enum(DEPENDENCY_SOURCES) })).meta({
    description: "compose: by `depends_on` of its Compose file; network_mode: it uses the network of the other one. At most 5000",
  }),
  endpoints: z
    .array(
      z.object({
        id: z.number().int(),
        name: z.string(),
        status: z.enum(ENDPOINT_STATUSES),
        container_id: containerId,
        lead: z
          .enum(LEADS)
          .meta({ description: "label: of the container; published_port: it checks one of the container's ports on its host" }),
      }),
    )
    .meta({ description: "active checks that lead to one of the containers; at most 2000" }),
  ports: z
    .array(
      z.object({
        container_id: containerId,
        container_port: z.number().int(),
        protocol: z.enum(["tcp", "udp", "sctp"]),
        host_ip: z.string(),
        host_port: z.number().int(),
        reach: z.enum(REACHES).meta({
          description:
            "who reaches it, unless a firewall says otherwise. every_network: every network of the host, the internet too if one leads there",
        }),
      }),
    )
    .meta({ description: "published on hosts; at most 5000" }),
  networks: z
    .array(
      z.object({
        kind: z.enum(NETWORK_KINDS),
        agent_id: z.uuid().nullable().meta({ description: "null: the local host" }),
        name: z.string().meta({ description: "of a service with its namespace before it: `shop/web`" }),
        container_ids: z.array(containerId).meta({ description: "those shown; of a service the workloads whose pods it selects" }),
        service_type: z
          .enum(["ClusterIP", "NodePort", "LoadBalancer", "ExternalName"])
          .nullable()
          .meta({ description: "null of a network" }),
        ports: z.array(z.string()).meta({ description: "of a service: `80`, `53/udp`, and `80:30080` where it is open on every node" }),
      }),
    )
    .meta({
      description:
        "docker_network: a named network that a container was started with, which is the first of those it is in; not those of the engine itself. " +
        "kubernetes_service: one that selects pods of a workload. At most 2000, and 5000 containers in them",
    }),
  truncated: z.boolean().meta({ description: "a limit was reached: ask for one host or group" }),
});
export type Topology = z.infer<typeof topology>;

const amount = z.number().nullable();

export const usageAt = z.object({
  at: timestamp,
  containers: z
    .array(
      z.object({
        id: z.number().int(),
        agent_id: z.uuid().nullable().meta({ description: "null: the local host" }),
        name: z.string(),
        cpu_percent: amount.meta({ description: "of the allocated CPUs" }),
        memory_bytes: amount,
        memory_limit_bytes: amount,
      }),
    )
    .meta({ description: `that ran then and were measured, those with the most memory first; at most ${MOST_USERS} are looked at` }),
  memory_bytes: amount.meta({ description: "of these containers together; null: none was measured" }),
  left_out: z.number().int().meta({ description: "how many more ran then" }),
});
export type UsageAt = z.infer<typeof usageAt>;
