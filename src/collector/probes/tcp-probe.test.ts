import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { after, before, describe, it } from "node:test";
import { until } from "../../../test/support/until.ts";
import type { EndpointCheck } from "../../observations.ts";
import { systemClock } from "../../platform/clock.ts";
import { createAddressGuard } from "../peers/address-guard.ts";
import { createResolver, type Resolver } from "../peers/resolver.ts";
import { createTrust } from "../tls/trust.ts";
import type { Outcome } from "./probe.ts";
import { peerOf, probeTcp } from "./tcp-probe.ts";

const resolver = createResolver({ clock: systemClock });
/** A resolver that knows one name. */
const knowing = (...addresses: string[]): Resolver => ({ resolve: () => Promise.resolve(addresses) });

function probe(target: string, { timeoutMs = 10_000, by = resolver } = {}, signal = new AbortController().signal): Promise<Outcome> {
  const check: EndpointCheck = {
    type: "tcp",
    target,
    intervalMs: 30_000,
    timeoutMs,
    failureThreshold: 3,
    recoveryThreshold: 2,
    http: null,
  };
  return probeTcp(check, { clock: systemClock, resolver: by, guard: createAddressGuard(), trust: createTrust() }, signal);
}

describe("one TCP check", () => {
  let server: Server;
  let port: number;
  let closed = 0;
  before(async () => {
    server = createServer((socket) => void socket.on("close", () => (closed += 1)).resume());
    server.listen(0, "::");
    await once(server, "listening");
    ({ port } = server.address() as AddressInfo);
  });
  after(() => server.close());

  it("connects, closes and reports how long it took", async () => {
    const { result, address } = await probe(`127.0.0.1:${port}`);
    assert.ok(result.responseTimeMs !== null && result.responseTimeMs > 0);
    assert.deepEqual(
      { ...result, responseTimeMs: 1 },
      {
        success: true,
        observed: true,
        responseTimeMs: 1,
        httpStatus: null,
        failureClass: null,
        error: null,
        certificate: null,
      },
    );
    assert.match(address ?? "", /127\.0\.0\.1$/);
  });

  it("speaks IPv6", async () => {
    assert.equal((await probe(`[::1]:${port}`)).result.error, null);
  });

  it("finds the address that answers, soon, behind others that are dead or silent", async () => {
    const { result, address } = await probe(`many.test:${port}`, {
      by: knowing("::ffff:127.0.0.2", "192.0.2.1", "2001:db8::1", "127.0.0.1"),
    });
    assert.equal(result.error, null);
    assert.match(address ?? "", /127\.0\.0\.[12]$/);
  });

  it("says what it met", async () => {
    const lone = createServer().listen(0, "127.0.0.1");
    await once(lone, "listening");
    const free = (lone.address() as AddressInfo).port;
    lone.close();
    const refused = await probe(`db.test:${free}`, { by: knowing("127.0.0.1", "::1") });
    assert.deepEqual([refused.result.failureClass, refused.result.error], ["connect", `db.test:${free} refused the connection.`]);
    const unknown = await probe("no-such-name.invalid:80");
    assert.deepEqual([unknown.result.failureClass, unknown.result.error], ["dns", "The name no-such-name.invalid was not found."]);
    const silent: Resolver = {
      resolve: (_host, signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    };
    const slow = await probe("slow.test:80", { by: silent, timeoutMs: 50 });
    assert.deepEqual([slow.result.failureClass, slow.result.error], ["dns", "The resolver gave no answer for slow.test within 0.05 s."]);
  });

  it("gives up on a peer that does not answer to the connection", async (test) => {
    // A process that listens and never accepts: once its queue is full, the system drops what comes.
    const script = `require("net").createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, function () {
      require("fs").writeSync(1, String(this.address().port));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    })`;
    const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    const [silentPort] = await once(child.stdout, "data");
    const queued = Array.from({ length: 5 }, () => connect(Number(silentPort), "127.0.0.1").on("error", () => undefined));
    test.after(() => {
      for (const socket of queued) socket.destroy();
      child.kill("SIGKILL");
    });
    await until(() => queued.filter(({ connecting }) => !connecting).length >= 2);
    const { result } = await probe(`127.0.0.1:${silentPort}`, { timeoutMs: 200 });
    assert.equal(result.failureClass, "timeout");
    assert.equal(result.error, `127.0.0.1:${silentPort} did not accept the connection within 0.2 s.`);
    // Another address at the same port, which is tried beside the silent one.
    const answering = createServer((socket) => void socket.resume()).listen(Number(silentPort), "127.0.0.2");
    test.after(() => answering.close());
    await once(answering, "listening");
    const both = await probe(`both.test:${silentPort}`, { by: knowing("127.0.0.1", "127.0.0.2") });
    assert.equal(both.address, "127.0.0.2");
  });

  it("is called off with the signal's reason", async () => {
    const ending = new AbortController();
    const silent: Resolver = {
      resolve: (_host, signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    };
    const outcome = probe("slow.test:80", { by: silent }, ending.signal);
    ending.abort(new Error("no longer"));
    await assert.rejects(outcome, /no longer/);
  });

  it("reads hosts, addresses and ports", () => {
    assert.deepEqual(peerOf("db:5432"), { host: "db", port: 5432 });
    assert.deepEqual(peerOf("[::1]:80"), { host: "::1", port: 80 });
    assert.ok(closed > 0);
  });
});
