/** The options that concern several hosts, as part of the table in options.ts. Source: specification, Server configuration constants and Agent spool. */
import { hostname } from "node:os";
import { StartError } from "../platform/errors.ts";
import { grpcServer, grpcUrl, listenAddress } from "./address-types.ts";
import { agentLabel, bytes, fingerprint, integer, path, secret, text, toggle, type Option } from "./value-types.ts";

export const SERVER_OPTIONS = {
  grpcListen: {
    flag: "--grpc-listen",
    env: "GRPC_LISTEN",
    type: listenAddress,
    default: "127.0.0.1:8443",
    help: "Server mode: where agents are listened for.",
  },
  grpcUrl: {
    flag: "--grpc-url",
    env: "GRPC_URL",
    type: grpcUrl,
    otherwise: "made of X-Forwarded-Host and Host, port 443",
    help: "Server mode: the public address for agents, as install commands name it.",
  },
  grpcTlsCert: {
    flag: "--grpc-tls-cert",
    env: "GRPC_TLS_CERT",
    type: path,
    otherwise: "a generated certificate, kept in the data folder",
    help: "Server mode: a PEM file with the certificate that agents see, and those between it and its root.",
  },
  grpcTlsKey: {
    flag: "--grpc-tls-key",
    env: "GRPC_TLS_KEY",
    type: path,
    otherwise: "the key of that certificate",
    help: "Server mode: a PEM file with the certificate's private key.",
  },
  grpcTlsInsecure: {
    flag: "--grpc-tls-insecure",
    env: "GRPC_TLS_INSECURE",
    type: toggle,
    default: "false",
    help: "Server mode: take agents without TLS (h2c), from a proxy that ends it.",
  },
  agentRateLimit: {
    flag: "--agent-rate-limit-per-second",
    env: "AGENT_RATE_LIMIT_PER_SECOND",
    type: integer({ min: 1, max: 1_000_000 }),
    default: "1000",
    help: "Server mode: how many events a second are taken of one agent.",
  },
  agentStaleThreshold: {
    flag: "--agent-stale-threshold-seconds",
    env: "AGENT_STALE_THRESHOLD_SECONDS",
    type: integer({ min: 5, max: 86_400 }),
    default: "60",
    help: "Server mode: how long nothing may come from an agent before it counts as disconnected.",
  },
  embeddedAgent: {
    flag: "--embedded-agent",
    env: "EMBEDDED_AGENT",
    type: toggle,
    default: "true",
    help: "Server mode: watch the server's own host too.",
  },
} as const satisfies Record<string, Option>;

export const AGENT_OPTIONS = {
  server: {
    flag: "--server",
    env: "SERVER",
    type: grpcServer,
    otherwise: "none; an agent needs it",
    help: "Agent: the server to send to, grpcs://HOST[:PORT]; the port is 443 unless given. grpc://, without TLS, only to this host itself, or with --grpc-insecure-skip-tls-verify.",
  },
  serverFingerprint: {
    flag: "--server-fingerprint",
    env: "SERVER_FINGERPRINT",
    type: fingerprint,
    otherwise: "none; its authority and name are checked",
    help: "Agent: the only certificate that the server may have, sha256:HEX as install commands name it. Its authority, name and dates are then not checked.",
  },
  enrollmentToken: {
    flag: "--enrollment-token",
    env: "ENROLLMENT_TOKEN",
    type: secret({ ...text, name: "TOKEN" }),
    otherwise: "none; an agent needs it when it first starts",
    help: "Agent: the token that makes it known to the server. Used once; afterwards identity.json in the data folder says who it is.",
  },
  label: {
    flag: "--label",
    env: "LABEL",
    type: agentLabel,
    otherwise: "the host name",
    help: "Agent: how it is called in the web interface, at most 64 characters. Used when it enrolls.",
  },
  grpcInsecureSkipTlsVerify: {
    flag: "--grpc-insecure-skip-tls-verify",
    env: "GRPC_INSECURE_SKIP_TLS_VERIFY",
    type: toggle,
    default: "false",
    help: "Agent: do not check the server's certificate. For development only: anybody in between can read and change everything.",
  },
  agentSpoolMaxMemoryBytes: {
    flag: "--agentSpoolMaxMemoryBytes",
    env: "AGENT_SPOOL_MAX_MEMORY_BYTES",
    type: bytes({ min: 0, max: 1024 ** 3 }),
    default: "16777216",
    help: "Agent: how much of what the server has not got is held in memory before it goes to disk. 0 here and for the disk keeps nothing.",
  },
  agentSpoolMaxDiskBytes: {
    flag: "--agentSpoolMaxDiskBytes",
    env: "AGENT_SPOOL_MAX_DISK_BYTES",
    type: bytes({ min: 0, max: 1024 ** 4 }),
    default: "134217728",
    help: "Agent: how much of it is held on disk; beyond that the oldest is dropped.",
  },
  agentSpoolMaxAgeSeconds: {
    flag: "--agentSpoolMaxAgeSeconds",
    env: "AGENT_SPOOL_MAX_AGE_SECONDS",
    type: integer({ min: 1, max: 30 * 86_400 }),
    default: "86400",
    help: "Agent: how long it is held; what is older is not sent any more.",
  },
} as const satisfies Record<string, Option>;

/** How the gRPC listener proves itself to agents. Source: specification, Authentication, Agents. */
export type GrpcTls =
  | { readonly kind: "files"; readonly certificateFile: string; readonly keyFile: string }
  /** A generated certificate, for these names. */
  | { readonly kind: "self_signed"; readonly names: readonly string[] }
  /** h2c: a proxy in front ends TLS. */
  | { readonly kind: "insecure" };

interface GrpcTlsValues {
  readonly grpcTlsCert: string | undefined;
  readonly grpcTlsKey: string | undefined;
  readonly grpcTlsInsecure: boolean;
  readonly grpcUrl: string | undefined;
}

/** The options of the listener's TLS as one. Throws a StartError when they do not fit together. */
export function completeGrpcTls({ grpcTlsCert, grpcTlsKey, grpcTlsInsecure, grpcUrl: publicUrl }: GrpcTlsValues): GrpcTls {
  if ((grpcTlsCert === undefined) !== (grpcTlsKey === undefined)) {
    throw new StartError("SERVICE_GRPC_TLS_CERT and SERVICE_GRPC_TLS_KEY: one is of no use without the other");
  }
  if (grpcTlsCert === undefined || grpcTlsKey === undefined) {
    if (grpcTlsInsecure) return { kind: "insecure" };
    const named = publicUrl === undefined ? [] : [new URL(publicUrl.replace(/^grpcs:/, "https:")).hostname.replace(/^\[|\]$/g, "")];
    return { kind: "self_signed", names: [...new Set([...named, hostname(), "localhost", "127.0.0.1", "::1"])] };
  }
  if (grpcTlsInsecure) {
    throw new StartError("SERVICE_GRPC_TLS_INSECURE: the listener has a certificate; take it away to listen without TLS, or this option");
  }
  return { kind: "files", certificateFile: grpcTlsCert, keyFile: grpcTlsKey };
}
