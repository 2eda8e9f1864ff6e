{{- /* Variables of the agent, as YAML; empty ones are left out. */}}
{{- define "binnacle.agentEnv" -}}
{{- $agent := .Values.agent }}
SERVICE_MODE: agent
SERVICE_DATA_DIR: /data
SERVICE_SERVER: {{ required "agent.server: name the server, as in grpcs://binnacle.example.org:8443" $agent.server | quote }}
SERVICE_SERVER_FINGERPRINT: {{ $agent.serverFingerprint | quote }}
SERVICE_LABEL: {{ $agent.label | quote }}
{{- if $agent.ca.existingSecret }}
SERVICE_CA_CERT: /run/secrets/binnacle/ca.crt
{{- end }}
{{ include "binnacle.watchEnv" . }}
{{- end }}
