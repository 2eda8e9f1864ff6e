import { hostname } from "node:os";
import { StartError } from "../platform/errors.ts";

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
export function completeGrpcTls({ grpcTlsCert, grpcTlsKey, grpcTlsInsecure, grpcUrl }: GrpcTlsValues): GrpcTls {
  if ((grpcTlsCert === undefined) !== (grpcTlsKey === undefined)) {
    throw new StartError("SERVICE_GRPC_TLS_CERT and SERVICE_GRPC_TLS_KEY: one is of no use without the other");
  }
  if (grpcTlsCert === undefined || grpcTlsKey === undefined) {
    if (grpcTlsInsecure) return { kind: "insecure" };
    const named = grpcUrl === undefined ? [] : [new URL(grpcUrl.replace(/^grpcs:/, "https:")).hostname.replace(/^\[|\]$/g, "")];
    return { kind: "self_signed", names: [...new Set([...named, hostname(), "localhost", "127.0.0.1", "::1"])] };
  }
  if (grpcTlsInsecure) {
    throw new StartError("SERVICE_GRPC_TLS_INSECURE: the listener has a certificate; take it away to listen without TLS, or this option");
  }
  return { kind: "files", certificateFile: grpcTlsCert, keyFile: grpcTlsKey };
}
