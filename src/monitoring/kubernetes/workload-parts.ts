/** Parts of the answers about workloads and pods. */
import { z } from "zod";
import { KUBERNETES_ROLLOUT_STATES } from "../../observations/kubernetes-workloads.ts";
import { count, time, words } from "./objects.ts";

export const rollout = z
  .object({ state: z.enum(KUBERNETES_ROLLOUT_STATES), reason: words, message: words })
  .nullable()
  .meta({ description: "how its current version comes in; null of a kind that has none" });

export const job = z
  .object({
    completions: count.nullable().meta({ description: "null: any one success is enough" }),
    active: count,
    succeeded: count,
    failed: count,
    started_at: time,
    completed_at: time,
    outcome: z.enum(["running", "complete", "failed", "suspended"]),
    reason: words,
    message: words,
  })
  .nullable();

export const cronJob = z
  .object({
    schedule: z.string(),
    time_zone: words.meta({ description: "IANA name; null: that of the controller manager, mostly UTC" }),
    suspended: z.boolean(),
    starting_deadline_seconds: z.number().nullable(),
    concurrency_policy: z.enum(["Allow", "Forbid", "Replace"]),
    active: count,
    last_scheduled_at: time,
    last_success_at: time,
    last_outcome: z.object({ job_name: z.string(), outcome: z.enum(["complete", "failed"]), reason: words, finished_at: time }).nullable(),
    next_run_at: time.meta({ description: "by its schedule; null while it is suspended, or of a schedule that is not understood" }),
  })
  .nullable();

export const autoscaler = z
  .object({
    name: z.string(),
    min: count,
    max: count,
    current: count,
    desired: count,
    at_limit: z.boolean().meta({ description: "it asks for as many as it may" }),
    problem: words.meta({ description: "why it cannot scale; null when it can" }),
  })
  .nullable()
  .meta({ description: "the HorizontalPodAutoscaler of the workload" });

export const containerKind = z.enum(["app", "init", "sidecar", "ephemeral"]);

export const containerEnd = z.object({ reason: words, message: words, exit_code: count, finished_at: time }).nullable();

/** A level of the Pod Security Standards. */
export const podSecurity = z.enum(["privileged", "baseline", "restricted"]).nullable();

export const security = z.object({
  privileged: z.array(z.string()).meta({ description: "names of containers" }),
  host_network: z.boolean(),
  host_pid: z.boolean(),
  host_ipc: z.boolean(),
  host_paths: z.array(z.string()),
  host_ports: z.array(z.object({ container: z.string(), port: count, protocol: z.enum(["tcp", "udp", "sctp"]) })),
  runs_as_root: z.array(z.string()),
  without_memory_limit: z.array(z.string()),
  without_cpu_limit: z.array(z.string()),
  added_capabilities: z.array(z.string()),
  service_account: z.string(),
  automounts_token: z.boolean(),
  latest_tag: z.array(z.string()).meta({ description: "names of containers whose image has no tag, or `latest`" }),
  namespace_level: podSecurity,
});

export const commands = z.object({
  update: z.string().meta({ description: "kubectl set image, with the images that it has now" }),
  undo: words.meta({ description: "kubectl rollout undo; null of a kind that cannot" }),
  restart: words.meta({ description: "kubectl rollout restart; null of a kind that cannot" }),
});
