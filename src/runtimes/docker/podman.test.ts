import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { type EngineAnswers, startEngineAnswers } from "../../../test/support/engine-answers.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { until } from "../../../test/support/until.ts";
import { systemClock } from "../../platform/clock.ts";
import type { RuntimeContainer, RuntimeNews } from "../runtime.ts";
import type { EngineEvent } from "./event.ts";
import { createDockerRuntime } from "./index.ts";
import { createPodmanEnds } from "./podman.ts";

const ID = "a".repeat(64);
const INFRA = "b".repeat(64);
const POD = "c".repeat(64);
const signal = new AbortController().signal;

/** As Podman 5.8 answers. */
const version = { Version: "5.8.6", ApiVersion: "1.41", MinAPIVersion: "1.24" };
const exited = { Status: "exited", ExitCode: 137, StartedAt: "2026-03-01T12:00:00Z", FinishedAt: "2026-03-01T12:01:00Z" };
const running = { Status: "running", Running: true, Pid: 10, StartedAt: "2026-03-01T12:00:00Z", FinishedAt: "0001-01-01T00:00:00Z" };
const container = (Id: string, Name: string, State: object): object => ({ Id, Name, State, Config: { Image: "app:1" }, HostConfig: {} });

describe("Podman 5 by recorded answers", () => {
  const cleanup: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const undo of cleanup.splice(0).reverse()) await undo();
  });

  async function start(answers: Record<string, unknown>): Promise<EngineAnswers> {
    const engine = await startEngineAnswers(
      { "/_ping": "OK", "/version": version, "/info": { SystemTime: "2026-03-01T13:00:00Z" }, ...answers },
      { "Libpod-Api-Version": "5.8.6", "Api-Version": "1.41" },
    );
    cleanup.push(engine.close);
    return engine;
  }

  async function list({ host }: EngineAnswers): Promise<RuntimeContainer[]> {
    const runtime = createDockerRuntime({ host, clock: systemClock });
    cleanup.push(() => runtime.close());
    return (await runtime.inventory(signal)).containers;
  }

  for (const [name, state, asked] of [
    ["a stop", { StoppedByUser: true }, true],
    ["a crash", {}, false],
  ] as const) {
    it(`says of ${name} in a listing whether it was asked for`, async () => {
      const engine = await start({
        "/containers/json": [{ Id: ID }],
        [`/containers/${ID}/json`]: container(ID, "/web", exited),
        [`/v4.0.0/libpod/containers/${ID}/json`]: { Pod: "", IsInfra: false, State: state },
      });
      assert.deepEqual(
        (await list(engine)).map(({ state: is, stopRequested }) => [is, stopRequested]),
        [["exited", asked]],
      );
    });
  }

  it("says of a stop that no event announced that it was asked for", async () => {
    const engine = await start({
      "/containers/json": [{ Id: ID }],
      [`/containers/${ID}/json`]: container(ID, "/web", running),
      [`/v4.0.0/libpod/containers/${ID}/json`]: { Pod: "", State: {} },
    });
    const runtime = createDockerRuntime({ host: engine.host, clock: systemClock });
    const stop = new AbortController();
    const news: RuntimeNews[] = [];
    const opened = Promise.withResolvers<void>();
    const watching = (async () => {
      for await (const one of runtime.watch({ since: undefined, opened: opened.resolve, signal: stop.signal })) news.push(one);
    })();
    cleanup.push(async () => {
      stop.abort();
      await watching;
      await runtime.close();
    });
    await opened.promise;
    await runtime.inventory(signal);
    engine.answers.set(`/containers/${ID}/json`, container(ID, "/web", exited));
    engine.answers.set(`/v4.0.0/libpod/containers/${ID}/json`, { Pod: "", State: { StoppedByUser: true } });
    const attributes = { containerExitCode: "137", image: "app:1", name: "web", podId: "" };
    engine.send({
      Type: "container",
      Action: "die",
      Actor: { ID, Attributes: attributes },
      timeNano: Date.parse("2026-03-01T12:01:00Z") * 1e6,
    });
    const end = await until(() => news.at(-1));
    assert.ok(end.what === "container");
    assert.deepEqual([end.container.state, end.container.exitCode, end.container.stopRequested], ["exited", 137, true]);
  });

  it("groups containers by their pod, and leaves out what only holds it together", async () => {
    const engine = await start({
      "/containers/json": [{ Id: ID }, { Id: INFRA }],
      [`/containers/${ID}/json`]: container(ID, "/web", running),
      [`/containers/${INFRA}/json`]: container(INFRA, "/c-infra", running),
      [`/v4.0.0/libpod/containers/${ID}/json`]: { Pod: POD, IsInfra: false, State: {} },
      [`/v4.0.0/libpod/containers/${INFRA}/json`]: { Pod: POD, IsInfra: true, State: {} },
      [`/v4.0.0/libpod/pods/${POD}/json`]: { Name: "shop" },
    });
    assert.deepEqual(
      (await list(engine)).map(({ name, project }) => [name, project?.name]),
      [["web", "shop"]],
    );
  });

  it("watches where a proxy denies Podman's own API", async () => {
    const engine = await start({
      "/containers/json": [{ Id: ID }],
      [`/containers/${ID}/json`]: container(ID, "/web", exited),
      [`/v4.0.0/libpod/containers/${ID}/json`]: 403,
    });
    assert.equal((await list(engine)).length, 1);
  });
});

describe("why a container of Podman 4 ended", () => {
  const event = (action: EngineEvent["action"]): EngineEvent => ({
    action,
    containerId: ID,
    timeNs: 1n,
    name: "web",
    image: "app:1",
    labels: {},
    exitCode: 137,
    health: null,
    signal: undefined,
    podman: true,
  });
  const cases: [string, EngineEvent["action"][], string][] = [
    ["cleaned up twice", ["start", "die", "cleanup", "cleanup"], "asked"],
    ["cleaned up once", ["start", "die", "cleanup"], "unasked"],
    ["stop announced", ["start", "stop", "die", "cleanup"], "asked"],
    ["restart announced", ["start", "restart", "die", "cleanup", "start"], "asked"],
    ["restarted by its policy", ["start", "die", "restart", "start"], "unasked"],
    ["restarted by its policy before", ["start", "die", "restart", "start", "die"], "unasked"],
    ["removed at once", ["start", "die", "destroy"], "removed"],
    ["cleaned up for another end before", ["start", "die", "cleanup", "start", "die", "cleanup"], "unasked"],
  ];
  for (const [name, actions, cause] of cases) {
    it(`${name}: ${cause}`, async () => {
      const clock = createFakeClock();
      const ends = createPodmanEnds(clock);
      const end = actions.map((action) => ends.note(event(action))).findLast((each) => each !== undefined);
      clock.advance(1_000);
      assert.equal(await end?.cause, cause);
    });
  }
});
