import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, it } from "node:test";
import { defaultsOf, HTTP_SETTINGS } from "../../contract/check-settings.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { createLogCapture } from "../../../test/support/log-capture.ts";
import { until } from "../../../test/support/until.ts";
import type { CheckResult, EndpointCheck } from "../../observations.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import { PeerError } from "../peers/failure.ts";
import type { Resolver } from "../peers/resolver.ts";
import { createTrust } from "../tls/trust.ts";
import { createProbes, type Probes, type ProbesOptions } from "./index.ts";

const signal = new AbortController().signal;
const check: EndpointCheck = {
  type: "tcp",
  target: "db.test:5432",
  intervalMs: 30_000,
  timeoutMs: 10_000,
  failureThreshold: 3,
  recoveryThreshold: 2,
  http: null,
};

const running: Probes[] = [];
afterEach(async () => {
  for (const probes of running.splice(0)) await probes.stop();
});

interface Seen {
  key: string;
  at: Date;
  result: CheckResult;
}

function setUp(options: Partial<ProbesOptions> = {}) {
  const seen: Seen[] = [];
  const probes = createProbes({
    sink: {
      observe(agentId, observation) {
        assert.equal(agentId, "agent");
        if (observation.kind === "endpoint.checked")
          seen.push({ key: observation.key, at: observation.observedAt, result: observation.result });
      },
    },
    agentId: "agent",
    clock: systemClock,
    log: silentLog,
    trust: createTrust({ systemRoots: () => [] }),
    ...options,
  });
  running.push(probes);
  return { probes, seen };
}

/** On a fake clock, with a resolver that knows nobody, so that every check fails at once; or hangs on request. */
function setUpFailing() {
  const clock = createFakeClock();
  const resolving: { host: string; signal: AbortSignal }[] = [];
  const hanging = new Set<string>();
  const resolver: Resolver = {
    resolve(host, resolveSignal) {
      resolving.push({ host, signal: resolveSignal });
      if (!hanging.has(host)) return Promise.reject(new PeerError("dns", `${host} was not found`));
      return new Promise((_, reject) => resolveSignal.addEventListener("abort", () => reject(resolveSignal.reason)));
    },
  };
  const startMs = clock.now().getTime();
  const { probes, seen } = setUp({ clock, resolver });
  const secondsOf = (key: string): number[] => seen.filter((each) => each.key === key).map(({ at }) => (at.getTime() - startMs) / 1000);
  return { clock, resolving, hanging, probes, seen, secondsOf };
}

async function serve(): Promise<{ url: string; close(): void }> {
  const server = createServer((_request, response) => response.end("ok"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
}

describe("the probes", () => {
  it("check what they are given, and report it", async (test) => {
    const server = await serve();
    test.after(server.close);
    const { probes, seen } = setUp();
    const http = { method: "GET", expectedStatus: ["2xx"], headers: {}, ...defaultsOf(HTTP_SETTINGS) };
    probes.set(
      new Map<string, EndpointCheck>([
        ["web", { ...check, type: "http", target: server.url, http, intervalMs: 1000 }],
        ["tcp", { ...check, target: new URL(server.url).host, intervalMs: 1000 }],
        ["dead", { ...check, target: "127.0.0.1:1", intervalMs: 1000 }],
      ]),
    );
    probes.start();
    await until(() => new Set(seen.map(({ key }) => key)).size === 3 && seen.length >= 6);
    const of = (key: string): CheckResult | undefined => seen.find((each) => each.key === key)?.result;
    assert.deepEqual([of("web")?.success, of("web")?.httpStatus, of("tcp")?.success], [true, 200, true]);
    assert.deepEqual([of("dead")?.success, of("dead")?.observed, of("dead")?.failureClass], [false, true, "connect"]);
  });

  it("check first within 5 s, then in their rhythm", async () => {
    const { clock, probes, secondsOf } = setUpFailing();
    probes.set(
      new Map([
        ["a", check],
        ["b", { ...check, target: "other.test:1" }],
      ]),
    );
    probes.start();
    await clock.advance(90_000);
    for (const key of ["a", "b"]) {
      const [first = -1, second = 0, third = 0, fourth = 0, fifth = 0] = secondsOf(key);
      assert.ok(first >= 0 && first <= 5);
      assert.deepEqual([second - first, third - second].map(Math.round), [5, 5]);
      assert.ok(fourth - third <= 30);
      assert.equal(Math.round(fifth - fourth), 30);
    }
    assert.notDeepEqual(secondsOf("a"), secondsOf("b"));
  });

  it("keep the rhythm of what did not change, and start over with what did", async () => {
    const { clock, probes, secondsOf } = setUpFailing();
    const slow = { ...check, failureThreshold: 1 };
    probes.set(
      new Map([
        ["same", slow],
        ["other", slow],
      ]),
    );
    probes.start();
    await clock.advance(60_000);
    const before = secondsOf("same");
    probes.set(
      new Map([
        ["same", { ...slow }],
        ["other", { ...slow, intervalMs: 40_000 }],
        ["new", slow],
      ]),
    );
    await clock.advance(60_000);
    const after = secondsOf("same");
    assert.equal(Math.round((after[before.length] ?? 0) - (before.at(-1) ?? 0)), 30);
    const changedAt = secondsOf("other").find((second) => second > 60) ?? Infinity;
    assert.ok(changedAt <= 65, `${changedAt}`);
    assert.ok((secondsOf("new")[0] ?? 0) <= 65);
  });

  it("end the check of what is removed, without a result", async () => {
    const { clock, resolving, hanging, probes, seen } = setUpFailing();
    hanging.add("db.test");
    probes.set(new Map([["a", check]]));
    probes.start();
    await clock.advance(5000);
    assert.equal(resolving.length, 1);
    probes.set(new Map());
    await clock.advance(120_000);
    assert.equal(resolving[0]?.signal.aborted, true);
    assert.deepEqual([seen.length, resolving.length], [0, 1]);
  });

  it("never run one check beside itself", async () => {
    const { clock, resolving, hanging, probes, secondsOf } = setUpFailing();
    hanging.add("db.test");
    probes.set(new Map([["a", { ...check, intervalMs: 5000, timeoutMs: 12_000, failureThreshold: 1 }]]));
    probes.start();
    await clock.advance(60_000);
    // The first begins at once, and each after the one before it.
    assert.deepEqual(secondsOf("a"), [0, 12, 24, 36, 48]);
    assert.equal(resolving.length, 6);
  });

  it("check one now when asked to, and report it too", async () => {
    const { clock, probes, seen } = setUpFailing();
    const slow = { ...check, failureThreshold: 1 };
    probes.set(new Map([["a", slow]]));
    const early = await probes.checkNow("a", signal);
    assert.equal(early.result.failureClass, "dns");
    assert.equal(early.at.getTime(), clock.now().getTime());
    assert.deepEqual(seen, [{ key: "a", ...early }]);
    probes.start();
    await clock.advance(40_000);
    const count = seen.length;
    await probes.checkNow("a", signal);
    assert.equal(seen.length, count + 1);
    await clock.advance(30_000);
    assert.equal(seen.length, count + 2);
  });

  it("wait for a check under way instead of a second one", async () => {
    const { clock, resolving, hanging, probes, seen } = setUpFailing();
    hanging.add("db.test");
    probes.set(new Map([["a", check]]));
    const both = Promise.all([probes.checkNow("a", signal), probes.checkNow("a", signal)]);
    await clock.advance(10_000);
    const [one, other] = await both;
    assert.equal(one, other);
    assert.deepEqual([seen.length, resolving.length], [1, 1]);
  });

  it("refuse to check what they do not know, or what is removed meanwhile", async () => {
    const { hanging, probes } = setUpFailing();
    hanging.add("db.test");
    await assert.rejects(probes.checkNow("a", signal), { code: "not_found" });
    probes.set(new Map([["a", check]]));
    const removed = assert.rejects(probes.checkNow("a", signal), { code: "not_found" });
    probes.set(new Map());
    await removed;
    probes.set(new Map([["a", check]]));
    const ending = new AbortController();
    const left = assert.rejects(probes.checkNow("a", ending.signal), /enough/);
    ending.abort(new Error("enough"));
    await left;
  });

  it("stop without results, and may be stopped twice", async () => {
    const { clock, hanging, probes, seen } = setUpFailing();
    hanging.add("db.test");
    probes.set(new Map([["a", check]]));
    probes.start();
    await clock.advance(5000);
    await Promise.all([probes.stop(), probes.stop()]);
    await clock.advance(60_000);
    assert.deepEqual(seen, []);
    await assert.rejects(probes.checkNow("a", signal), { code: "not_found" });
  });

  it("mark what the host itself is to blame for as not observed, and keep the rhythm then", async (test) => {
    const [one, other] = [await serve(), await serve()];
    test.after(() => (one.close(), other.close()));
    let connected = true;
    const resolver: Resolver = {
      resolve: () => (connected ? Promise.resolve(["127.0.0.1"]) : Promise.reject(new PeerError("dns", "The resolver gave no answer."))),
    };
    const readNetwork = () => ({ interfaceUp: connected, defaultRoute: connected, isNear: () => false });
    const { probes, seen } = setUp({ resolver, readNetwork });
    probes.set(
      new Map([
        ["one", { ...check, target: `one.test:${new URL(one.url).port}`, intervalMs: 1000 }],
        ["other", { ...check, target: `other.test:${new URL(other.url).port}`, intervalMs: 1000 }],
      ]),
    );
    probes.start();
    await until(() => new Set(seen.filter(({ result }) => result.success).map(({ key }) => key)).size === 2);
    connected = false;
    const before = seen.length;
    await until(() => seen.length >= before + 4);
    // Checks that were under way at the change may have succeeded.
    const failed = seen.slice(before).filter(({ result }) => !result.success);
    assert.ok(failed.length >= 2);
    for (const { result } of failed) assert.deepEqual([result.observed, result.failureClass], [false, "dns"]);
  });

  it("neither report nor log credentials", async () => {
    const capture = createLogCapture();
    const { probes, seen } = setUp({ log: capture.log });
    const http = { method: "GET", expectedStatus: ["2xx"], headers: { "X-Key": "hunter3" }, ...defaultsOf(HTTP_SETTINGS) };
    probes.set(new Map([["a", { ...check, type: "http", target: "http://ann:hunter2@127.0.0.1:1/?token=hunter4", http }]]));
    await probes.checkNow("a", signal);
    assert.equal(seen.length, 1);
    assert.doesNotMatch(JSON.stringify(seen) + capture.text(), /hunter|ann/);
  });
});
