import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startEngine, type TestEngine } from "../../../test/support/engine.ts";
import { BUSYBOX, createTestContainers, importBusybox, type TestContainers } from "../../../test/support/images.ts";
import { systemClock } from "../../platform/clock.ts";
import type { RuntimeContainer } from "../runtime.ts";
import { createDockerRuntime } from "./index.ts";

const OF_IMAGE = {
  "service.endpoint.http": "http://127.0.0.1:8080/",
  "service.group": "with spaces, = and 'quotes'",
  "service.alert.severity": "info",
  "com.docker.compose.project.config_files": "/etc/shadow",
  "com.example.team": "a",
};

describe("the labels of an image", () => {
  let engine: TestEngine;
  let containers: TestContainers;
  const images: string[] = [];
  before(async () => {
    engine = await startEngine();
    await importBusybox(engine);
    containers = createTestContainers(engine);
  });
  after(async () => {
    await containers?.removeAll();
    await engine?.docker("rmi", "-f", ...images);
    await engine?.stop();
  });

  async function build(name: string, labels: Record<string, string>): Promise<string> {
    const image = `${containers.prefix}/${name}:1`;
    const made = await engine.docker("create", BUSYBOX);
    const changes = Object.entries(labels).flatMap(([label, value]) => ["--change", `LABEL ${label}=${JSON.stringify(value)}`]);
    await engine.docker("commit", ...changes, made, image);
    await engine.docker("rm", made);
    images.push(image);
    return image;
  }

  const create = (image: string, ...labels: string[]): Promise<string> =>
    engine.docker(
      "create",
      "--network",
      "none",
      ...[`binnacle.test=${containers.prefix}`, ...labels].flatMap((each) => ["--label", each]),
      image,
    );

  async function list(): Promise<readonly RuntimeContainer[]> {
    const runtime = createDockerRuntime({ host: engine.host, clock: systemClock });
    try {
      const { signal } = new AbortController();
      await runtime.describe(signal);
      return (await runtime.inventory(signal)).containers;
    } finally {
      await runtime.close();
    }
  }

  /** The first state of a container in the events of the last minute. */
  async function statesInEvents(id: string): Promise<string[]> {
    const runtime = createDockerRuntime({ host: engine.host, clock: systemClock });
    const enough = new AbortController();
    const states: string[] = [];
    try {
      for await (const one of runtime.watch({ since: new Date(Date.now() - 60_000), opened: () => {}, signal: enough.signal })) {
        if (one.what !== "container" || one.container.externalId !== id) continue;
        states.push(one.container.state);
        enough.abort();
      }
    } finally {
      await runtime.close();
    }
    return states;
  }

  /** The labels that a container has from its image, as a program that has just started reports them. */
  async function labelsOfImage(...ids: string[]): Promise<(readonly string[] | undefined)[]> {
    const listed = await list();
    return ids.map((id) => listed.find(({ externalId }) => externalId === id)?.imageLabels.toSorted());
  }

  it("are distinguished from those of the container by their values", async () => {
    const image = await build("labelled", OF_IMAGE);
    const changed = await create(image, "service.alert.severity=critical", "service.group=shop", "service.endpoint.tcp=db:5432");
    const [files, ...others] = [
      "com.docker.compose.project.config_files",
      "service.alert.severity",
      "service.endpoint.http",
      "service.group",
    ];
    assert.deepEqual(await labelsOfImage(await create(image), changed), [
      [files, ...others],
      [files, "service.endpoint.http"],
    ]);
  });

  it("are all that steer anything where there are too many to remember", async () => {
    const image = await build("large", { "service.runbook": "x".repeat(17_000), "com.example.team": "a" });
    assert.deepEqual(await labelsOfImage(await create(image, "service.group=shop")), [["service.group", "service.runbook"]]);
  });

  it("do not say what a container belongs to, nor that it is not to be watched", async () => {
    const compose = (labels: Record<string, string>): [string, string][] =>
      Object.entries(labels).map(([name, value]) => [`com.docker.compose.${name}`, value]);
    const claimed = { project: "shop", service: "db", "container-number": "1", oneoff: "True", "config-hash": "0" };
    const image = await build("claiming", {
      ...Object.fromEntries(compose(claimed)),
      "com.docker.swarm.service.id": "abc",
      "com.docker.swarm.service.name": "shop_db",
      "com.docker.swarm.task.name": "shop_db.1.xyz",
      "com.docker.stack.namespace": "shop",
    });
    const written = compose({ "container-number": "2", oneoff: "False", "config-hash": "1" }).map((label) => label.join("="));
    const [plain, ofCompose] = [await create(image), await create(image, ...written)];
    const listed = await list();
    const seen = [plain, ofCompose].map((id) => listed.find(({ externalId }) => externalId === id));
    assert.deepEqual(
      seen.map((each) => each && [each.project, each.unit, each.runtime, each.labels["com.docker.swarm.task.name"]]),
      [
        [null, null, "docker", undefined],
        [{ name: "shop", source: "compose" }, "db", "docker", undefined],
      ],
    );
    assert.deepEqual(await statesInEvents(plain), ["created"]);
  });

  it("are unknown once the image is gone", async () => {
    const image = await build("gone", OF_IMAGE);
    const container = await create(image);
    await engine.docker("rmi", "-f", image);
    assert.deepEqual(await labelsOfImage(container), [[]]);
  });
});
