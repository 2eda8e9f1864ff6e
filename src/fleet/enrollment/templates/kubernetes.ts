import { AGENT_IMAGE, agentArguments, IMAGE_USER, type Installation, MEMORY_MEBIBYTES, quoteYaml, yamlList } from "./agent-command.ts";

/** What may be read of a cluster, as in the chart: nothing can be written, and secrets cannot be read. */
const READ: readonly (readonly [group: string, resources: readonly string[], verbs: readonly string[]])[] = [
  ["", ["namespaces", "nodes"], ["get", "list", "watch"]],
  ["metrics.k8s.io", ["nodes"], ["get", "list"]],
  ["", ["pods", "services", "events", "persistentvolumeclaims"], ["get", "list", "watch"]],
  ["", ["pods/log"], ["get"]],
  ["apps", ["deployments", "statefulsets", "daemonsets", "replicasets"], ["get", "list", "watch"]],
  ["batch", ["jobs", "cronjobs"], ["get", "list", "watch"]],
  ["autoscaling", ["horizontalpodautoscalers"], ["get", "list", "watch"]],
  ["networking.k8s.io", ["ingresses", "networkpolicies"], ["get", "list", "watch"]],
  ["metrics.k8s.io", ["pods"], ["get", "list"]],
  ["gateway.networking.k8s.io", ["httproutes", "grpcroutes", "tlsroutes"], ["get", "list", "watch"]],
];

/** The name of an agent whose token has no label. By the name of its pod it would be another agent with each pod. */
const NODE_NAME = `
            - name: SERVICE_LABEL
              valueFrom:
                fieldRef:
                  fieldPath: spec.nodeName`;

/**
 * A manifest: namespace, secret, account with its rights, daemon set. A token makes one agent, and one agent sees the whole cluster through its API.
 * So the set runs only on the node that is labelled for it, where the agent's identity stays. Several agents of a cluster elect one by a lease.
 */
export function kubernetes(installation: Installation): string {
  const { token, label, expiresAt } = installation;
  return `# Choose the node that the agent runs on, and apply this file:
#   kubectl label node NODE binnacle-agent=here
#   kubectl apply -f binnacle-agent.yaml
# The node must have the image, as \`ctr --namespace k8s.io images import\` or your cluster's own command loads it: it is in no registry.
# One agent is for the whole cluster. How a second one takes over when its node is lost: docs/kubernetes.md.
# The token works once, until ${expiresAt.toISOString()}; afterwards the secret may be deleted: /var/lib/binnacle-agent on the node says who the agent is.
apiVersion: v1
kind: Namespace
metadata:
  name: binnacle-agent
  labels:
    # It mounts two folders of its node.
    pod-security.kubernetes.io/enforce: privileged
---
apiVersion: v1
kind: Secret
metadata:
  name: binnacle-agent
  namespace: binnacle-agent
type: Opaque
stringData:
  token: ${quoteYaml(token)}
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: binnacle-agent
  namespace: binnacle-agent
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: binnacle-agent
rules:
${READ.map(
  ([group, resources, verbs]) => `  - apiGroups: ${yamlList([group], quoteYaml)}
    resources: ${yamlList(resources, quoteYaml)}
    verbs: ${yamlList(verbs, quoteYaml)}`,
).join("\n")}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: binnacle-agent
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: binnacle-agent
subjects:
  - kind: ServiceAccount
    name: binnacle-agent
    namespace: binnacle-agent
---
# Which of several agents watches.
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: binnacle-agent-election
  namespace: binnacle-agent
rules:
  - apiGroups: ["coordination.k8s.io"]
    resources: ["leases"]
    resourceNames: ["binnacle-agent"]
    verbs: ["get", "update"]
  - apiGroups: ["coordination.k8s.io"]
    resources: ["leases"]
    verbs: ["create"]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: binnacle-agent-election
  namespace: binnacle-agent
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: binnacle-agent-election
subjects:
  - kind: ServiceAccount
    name: binnacle-agent
    namespace: binnacle-agent
---
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: binnacle-agent
  namespace: binnacle-agent
  labels:
    app.kubernetes.io/name: binnacle-agent
spec:
  selector:
    matchLabels:
      app.kubernetes.io/name: binnacle-agent
  template:
    metadata:
      labels:
        app.kubernetes.io/name: binnacle-agent
    spec:
      serviceAccountName: binnacle-agent
      nodeSelector:
        binnacle-agent: here
      securityContext:
        runAsNonRoot: true
        runAsUser: ${IMAGE_USER}
        runAsGroup: ${IMAGE_USER}
        seccompProfile:
          type: RuntimeDefault
      initContainers:
        # A folder of the node is made as root's; the agent is not root.
        - name: own-data
          image: ${quoteYaml(AGENT_IMAGE)}
          imagePullPolicy: IfNotPresent
          command: ["chown", "${IMAGE_USER}:${IMAGE_USER}", "/data"]
          securityContext:
            runAsNonRoot: false
            runAsUser: 0
            runAsGroup: 0
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities:
              drop: ["ALL"]
              add: ["CHOWN"]
          resources:
            requests: { cpu: 10m, memory: 16Mi }
            limits: { memory: 64Mi }
          volumeMounts:
            - name: data
              mountPath: /data
      containers:
        - name: agent
          image: ${quoteYaml(AGENT_IMAGE)}
          imagePullPolicy: IfNotPresent
          args: ${yamlList([...agentArguments(installation), "--runtime=kubernetes"], quoteYaml)}
          env:
            - name: SERVICE_ENROLLMENT_TOKEN
              valueFrom:
                secretKeyRef:
                  name: binnacle-agent
                  key: token
                  optional: true${label === null ? NODE_NAME : ""}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities:
              drop: ["ALL"]
          resources:
            requests: { cpu: 25m, memory: 96Mi }
            limits: { memory: ${MEMORY_MEBIBYTES}Mi }
          volumeMounts:
            - name: data
              mountPath: /data
            - name: proc
              mountPath: /host/proc
              readOnly: true
            - name: tmp
              mountPath: /tmp
      volumes:
        - name: data
          hostPath:
            path: /var/lib/binnacle-agent
            type: DirectoryOrCreate
        - name: proc
          hostPath:
            path: /proc
            type: Directory
        - name: tmp
          emptyDir:
            sizeLimit: 16Mi
`;
}
