import { z } from "zod";
import { flag, labels, listOf, text } from "../../json.ts";

/** What is read of an engine's answers about its swarm; unknown fields are ignored, as in ../schemas.ts. */
const number = z
  .number()
  .nullish()
  .transform((value) => value ?? null);

export const swarmInfo = z.object({
  Swarm: z
    .object({
      NodeID: text,
      LocalNodeState: text,
      ControlAvailable: flag,
      Error: text,
      Cluster: z.object({ ID: text }).nullish(),
    })
    .nullish(),
});

const spec = z.object({ Image: text, Configs: listOf(z.object({ ConfigName: text })) });

export const serviceAnswer = z.object({
  ID: z.string(),
  CreatedAt: text,
  UpdatedAt: text,
  Spec: z.object({
    Name: text,
    Labels: labels,
    Mode: z
      .object({
        Replicated: z.object({ Replicas: number }).nullish(),
        Global: z.object({}).nullish(),
        ReplicatedJob: z.object({ TotalCompletions: number }).nullish(),
        GlobalJob: z.object({}).nullish(),
      })
      .nullish(),
    TaskTemplate: z
      .object({
        ContainerSpec: spec.extend({ Labels: labels }).nullish(),
        Placement: z.object({ Constraints: listOf(z.string()) }).nullish(),
      })
      .nullish(),
  }),
  /** What it was before; only whether there is something. */
  PreviousSpec: z.object({}).nullish(),
  Endpoint: z
    .object({ Ports: listOf(z.object({ Protocol: text, TargetPort: number, PublishedPort: number, PublishMode: text })) })
    .nullish(),
  /** Counted by the swarm over all that it does; only whether two are the same says something. */
  JobStatus: z.object({ JobIteration: z.object({ Index: number }).nullish() }).nullish(),
  UpdateStatus: z.object({ State: text, StartedAt: text, CompletedAt: text, Message: text }).nullish(),
});
export type ServiceAnswer = z.infer<typeof serviceAnswer>;

export const taskAnswer = z.object({
  ID: z.string(),
  CreatedAt: text,
  ServiceID: text,
  NodeID: text,
  Slot: number,
  DesiredState: text,
  JobIteration: z.object({ Index: number }).nullish(),
  Spec: z.object({ ContainerSpec: spec.nullish() }).nullish(),
  Status: z.object({
    State: text,
    Timestamp: text,
    Message: text,
    Err: text,
    ContainerStatus: z.object({ ContainerID: text, ExitCode: number }).nullish(),
  }),
});
export type TaskAnswer = z.infer<typeof taskAnswer>;

export const nodeList = z.array(
  z.object({
    ID: z.string(),
    Spec: z.object({ Role: text, Availability: text }),
    Description: z.object({ Hostname: text, Engine: z.object({ EngineVersion: text }).nullish() }).nullish(),
    Status: z.object({ State: text, Message: text, Addr: text }).nullish(),
    ManagerStatus: z.object({ Leader: flag, Reachability: text }).nullish(),
  }),
);
export type NodeAnswer = z.infer<typeof nodeList>[number];
