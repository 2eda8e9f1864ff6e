import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { createSecureContext, createServer } from "node:tls";
import { ServerCredentials } from "@grpc/grpc-js";
import { startIngestServer } from "../../../test/support/ingest-server.ts";
import { connected, worldOf } from "../../../test/support/uplink.ts";
import { until } from "../../../test/support/until.ts";
import { StartError } from "../../platform/errors.ts";
import { fingerprintOf, makeSelfSigned, type SelfSigned } from "../own-certificate.ts";
import { openTransport } from "./transport.ts";
import { createUplink } from "./index.ts";

const make = (): SelfSigned => makeSelfSigned(["elsewhere.example"], new Date());
const grpcCredentials = ({ certificate, key }: SelfSigned): ServerCredentials =>
  ServerCredentials.createSsl(null, [{ cert_chain: Buffer.from(certificate), private_key: Buffer.from(key) }]);

test("an agent with a fingerprint speaks with the server of that certificate alone", async (t) => {
  const [own, other] = [make(), make()];
  const world = await worldOf(t, {}, grpcCredentials(own));
  const server = { host: "127.0.0.1", port: world.server.port, isPlain: false };

  await world.restart({ server, serverFingerprint: fingerprintOf(other.certificate) });
  world.start();
  await until(() => /not connected to the server .*fingerprint/.test(world.logText()), { what: `refused; ${world.logText()}` });
  assert.ok(world.logText().includes(fingerprintOf(own.certificate)), "the log names the fingerprint that the server has");
  assert.equal(world.server.registrations.length, 0);

  const pinned = { server, serverFingerprint: fingerprintOf(own.certificate) };
  await world.restart(pinned);
  world.start();
  await connected(world);
  assert.equal(world.server.registrations.length, 1);

  await world.server.stop();
  world.server = await startIngestServer(grpcCredentials(other));
  const streams = world.server.streams;
  await world.restart({ ...pinned, server: { ...server, port: world.server.port } });
  world.start();
  const refusals = (): number => world.logText().split("fingerprint").length;
  const before = refusals();
  await until(() => refusals() > before, { what: `refused after the server's restart; ${world.logText()}` });
  assert.equal(world.server.streams, streams);
});

for (const skipTlsVerify of [false, true])
  test(`a stranger gets not one byte after the handshake${skipTlsVerify ? ", the skip flag changes nothing" : ""}`, async (t) => {
    const { certificate, key } = make();
    let received = 0;
    let hangUps = 0;
    const stranger = createServer({ cert: certificate, key, ALPNProtocols: ["h2"] }, (socket) => {
      socket.on("data", (bytes) => (received += bytes.length));
      socket.on("close", () => (hangUps += 1));
      socket.on("error", () => undefined);
    }).listen(0, "127.0.0.1");
    t.after(() => stranger.close());
    // It may go before the server has its last word of the handshake.
    stranger.on("tlsClientError", () => (hangUps += 1));
    await once(stranger, "listening");
    const transport = openTransport({
      server: { host: "127.0.0.1", port: (stranger.address() as AddressInfo).port, isPlain: false },
      trust: () => createSecureContext({ ca: certificate }),
      skipTlsVerify,
      serverFingerprint: `sha256:${"0".repeat(64)}`,
    });
    t.after(() => transport.close());
    const [error] = (await once(transport.push(), "error").catch((thrown: unknown) => [thrown])) as [Error];
    assert.match(error.message, /fingerprint/);
    await until(() => hangUps > 0);
    assert.equal(received, 0);
  });

test("a fingerprint cannot be compared without TLS", async (t) => {
  const world = await worldOf(t);
  const options = { ...world.options, skipTlsVerify: true, serverFingerprint: `sha256:${"0".repeat(64)}` };
  assert.throws(
    () => createUplink(options),
    (error) => error instanceof StartError && /SERVICE_SERVER_FINGERPRINT/.test(error.message),
  );
});

test("a fingerprint is that of the certificate's DER", () => {
  const { certificate } = make();
  const colons = new X509Certificate(certificate).fingerprint256;
  assert.equal(fingerprintOf(certificate), `sha256:${colons.replaceAll(":", "").toLowerCase()}`);
});
