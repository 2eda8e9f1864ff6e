import { z } from "zod";
import { flag, labels, listOf, recordOf, text } from "../json.ts";

/**
 * What is read of an engine's answers. Unknown fields are ignored, and what Podman or an older engine leaves out has a default:
 * only what cannot be done without is required.
 */
const count = z
  .number()
  .int()
  .nullish()
  .transform((value) => value ?? 0);
const amount = z
  .number()
  .nullish()
  .transform((value) => value ?? 0);

export const versionAnswer = z.object({ Version: text, ApiVersion: z.string(), MinAPIVersion: text });

export const infoAnswer = z.object({
  Name: text,
  OperatingSystem: text,
  SystemTime: text,
  NCPU: count,
  MemTotal: amount,
  CgroupVersion: text,
  SecurityOptions: listOf(z.string()),
  /** Podman only. */
  Rootless: flag,
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

export const containerList = z.array(
  z.object({
    Id: z.string(),
    Names: listOf(z.string()),
    Image: text,
    ImageID: text,
    Labels: labels,
    State: text,
    /** In words, as "Up 2 hours (healthy)" or "Exited (137) 3 minutes ago". */
    Status: text,
    /** Seconds of the epoch; older ones of Podman write a time. */
    Created: z.union([z.number(), z.string()]).nullish(),
    HostConfig: z.object({ NetworkMode: text }).nullish(),
  }),
);
export type ListedContainer = z.infer<typeof containerList>[number];

const binding = z.object({ HostIp: text, HostPort: text });
const portMap = recordOf(z.array(binding).nullable());

const health = z
  .object({
    Status: text,
    Log: listOf(z.object({ End: text, ExitCode: count, Output: text })),
  })
  .nullish();

export const containerAnswer = z.object({
  Id: z.string(),
  Name: text,
  Created: text,
  Image: text,
  /** Podman only. */
  ImageDigest: text,
  /** Docker with the containerd image store, from API 1.48 on. */
  ImageManifestDescriptor: z.object({ platform: z.object({ os: text, architecture: text, variant: text }).nullish() }).nullish(),
  RestartCount: count,
  State: z.object({
    Status: text,
    Pid: count,
    Running: flag,
    Paused: flag,
    Restarting: flag,
    OOMKilled: flag,
    Dead: flag,
    ExitCode: count,
    Error: text,
    StartedAt: text,
    FinishedAt: text,
    Health: health,
    /** Podman before 4 says it under this name. */
    Healthcheck: health,
  }),
  Config: z.object({
    Image: text,
    Tty: flag,
    Labels: labels,
    StopSignal: z.union([z.string(), z.number()]).nullish(),
    StopTimeout: z.number().nullish(),
    Healthcheck: z.object({ Test: z.array(z.string()).nullish() }).nullish(),
    ExposedPorts: recordOf(z.unknown()),
  }),
  HostConfig: z
    .object({
      NetworkMode: text,
      Privileged: flag,
      NanoCpus: amount,
      CpuQuota: amount,
      CpuPeriod: amount,
      CpusetCpus: text,
      Memory: amount,
      PortBindings: portMap,
      RestartPolicy: z.object({ Name: text }).nullish(),
      AutoRemove: flag,
      LogConfig: z.object({ Type: text }).nullish(),
    })
    .nullish(),
  NetworkSettings: z.object({ Ports: portMap }).nullish(),
});
export type ContainerAnswer = z.infer<typeof containerAnswer>;

/** Of Podman's own API. `StoppedByUser` is there from 4.7 on, and left out when false. */
export const podmanContainerAnswer = z.object({
  Pod: text,
  IsInfra: flag,
  State: z.object({ StoppedByUser: z.boolean().nullish() }).nullish(),
});

export const podmanPodAnswer = z.object({ Name: text });

export const imageAnswer = z.object({
  Id: z.string(),
  RepoDigests: listOf(z.string()),
  Os: text,
  Architecture: text,
  Variant: text,
  Config: z.object({ Labels: labels }).nullish(),
});

/** Engines before 1.22 and Podman's older ones say `status` and `id` beside or instead of `Action` and `Actor`. */
export const eventLine = z.object({
  Type: text,
  Action: text,
  status: text,
  id: text,
  /** Podman only. */
  HealthStatus: text,
  Actor: z.object({ ID: text, Attributes: labels }).nullish(),
  time: z.number().nullish(),
});

const number = z
  .number()
  .nullish()
  .transform((value) => value ?? null);

const containerSpec = z.object({ Image: text, Configs: listOf(z.object({ ConfigName: text })) });

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
        ContainerSpec: containerSpec.extend({ Labels: labels }).nullish(),
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
  Spec: z.object({ ContainerSpec: containerSpec.nullish() }).nullish(),
  Status: z.object({
    State: text,
    Timestamp: text,
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
