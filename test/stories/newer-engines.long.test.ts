/** The newest engines of Debian are seen as the one that the gate runs: in the long form alone, since a release has to be installed for them. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type ContainerCollector, createContainerCollector } from "../../src/collector/containers.ts";
import type { ContainerSighting, Observation } from "../../src/observations.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import { detectRuntime } from "../../src/runtimes/detect.ts";
import type { Runtime } from "../../src/runtimes/runtime.ts";
import { describeCollectorOnPodman } from "../support/collector-on-podman.ts";
import type { TestEngine } from "../support/engine.ts";
import { createTestContainers, importBusybox, type TestContainers } from "../support/images.ts";
import { startNewerEngine, startNewerPodman } from "../support/newer-engines.ts";
import { until } from "../support/until.ts";
import { linesOf } from "../support/log-batches.ts";

const IDLE = ["/bin/sleep", "1000"];
const SOON = { withinMs: 30_000 };
const STORES: [string, string[]][] = [
  ["overlay2", []],
  ["the containerd image store", ["--feature", "containerd-snapshotter=true"]],
  ["live-restore", ["--live-restore"]],
];

describeCollectorOnPodman("container collector on a newer Podman", startNewerPodman);

for (const [name, flags] of STORES)
  describe(`container collector on a newer Docker with ${name}`, () => {
    const observed: Observation[] = [];
    let engine: TestEngine;
    let runtime: Runtime;
    let collector: ContainerCollector;
    let containers: TestContainers;

    before(async () => {
      engine = await startNewerEngine(flags);
      await importBusybox(engine);
      containers = createTestContainers(engine);
      runtime = detectRuntime({ dockerHost: engine.host }, systemClock);
      collector = createContainerCollector({
        ...{ runtime, agentId: null, clock: systemClock, log: silentLog, resumeFrom: () => undefined },
        sink: { observe: (_agentId, observation) => void observed.push(observation) },
      });
      collector.start();
      await until(() => collector.status().connected, SOON);
    });
    after(async () => {
      await collector?.stop();
      await runtime?.close();
      await containers?.removeAll();
      await engine?.stop();
    });

    const run = async (container: string, flagsOfRun: string[], ...command: string[]): Promise<string> => {
      const id = await containers.run(container, ["--net", "none", ...flagsOfRun], ...command);
      await until(() => of(id).at(-1)?.state === "running", SOON);
      return id;
    };
    const of = (id: string): ContainerSighting[] =>
      observed.flatMap((one) => (one.kind === "container.seen" && one.container.externalId === id ? [one.container] : []));
    /** How it ended; a second look at the same end says the same. */
    const ends = (id: string): unknown[] => {
      const ended = of(id).flatMap(({ state, exitCode, stopRequested }) => (state === "exited" ? [`${exitCode} ${stopRequested}`] : []));
      return [...new Set(ended)];
    };

    it("speaks an API that this program knows", () => {
      assert.match(collector.status().version ?? "", /^2[89]\.|^[3-9]\d\./);
    });

    it("distinguishes a crash from a stop that was asked for", async () => {
      const crashed = await run("crashed", [], "/bin/sh", "-c", "sleep 2; exit 3");
      const stopped = await run("stopped", [], ...IDLE);
      const killed = await run("killed", [], ...IDLE);
      await engine.docker("stop", "-t", "0", stopped);
      await engine.docker("kill", killed);
      await until(() => [crashed, stopped, killed].every((id) => ends(id).length > 0), SOON);
      assert.deepEqual([ends(crashed), ends(stopped), ends(killed)], [["3 false"], ["137 true"], ["137 true"]]);
    });

    it("reports health at the check that changed it", async () => {
      const check = ["--health-cmd", "test -f /tmp/well", "--health-interval", "1s", "--health-retries", "1"];
      const id = await run("health", check, ...IDLE);
      await until(() => of(id).at(-1)?.health === "unhealthy", SOON);
      await engine.docker("exec", id, "touch", "/tmp/well");
      await until(() => of(id).at(-1)?.health === "healthy", SOON);
    });

    it("reads a long line that comes in pieces as one", async () => {
      const id = await run("pieces", [], "/bin/sh", "-c", "sleep 1; head -c 20000 /dev/zero | tr '\\0' x; echo end; sleep 1000");
      for await (const { text } of linesOf(runtime.logs(id, { tail: 0, follow: true, signal: AbortSignal.timeout(30_000) }))) {
        assert.equal(text, `${"x".repeat(20_000)}end`);
        break;
      }
    });

    it("knows what happened while the engine was away", async () => {
      const id = await run("away", ["--restart", "always"], ...IDLE);
      const pid = Number(await engine.docker("inspect", "-f", "{{.State.Pid}}", id));
      const startedAt = of(id).at(-1)?.startedAt?.getTime() ?? 0;
      await engine.kill();
      await until(() => !collector.status().connected, SOON);
      if (name === "live-restore") process.kill(pid, "SIGKILL");
      observed.length = 0;
      await engine.restart();
      await until(() => collector.status().connected, { withinMs: 60_000 });
      const listed = (): ContainerSighting[] => [
        ...of(id),
        ...observed.flatMap((one) =>
          one.kind === "container.inventory" ? one.containers.filter(({ externalId }) => externalId === id) : [],
        ),
      ];
      await until(() => listed().some(({ state, startedAt: at }) => state === "running" && (at?.getTime() ?? 0) > startedAt), {
        withinMs: 60_000,
        what: "a start after the gap",
      });
    });
  });
