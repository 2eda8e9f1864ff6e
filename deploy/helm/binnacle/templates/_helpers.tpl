{{- define "binnacle.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- /* As a release is usually called: its own name where that says what it is. At most 50 characters, so that suffixes fit. */}}
{{- define "binnacle.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" }}
{{- else if contains (include "binnacle.name" .) .Release.Name }}
{{- .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "binnacle.name" .) | trunc 50 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- /* What is not in a namespace needs a name that no other release has. */}}
{{- define "binnacle.clusterName" -}}
{{- printf "%s-%s" .Release.Namespace (include "binnacle.fullname" .) }}
{{- end }}

{{- define "binnacle.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" | quote }}
app.kubernetes.io/name: {{ include "binnacle.name" . | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service | quote }}
{{- end }}

{{- /* Of (dict "root" $ "component" "server"). */}}
{{- define "binnacle.selector" -}}
app.kubernetes.io/name: {{ include "binnacle.name" .root | quote }}
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
app.kubernetes.io/component: {{ .component | quote }}
{{- end }}

{{- define "binnacle.image" -}}
{{- if .Values.image.digest -}}
{{ printf "%s@%s" .Values.image.repository .Values.image.digest | quote }}
{{- else -}}
{{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
{{- end }}
{{- end }}

{{- define "binnacle.serverAccount" -}}
{{- .Values.serviceAccount.name | default (ternary (include "binnacle.fullname" .) "default" .Values.serviceAccount.create) }}
{{- end }}

{{- define "binnacle.agentAccount" -}}
{{- .Values.serviceAccount.agentName | default (ternary (printf "%s-agent" (include "binnacle.fullname" .)) "default" .Values.serviceAccount.create) }}
{{- end }}

{{- /* "true" where the server watches the cluster, else empty. */}}
{{- define "binnacle.serverWatches" -}}
{{- if and .Values.server.enabled .Values.server.watchCluster }}true{{ end }}
{{- end }}

{{- /* "true" where an account of this release watches the cluster, else empty. */}}
{{- define "binnacle.watches" -}}
{{- if or (include "binnacle.serverWatches" .) .Values.agent.enabled }}true{{ end }}
{{- end }}

{{- define "binnacle.secretName" -}}
{{- include "binnacle.fullname" . }}
{{- end }}

{{- /* "true" where the chart makes the key of secrets: the data folder, which would keep one, is lost with the pod. */}}
{{- define "binnacle.makesSecretKey" -}}
{{- if and (not .Values.persistence.enabled) (not .Values.server.secretKey.existingSecret) }}true{{ end }}
{{- end }}

{{- define "binnacle.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "binnacle.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- /* Where a pod may be placed; of the values of the server or the agent. */}}
{{- define "binnacle.placement" -}}
{{- with .nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .priorityClassName }}
priorityClassName: {{ . | quote }}
{{- end }}
{{- end }}

{{- /* Variables that say what of the cluster is watched. */}}
{{- define "binnacle.watchEnv" -}}
SERVICE_RUNTIME: kubernetes
SERVICE_K8S_NAMESPACES: {{ join "," .Values.kubernetes.namespaces | quote }}
SERVICE_K8S_EXCLUDE_NAMESPACES: {{ join "," .Values.kubernetes.excludeNamespaces | quote }}
{{- end }}

{{- /* A list of variables, by name; of (dict "own" YAML "values" .Values.server). Those of the values win; empty ones are left out. */}}
{{- define "binnacle.env" -}}
{{- $all := merge (dict) .values.env (fromYaml .own) }}
{{- range $name, $value := $all }}
{{- if and (ne (toString $value) "") (not (hasKey $.values.envFromSecrets $name)) }}
- name: {{ $name }}
  value: {{ toString $value | quote }}
{{- end }}
{{- end }}
{{- range $name, $secret := .values.envFromSecrets }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef:
      name: {{ $secret.name | quote }}
      key: {{ $secret.key | quote }}
{{- end }}
{{- end }}

{{- /* A claim's spec; of .Values.persistence or .Values.agent.persistence. */}}
{{- define "binnacle.claimSpec" -}}
accessModes:
  {{- toYaml .accessModes | nindent 2 }}
{{- with .storageClass }}
storageClassName: {{ . | quote }}
{{- end }}
resources:
  requests:
    storage: {{ .size | quote }}
{{- end }}
