{{- /* What is read in namespaces. docs/kubernetes.md says what each rule is for. */}}
{{- define "binnacle.namespacedRules" -}}
- apiGroups: [""]
  resources: [pods, services, events, persistentvolumeclaims]
  verbs: [get, list, watch]
- apiGroups: [""]
  resources: [pods/log]
  verbs: [get]
- apiGroups: [apps]
  resources: [deployments, statefulsets, daemonsets, replicasets]
  verbs: [get, list, watch]
- apiGroups: [batch]
  resources: [jobs, cronjobs]
  verbs: [get, list, watch]
- apiGroups: [autoscaling]
  resources: [horizontalpodautoscalers]
  verbs: [get, list, watch]
- apiGroups: [networking.k8s.io]
  resources: [ingresses, networkpolicies]
  verbs: [get, list, watch]
- apiGroups: [metrics.k8s.io]
  resources: [pods]
  verbs: [get, list]
{{- if .Values.rbac.gatewayRoutes }}
- apiGroups: [gateway.networking.k8s.io]
  resources: [httproutes, grpcroutes, tlsroutes]
  verbs: [get, list, watch]
{{- end }}
{{- if .Values.rbac.tlsSecrets }}
- apiGroups: [""]
  resources: [secrets]
  verbs: [list, watch]
{{- end }}
{{- end }}

{{- /* What is read of the cluster as a whole. */}}
{{- define "binnacle.clusterRules" -}}
- apiGroups: [""]
  resources: [namespaces, nodes]
  verbs: [get, list, watch]
- apiGroups: [metrics.k8s.io]
  resources: [nodes]
  verbs: [get, list]
{{- if .Values.rbac.nodeStats }}
- apiGroups: [""]
  resources: [nodes/proxy]
  verbs: [get]
{{- end }}
{{- end }}

{{- /* Which of several agents in a namespace watches the cluster, they settle by a lease of this name. */}}
{{- define "binnacle.electionRules" -}}
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  resourceNames: [binnacle-agent]
  verbs: [get, update]
# What is to be made has no name that a rule could ask for.
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  verbs: [create]
{{- end }}

{{- /* An account of this release as subject of a binding; of (dict "root" $ "name" NAME). */}}
{{- define "binnacle.subject" -}}
- kind: ServiceAccount
  name: {{ .name | quote }}
  namespace: {{ .root.Release.Namespace }}
{{- end }}

{{- /* The accounts that watch. */}}
{{- define "binnacle.subjects" -}}
{{- $names := list }}
{{- if include "binnacle.serverWatches" . }}{{ $names = append $names (include "binnacle.serverAccount" .) }}{{ end }}
{{- if .Values.agent.enabled }}{{ $names = append $names (include "binnacle.agentAccount" .) }}{{ end }}
{{- range uniq $names }}
{{ include "binnacle.subject" (dict "root" $ "name" .) }}
{{- end }}
{{- end }}

{{- /* A role in one namespace with its binding; of (dict "root" $ "name" NAME "namespace" NAMESPACE "rules" YAML "subjects" YAML). */}}
{{- define "binnacle.role" }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: {{ .name }}
  namespace: {{ .namespace }}
  labels:
    {{- include "binnacle.labels" .root | trim | nindent 4 }}
rules:
  {{- .rules | trim | nindent 2 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: {{ .name }}
  namespace: {{ .namespace }}
  labels:
    {{- include "binnacle.labels" .root | trim | nindent 4 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: {{ .name }}
subjects:
  {{- .subjects | trim | nindent 2 }}
{{- end }}
