import assert from "node:assert/strict";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, it } from "node:test";
import { until } from "../../../test/support/until.ts";
import { systemClock } from "../../platform/clock.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { Runtime } from "../runtime.ts";
import { createDockerRuntime } from "./index.ts";

interface ScriptedContainer {
  cpuNanoseconds: number;
  labels?: Record<string, string>;
  hostConfig?: object;
  /** While true, questions about its figures are not answered. */
  silent?: boolean;
  ended?: boolean;
  /** The answer's status, when it is not 200. */
  status?: number;
}

/** An engine that says of its containers what the test says, and remembers what it was asked. */
class ScriptedEngine {
  containers = new Map<string, ScriptedContainer>();
  asked: string[] = [];
  atOnce = 0;
  mostAtOnce = 0;
  events: http.ServerResponse[] = [];
  deniesInfo = false;
  readonly #server = http.createServer((request, response) => this.#answer(request.url ?? "", response));

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `tcp://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #answer(url: string, response: http.ServerResponse): void {
    const path = url.replace(/^\/v1\.\d+/, "").replace(/\?.*/, "");
    const json = (body: unknown, status = 200): void => void response.writeHead(status).end(JSON.stringify(body));
    this.asked.push(path);
    const [, id = "", what] = /^\/containers\/([0-9a-f]{64})\/(json|stats)$/.exec(path) ?? [];
    const container = this.containers.get(id);
    if (path === "/events") {
      this.events.push(response.writeHead(200));
      response.flushHeaders();
    } else if (path === "/info") {
      if (this.deniesInfo) json({ message: "denied" }, 403);
      else json({ Name: "scripted", NCPU: 4, MemTotal: 8_000_000_000 });
    } else if (path === "/version") json({ Version: "1", ApiVersion: "1.41", MinAPIVersion: "1.12" });
    else if (path === "/containers/json") json([...this.containers].map(([Id, { labels = {} }]) => ({ Id, Labels: labels })));
    else if (what === undefined) response.writeHead(200).end("OK");
    else if (container === undefined) json({ message: "no such container" }, 404);
    else if (what === "json") json(this.#inspect(id, container));
    else this.#stats(container, response, json);
  }

  #inspect(Id: string, { labels = {}, hostConfig = {} }: ScriptedContainer): object {
    const State = { Status: "running", Pid: 1, StartedAt: "2026-03-01T12:00:00Z" };
    return {
      Id,
      Name: `/${Id.slice(0, 4)}`,
      State,
      Config: { Image: "i", Labels: labels },
      HostConfig: { NetworkMode: "bridge", ...hostConfig },
    };
  }

  #stats(container: ScriptedContainer, response: http.ServerResponse, json: (body: unknown, status?: number) => void): void {
    this.atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce);
    response.on("close", () => (this.atOnce -= 1));
    if (container.silent === true) return;
    const figures = {
      read: container.ended === true ? "0001-01-01T00:00:00Z" : new Date().toISOString(),
      cpu_stats: { cpu_usage: { total_usage: container.cpuNanoseconds }, online_cpus: 2 },
      memory_stats: { usage: 1000, stats: { inactive_file: 400 }, limit: 5_000_000 },
      networks: { eth0: { rx_bytes: 5, tx_bytes: 6 } },
    };
    setImmediate(() => json(container.status === undefined ? figures : { message: "boom" }, container.status));
  }
}

const id = (number: number): string => number.toString(16).padStart(64, "0");

describe("what containers use, by asking the engine", () => {
  let engine: ScriptedEngine;
  let runtime: Runtime;
  let stop: AbortController;

  beforeEach(async () => {
    engine = new ScriptedEngine();
    stop = new AbortController();
    runtime = createDockerRuntime({ host: await engine.start(), clock: systemClock, readCgroups: false });
  });
  afterEach(async () => {
    stop.abort();
    await runtime.close();
    engine.stop();
  });

  const add = (number: number, facts: Partial<ScriptedContainer> = {}): void =>
    void engine.containers.set(id(number), { cpuNanoseconds: number, ...facts });
  const askedFor = (path: string): number => engine.asked.filter((each) => each === path).length;
  const cpuOf = async (signal = stop.signal): Promise<(number | null)[]> =>
    (await runtime.stats(signal)).map(({ cpuNanoseconds }) => cpuNanoseconds);

  it("completes the figures with what each may use", async () => {
    add(1, { hostConfig: { NanoCpus: 5e8, Memory: 2000 } });
    add(2, { hostConfig: { NetworkMode: "host" } });
    const before = systemClock.monotonicMs();
    const [limited, free] = await runtime.stats(stop.signal);
    assert.ok(limited !== undefined && free !== undefined);
    const { readAtMs, ...figures } = limited;
    assert.ok(readAtMs >= before - 1 && readAtMs <= systemClock.monotonicMs());
    assert.deepEqual(figures, {
      externalId: id(1),
      cpuNanoseconds: 1,
      memoryBytes: 600,
      networkRxBytes: 5,
      networkTxBytes: 6,
      diskReadBytes: null,
      diskWriteBytes: null,
      allocatedCpus: 0.5,
      memoryLimitBytes: 2000,
    });
    assert.deepEqual([free.allocatedCpus, free.memoryLimitBytes, free.networkRxBytes], [4, 5_000_000, null]);
  });

  it("takes what the engine says beside its figures where its description is denied", async () => {
    engine.deniesInfo = true;
    add(1);
    const [usage] = await runtime.stats(stop.signal);
    assert.deepEqual([usage?.allocatedCpus, usage?.memoryLimitBytes], [2, 5_000_000]);
  });

  it("leaves out one-off containers, what has ended, and what is gone", async () => {
    for (const number of [1, 2, 3, 4]) add(number);
    add(2, { labels: { "com.docker.compose.oneoff": "True" } });
    add(3, { ended: true });
    add(4, { status: 404 });
    assert.deepEqual(await cpuOf(), [1]);
    engine.containers.clear();
    assert.deepEqual(await cpuOf(), []);
  });

  it("keeps what was answered when the time is up", async () => {
    for (const number of [1, 2, 3]) add(number, { silent: number === 2 });
    const late = new AbortController();
    const asked = cpuOf(late.signal);
    await until(() => engine.atOnce === 1 && askedFor(`/containers/${id(3)}/stats`) === 1);
    // Answers that were sent before this one's question have arrived when it is answered.
    await runtime.describe(stop.signal);
    late.abort();
    assert.deepEqual(await asked, [1, 3]);
  });

  it("keeps the others when one question fails", async () => {
    add(1);
    add(2, { status: 500 });
    assert.deepEqual(await cpuOf(), [1]);
  });

  it("says so when the engine answers nothing", async () => {
    add(1, { silent: true });
    const late = new AbortController();
    const asked = runtime.stats(late.signal);
    await until(() => engine.atOnce === 1);
    late.abort();
    await assert.rejects(
      asked,
      (error) => isServiceError(error, "runtime_unavailable") && /did not answer any question/.test(error.message),
    );
    add(1, { status: 500 });
    await assert.rejects(
      runtime.stats(stop.signal),
      (error) => isServiceError(error, "runtime_unavailable") && /"boom"/.test(error.message),
    );
  });

  it("fails when containers cannot be listed", async () => {
    engine.stop();
    await assert.rejects(runtime.stats(stop.signal), (error) => isServiceError(error, "runtime_unavailable"));
  });

  it("asks about sixteen at a time, and first about those it did not get to", async () => {
    for (let number = 1; number <= 40; number += 1) add(number, { silent: number > 20 && number <= 36 });
    const late = new AbortController();
    const asked = cpuOf(late.signal);
    // Who is asked last has a place that an answer left.
    await until(() => engine.atOnce === 16 && askedFor(`/containers/${id(36)}/stats`) === 1);
    late.abort();
    assert.deepEqual(
      await asked,
      Array.from({ length: 20 }, (_, place) => place + 1),
    );
    assert.equal(engine.mostAtOnce, 16);
    await until(() => engine.atOnce === 0);
    engine.asked = [];
    for (const container of engine.containers.values()) container.silent = true;
    const lateAgain = new AbortController();
    const askedAgain = cpuOf(lateAgain.signal).catch(() => undefined);
    await until(() => engine.atOnce === 16);
    const order = engine.asked.filter((path) => path.endsWith("/stats")).map((path) => Number.parseInt(path.slice(12, 76), 16));
    lateAgain.abort();
    await askedAgain;
    assert.deepEqual(
      order.toSorted((a, b) => a - b),
      Array.from({ length: 16 }, (_, place) => place + 21),
    );
  });

  it("does not hold up other questions", async () => {
    for (let number = 1; number <= 20; number += 1) add(number, { silent: true });
    const late = new AbortController();
    const asked = runtime.stats(late.signal).catch(() => undefined);
    await until(() => engine.atOnce === 16);
    assert.equal((await runtime.inventory(stop.signal)).containers.length, 20);
    late.abort();
    await asked;
  });

  describe("who runs", () => {
    async function watch(signal: AbortSignal): Promise<{ ended: Promise<unknown> }> {
      const opened = Promise.withResolvers<void>();
      const following = (async () => {
        for await (const _ of runtime.watch({ since: undefined, opened: opened.resolve, signal }));
      })();
      await Promise.race([opened.promise, following]);
      return { ended: following.catch(() => undefined) };
    }
    const emit = (action: string, number: number): void => {
      const event = {
        Type: "container",
        Action: action,
        Actor: { ID: id(number), Attributes: { exitCode: "0" } },
        timeNano: Date.now() * 1e6,
      };
      engine.events.at(-1)?.write(`${JSON.stringify(event)}\n`);
    };

    it("is known from a listing and the events since, without asking", async () => {
      add(1);
      const { ended } = await watch(stop.signal);
      await runtime.inventory(stop.signal);
      engine.asked = [];
      assert.deepEqual(await cpuOf(), [1]);
      add(2);
      emit("start", 2);
      await until(async () => (await cpuOf()).length === 2);
      engine.containers.delete(id(1));
      emit("die", 1);
      await until(async () => (await cpuOf()).length === 1);
      assert.equal(askedFor("/containers/json"), 0);
      stop.abort();
      await ended;
    });

    it("is asked as long as nobody has listed since events flow, and once they no longer do", async () => {
      add(1);
      await runtime.inventory(stop.signal);
      const stopWatching = new AbortController();
      const { ended } = await watch(stopWatching.signal);
      engine.asked = [];
      await cpuOf();
      assert.equal(askedFor("/containers/json"), 1);
      await runtime.inventory(stop.signal);
      engine.asked = [];
      await cpuOf();
      assert.equal(askedFor("/containers/json"), 0);
      stopWatching.abort();
      await ended;
      add(2);
      assert.deepEqual(await cpuOf(), [1, 2]);
      assert.equal(askedFor("/containers/json"), 1);
    });

    it("takes over a limit that was changed", async () => {
      add(1);
      const { ended } = await watch(stop.signal);
      await runtime.inventory(stop.signal);
      add(1, { hostConfig: { NanoCpus: 15e8 } });
      emit("update", 1);
      await until(async () => (await runtime.stats(stop.signal))[0]?.allocatedCpus === 1.5);
      stop.abort();
      await ended;
    });
  });
});
