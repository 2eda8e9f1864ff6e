import assert from "node:assert/strict";
import { createServer } from "node:http";
import { afterEach, describe, it } from "node:test";
import { CHECK_SETTINGS, defaultsOf, HTTP_SETTINGS } from "../contract/check-settings.ts";
import { createFakeRuntime } from "../../test/support/fake-runtime.ts";
import { createMemoryLog } from "../../test/support/http-server.ts";
import { createBadServers } from "../../test/support/probe.ts";
import { createTrust } from "../collector/tls/trust.ts";
import type { EndpointCheck } from "../observations.ts";
import { systemClock } from "../platform/clock.ts";
import { openChecks } from "./open-checks.ts";

const servers = createBadServers();
afterEach(servers.close);

const { signal } = new AbortController();

describe("the checks of this host", () => {
  it("reach neither the container engine nor this program", async () => {
    const asked: string[] = [];
    const listen = (name: string) => servers.listen(createServer((_request, response) => void (asked.push(name), response.end())));
    const [engine, own, other] = [await listen("engine"), await listen("own"), await listen("other")];
    const { probes, scan } = openChecks({
      sink: { observe: () => {} },
      trust: createTrust({ systemRoots: () => [] }),
      listeners: () => [{ address: "127.0.0.1", port: own }],
      runtime: { ...createFakeRuntime(0), networkAddresses: () => [{ address: "127.0.0.1", port: engine }] },
      clock: systemClock,
      log: createMemoryLog(),
    });
    const kill = (port: number): EndpointCheck => ({
      ...{ type: "http", target: `http://localhost:${port}/containers/x/kill`, intervalMs: 30_000, timeoutMs: 5000 },
      ...defaultsOf(CHECK_SETTINGS),
      http: { method: "POST", expectedStatus: ["2xx"], headers: {}, ...defaultsOf(HTTP_SETTINGS) },
    });
    probes.set(new Map([engine, own, other].map((port) => [String(port), kill(port)])));
    probes.start();
    try {
      const results = await Promise.all([engine, own, other].map((port) => probes.checkNow(String(port), signal)));
      assert.deepEqual(
        results.map(({ result }) => result.observed),
        [false, false, true],
      );
      assert.match(results[0]?.result.error ?? "", /127\.0\.0\.1 is where the container engine of this Binnacle listens/);
      const scanned = await scan({ domain: "127.0.0.1", port: engine, serverName: "localhost" }, signal);
      assert.match(JSON.stringify(scanned), /is where the container engine of this Binnacle/);
      assert.deepEqual(
        asked.filter((name) => name !== "other"),
        [],
      );
    } finally {
      await probes.stop();
    }
  });
});
