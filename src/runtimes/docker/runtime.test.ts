import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type TestEngine, startEngine } from "../../../test/support/engine.ts";
import { type EngineProxy, startEngineProxy } from "../../../test/support/engine-proxy.ts";
import { BUSYBOX, type TestContainers, createTestContainers, importBusybox } from "../../../test/support/images.ts";
import { until } from "../../../test/support/until.ts";
import { systemClock } from "../../platform/clock.ts";
import type { Runtime, RuntimeContainer, RuntimeNews } from "../runtime.ts";
import { createDockerRuntime } from "./index.ts";

const signal = new AbortController().signal;
const IDLE = ["sleep", "3600"];

describe("Docker on a real engine", () => {
  let engine: TestEngine;
  let containers: TestContainers;
  let runtime: Runtime;

  before(async () => {
    engine = await startEngine();
    await importBusybox(engine);
    containers = createTestContainers(engine);
    runtime = createDockerRuntime({ host: engine.host, clock: systemClock });
  });

  after(async () => {
    await runtime.close();
    await containers.removeAll();
    await engine.stop();
  });

  const nameOf = (name: string): string => `${containers.prefix}-${name}`;

  async function listed(name: string): Promise<RuntimeContainer | undefined> {
    return (await runtime.inventory(signal)).containers.find((container) => container.name === nameOf(name));
  }

  describe("inventory", () => {
    it("describes the engine", async () => {
      const description = await runtime.describe(signal);
      assert.match(description.version, /^\d+\./);
      assert.deepEqual(description.missing, []);
      assert.deepEqual(
        [description.capabilities.events, description.capabilities.logs, description.capabilities.stats],
        [true, true, true],
      );
    });

    it("lists running and stopped containers with all that is known of them", async () => {
      const flags = ["-p", "127.0.0.1:0:80", "--expose", "9000/udp", "--health-cmd", "true", "--health-interval", "1h"];
      const labels = [
        "--label",
        "com.docker.compose.project=shop",
        "--label",
        "com.docker.compose.service=web",
        "--label",
        "service.group=front",
      ];
      const id = await containers.run("full", [...flags, ...labels], ...IDLE);
      await containers.run("ended", [], "sh", "-c", "exit 3");
      const beforeMs = Date.now();
      const ended = await until(async () => ((await listed("ended"))?.state === "exited" ? listed("ended") : undefined));
      const { at, containers: all } = await runtime.inventory(signal);
      assert.ok(at.getTime() >= beforeMs - 1000 && at.getTime() <= Date.now() + 1000);
      const full = all.find(({ externalId }) => externalId === id);
      assert.ok(full !== undefined);
      const { state, health, exitCode, project, unit, privileged, runtime: kind } = full;
      assert.deepEqual([state, health, exitCode, privileged, kind], ["running", "starting", null, false, "docker"]);
      assert.deepEqual([project, unit], [{ name: "shop", source: "compose" }, "web"]);
      assert.equal(full.labels["service.group"], "front");
      assert.match(full.imageDigest ?? "", /^sha256:[0-9a-f]{64}$/);
      assert.ok(full.startedAt !== null && full.createdAt !== null && full.startedAt >= full.createdAt);
      assert.deepEqual(
        [full.ports[0]?.containerPort, full.ports[0]?.hostIp, full.ports[1]],
        [80, "127.0.0.1", { containerPort: 9000, protocol: "udp", hostIp: null, hostPort: null }],
      );
      assert.deepEqual([ended.exitCode, ended.stopRequested, ended.oomKilled], [3, false, false]);
      assert.ok(ended.finishedAt !== null);
    });

    it("lists what never ran as it was asked for", async () => {
      const flags = ["--privileged", "--network", "host", "-p", "8081:81"];
      await engine.docker("create", "--name", nameOf("created"), "--label", `binnacle.test=${containers.prefix}`, ...flags, BUSYBOX);
      const created = await listed("created");
      assert.deepEqual([created?.state, created?.privileged, created?.networkMode, created?.startedAt], ["created", true, "host", null]);
      assert.deepEqual(created?.ports, [{ containerPort: 81, protocol: "tcp", hostIp: "0.0.0.0", hostPort: 8081 }]);
    });

    it("leaves out what compose runs for one command", async () => {
      await containers.run("oneoff", ["--label", "com.docker.compose.oneoff=True"], ...IDLE);
      assert.equal(await listed("oneoff"), undefined);
    });
  });

  describe("events", () => {
    const news: RuntimeNews[] = [];
    const stop = new AbortController();
    let watching: Promise<void>;

    before(async () => {
      const opened = Promise.withResolvers<void>();
      watching = (async () => {
        for await (const one of runtime.watch({ since: undefined, opened: opened.resolve, signal: stop.signal })) news.push(one);
      })();
      await opened.promise;
    });

    after(async () => {
      stop.abort();
      await watching;
    });

    const of = (id: string): RuntimeNews[] =>
      news.filter((one) => (one.what === "gone" ? one.externalId : one.container.externalId) === id);
    const story = (id: string): string[] =>
      of(id).map((one) => (one.what === "gone" ? "gone" : `${one.container.state}${one.ended ? "!" : ""}`));
    const last = (id: string): RuntimeContainer | undefined =>
      of(id)
        .flatMap((one) => (one.what === "gone" ? [] : [one.container]))
        .at(-1);

    it("reports start, pause, unpause, rename, stop and removal in order", async () => {
      const id = await containers.run("life", [], ...IDLE);
      await engine.docker("pause", id);
      await engine.docker("unpause", id);
      await engine.docker("rename", id, nameOf("renamed"));
      await engine.docker("stop", "-t", "1", id);
      await engine.docker("rm", id);
      await until(() => story(id).includes("gone"));
      assert.deepEqual(story(id), ["created", "running", "paused", "running", "running", "exited!", "gone"]);
      const end = last(id);
      assert.deepEqual([end?.name, end?.exitCode, end?.stopRequested, end?.oomKilled], [nameOf("renamed"), 137, true, false]);
      const times = of(id).map(({ at }) => at.getTime());
      assert.deepEqual(
        times,
        times.toSorted((a, b) => a - b),
      );
    });

    it("distinguishes a kill from an end by itself", async () => {
      const killed = await containers.run("killed", [], ...IDLE);
      await engine.docker("kill", killed);
      const ended = await containers.run("own-end", [], "sh", "-c", "exit 143");
      const reloaded = await containers.run("reloaded", [], "sh", "-c", "trap 'exit 137' HUP; echo ready; while :; do sleep 0.1; done");
      await until(async () => (await engine.docker("logs", reloaded)).includes("ready"));
      await engine.docker("kill", "-s", "HUP", reloaded);
      for (const id of [killed, ended, reloaded]) await until(() => story(id).includes("exited!"));
      assert.deepEqual([last(killed)?.exitCode, last(killed)?.stopRequested], [137, true]);
      assert.deepEqual([last(ended)?.exitCode, last(ended)?.stopRequested], [143, false]);
      assert.deepEqual([last(reloaded)?.exitCode, last(reloaded)?.stopRequested], [137, false]);
      const remembered = (await runtime.inventory(signal)).containers.find(({ externalId }) => externalId === killed);
      assert.equal(remembered?.stopRequested, true, "a later listing still knows that it was asked for");
    });

    it("is not misled by labels that the engine copies over what it says of an end", async () => {
      const labels = ["exitCode=0", "signal=SIGHUP", "podId=x", "containerExitCode=0"].flatMap((label) => ["--label", label]);
      const ended = await containers.run("label-end", labels, "sh", "-c", "exit 3");
      const stopped = await containers.run("label-stop", labels, ...IDLE);
      await engine.docker("stop", "-t", "1", stopped);
      for (const id of [ended, stopped]) await until(() => story(id).includes("exited!"));
      assert.deepEqual([last(ended)?.exitCode, last(ended)?.stopRequested], [3, false]);
      assert.deepEqual([last(stopped)?.exitCode, last(stopped)?.stopRequested], [137, true]);
    });

    it("reports every turn of a restart loop, and its end by a stop", async () => {
      const id = await containers.run("loop", ["--restart", "always"], "sh", "-c", "sleep 0.2; exit 3");
      await until(() => story(id).filter((step) => step === "restarting!").length >= 3, { withinMs: 60_000 });
      assert.deepEqual(story(id).slice(0, 7), ["created", "running", "restarting!", "running", "restarting!", "running", "restarting!"]);
      const counts = of(id).flatMap((one) => (one.what === "container" && one.ended ? [one.container.restartCount] : []));
      // Whoever looks late sees a later turn.
      const most = Number(await engine.docker("inspect", "-f", "{{.RestartCount}}", id));
      const areReported = counts.every((count, turn) => count > turn && count >= (counts[turn - 1] ?? 0) && count <= most);
      assert.ok(areReported, `${counts.join()} of ${most}`);
      await engine.docker("stop", id);
      await until(() => last(id)?.state === "exited");
      assert.equal(last(id)?.stopRequested, true);
    });

    it("reports health: starting, healthy, unhealthy", async () => {
      const check = "test ! -e /sick || { echo 'no answer, token=abc123'; printf '\\033[31mred\\033[0m'; exit 3; }";
      const flags = ["--health-cmd", check, "--health-interval", "2s", "--health-retries", "1"];
      const id = await containers.run("health", flags, ...IDLE);
      await until(() => last(id)?.health === "healthy");
      await engine.docker("exec", id, "touch", "/sick");
      await until(() => last(id)?.health === "unhealthy");
      const failure = last(id)?.healthFailure;
      assert.deepEqual([failure?.exitCode, failure?.output], [3, "no answer, token=***\nred"]);
      assert.ok(Math.abs(Date.now() - (failure?.endedAt.getTime() ?? 0)) < 60_000);
      assert.equal((await listed("health"))?.healthFailure?.output, "no answer, token=***\nred");
      const healths = of(id).flatMap((one) => (one.what === "container" ? [one.container.health] : []));
      assert.deepEqual(healths, [null, "starting", "healthy", "unhealthy"]);
    });

    it("reports that it was killed for memory", async () => {
      const id = await containers.run("memory", ["--memory", "8m"], "sh", "-c", "sleep 0.3; tail /dev/zero");
      await until(() => story(id).includes("exited!"), { withinMs: 60_000 });
      assert.deepEqual([last(id)?.oomKilled, last(id)?.exitCode, last(id)?.stopRequested], [true, 137, false]);
    });

    it("reports why a container could not start", async () => {
      const id = await engine.docker(
        "create",
        "--name",
        nameOf("unstartable"),
        "--label",
        `binnacle.test=${containers.prefix}`,
        BUSYBOX,
        "no-such-command",
      );
      await engine.docker("start", id).catch(() => undefined);
      const failed = await until(() => (last(id)?.errorDetail ? last(id) : undefined));
      assert.deepEqual([failed.state, failed.exitCode], ["created", null]);
      assert.match(failed.errorDetail ?? "", /no-such-command/);
    });

    it("reports all of a container that removes itself at once, and nothing of one-off ones", async () => {
      const oneOff = await containers.run("oneoff2", ["--rm", "--label", "com.docker.compose.oneoff=True"], "true");
      const id = await containers.run("brief", ["--rm"], "sh", "-c", "exit 7");
      await until(() => story(id).includes("gone"));
      assert.deepEqual(story(id), ["created", "running", "exited!", "gone"]);
      assert.deepEqual([last(id)?.exitCode, last(id)?.name], [7, nameOf("brief")]);
      assert.deepEqual(story(oneOff), []);
    });

    it("resumes at a cursor without losing or repeating", async () => {
      const id = await containers.run("resume", [], ...IDLE);
      const { cursor } = await until(() => of(id).find((one) => one.what === "container" && one.container.state === "running"));
      await engine.docker("pause", id);
      await engine.docker("unpause", id);
      await engine.docker("kill", id);
      const again: string[] = [];
      const enough = new AbortController();
      for await (const one of runtime.watch({ since: cursor, opened: () => {}, signal: enough.signal })) {
        if (one.what === "container" && one.container.externalId === id) again.push(one.container.state);
        if (again.at(-1) === "exited") enough.abort();
      }
      assert.deepEqual(again, ["paused", "running", "exited"]);
    });

    it("resumes at a time, and knows what was asked for before it", async () => {
      const id = await containers.run("asked", [], "sh", "-c", "trap 'sleep 2; exit 5' TERM; echo ready; while :; do sleep 0.1; done");
      await until(async () => (await engine.docker("logs", id)) === "ready");
      await engine.docker("stop", "-t", "0", await containers.run("stopped-before", [], ...IDLE));
      await engine.docker("kill", "-s", "TERM", id);
      const since = new Date();
      const other = createDockerRuntime({ host: engine.host, clock: systemClock });
      const enough = new AbortController();
      const reported: RuntimeContainer[] = [];
      for await (const one of other.watch({ since, opened: () => {}, signal: enough.signal })) {
        if (one.what === "container") reported.push(one.container);
        if (reported.some(({ externalId }) => externalId === id)) enough.abort();
      }
      await other.close();
      assert.deepEqual(
        reported.map(({ externalId, exitCode, stopRequested }) => [externalId, exitCode, stopRequested]),
        [[id, 5, true]],
      );
    });
  });

  describe("behind a socket proxy", () => {
    let proxy: EngineProxy;
    before(async () => {
      proxy = await startEngineProxy(engine);
    });
    after(() => proxy.close());

    const throughProxy = (): Runtime => createDockerRuntime({ host: proxy.host, clock: systemClock });

    it("names what is denied, and works with the rest", async () => {
      proxy.denied = /\/(version|info|events|logs)(\?|$)/;
      const restricted = throughProxy();
      const { capabilities, missing, apiVersion } = await restricted.describe(signal);
      assert.deepEqual([capabilities.events, capabilities.logs, capabilities.stats], [false, false, true]);
      assert.equal(missing.length, 3);
      assert.match(missing.join("\n"), /GET \/events is denied: .*EVENTS=1\)\.\nGET \/containers\/\{id\}\/logs is denied/);
      assert.match(apiVersion, /^1\.\d+$/);
      const beforeMs = Date.now();
      const { at } = await restricted.inventory(signal);
      assert.ok(at.getTime() >= beforeMs - 1000 && at.getTime() <= Date.now() + 1000);
      await restricted.close();
    });

    it("reports a change of health that a listing was too early for, though an inspection at the start saw it", async (t) => {
      proxy.denied = /^$/;
      const slow = throughProxy();
      const stop = new AbortController();
      const flags = ["--health-cmd", "false", "--health-interval", "3s", "--health-retries", "1"];
      const label = `binnacle.test=${containers.prefix}`;
      const id = await engine.docker("create", "--name", nameOf("slow"), "--label", label, ...flags, BUSYBOX, ...IDLE);
      const [late, early] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      let looks = 0;
      proxy.holds = (url) => {
        if (!url.includes(`${id}/json`)) return {};
        looks += 1;
        return looks === 1 ? { asked: late.promise } : { answered: early.promise };
      };
      const opened = Promise.withResolvers<void>();
      const news: RuntimeNews[] = [];
      const watching = (async () => {
        for await (const one of slow.watch({ since: undefined, opened: opened.resolve, signal: stop.signal })) news.push(one);
      })();
      t.after(async () => {
        stop.abort();
        await watching;
        proxy.holds = () => ({});
        await slow.close();
      });
      await opened.promise;
      await engine.docker("start", id);
      await until(() => looks === 1);
      const listing = slow.inventory(signal);
      await until(() => looks === 2);
      await until(async () => (await engine.docker("inspect", "-f", "{{.State.Health.Status}}", id)) === "unhealthy");
      late.resolve();
      await until(() => news.length > 0);
      early.resolve();
      const { at, containers: present } = await listing;
      assert.equal(present.find(({ externalId }) => externalId === id)?.health, "starting");
      const latest = await until(() => news.findLast((one) => one.at > at));
      assert.equal(latest.what === "container" && latest.container.health, "unhealthy");
    });

    it("reports that one is unhealthy, though the engine does not show what its check printed", async (t) => {
      proxy.denied = /^$/;
      const slow = throughProxy();
      const stop = new AbortController();
      const flags = ["--health-cmd", "echo no; test -e /well", "--health-interval", "2s", "--health-retries", "1"];
      const id = await containers.run("unshown", flags, ...IDLE);
      await until(async () => (await engine.docker("inspect", "-f", "{{.State.Health.Status}}", id)) === "unhealthy");
      await engine.docker("exec", id, "touch", "/well");
      await until(async () => (await engine.docker("inspect", "-f", "{{.State.Health.Status}}", id)) === "healthy");
      const opened = Promise.withResolvers<void>();
      const never = Promise.withResolvers<void>();
      const news: RuntimeNews[] = [];
      const watching = (async () => {
        for await (const one of slow.watch({ since: undefined, opened: opened.resolve, signal: stop.signal })) news.push(one);
      })();
      t.after(async () => {
        stop.abort();
        never.resolve();
        await watching;
        proxy.holds = () => ({});
        await slow.close();
      });
      await opened.promise;
      await slow.inventory(signal);
      proxy.holds = (url) => (url.includes(`${id}/json`) ? { asked: never.promise } : {});
      await engine.docker("exec", id, "rm", "/well");
      const reported = await until(() => news.find((one) => one.what === "container" && one.container.externalId === id));
      assert.ok(reported.what === "container");
      assert.deepEqual([reported.container.health, reported.container.healthFailure], ["unhealthy", null]);
    });

    it("says that nothing can be listed", async () => {
      proxy.denied = /containers\/json/;
      const restricted = throughProxy();
      assert.match((await restricted.describe(signal)).missing.join(), /containers cannot be listed/);
      await assert.rejects(restricted.inventory(signal), /GET \/containers\/json is denied/);
      await restricted.close();
    });
  });
});
