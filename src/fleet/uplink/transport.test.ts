import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { after, before, test, it } from "node:test";
import { createSecureContext, createServer, type Server } from "node:tls";
import { DAY_MS } from "../../contract/time.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { createAuthority, type Identity } from "../../../test/support/tls-authority.ts";
import { StartError } from "../../platform/errors.ts";
import { openTransport, addressText, refusePlaintext } from "./transport.ts";

let identities: Record<"root" | "address" | "name", Identity>;
const names: (string | false | null)[] = [];
const servers: Server[] = [];

before(async () => {
  const { issue } = createAuthority(temporaryFolder());
  const period = { from: new Date(Date.now() - DAY_MS), until: new Date(Date.now() + DAY_MS) };
  const root = await issue({ ...period, name: "root", extensions: ["basicConstraints=critical,CA:TRUE", "keyUsage=keyCertSign"] });
  identities = {
    root,
    address: await issue({ ...period, name: "address", issuer: root, extensions: ["subjectAltName=IP:127.0.0.1"] }),
    name: await issue({ ...period, name: "name", issuer: root, extensions: ["subjectAltName=DNS:localhost"] }),
  };
});
after(() => servers.forEach((server) => server.close()));

/** Opens a stream to a server with that certificate, by its bare address; answers why it ended. */
async function reasonOf({ cert, key }: Identity, { skipTlsVerify }: { skipTlsVerify: boolean }): Promise<string> {
  // It hangs up where it would speak HTTP/2.
  const server = createServer({ cert, key, ALPNProtocols: ["h2"] }, (socket) => {
    names.push(socket.servername);
    socket.destroy();
  }).listen(0, "127.0.0.1");
  server.on("tlsClientError", () => undefined);
  servers.push(server);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const transport = openTransport({
    server: { host: "127.0.0.1", port, isPlain: false },
    trust: () => createSecureContext({ ca: identities.root.cert }),
    skipTlsVerify,
    serverFingerprint: undefined,
  });
  try {
    const [error] = (await once(transport.push(), "error").catch((thrown: unknown) => [thrown])) as [Error];
    return error.message;
  } finally {
    transport.close();
  }
}

test("a server named by its address must have a certificate for that address, and gets no server name that is none", async (t) => {
  const warnings: Error[] = [];
  const keep = (warning: Error): void => void warnings.push(warning);
  process.on("warning", keep);
  t.after(() => process.off("warning", keep));
  assert.match(await reasonOf(identities.name, { skipTlsVerify: false }), /127\.0\.0\.1 is not in the cert's list/);
  assert.doesNotMatch(await reasonOf(identities.address, { skipTlsVerify: false }), /certificate|cert's list/i);
  assert.doesNotMatch(await reasonOf(identities.name, { skipTlsVerify: true }), /certificate|cert's list/i);
  assert.ok(names.length >= 2 && names.every((name) => name === "localhost"), names.join());
  assert.deepEqual(warnings, []);
});

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
