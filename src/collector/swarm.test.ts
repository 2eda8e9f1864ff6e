import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { createFakeClock, type FakeClock } from "../../test/support/fake-clock.ts";
import { runtimeSwarm, swarmNode, swarmService, swarmTask } from "../../test/support/swarm-topology.ts";
import { defaultSettings } from "../../test/support/sightings.ts";
import type { Observation } from "../observations.ts";
import type { SwarmSighting } from "../observations/swarm.ts";
import { pause } from "../platform/clock.ts";
import { ServiceError } from "../platform/errors.ts";
import { silentLog } from "../platform/log.ts";
import type { RuntimeSwarm } from "../runtimes/runtime.ts";
import { createSwarmCollector, type SwarmCollector } from "./swarm.ts";

const signal = new AbortController().signal;

describe("the collector of a swarm", () => {
  let clock: FakeClock;
  let collector: SwarmCollector;
  let seen: SwarmSighting[];
  let shown: RuntimeSwarm | Error;
  let reads: number;
  let takesMs: number;
  /** How often its changes were asked for. */
  let followed: number;
  let connected: boolean;
  let lookedAt: number;
  let standings: string[];
  let change: () => void;

  beforeEach(() => {
    clock = createFakeClock(new Date("2026-03-01T12:00:00Z"));
    seen = [];
    shown = runtimeSwarm();
    reads = 0;
    takesMs = 0;
    followed = 0;
    connected = true;
    lookedAt = 0;
    standings = [];
    let changed = Promise.withResolvers<void>();
    change = () => changed.resolve();
    collector = createSwarmCollector({
      source: {
        async read() {
          reads += 1;
          if (takesMs > 0) await pause(clock, takesMs);
          if (shown instanceof Error) throw shown;
          return structuredClone(shown);
        },
        async *changes(until) {
          followed += 1;
          while (!until.aborted) {
            await Promise.race([changed.promise, new Promise((resolve) => until.addEventListener("abort", resolve))]);
            changed = Promise.withResolvers<void>();
            if (!until.aborted) yield;
          }
        },
      },
      sink: { observe: (_agentId: string | null, each: Observation) => void (each.kind === "swarm.observed" && seen.push(each.swarm)) },
      agentId: null,
      clock,
      log: silentLog,
      isConnected() {
        lookedAt += 1;
        return connected;
      },
      onStanding: (standing, before) => void standings.push(`${before} to ${standing}`),
    });
  });
  afterEach(() => collector.stop());

  async function pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 100) {
      await clock.advance(100);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  it("says all of it, again when something changed, and now and then when nothing did", async () => {
    collector.start();
    await pass(1_000);
    assert.equal(seen.length, 1);
    await pass(8_000);
    assert.equal(seen.length, 1);
    assert.ok(reads > 4, `${reads} reads`);
    shown = runtimeSwarm({ topology: { services: [], tasks: [swarmTask({ state: "failed" })], nodes: [swarmNode(1)] } });
    await pass(2_000);
    assert.equal(seen.length, 2);
    assert.equal(seen[1]?.topology?.tasks[0]?.state, "failed");
    await pass(12_000);
    assert.equal(seen.length, 3);
  });

  it("says how the engine stands to a swarm when that has changed", async () => {
    shown = runtimeSwarm({ standing: "inactive", topology: null });
    collector.start();
    await pass(20_000);
    shown = runtimeSwarm();
    await pass(20_000);
    assert.deepEqual(standings, ["undefined to inactive", "inactive to manager"]);
  });

  it("asks an engine for changes from when it is in a swarm on, not before", async () => {
    shown = runtimeSwarm({ standing: "inactive", topology: null });
    collector.start();
    await pass(60_000);
    assert.equal(followed, 0);
    shown = runtimeSwarm();
    await pass(16_000);
    assert.equal(followed, 1);
    const before = reads;
    change();
    await pass(400);
    assert.ok(reads > before);
  });

  it("looks less often where that takes long, but more often again for a while after a change", async () => {
    takesMs = 250;
    collector.start();
    await pass(30_000);
    const readsIn = async (ms: number): Promise<number> => {
      const before = reads;
      await pass(ms);
      return reads - before;
    };
    const usual = await readsIn(20_000);
    shown = runtimeSwarm({ topology: { services: [], tasks: [swarmTask({ state: "failed" })], nodes: [swarmNode(1)] } });
    await pass(5_500);
    const afterChange = await readsIn(9_000);
    assert.ok(usual <= 4, `${usual} in 20 s`);
    assert.ok(afterChange >= 4, `${afterChange} in 9 s`);
    await pass(20_000);
    assert.ok((await readsIn(20_000)) <= 4, "as before");
  });

  it("looks at once when an event came", async () => {
    collector.start();
    await pass(4_000);
    shown = runtimeSwarm({ leader: false });
    const before = reads;
    change();
    await pass(400);
    assert.ok(reads > before);
    assert.equal(seen.at(-1)?.leader, false);
  });

  describe("with labels of a service", () => {
    async function read(labels: Record<string, string>, containerLabels: Record<string, string> = {}) {
      const { settings: _, labelErrors: __, endpoints: ___, certificates: ____, ...service } = swarmService({ labels });
      shown = { ...runtimeSwarm(), topology: { services: [{ ...service, containerLabels }], tasks: [], nodes: [] } };
      collector.start();
      await pass(500);
      const found = seen[0]?.topology?.services[0];
      assert.ok(found);
      return found;
    }

    it("reads what they ask for, as it reads those of containers", async () => {
      const { settings, labelErrors } = await read({
        ...{ "service.alert.severity": "critical", "service.alert.channels": "ops", "service.ignore": "true" },
        ...{ "service.alert.restart_threshold": "7", "service.update.track": "patch", "service.alert.down": "soon" },
      });
      assert.deepEqual(settings, {
        ...defaultSettings,
        ...{ ignored: true, alertSeverity: "critical", alertChannels: ["ops"], restartThreshold: 7 },
        updates: { ...defaultSettings.updates, track: "patch" },
      });
      assert.deepEqual(
        labelErrors.map(({ label }) => label),
        ["service.alert.down"],
      );
    });

    it("reads what is to be checked, but for what its containers name themselves", async () => {
      const { endpoints } = await read(
        { "service.endpoint.http": "http://web.test/", "service.endpoint.1.tcp": "db.test:5432", "service.endpoint.interval": "60s" },
        { "service.endpoint.0.tcp": "web.test:80", "service.group": "shop" },
      );
      assert.deepEqual(
        endpoints.map(({ labelKey, check }) => [labelKey, check.target, check.intervalMs]),
        [["service.endpoint.1.tcp", "db.test:5432", 60_000]],
      );
    });

    it("reads which certificate is to be watched, unless its containers name one themselves", async () => {
      const labels = { "service.certificate.domain": "shop.test", "service.certificate.port": "8443" };
      const { certificates } = await read(labels);
      assert.deepEqual(certificates, [{ domain: "shop.test", port: 8443, serverName: "shop.test" }]);
    });

    it("leaves the certificate to its containers where they name one", async () => {
      const { certificates } = await read({ "service.certificate.domain": "shop.test" }, { "service.certificate.domain": "own.test" });
      assert.deepEqual(certificates, []);
    });

    it("lets them ask for no check that changes anything", async () => {
      const { endpoints, labelErrors } = await read({
        "service.endpoint.http": "http://web.test/",
        "service.endpoint.http.method": "POST",
      });
      assert.deepEqual([endpoints[0]?.check.http?.method, labelErrors.length], ["GET", 1]);
    });
  });

  it("looks seldom where there is nothing to list", async () => {
    shown = runtimeSwarm({ standing: "inactive", topology: null, reason: "none" });
    collector.start();
    await pass(60_000);
    assert.ok(reads >= 3 && reads <= 5, `${reads} reads`);
  });

  it("reports nothing while the engine cannot be reached, and continues afterwards", async () => {
    connected = false;
    collector.start();
    await pass(5_000);
    assert.equal(reads, 0);
    const asked = lookedAt;
    await pass(60_000);
    assert.equal(lookedAt, asked, "it waits");
    connected = true;
    shown = new ServiceError("runtime_unavailable", "away");
    collector.connected();
    await pass(5_000);
    assert.deepEqual([reads > 2, seen.length], [true, 0]);
    shown = runtimeSwarm();
    await pass(2_000);
    assert.equal(seen.length, 1);
  });

  it("looks at once when an event came after it was asked to say all of it again", async () => {
    takesMs = 1_000;
    collector.start();
    await pass(3_000);
    const asked = collector.refresh(signal);
    await pass(1_500);
    await asked;
    takesMs = 0;
    const before = reads;
    change();
    await pass(400);
    assert.equal(reads, before + 1);
  });

  it("says it again to whoever asks", async () => {
    collector.start();
    await pass(500);
    await collector.refresh(signal);
    assert.equal(seen.length, 2);
  });
});
