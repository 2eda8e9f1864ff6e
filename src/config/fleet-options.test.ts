import assert from "node:assert/strict";
import { test } from "node:test";
import { StartError } from "../platform/errors.ts";
import { grpcUrl } from "./address-types.ts";
import { parseConfig } from "./config.ts";
import { completeGrpcTls } from "./fleet-options.ts";

function configOf(env: Record<string, string>) {
  const start = parseConfig({ argv: [], env, readFile: () => "", isTerminal: false });
  assert.ok("config" in start);
  return start.config;
}

test("without options the server listens for agents on loopback, with TLS", () => {
  const config = configOf({});
  assert.deepEqual(config.grpcListen, { host: "127.0.0.1", port: 8443 });
  assert.deepEqual(
    [config.grpcUrl, config.grpcTlsCert, config.grpcTlsKey, config.grpcTlsInsecure],
    [undefined, undefined, undefined, false],
  );
  assert.deepEqual([config.agentRateLimit, config.agentStaleThreshold, config.embeddedAgent], [1_000, 60, true]);
});

test("the variables of the server are the specification's", () => {
  const config = configOf({
    SERVICE_GRPC_LISTEN: "0.0.0.0:9000",
    SERVICE_GRPC_URL: "grpcs://hosts.example.org",
    SERVICE_GRPC_TLS_CERT: "/tls/cert.pem",
    SERVICE_GRPC_TLS_KEY: "/tls/key.pem",
    SERVICE_AGENT_RATE_LIMIT_PER_SECOND: "5000",
    SERVICE_AGENT_STALE_THRESHOLD_SECONDS: "30",
    SERVICE_EMBEDDED_AGENT: "false",
  });
  assert.deepEqual([config.grpcListen.port, config.grpcUrl], [9_000, "grpcs://hosts.example.org:443"]);
  assert.deepEqual(config.grpcTls, { kind: "files", certificateFile: "/tls/cert.pem", keyFile: "/tls/key.pem" });
  assert.equal(configOf({ SERVICE_GRPC_TLS_INSECURE: "true" }).grpcTls.kind, "insecure");
  assert.deepEqual([config.agentRateLimit, config.agentStaleThreshold, config.embeddedAgent], [5_000, 30, false]);
});

const urls: [given: string, url: string][] = [
  ["grpcs://hosts.example.org", "grpcs://hosts.example.org:443"],
  ["hosts.example.org", "grpcs://hosts.example.org:443"],
  ["HOSTS.example.org:80", "grpcs://hosts.example.org:80"],
  ["grpcs://hosts.example.org:443/", "grpcs://hosts.example.org:443"],
  ["GRPCS://[2001:db8::1]:8443", "grpcs://[2001:db8::1]:8443"],
];
for (const [given, url] of urls) test(`${given} is ${url}`, () => assert.equal(grpcUrl.parse(given), url));

const nonsense = [
  "",
  "grpc://hosts.example.org",
  "http://hosts.example.org",
  "https://hosts.example.org",
  "hosts.example.org:0",
  "hosts.example.org:70000",
  "hosts.example.org:x",
  "user@hosts.example.org",
  "hosts.example.org/path",
  "hosts.example.org?x",
  "a b",
  "$(reboot)",
];
for (const given of nonsense) test(`${JSON.stringify(given)} is refused`, () => assert.throws(() => grpcUrl.parse(given), StartError));

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
