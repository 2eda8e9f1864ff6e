import assert from "node:assert/strict";
import { createServer } from "node:net";
import { afterEach, beforeEach, describe, it } from "node:test";
import { createBadServers, probe } from "../../../test/support/probe.ts";
import type { CheckResult, EndpointCheck } from "../../observations.ts";
import { systemClock } from "../../platform/clock.ts";
import { type AddressGuard, createAddressGuard } from "../peers/address-guard.ts";
import type { Resolver } from "../peers/resolver.ts";
import { createScanner } from "../tls/scan.ts";
import { createTrust } from "../tls/trust.ts";
import { probeTcp } from "./tcp-probe.ts";

const servers = createBadServers();
afterEach(servers.close);

const { signal } = new AbortController();
const trust = createTrust({ systemRoots: () => [] });
/** A name server that lies as its owner likes. */
const leadingTo = (...addresses: string[]): Resolver => ({ resolve: async () => addresses });

describe("checks and the listeners of the program", () => {
  let connections: number;
  let port: number;
  let guard: AddressGuard;
  beforeEach(async () => {
    connections = 0;
    port = await servers.listen(createServer((socket) => void ((connections += 1), socket.end("HTTP/1.1 204 Mine\r\n\r\n"))));
    guard = createAddressGuard({ listeners: () => [{ address: "127.0.0.1", port }] });
  });

  function assertNotMade({ success, observed, error, failureClass }: CheckResult, address = "127.0.0.1"): void {
    assert.deepEqual([success, observed, failureClass, connections], [false, false, "connect", 0]);
    assert.match(error ?? "", new RegExp(`:${port} is not asked: ${address.replaceAll(".", "\\.")} is where this Binnacle listens`));
  }

  for (const host of ["127.0.0.1", "[::ffff:127.0.0.1]", "0.0.0.0", "2130706433"]) {
    it(`are not made of http://${host}`, async () => {
      const { result } = await probe(`http://${host}:${port}/api/v1/status/incidents/1`, { method: "DELETE", guard });
      assert.deepEqual([result.observed, connections], [false, 0]);
      assert.match(result.error ?? "", /is where this Binnacle listens/);
    });
  }

  it("do not get there by a redirect", async () => {
    const url = await servers.serve((_request, response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${port}/api/v1/status/incidents/1` }).end(),
    );
    assertNotMade((await probe(url, { method: "DELETE", guard })).result);
  });

  it("do not get there by a name", async () => {
    const check: EndpointCheck = {
      ...{ type: "tcp", target: `lying.test:${port}`, intervalMs: 30_000, timeoutMs: 10_000, failureThreshold: 3, recoveryThreshold: 2 },
      http: null,
    };
    const parts = { clock: systemClock, guard, trust, resolver: leadingTo("127.0.0.1") };
    assertNotMade((await probeTcp(check, parts, signal)).result);
    const other = await servers.listen(createServer((socket) => void socket.resume()));
    const both = { ...parts, resolver: leadingTo("169.254.169.254", "127.0.0.1") };
    const { result, address } = await probeTcp({ ...check, target: `lying.test:${other}` }, both, signal);
    assert.deepEqual([result.success, address], [true, "127.0.0.1"], "other addresses of the name are asked");
  });

  it("do not look at its certificate", async () => {
    const scan = createScanner({ trust, clock: systemClock, guard, resolver: leadingTo("127.0.0.1") });
    const { error } = await scan({ domain: "lying.test", port, serverName: "lying.test" }, signal);
    assert.match(error ?? "", /^lying\.test:\d+ is not asked: 127\.0\.0\.1 is where this Binnacle listens/);
    assert.equal(connections, 0);
  });

  it("do not ask what only this machine can reach, in whatever mode", async () => {
    const { result } = await probe("http://169.254.169.254/latest/meta-data/", { timeoutMs: 2_000 });
    assert.deepEqual(
      [result.observed, result.error],
      [false, "169.254.169.254:80 is not asked: 169.254.169.254 is a link-local address, which no check reaches."],
    );
  });
});
