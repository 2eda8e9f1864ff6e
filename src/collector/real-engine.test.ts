import assert from "node:assert/strict";
import http from "node:http";
import { afterEach, describe, it } from "node:test";
import { type TestEngine, startEngine } from "../../test/support/engine.ts";
import { BUSYBOX, createTestContainers, importBusybox } from "../../test/support/images.ts";
import { repetitions } from "../../test/support/repetitions.ts";
import { until } from "../../test/support/until.ts";
import type { Observation } from "../observations.ts";
import { systemClock } from "../platform/clock.ts";
import { silentLog } from "../platform/log.ts";
import { detectRuntime } from "../runtimes/detect.ts";
import { createContainerCollector } from "./containers.ts";

const STORM_LANES = 8;
const STORM = repetitions({ gate: 40, long: 200 });

describe("container collector on a real engine", () => {
  const cleanup: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const undo of cleanup.splice(0).reverse()) await undo();
  });

  function collect(dockerHost: string) {
    const observed: Observation[] = [];
    const runtime = detectRuntime({ dockerHost }, systemClock);
    const collector = createContainerCollector({
      runtime,
      sink: { observe: (_agentId, observation) => void observed.push(observation) },
      agentId: null,
      clock: systemClock,
      log: silentLog,
      resumeFrom: () => undefined,
    });
    cleanup.push(async () => {
      await collector.stop();
      await runtime.close();
    });
    collector.start();
    const of = (externalId: string) =>
      observed.flatMap((one) => (one.kind === "container.seen" && one.container.externalId === externalId ? [one.container] : []));
    return { observed, collector, of };
  }

  it("loses an engine, says so, and finds it again with what happened meanwhile", async () => {
    const engine = await startEngine({ own: true });
    cleanup.push(() => engine.stop());
    await importBusybox(engine);
    const containers = createTestContainers(engine);
    const id = await containers.run("survivor", [], "sleep", "3600");
    const { observed, collector, of } = collect(engine.host);
    await until(() => collector.status().connected);

    await engine.kill();
    const lost = await until(() => (collector.status().connected ? undefined : collector.status()));
    assert.match(lost.error ?? "", /^Docker at unix:\/\/.* cannot be used: /);
    assert.ok(observed.at(-1)?.kind === "host.watched", "what was watched until then is reported");

    await engine.restart();
    await until(() => collector.status().connected, { withinMs: 60_000 });
    const listings = observed.filter((one) => one.kind === "container.inventory");
    assert.equal(listings.length, 2);
    const after = listings[1]?.containers.find(({ externalId }) => externalId === id);
    assert.deepEqual([after?.state, after?.stopRequested], ["exited", false]);

    await engine.docker("start", id);
    await until(() => of(id).at(-1)?.state === "running");
  });

  it(`reports each end of ${STORM} containers once, in order, with its last words`, async (test) => {
    const engine = await startEngine();
    cleanup.push(() => engine.stop());
    await importBusybox(engine);
    const containers = createTestContainers(engine);
    cleanup.push(() => containers.removeAll());
    const { observed, collector, of } = collect(engine.host);
    await until(() => collector.status().connected);

    const label = `binnacle.test=${containers.prefix}`.split("=", 2);
    const body = {
      Image: BUSYBOX,
      Labels: Object.fromEntries([label]),
      Cmd: ["sh", "-c", "echo ready; sleep 3600"],
      HostConfig: { NetworkMode: "none" },
    };
    const startedMs = performance.now();
    const ids: string[] = [];
    await Promise.all(
      Array.from({ length: STORM_LANES }, async () => {
        for (let number = 0; number < STORM / STORM_LANES; number += 1) {
          const { Id: id } = JSON.parse(await order(engine, "/containers/create", { body })) as { Id: string };
          ids.push(id);
          await order(engine, `/containers/${id}/start`);
          await order(engine, `/containers/${id}/kill`);
        }
      }),
    );
    test.diagnostic(`${STORM} containers started and killed in ${Math.round((performance.now() - startedMs) / 1000)} s`);
    await until(() => ids.every((id) => of(id).at(-1)?.state === "exited"), { withinMs: 120_000 });
    for (const id of ids) {
      assert.deepEqual(
        of(id).map(({ state, exitCode, stopRequested }) => [state, exitCode, stopRequested]),
        [
          ["created", null, false],
          ["running", null, false],
          ["exited", 137, true],
        ],
      );
    }
    const words = (): Observation[] => observed.filter((one) => one.kind === "container.last_words" && one.snippet === "ready");
    // One that was killed before it spoke has no last words.
    const logs = await Promise.all(ids.map((id) => order(engine, `/containers/${id}/logs?stdout=1`, { method: "GET" })));
    const spoke = logs.filter((log) => log.includes("ready")).length;
    assert.ok(spoke > 0);
    await until(() => words().length > spoke / 2, { withinMs: 60_000 });
    assert.equal(collector.status().connected, true);
  });
});

/** An engine that has locked itself up answers nothing ever. */
const ANSWERED_WITHIN_MS = 60_000;

/** An order to the engine, without the time that the docker command takes to start. */
function order(engine: TestEngine, path: string, { method = "POST", body }: { method?: string; body?: object } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { "Content-Type": "application/json" };
    const signal = AbortSignal.timeout(ANSWERED_WITHIN_MS);
    const request = http.request({ socketPath: engine.host.replace("unix://", ""), path, method, headers, signal }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => void chunks.push(chunk));
      answer.on("end", () => resolve(Buffer.concat(chunks).toString()));
    });
    request.on("error", reject);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
