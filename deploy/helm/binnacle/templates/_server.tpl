{{- /* What is served: the base URL that was given, else the ingress. */}}
{{- define "binnacle.baseUrl" -}}
{{- if .Values.server.baseUrl }}
{{- .Values.server.baseUrl }}
{{- else if and .Values.ingress.enabled .Values.ingress.host }}
{{- printf "%s://%s" (ternary "https" "http" (ne .Values.ingress.tlsSecret "")) .Values.ingress.host }}
{{- end }}
{{- end }}

{{- /* Variables of the server, as YAML; empty ones are left out. */}}
{{- define "binnacle.serverEnv" -}}
{{- $server := .Values.server }}
{{- $files := "/run/secrets/binnacle" }}
SERVICE_MODE: {{ $server.mode }}
SERVICE_ADDR: {{ printf "%s:8080" $server.listenHost | quote }}
SERVICE_DATA_DIR: /data
SERVICE_BASE_URL: {{ include "binnacle.baseUrl" . | quote }}
SERVICE_TRUSTED_PROXIES: {{ join "," $server.trustedProxies | quote }}
SERVICE_ALLOWED_HOSTS: {{ join "," $server.allowedHosts | quote }}
SERVICE_ADMIN_TOKEN_FILE: {{ $files }}/admin-token
{{- if or $server.secretKey.existingSecret (include "binnacle.makesSecretKey" .) }}
SERVICE_SECRET_KEY_FILE: {{ $files }}/secret-key
{{- end }}
{{- if $server.license.existingSecret }}
SERVICE_LICENSE_KEY_FILE: {{ $files }}/license-key
{{- end }}
{{- if eq .Values.database.kind "postgresql" }}
SERVICE_DATABASE_URL_FILE: {{ $files }}/database-url
{{- end }}
{{- if include "binnacle.serverWatches" . }}
{{ include "binnacle.watchEnv" . }}
{{- else }}
SERVICE_EMBEDDED_AGENT: "false"
{{- end }}
{{- if eq $server.mode "server" }}
SERVICE_GRPC_LISTEN: {{ printf "%s:8443" $server.listenHost | quote }}
SERVICE_GRPC_URL: {{ $server.agents.url | quote }}
{{- if $server.agents.insecure }}
SERVICE_GRPC_TLS_INSECURE: "true"
{{- else if $server.agents.tlsSecret }}
SERVICE_GRPC_TLS_CERT: {{ $files }}/agents.crt
SERVICE_GRPC_TLS_KEY: {{ $files }}/agents.key
{{- end }}
{{- end }}
{{- end }}

{{- /* The secrets of the server, each a file. */}}
{{- define "binnacle.serverSecrets" -}}
{{- $server := .Values.server }}
- secret:
    name: {{ $server.adminToken.existingSecret | default (include "binnacle.secretName" .) | quote }}
    items:
      - key: {{ ternary $server.adminToken.key "admin-token" (ne $server.adminToken.existingSecret "") | quote }}
        path: admin-token
{{- if or $server.secretKey.existingSecret (include "binnacle.makesSecretKey" .) }}
- secret:
    name: {{ $server.secretKey.existingSecret | default (include "binnacle.secretName" .) | quote }}
    items:
      - key: {{ ternary $server.secretKey.key "secret-key" (ne $server.secretKey.existingSecret "") | quote }}
        path: secret-key
{{- end }}
{{- with $server.license }}
{{- if .existingSecret }}
- secret:
    name: {{ .existingSecret | quote }}
    items:
      - key: {{ .key | quote }}
        path: license-key
{{- end }}
{{- end }}
{{- if eq .Values.database.kind "postgresql" }}
- secret:
    name: {{ .Values.database.postgresql.existingSecret | quote }}
    items:
      - key: {{ .Values.database.postgresql.key | quote }}
        path: database-url
{{- end }}
{{- if and (eq $server.mode "server") $server.agents.tlsSecret (not $server.agents.insecure) }}
- secret:
    name: {{ $server.agents.tlsSecret | quote }}
    items:
      - key: tls.crt
        path: agents.crt
      - key: tls.key
        path: agents.key
{{- end }}
{{- end }}
