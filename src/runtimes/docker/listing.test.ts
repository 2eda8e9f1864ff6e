import assert from "node:assert/strict";
import { after, before, describe, it, type TestContext } from "node:test";
import { type EngineProxy, startEngineProxy } from "../../../test/support/engine-proxy.ts";
import { startEngine, type TestEngine } from "../../../test/support/engine.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { createTestContainers, importBusybox, type TestContainers } from "../../../test/support/images.ts";
import { until } from "../../../test/support/until.ts";
import { type Clock, systemClock } from "../../platform/clock.ts";
import type { Runtime, RuntimeContainer, RuntimeNews } from "../runtime.ts";
import { createDockerRuntime } from "./index.ts";

const IDLE = ["sleep", "3600"];
const { signal } = new AbortController();

describe("a container that the engine does not show", () => {
  let engine: TestEngine;
  let proxy: EngineProxy;
  let containers: TestContainers;
  before(async () => {
    engine = await startEngine();
    await importBusybox(engine);
    proxy = await startEngineProxy(engine);
    containers = createTestContainers(engine);
  });
  after(async () => {
    proxy?.close();
    await containers?.removeAll();
    await engine?.stop();
  });

  async function runtimeFor(t: TestContext, clock: Clock = systemClock): Promise<Runtime> {
    const runtime = createDockerRuntime({ host: proxy.host, clock });
    t.after(async () => {
      proxy.holds = () => ({});
      await runtime.close();
    });
    await runtime.describe(signal);
    return runtime;
  }

  async function list(runtime: Runtime, id: string): Promise<RuntimeContainer | undefined> {
    return (await runtime.inventory(signal)).containers.find(({ externalId }) => externalId === id);
  }

  const hide = (id: string): void => {
    proxy.holds = (url) => (url.includes(`/${id}/json`) ? { status: 500 } : {});
  };

  it("is what the list says of it, and all others are there", async (t) => {
    const id = await containers.run("hidden", ["--label", "service.group=front", "--network", "none"], ...IDLE);
    const other = await containers.run("shown", [], ...IDLE);
    const runtime = await runtimeFor(t);
    const shown = await list(runtime, id);
    await runtime.close();
    hide(id);
    const again = await runtimeFor(t);
    const hidden = await list(again, id);
    const facts = ({ name, image, imageDigest, state, networkMode, labels }: RuntimeContainer): object => ({
      ...{ name, image, imageDigest, state, networkMode, labels },
    });
    assert.ok(hidden !== undefined && shown !== undefined);
    assert.deepEqual(facts(hidden), facts(shown));
    assert.match(again.missing?.().join() ?? "", new RegExp(`^The engine lists ${hidden.name}, and does not answer`));
    assert.ok((await list(again, other)) !== undefined);

    proxy.holds = () => ({});
    assert.deepEqual(await list(again, id), shown);
    assert.deepEqual(again.missing?.(), []);
  });

  it("stays as it was known, but for what the list says of its end", async (t) => {
    const id = await containers.run("known", ["--expose", "9000/udp", "--network", "none"], ...IDLE);
    const runtime = await runtimeFor(t);
    const known = await list(runtime, id);
    hide(id);
    assert.deepEqual(await list(runtime, id), known);
    await engine.docker("kill", id);
    const ended = await list(runtime, id);
    assert.deepEqual([ended?.state, ended?.exitCode, ended?.ports], ["exited", 137, known?.ports]);
  });

  it("is waited for no longer than ten seconds", async (t) => {
    const id = await containers.run("hanging", [], ...IDLE);
    const clock = createFakeClock();
    const runtime = await runtimeFor(t, clock);
    let asked = false;
    proxy.holds = (url) => {
      if (!url.includes(`/${id}/json`)) return {};
      asked = true;
      return { asked: new Promise(() => undefined) };
    };
    const listed = list(runtime, id);
    await until(() => asked);
    await clock.advance(10_000);
    assert.equal((await listed)?.state, "running");
  });

  it("is reported by its events", async (t) => {
    const id = await containers.run("silent", [], ...IDLE);
    const runtime = await runtimeFor(t);
    await list(runtime, id);
    hide(id);
    const opened = Promise.withResolvers<void>();
    const stop = new AbortController();
    const news: RuntimeNews[] = [];
    const watching = (async () => {
      for await (const one of runtime.watch({ since: undefined, opened: opened.resolve, signal: stop.signal })) news.push(one);
    })();
    t.after(async () => {
      stop.abort();
      await watching;
    });
    await opened.promise;
    await engine.docker("kill", id);
    await engine.docker("start", id);
    const reported = await until(() => (news.length >= 2 ? news : undefined));
    assert.deepEqual(
      reported.map((one) => one.what === "container" && [one.container.state, one.container.exitCode, one.container.stopRequested]),
      [
        ["exited", 137, true],
        ["running", null, false],
      ],
    );
    const [, start] = reported;
    assert.deepEqual(start?.what === "container" && start.container.startedAt, start?.at);
  });
});
