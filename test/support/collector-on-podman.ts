import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type ContainerCollector, createContainerCollector, type RuntimeStatus } from "../../src/collector/containers.ts";
import type { ContainerSighting, Observation } from "../../src/observations.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import { detectRuntime } from "../../src/runtimes/detect.ts";
import type { Runtime } from "../../src/runtimes/runtime.ts";
import type { TestPodman } from "./podman.ts";
import { until } from "./until.ts";
import { linesOf } from "./log-batches.ts";

/** What a collector sees on a Podman; each version of it is held to the same. */
export function describeCollectorOnPodman(name: string, start: () => Promise<TestPodman>): void {
  describe(name, () => {
    const observed: Observation[] = [];
    const statuses: RuntimeStatus[] = [];
    let podman: TestPodman;
    let runtime: Runtime;
    let collector: ContainerCollector;

    before(async () => {
      podman = await start();
      runtime = detectRuntime({ dockerHost: podman.host }, systemClock);
      collector = createContainerCollector({
        runtime,
        sink: { observe: (_agentId, observation) => void observed.push(observation) },
        agentId: null,
        clock: systemClock,
        log: silentLog,
        resumeFrom: () => undefined,
        onStatus: (status) => void statuses.push(status),
      });
      collector.start();
      await until(() => collector.status().connected, { withinMs: 20_000 });
    });
    after(async () => {
      await collector?.stop();
      await runtime?.close();
      await podman?.stop();
    });

    const of = (id: string): ContainerSighting[] =>
      observed.flatMap((one) => (one.kind === "container.seen" && one.container.externalId === id ? [one.container] : []));
    const isGone = (id: string): boolean => observed.some((one) => one.kind === "container.gone" && one.externalId === id);
    const ends = (id: string): unknown[] =>
      of(id).flatMap(({ state, exitCode, stopRequested }) => (state === "exited" ? [[exitCode, stopRequested]] : []));

    it("stays connected while containers are removed as they are looked at", async () => {
      statuses.length = 0;
      const ids: string[] = [];
      for (let number = 1; number <= 6; number += 1) {
        const id = await podman.run(`short-${number}`, [], "/bin/sleep", "1000");
        ids.push(id);
        const removed = podman.podman("rm", "-f", "-t", "0", id);
        // Looks of ours that meet the removal, as a listing at that moment does.
        for (let look = 0; look < 4; look += 1) await collector.refresh(AbortSignal.timeout(20_000)).catch(() => undefined);
        await removed;
      }
      await until(() => ids.every(isGone), { withinMs: 20_000 });
      assert.deepEqual(
        statuses.filter(({ connected }) => !connected).map(({ error }) => error),
        [],
      );
    });

    const idle = ["/bin/sleep", "1000"];
    const asked: [string, (id: string) => Promise<unknown>][] = [
      ["podman stop", (id) => podman.podman("stop", "-t", "0", id)],
      ["podman stop that the container follows", (id) => podman.podman("stop", "-t", "5", id)],
      ["a stop by the API", (id) => podman.ask("POST", `/v1.41/containers/${id}/stop?t=0`)],
      ["podman kill", (id) => podman.podman("kill", id)],
      ["podman restart", (id) => podman.podman("restart", "-t", "0", id)],
      ["podman rm -f", (id) => podman.podman("rm", "-f", "-t", "0", id)],
    ];
    for (const [how, end] of asked) {
      it(`knows that ${how} was asked for`, async () => {
        const follows = ["/bin/sh", "-c", "trap 'exit 143' TERM; while :; do sleep 0.1; done"];
        const id = await podman.run(how.replaceAll(" ", "-"), [], ...(how.includes("follows") ? follows : idle));
        await until(() => of(id).at(-1)?.state === "running", { withinMs: 20_000 });
        await end(id);
        await until(() => ends(id).length > 0, { withinMs: 20_000 });
        assert.deepEqual(ends(id), [[how.includes("follows") ? 143 : 137, true]]);
      });
    }

    it("knows of an end in a gap of the event stream whether it was asked for", async () => {
      const stopped = await podman.run("gap-stopped", [], ...idle);
      // Long enough to be seen running, and to end after the moment that is asked from.
      const crashed = await podman.run("gap-crashed", [], "/bin/sh", "-c", "sleep 8; exit 3");
      await until(() => [stopped, crashed].every((id) => of(id).at(-1)?.state === "running"), { withinMs: 60_000 });
      const since = new Date();
      await podman.podman("stop", "-t", "0", stopped);
      await until(() => [stopped, crashed].every((id) => ends(id).length > 0), { withinMs: 60_000 });
      const later: Observation[] = [];
      const again = createContainerCollector({
        ...{ runtime, agentId: null, clock: systemClock, log: silentLog, resumeFrom: () => since },
        sink: { observe: (_agentId, observation) => void later.push(observation) },
      });
      again.start();
      try {
        const endOf = (id: string): unknown =>
          later.findLast((one) => one.kind === "container.seen" && one.container.externalId === id && one.container.state === "exited");
        await until(() => endOf(stopped) !== undefined && endOf(crashed) !== undefined, { withinMs: 60_000 });
        assert.partialDeepStrictEqual(endOf(stopped), { container: { stopRequested: true } });
        assert.partialDeepStrictEqual(endOf(crashed), { container: { stopRequested: false } });
      } finally {
        await again.stop();
      }
    });

    it("names itself in its version", () => assert.match(collector.status().version ?? "", /^Podman \d/));

    it("knows that a crash, a kill from outside and the end of a container that removes itself were not", async () => {
      const crashed = await podman.run("crashed", [], "/bin/sh", "-c", "sleep 0.2; exit 3");
      const killed = await podman.run("killed", [], ...idle);
      const removed = await podman.run("removed", ["--rm"], "/bin/sh", "-c", "sleep 0.5; exit 4");
      process.kill(Number(await podman.podman("inspect", "-f", "{{.State.Pid}}", killed)), "SIGKILL");
      await until(() => [crashed, killed, removed].every((id) => ends(id).length > 0), { withinMs: 20_000 });
      assert.deepEqual([ends(crashed), ends(killed), ends(removed)], [[[3, false]], [[137, false]], [[4, false]]]);
    });

    it("counts restarts by policy as unasked", async () => {
      const id = await podman.run("policy", ["--restart", "on-failure:2"], "/bin/sh", "-c", "sleep 0.1; exit 4");
      await until(() => of(id).filter(({ exitCode }) => exitCode === 4).length >= 3, { withinMs: 20_000 });
      assert.ok(of(id).every(({ stopRequested }) => !stopRequested));
    });

    it("reads a line that was written in pieces as one", async () => {
      const write = "sleep 1.5; printf A1-; sleep 1.2; printf 'A2\\nB1\\n'; head -c 20000 /dev/zero | tr '\\0' x; echo end";
      const id = await podman.run("pieces", [], "/bin/sh", "-c", write);
      const texts: string[] = [];
      const enough = AbortSignal.timeout(20_000);
      for await (const { text } of linesOf(runtime.logs(id, { tail: 0, follow: true, signal: enough }))) {
        texts.push(text);
        if (texts.length === 3) break;
      }
      assert.deepEqual(texts, ["A1-A2", "B1", `${"x".repeat(20_000)}end`]);
    });

    it("reports health at the probe that changed it", async () => {
      const check = ["--health-cmd", "test -f /tmp-ok", "--health-interval", "disable", "--health-retries", "1"];
      const id = await podman.run("health", check, ...idle);
      const probe = (): Promise<unknown> => podman.podman("healthcheck", "run", id).catch(() => undefined);
      const health = (): unknown => of(id).at(-1)?.health;
      await until(() => health() === "starting", { withinMs: 20_000 });
      await probe();
      await until(() => health() === "unhealthy", { withinMs: 5_000 });
      await podman.podman("exec", id, "touch", "/tmp-ok");
      await probe();
      await until(() => health() === "healthy", { withinMs: 5_000 });
    });
  });
}
