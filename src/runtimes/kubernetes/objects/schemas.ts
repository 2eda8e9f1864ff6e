/** What is read of the objects of the Kubernetes API, from 1.20 to today's; everything else in them is dropped at the door. */
import { z } from "zod";

const time = z.string().transform((text) => {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? null : date;
});
const text = z.string();
const words = text.nullish();
const count = z.number().int().nullish();
const dated = time.nullish();
const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).nullish();
const pairs = z.record(z.string(), z.string()).nullish();
const quantities = z.record(z.string(), z.union([z.string(), z.number()])).nullish();

const owner = z.object({ apiVersion: words, kind: text, name: text, uid: text, controller: z.boolean().nullish() });

export const metadata = z.object({
  name: text,
  namespace: words,
  uid: text,
  resourceVersion: words,
  generation: count,
  creationTimestamp: dated,
  deletionTimestamp: dated,
  labels: pairs,
  annotations: pairs,
  ownerReferences: listOf(owner),
});
export type MetadataAnswer = z.infer<typeof metadata>;

export const condition = z.object({ type: text, status: text, reason: words, message: words, lastTransitionTime: dated });
export type ConditionAnswer = z.infer<typeof condition>;

const selector = z.object({
  matchLabels: pairs,
  matchExpressions: listOf(z.object({ key: text, operator: text, values: listOf(text) })),
});

const container = z.object({
  name: text,
  image: words,
  restartPolicy: words,
  ports: listOf(z.object({ containerPort: z.number(), hostPort: count, protocol: words, hostIP: words })),
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
  image: words,
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

const template = z.object({ metadata: z.object({ labels: pairs, annotations: pairs }).nullish(), spec: podSpec.nullish() }).nullish();

/** Of a Deployment, a ReplicaSet, a StatefulSet or an Argo Rollout: alike as far as they are read. */
export const replicated = z.object({
  metadata,
  spec: z
    .object({
      replicas: count,
      paused: z.boolean().nullish(),
      selector: selector.nullish(),
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
  spec: z.object({ selector: selector.nullish(), template, updateStrategy: z.object({ type: words }).nullish() }).nullish(),
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

export const cronJob = z.object({
  metadata,
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
  status: z.object({ active: listOf(z.object({ uid: words })), lastScheduleTime: dated, lastSuccessfulTime: dated }).nullish(),
});
export type CronJobAnswer = z.infer<typeof cronJob>;

export const autoscaler = z.object({
  metadata,
  spec: z.object({ scaleTargetRef: z.object({ kind: text, name: text }), minReplicas: count, maxReplicas: z.number().int() }),
  status: z.object({ currentReplicas: count, desiredReplicas: count, conditions: listOf(condition) }).nullish(),
});
export type AutoscalerAnswer = z.infer<typeof autoscaler>;

export const node = z.object({
  metadata,
  spec: z.object({ unschedulable: z.boolean().nullish(), taints: listOf(z.object({ key: text, value: words, effect: text })) }).nullish(),
  status: z
    .object({
      capacity: quantities,
      allocatable: quantities,
      conditions: listOf(condition),
      addresses: listOf(z.object({ type: text, address: text })),
      nodeInfo: z.object({ kubeletVersion: words, osImage: words, containerRuntimeVersion: words }).nullish(),
    })
    .nullish(),
});
export type NodeAnswer = z.infer<typeof node>;

export const namespace = z.object({ metadata, status: z.object({ phase: words }).nullish() });
export type NamespaceAnswer = z.infer<typeof namespace>;

export const networkPolicy = z.object({
  metadata,
  spec: z.object({ podSelector: selector.nullish(), policyTypes: listOf(text) }).nullish(),
});
export type NetworkPolicyAnswer = z.infer<typeof networkPolicy>;

export const service = z.object({
  metadata,
  spec: z
    .object({
      type: words,
      selector: pairs,
      externalName: words,
      externalIPs: listOf(text),
      ports: listOf(
        z.object({
          name: words,
          port: z.number().int(),
          nodePort: count,
          protocol: words,
          targetPort: z.union([z.string(), z.number()]).nullish(),
        }),
      ),
    })
    .nullish(),
  status: z.object({ loadBalancer: z.object({ ingress: listOf(z.object({ ip: words, hostname: words })) }).nullish() }).nullish(),
});
export type ServiceAnswer = z.infer<typeof service>;

/** `networking.k8s.io/v1` names a service one way, `v1beta1` another. */
const ingressBackend = z.object({ serviceName: words, service: z.object({ name: text }).nullish() }).nullish();
export const ingress = z.object({
  metadata,
  spec: z
    .object({
      defaultBackend: ingressBackend,
      backend: ingressBackend,
      tls: listOf(z.object({ hosts: listOf(text) })),
      rules: listOf(
        z.object({
          host: words,
          http: z.object({ paths: listOf(z.object({ path: words, backend: ingressBackend })) }).nullish(),
        }),
      ),
    })
    .nullish(),
});
export type IngressAnswer = z.infer<typeof ingress>;

/** Of the Gateway API: HTTPRoute, GRPCRoute and TLSRoute are alike as far as they are read. */
export const gatewayRoute = z.object({
  metadata,
  spec: z
    .object({
      hostnames: listOf(text),
      rules: listOf(
        z.object({
          matches: listOf(z.object({ path: z.object({ value: words }).nullish() })),
          backendRefs: listOf(z.object({ name: text, kind: words })),
        }),
      ),
    })
    .nullish(),
});
export type GatewayRouteAnswer = z.infer<typeof gatewayRoute>;

export const claim = z.object({
  metadata,
  spec: z.object({ storageClassName: words }).nullish(),
  status: z.object({ phase: words, capacity: quantities }).nullish(),
});
export type ClaimAnswer = z.infer<typeof claim>;

export const secret = z.object({ metadata, type: words, data: z.object({ "tls.crt": words }).nullish() });
export type SecretAnswer = z.infer<typeof secret>;

/** Of the core group: `events.k8s.io` writes into the same objects. */
export const event = z.object({
  metadata,
  type: words,
  reason: words,
  message: words,
  involvedObject: z.object({ kind: words, name: words, namespace: words, uid: words }).nullish(),
  source: z.object({ component: words, host: words }).nullish(),
  reportingComponent: words,
  count: count,
  firstTimestamp: dated,
  lastTimestamp: dated,
  eventTime: dated,
  series: z.object({ count: count, lastObservedTime: dated }).nullish(),
});
export type EventAnswer = z.infer<typeof event>;
