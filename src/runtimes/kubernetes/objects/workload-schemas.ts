/** What is read of workloads and pods, from Kubernetes 1.20 to today's; everything else in them is dropped at the door. */
import { z } from "zod";
import { text, words, count, dated, listOf, pairs, quantities, metadata, condition } from "./schemas.ts";

const container = z.object({
  name: text,
  image: words,
  restartPolicy: words,
  ports: listOf(z.object({ hostPort: count, protocol: words })),
  resources: z.object({ requests: quantities, limits: quantities }).nullish(),
  securityContext: z
    .object({
      privileged: z.boolean().nullish(),
      runAsUser: count,
      runAsNonRoot: z.boolean().nullish(),
      capabilities: z.object({ add: listOf(text) }).nullish(),
    })
    .nullish(),
});
export type ContainerAnswer = z.infer<typeof container>;

export const podSpec = z.object({
  nodeName: words,
  restartPolicy: words,
  hostNetwork: z.boolean().nullish(),
  hostPID: z.boolean().nullish(),
  hostIPC: z.boolean().nullish(),
  serviceAccountName: words,
  automountServiceAccountToken: z.boolean().nullish(),
  securityContext: z.object({ runAsUser: count, runAsNonRoot: z.boolean().nullish() }).nullish(),
  containers: listOf(container),
  initContainers: listOf(container),
  ephemeralContainers: listOf(container),
  volumes: listOf(
    z.object({ persistentVolumeClaim: z.object({ claimName: text }).nullish(), hostPath: z.object({ path: text }).nullish() }),
  ),
});
export type PodSpecAnswer = z.infer<typeof podSpec>;

const terminated = z.object({
  exitCode: z.number().int(),
  signal: count,
  reason: words,
  message: words,
  startedAt: dated,
  finishedAt: dated,
});
export type TerminatedAnswer = z.infer<typeof terminated>;

const containerState = z
  .object({
    waiting: z.object({ reason: words, message: words }).nullish(),
    running: z.object({ startedAt: dated }).nullish(),
    terminated: terminated.nullish(),
  })
  .nullish();
const containerStatus = z.object({
  name: text,
  imageID: words,
  ready: z.boolean().nullish(),
  started: z.boolean().nullish(),
  restartCount: count,
  state: containerState,
  lastState: containerState,
});
export type ContainerStatusAnswer = z.infer<typeof containerStatus>;

export const pod = z.object({
  metadata,
  spec: podSpec,
  status: z
    .object({
      phase: words,
      reason: words,
      message: words,
      podIP: words,
      qosClass: words,
      startTime: dated,
      conditions: listOf(condition),
      containerStatuses: listOf(containerStatus),
      initContainerStatuses: listOf(containerStatus),
      ephemeralContainerStatuses: listOf(containerStatus),
    })
    .nullish(),
});
export type PodAnswer = z.infer<typeof pod>;

const template = z.object({ metadata: z.object({ labels: pairs }).nullish(), spec: podSpec.nullish() }).nullish();

/** Of a Deployment, a ReplicaSet, a StatefulSet or an Argo Rollout: alike as far as they are read. */
export const replicated = z.object({
  metadata,
  spec: z
    .object({
      replicas: count,
      paused: z.boolean().nullish(),
      template,
      updateStrategy: z.object({ type: words }).nullish(),
    })
    .nullish(),
  status: z
    .object({
      observedGeneration: z.union([z.number(), z.string()]).nullish(),
      replicas: count,
      readyReplicas: count,
      updatedReplicas: count,
      availableReplicas: count,
      currentRevision: words,
      updateRevision: words,
      conditions: listOf(condition),
    })
    .nullish(),
});
export type ReplicatedAnswer = z.infer<typeof replicated>;

export const daemonSet = z.object({
  metadata,
  spec: z.object({ template, updateStrategy: z.object({ type: words }).nullish() }).nullish(),
  status: z
    .object({
      observedGeneration: count,
      desiredNumberScheduled: count,
      currentNumberScheduled: count,
      numberReady: count,
      updatedNumberScheduled: count,
      numberAvailable: count,
    })
    .nullish(),
});
export type DaemonSetAnswer = z.infer<typeof daemonSet>;

export const job = z.object({
  metadata,
  spec: z.object({ completions: count, parallelism: count, suspend: z.boolean().nullish(), template }).nullish(),
  status: z
    .object({ active: count, succeeded: count, failed: count, startTime: dated, completionTime: dated, conditions: listOf(condition) })
    .nullish(),
});
export type JobAnswer = z.infer<typeof job>;

/** Who owns which fields, and when one of them was last changed by that owner. */
const managedFields = listOf(
  z.object({ time: dated, fieldsV1: z.object({ "f:spec": z.record(z.string(), z.unknown()).nullish() }).nullish() }),
);

export const cronJob = z.object({
  // A cluster keeps them for itself: where they have another shape, the CronJob is no less readable.
  metadata: metadata.extend({ managedFields: managedFields.catch(null) }),
  spec: z
    .object({
      schedule: text,
      timeZone: words,
      suspend: z.boolean().nullish(),
      startingDeadlineSeconds: count,
      concurrencyPolicy: words,
      jobTemplate: z.object({ spec: z.object({ template }).nullish() }).nullish(),
    })
    .nullish(),
  status: z.object({ active: listOf(z.object({})), lastScheduleTime: dated, lastSuccessfulTime: dated }).nullish(),
});
export type CronJobAnswer = z.infer<typeof cronJob>;

export const autoscaler = z.object({
  metadata,
  spec: z.object({ scaleTargetRef: z.object({ kind: text, name: text }), minReplicas: count, maxReplicas: z.number().int() }),
  status: z.object({ currentReplicas: count, desiredReplicas: count, conditions: listOf(condition) }).nullish(),
});
export type AutoscalerAnswer = z.infer<typeof autoscaler>;
