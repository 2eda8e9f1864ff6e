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

{{- /* The accounts that watch, as subjects of a binding. */}}
{{- define "binnacle.subjects" -}}
{{- $names := list }}
{{- if include "binnacle.serverWatches" . }}{{ $names = append $names (include "binnacle.serverAccount" .) }}{{ end }}
{{- if .Values.agent.enabled }}{{ $names = append $names (include "binnacle.agentAccount" .) }}{{ end }}
{{- range uniq $names }}
- kind: ServiceAccount
  name: {{ . | quote }}
  namespace: {{ $.Release.Namespace }}
{{- end }}
{{- end }}

{{- /* A role in one namespace with its binding; of (dict "root" $ "name" NAME "namespace" NAMESPACE "rules" YAML). */}}
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
  {{- .rules | nindent 2 }}
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
  {{- include "binnacle.subjects" .root | trim | nindent 2 }}
{{- end }}
