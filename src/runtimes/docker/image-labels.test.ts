import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startEngine, type TestEngine } from "../../../test/support/engine.ts";
import { BUSYBOX, createTestContainers, importBusybox, type TestContainers } from "../../../test/support/images.ts";
import { systemClock } from "../../platform/clock.ts";
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

  /** Of what labels a container is said to have from its image, by a program that has just started. */
  async function labelsOfImage(...ids: string[]): Promise<(readonly string[] | undefined)[]> {
    const runtime = createDockerRuntime({ host: engine.host, clock: systemClock });
    try {
      const { signal } = new AbortController();
      await runtime.describe(signal);
      const { containers: listed } = await runtime.inventory(signal);
      return ids.map((id) => listed.find(({ externalId }) => externalId === id)?.imageLabels.toSorted());
    } finally {
      await runtime.close();
    }
  }

  it("are told from those of the container by their values", async () => {
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

  it("cannot be told once the image is gone", async () => {
    const image = await build("gone", OF_IMAGE);
    const container = await create(image);
    await engine.docker("rmi", "-f", image);
    assert.deepEqual(await labelsOfImage(container), [[]]);
  });
});
