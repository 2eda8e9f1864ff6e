/** What is read of nodes, services and the other objects of a cluster, from Kubernetes 1.20 to today's; everything else in them is dropped at the door. */
import { z } from "zod";

// What objects have in common.
const time = z.string().transform((text) => {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? null : date;
});

export const text = z.string();
export const words = text.nullish();

export const count = z.number().int().nullish();
export const dated = time.nullish();

export const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).nullish();
export const pairs = z.record(z.string(), z.string()).nullish();

export const quantities = z.record(z.string(), z.union([z.string(), z.number()])).nullish();

const owner = z.object({ kind: text, name: text, uid: text, controller: z.boolean().nullish() });

export const metadata = z.object({
  name: text,
  namespace: words,
  uid: text,
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
  spec: z.object({ policyTypes: listOf(text) }).nullish(),
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

export const secret = z.object({ metadata, data: z.object({ "tls.crt": words }).nullish() });
export type SecretAnswer = z.infer<typeof secret>;

/** Of the core group: `events.k8s.io` writes into the same objects. */
export const event = z.object({
  metadata,
  type: words,
  reason: words,
  message: words,
  involvedObject: z.object({ kind: words, name: words, namespace: words, uid: words }).nullish(),
  source: z.object({ component: words }).nullish(),
  reportingComponent: words,
  count: count,
  firstTimestamp: dated,
  lastTimestamp: dated,
  eventTime: dated,
  series: z.object({ count: count, lastObservedTime: dated }).nullish(),
});
export type EventAnswer = z.infer<typeof event>;
