import { X509Certificate } from "node:crypto";
import type { AutoscalerState } from "../../../observations/kubernetes-workloads.ts";
import type {
  KubernetesClaim,
  KubernetesEvent,
  KubernetesNamespace,
  KubernetesNode,
  KubernetesRoute,
  KubernetesService,
  KubernetesCertificate,
} from "../../../observations/kubernetes.ts";
import type { AutoscalerAnswer } from "./workload-schemas.ts";
import type {
  ClaimAnswer,
  EventAnswer,
  GatewayRouteAnswer,
  IngressAnswer,
  NamespaceAnswer,
  NodeAnswer,
  ServiceAnswer,
  SecretAnswer,
} from "./schemas.ts";
import { amountsOf, conditionOf, namedOf, protocolOf, wordsOf, parseQuantity } from "./values.ts";

const ROLE = "node-role.kubernetes.io/";
const POD_SECURITY = "pod-security.kubernetes.io/enforce";
const MOST_RULES = 500;

export function nodeOf({ metadata, spec, status }: NodeAnswer): Omit<KubernetesNode, "usage"> {
  const { id, name, createdAt } = namedOf(metadata);
  const amounts = (quantities: NonNullable<NodeAnswer["status"]>["capacity"]): KubernetesNode["capacity"] => ({
    ...amountsOf(quantities),
    pods: parseQuantity(quantities?.["pods"]),
  });
  return {
    ...{ id, name, createdAt },
    conditions: (status?.conditions ?? []).map(({ type, status: value, reason, message, lastTransitionTime }) => ({
      type,
      status: value === "True" || value === "False" ? value : "Unknown",
      reason: wordsOf(reason),
      message: wordsOf(message),
      since: lastTransitionTime ?? null,
    })),
    taints: (spec?.taints ?? []).map(({ key, value, effect }) => ({ key, value: wordsOf(value), effect })),
    unschedulable: spec?.unschedulable === true,
    roles: Object.keys(metadata.labels ?? {})
      .filter((label) => label.startsWith(ROLE))
      .map((label) => label.slice(ROLE.length)),
    capacity: amounts(status?.capacity),
    allocatable: amounts(status?.allocatable),
    kubeletVersion: wordsOf(status?.nodeInfo?.kubeletVersion),
    osImage: wordsOf(status?.nodeInfo?.osImage),
    containerRuntime: wordsOf(status?.nodeInfo?.containerRuntimeVersion),
    internalIp: status?.addresses?.find(({ type }) => type === "InternalIP")?.address ?? null,
  };
}

export function namespaceOf({ metadata, status }: NamespaceAnswer): Omit<KubernetesNamespace, "hasNetworkPolicy"> {
  const { id, name, createdAt } = namedOf(metadata);
  const level = metadata.labels?.[POD_SECURITY];
  return {
    ...{ id, name, createdAt },
    phase: status?.phase === "Terminating" ? "Terminating" : "Active",
    podSecurity: (["privileged", "baseline", "restricted"] as const).find((each) => each === level) ?? null,
  };
}

/** A service, and by which labels it selects pods. */
export type StoredService = Omit<KubernetesService, "workloadIds"> & { selector: Readonly<Record<string, string>> };

export function serviceOf({ metadata, spec, status }: ServiceAnswer): StoredService {
  const given = (status?.loadBalancer?.ingress ?? []).flatMap(({ ip, hostname }) => wordsOf(ip) ?? wordsOf(hostname) ?? []);
  return {
    ...namedOf(metadata),
    type: (["NodePort", "LoadBalancer", "ExternalName"] as const).find((type) => type === spec?.type) ?? "ClusterIP",
    ports: (spec?.ports ?? []).map(({ name, port, nodePort, protocol, targetPort }) => ({
      name: wordsOf(name),
      port,
      nodePort: nodePort || null,
      protocol: protocolOf(protocol),
      target: String(targetPort ?? port),
    })),
    externalAddresses: [
      ...given,
      ...(spec?.externalIPs ?? []),
      ...(wordsOf(spec?.externalName) === null ? [] : [String(spec?.externalName)]),
    ],
    selector: spec?.selector ?? {},
  };
}

type IngressBackend = NonNullable<IngressAnswer["spec"]>["backend"];

export function ingressOf({ metadata, spec }: IngressAnswer): KubernetesRoute {
  const secured = new Set((spec?.tls ?? []).flatMap(({ hosts }) => hosts ?? []));
  const isSecured = (host: string): boolean => secured.has(host) || secured.has(host.replace(/^[^.]+/, "*"));
  const nameOf = (backend: IngressBackend): string | null => backend?.service?.name ?? wordsOf(backend?.serviceName);
  const rules = (spec?.rules ?? []).flatMap(({ host, http }) =>
    (http?.paths ?? []).map(({ path, backend }) => ({
      host: host ?? "",
      path: path || "/",
      tls: isSecured(host ?? ""),
      serviceName: nameOf(backend),
    })),
  );
  const whole = nameOf(spec?.defaultBackend ?? spec?.backend);
  const otherwise = whole === null ? [] : [{ host: "", path: "/", tls: (spec?.tls ?? []).length > 0, serviceName: whole }];
  return { ...namedOf(metadata), kind: "Ingress", rules: [...rules, ...otherwise].slice(0, MOST_RULES) };
}

export function gatewayRouteOf({ metadata, spec }: GatewayRouteAnswer, kind: Exclude<KubernetesRoute["kind"], "Ingress">): KubernetesRoute {
  const hosts = spec?.hostnames?.length ? spec.hostnames : [""];
  const rules = hosts.flatMap((host) =>
    (spec?.rules ?? []).flatMap(({ matches, backendRefs }) => {
      const paths = matches?.length ? matches.map(({ path }) => path?.value || "/") : ["/"];
      const backend = backendRefs?.find(({ kind: of }) => (of ?? "Service") === "Service");
      // Whether it is secured, its gateway's listener says.
      return paths.map((path) => ({ host, path, tls: kind === "TLSRoute", serviceName: backend?.name ?? null }));
    }),
  );
  return { ...namedOf(metadata), kind, rules: rules.slice(0, MOST_RULES) };
}

export function claimOf({ metadata, spec, status }: ClaimAnswer): Omit<KubernetesClaim, "usedBytes" | "sizeBytes"> {
  return {
    ...namedOf(metadata),
    phase: (["Bound", "Lost"] as const).find((phase) => phase === status?.phase) ?? "Pending",
    storageClass: wordsOf(spec?.storageClassName),
    capacityBytes: parseQuantity(status?.capacity?.["storage"]),
  };
}

/** null of an event without a time, which cannot be placed. */
export function eventOf({ metadata, ...answer }: EventAnswer): KubernetesEvent | null {
  const { firstTimestamp, lastTimestamp, eventTime, series, involvedObject: about } = answer;
  const firstAt = firstTimestamp ?? eventTime ?? metadata.creationTimestamp;
  if (firstAt == null) return null;
  return {
    ...namedOf(metadata),
    namespace: about?.namespace ?? metadata.namespace ?? "",
    type: answer.type === "Warning" ? "Warning" : "Normal",
    reason: wordsOf(answer.reason) ?? "",
    message: wordsOf(answer.message) ?? "",
    about: { kind: about?.kind ?? "", name: about?.name ?? "", id: wordsOf(about?.uid) },
    source: wordsOf(answer.source?.component) ?? wordsOf(answer.reportingComponent),
    count: Math.max(answer.count ?? 1, series?.count ?? 1, 1),
    firstAt,
    lastAt: series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? firstAt,
  };
}

/** What scales a workload, and which. */
export interface StoredAutoscaler {
  namespace: string;
  target: { kind: string; name: string };
  state: AutoscalerState;
}

export function autoscalerOf({ metadata, spec, status }: AutoscalerAnswer): StoredAutoscaler {
  const [able, active] = ["AbleToScale", "ScalingActive"].map((type) => conditionOf(status?.conditions, type));
  const wrong = [able, active].find((each) => each?.status === "False");
  return {
    namespace: metadata.namespace ?? "",
    target: { kind: spec.scaleTargetRef.kind, name: spec.scaleTargetRef.name },
    state: {
      name: metadata.name,
      min: spec.minReplicas ?? 1,
      max: spec.maxReplicas,
      current: status?.currentReplicas ?? 0,
      desired: status?.desiredReplicas ?? 0,
      problem: wrong === undefined ? null : (wordsOf(wrong.message) ?? wordsOf(wrong.reason)),
    },
  };
}

const BLOCK = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;
const MOST_IN_CHAIN = 20;
const MOST_SANS = 200;
const MAX_BYTES = 256 * 1024;

/** The certificate of a Secret of the type kubernetes.io/tls; null where there is none. Its key is not in the answer. */
export function certificateOf({ metadata, data }: SecretAnswer): KubernetesCertificate | null {
  const encoded = data?.["tls.crt"];
  if (encoded == null || encoded.length > MAX_BYTES) return null;
  const chain = chainOf(Buffer.from(encoded, "base64").toString("latin1"));
  const [leaf] = chain;
  if (leaf === undefined) return null;
  return {
    ...namedOf(metadata),
    subject: commonNameOf(leaf.subject),
    sans: (leaf.subjectAltName ?? "")
      .split(", ")
      .filter(Boolean)
      .slice(0, MOST_SANS)
      .map((name) => name.replace(/^[A-Za-z ]+:/, "")),
    issuer: commonNameOf(leaf.issuer),
    notBefore: new Date(leaf.validFrom),
    expiresAt: new Date(leaf.validTo),
    chainError: chainErrorOf(chain),
  };
}

function chainOf(pem: string): X509Certificate[] {
  try {
    return [...pem.matchAll(BLOCK)].slice(0, MOST_IN_CHAIN).map(([block]) => new X509Certificate(block));
  } catch {
    return [];
  }
}

/** Each must be signed by the one after it. Whether the last is trusted, who connects decides. */
function chainErrorOf(chain: readonly X509Certificate[]): string | null {
  for (const [index, certificate] of chain.entries()) {
    const issuer = chain[index + 1];
    if (issuer === undefined) return null;
    if (!certificate.checkIssued(issuer) || !certificate.verify(issuer.publicKey))
      return `The certificate ${commonNameOf(certificate.subject)} is not signed by ${commonNameOf(issuer.subject)}, which follows it.`;
  }
  return null;
}

function commonNameOf(names: string): string {
  return (/^CN=(.+)$/m.exec(names)?.[1] ?? names.replaceAll("\n", ", ")).slice(0, 500);
}
