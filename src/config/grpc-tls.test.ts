import assert from "node:assert/strict";
import { test } from "node:test";
import { StartError } from "../platform/errors.ts";
import { completeGrpcTls } from "./grpc-tls.ts";

const NOTHING = { grpcTlsCert: undefined, grpcTlsKey: undefined, grpcTlsInsecure: false, grpcUrl: undefined };

test("without a certificate the listener makes its own, for the names that agents may use", () => {
  const tls = completeGrpcTls({ ...NOTHING, grpcUrl: "grpcs://[2001:db8::1]:8443" });
  assert.ok(tls.kind === "self_signed");
  for (const name of ["2001:db8::1", "localhost", "127.0.0.1", "::1"]) assert.ok(tls.names.includes(name), name);
});

test("a certificate comes with its key", () => {
  const both = { ...NOTHING, grpcTlsCert: "/tls/cert.pem", grpcTlsKey: "/tls/key.pem" };
  assert.deepEqual(completeGrpcTls(both), { kind: "files", certificateFile: "/tls/cert.pem", keyFile: "/tls/key.pem" });
  for (const one of ["grpcTlsCert", "grpcTlsKey"] as const)
    assert.throws(
      () => completeGrpcTls({ ...both, [one]: undefined }),
      (error) => error instanceof StartError && /one is of no use/.test(error.message),
    );
});

test("behind a proxy that ends TLS there is none, and no certificate", () => {
  assert.deepEqual(completeGrpcTls({ ...NOTHING, grpcTlsInsecure: true }), { kind: "insecure" });
  const both = { ...NOTHING, grpcTlsCert: "/tls/cert.pem", grpcTlsKey: "/tls/key.pem", grpcTlsInsecure: true };
  assert.throws(() => completeGrpcTls(both), /SERVICE_GRPC_TLS_INSECURE/);
});
