/** Objects of the bench's cluster that do not change while it is measured. */
import { createdAt, fieldsOf, metadataOf, timeOf, uidOf } from "./metadata.ts";
import { hostAddress, nodeName, podId, podName } from "./pods.ts";
import { labelsOf, namespaceName, selectorOf, type WorkloadState } from "./state.ts";

const MANAGED = { "f:spec": fieldsOf(["clusterIP", "internalTrafficPolicy", "ports", "selector", "sessionAffinity", "type"]) };

export function namespaceObject(name: string, number: number, version: number): object {
  return {
    ...{ kind: "Namespace", apiVersion: "v1" },
    metadata: metadataOf({
      ...{ name, uid: uidOf(4, number), version, number },
      labels: { "kubernetes.io/metadata.name": name, "pod-security.kubernetes.io/enforce": "baseline" },
      managers: [{ manager: "kubectl-create", at: createdAt(number), fields: { "f:metadata": fieldsOf(["labels"]) } }],
    }),
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  };
}

export function nodeObject(number: number, version: number): object {
  const name = nodeName(number);
  const amounts = { cpu: "64", memory: "263857432Ki", "ephemeral-storage": "959786032Ki", "hugepages-2Mi": "0", pods: "500" };
  const conditions = [
    { type: "MemoryPressure", status: "False", reason: "KubeletHasSufficientMemory", message: "kubelet has sufficient memory available" },
    { type: "DiskPressure", status: "False", reason: "KubeletHasNoDiskPressure", message: "kubelet has no disk pressure" },
    { type: "PIDPressure", status: "False", reason: "KubeletHasSufficientPID", message: "kubelet has sufficient PID available" },
    { type: "Ready", status: "True", reason: "KubeletReady", message: "kubelet is posting ready status" },
  ];
  return {
    ...{ kind: "Node", apiVersion: "v1" },
    metadata: metadataOf({
      ...{ name, uid: uidOf(5, number), version, number },
      labels: {
        ...{ "kubernetes.io/arch": "amd64", "kubernetes.io/os": "linux", "kubernetes.io/hostname": name },
        ...{ "node.kubernetes.io/instance-type": "m5.16xlarge", "topology.kubernetes.io/zone": `eu-central-1${"abc"[number % 3]}` },
      },
      annotations: { "node.alpha.kubernetes.io/ttl": "0", "volumes.kubernetes.io/controller-managed-attach-detach": "true" },
      managers: [
        { manager: "kubelet", subresource: "status", at: createdAt(number), fields: { "f:status": fieldsOf(["conditions", "images"]) } },
      ],
    }),
    spec: { podCIDR: `10.${64 + number}.0.0/16`, podCIDRs: [`10.${64 + number}.0.0/16`], providerID: `aws:///eu-central-1a/i-${number}` },
    status: {
      ...{ capacity: amounts, allocatable: amounts },
      conditions: conditions.map((each) => ({ ...each, lastHeartbeatTime: createdAt(number), lastTransitionTime: createdAt(number) })),
      addresses: [
        { type: "InternalIP", address: hostAddress(number) },
        { type: "Hostname", address: name },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: 10_250 } },
      nodeInfo: {
        ...{ machineID: uidOf(6, number), systemUUID: uidOf(6, number), bootID: uidOf(7, number), kernelVersion: "6.8.0-1021-aws" },
        ...{ osImage: "Ubuntu 24.04.2 LTS", containerRuntimeVersion: "containerd://1.7.27", kubeletVersion: "v1.32.4" },
        ...{ kubeProxyVersion: "v1.32.4", operatingSystem: "linux", architecture: "amd64" },
      },
      // A kubelet names the 50 largest images of its node.
      images: Array.from({ length: 50 }, (_, image) => ({
        names: [`registry.example.com/shop/service-${number * 50 + image}@sha256:${"ab".repeat(32)}`],
        sizeBytes: 180_000_000 - image,
      })),
    },
  };
}

export function serviceObject(workload: WorkloadState, version: number): object {
  const { number, name, namespace } = workload;
  const clusterIP = `10.96.${number >> 8}.${number % 256}`;
  return {
    ...{ kind: "Service", apiVersion: "v1" },
    metadata: metadataOf({
      ...{ name, namespace, uid: uidOf(8, number), version, number, labels: labelsOf(workload) },
      managers: [{ manager: "helm", at: createdAt(number), fields: MANAGED }],
    }),
    spec: {
      ports: [{ name: "http", protocol: "TCP", port: 80, targetPort: "http" }],
      ...{ selector: selectorOf(workload), clusterIP, clusterIPs: [clusterIP], type: "ClusterIP", sessionAffinity: "None" },
      ...{ ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack", internalTrafficPolicy: "Cluster" },
    },
    status: { loadBalancer: {} },
  };
}

export function ingressObject(workload: WorkloadState, version: number): object {
  const { number, name, namespace } = workload;
  const host = `${name}.example.com`;
  return {
    ...{ kind: "Ingress", apiVersion: "networking.k8s.io/v1" },
    metadata: metadataOf({
      ...{ name, namespace, uid: uidOf(9, number), version, number, labels: labelsOf(workload) },
      annotations: { "cert-manager.io/cluster-issuer": "letsencrypt" },
      managers: [{ manager: "helm", at: createdAt(number), fields: MANAGED }],
    }),
    spec: {
      ingressClassName: "nginx",
      tls: [{ hosts: [host], secretName: `${name}-tls` }],
      rules: [{ host, http: { paths: [{ path: "/", pathType: "Prefix", backend: { service: { name, port: { name: "http" } } } }] } }],
    },
    status: { loadBalancer: { ingress: [{ ip: "203.0.113.10" }] } },
  };
}

/** A Job that somebody ran once, and whose pod is gone. */
export function jobObject(number: number, version: number): object {
  const name = `migrate-${number}`;
  const labels = { "app.kubernetes.io/name": name, "batch.kubernetes.io/job-name": name };
  return {
    ...{ kind: "Job", apiVersion: "batch/v1" },
    metadata: metadataOf({
      ...{ name, namespace: namespaceName(number), uid: uidOf(10, number), version, number, labels },
      managers: [{ manager: "kube-controller-manager", subresource: "status", at: createdAt(number), fields: MANAGED }],
    }),
    spec: {
      ...{ parallelism: 1, completions: 1, backoffLimit: 6, completionMode: "NonIndexed", suspend: false },
      selector: { matchLabels: { "batch.kubernetes.io/controller-uid": uidOf(10, number) } },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "migrate", image: "registry.example.com/shop/migrate:2.14.3" }], restartPolicy: "Never" },
      },
    },
    status: {
      ...{ startTime: createdAt(number), completionTime: createdAt(number + 60), succeeded: 1, ready: 0 },
      conditions: [
        {
          type: "Complete",
          status: "True",
          lastProbeTime: createdAt(number),
          lastTransitionTime: createdAt(number + 60),
          reason: "CompletionsReached",
        },
      ],
    },
  };
}

/** What happened to a pod within the last hour; a cluster remembers as much. */
export function eventObject(workload: WorkloadState, { version, nowMs }: { version: number; nowMs: number }): object {
  const [pod] = workload.pods;
  const name = pod === undefined ? workload.name : podName(pod, workload);
  const at = timeOf(nowMs - (workload.number % 55) * 60_000);
  return {
    ...{ kind: "Event", apiVersion: "v1" },
    metadata: metadataOf({
      ...{ name: `${name}.18a1b2c3d4e5f6${workload.number}`, namespace: workload.namespace, uid: uidOf(11, workload.number), version },
      ...{ number: workload.number, labels: {} },
      managers: [{ manager: "kubelet", at, fields: fieldsOf(["count", "firstTimestamp", "involvedObject", "lastTimestamp", "message"]) }],
    }),
    involvedObject: {
      ...{ kind: "Pod", namespace: workload.namespace, name, apiVersion: "v1", fieldPath: "spec.containers{app}" },
      ...(pod && { uid: podId(pod) }),
    },
    ...{ reason: "Pulled", message: "Container image already present on machine", type: "Normal", count: 1 },
    source: { component: "kubelet", host: nodeName(workload.number) },
    ...{
      firstTimestamp: at,
      lastTimestamp: at,
      eventTime: null,
      reportingComponent: "kubelet",
      reportingInstance: nodeName(workload.number),
    },
  };
}
