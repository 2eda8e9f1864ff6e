import { AGENT_IMAGE, agentArguments, IMAGE_USER, type Installation, MEMORY_MEBIBYTES, quoteYaml, yamlList } from "./agent-command.ts";

/** What is read of a cluster, by API group; nothing of it can be written, and secrets are not among it. */
const READ = [
  {
    group: "",
    resources: ["namespaces", "nodes", "pods", "pods/log", "services", "endpoints", "events", "replicationcontrollers", "resourcequotas"],
  },
  { group: "apps", resources: ["deployments", "daemonsets", "statefulsets", "replicasets"] },
  { group: "batch", resources: ["jobs", "cronjobs"] },
  { group: "events.k8s.io", resources: ["events"] },
  { group: "networking.k8s.io", resources: ["ingresses", "networkpolicies"] },
  { group: "metrics.k8s.io", resources: ["nodes", "pods"] },
] as const;

/**
 * A manifest: namespace, secret, account with its rights, daemon set. A token makes one agent, and one agent sees the whole cluster through
 * its API, so the set runs on the one node that is labelled for it, where its identity stays.
 */
export function kubernetes(installation: Installation): string {
  const { token, expiresAt } = installation;
  return `# Choose the node that the agent runs on, and apply this file:
#   kubectl label node NODE binnacle-agent=here
#   kubectl apply -f binnacle-agent.yaml
# The node must have the image, as \`ctr --namespace k8s.io images import\` or your cluster's own command loads it: it is in no registry.
# One agent is for the whole cluster. This release does not read clusters yet: the agent enrolls, connects and shows its node. The token works once, until ${expiresAt.toISOString()}; afterwards the secret may be deleted:
# /var/lib/binnacle-agent on the node says who the agent is.
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
  ({ group, resources }) => `  - apiGroups: ${yamlList([group], quoteYaml)}
    resources: ${yamlList(resources, quoteYaml)}
    verbs: ["get", "list", "watch"]`,
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
          args: ${yamlList(agentArguments(installation), quoteYaml)}
          env:
            - name: SERVICE_ENROLLMENT_TOKEN
              valueFrom:
                secretKeyRef:
                  name: binnacle-agent
                  key: token
                  optional: true
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
