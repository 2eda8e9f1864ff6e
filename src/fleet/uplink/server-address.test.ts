import assert from "node:assert/strict";
import { it } from "node:test";
import { StartError } from "../../platform/errors.ts";
import { addressText, refusePlaintext } from "./server-address.ts";

it("writes an IPv6 address in brackets before its port", () => {
  const texts = ["::1", "2001:db8::7", "127.0.0.1", "example.com"].map((host) => addressText({ host, port: 8443, isPlain: false }));
  assert.deepEqual(texts, ["[::1]:8443", "[2001:db8::7]:8443", "127.0.0.1:8443", "example.com:8443"]);
});

it("takes a server without TLS on this host alone, unless checks were given up", () => {
  const check = (host: string, { isPlain = true, skipTlsVerify = false } = {}): void =>
    refusePlaintext({ server: { host, port: 443, isPlain }, skipTlsVerify, serverFingerprint: undefined });
  for (const host of ["localhost", "LOCALHOST", "127.0.0.1", "127.8.8.8", "::1"]) check(host);
  for (const host of ["198.51.100.1", "2001:db8::7", "127.example.com", "localhost.example.com"]) {
    assert.throws(
      () => check(host),
      (error) =>
        error instanceof StartError &&
        error.message.startsWith(`grpc://${addressText({ host, port: 443, isPlain: true })} is without TLS`) &&
        error.message.includes("--grpc-insecure-skip-tls-verify"),
    );
    check(host, { isPlain: false });
    check(host, { skipTlsVerify: true });
  }
});
