import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import type { ContainerList } from "../../src/monitoring/containers/answers.ts";
import { type ComposeProject, createComposeProject } from "../support/compose.ts";
import { startEngine, type TestEngine } from "../support/engine.ts";
import { importNode } from "../support/node-image.ts";
import { takePort } from "../support/ports.ts";
import { until } from "../support/until.ts";

describe("the container image, as deploy/compose.yaml runs it", () => {
  let engine: TestEngine;
  let project: ComposeProject;
  let url: string;
  const container = (): string => `${project.name}_binnacle_1`;
  const inspect = (format: string): Promise<string> => engine.docker("inspect", "-f", format, container());

  before(async () => {
    engine = await startEngine();
    const socket = engine.host.replace("unix://", "");
    const port = await takePort();
    url = `http://127.0.0.1:${port}`;
    project = createComposeProject(engine, "deploy/compose.yaml", {
      NODE_IMAGE: await importNode(engine),
      PREBUILT: "1",
      BINNACLE_IMAGE: "binnacle-test/binnacle",
      BINNACLE_LISTEN: `127.0.0.1:${port}`,
      DOCKER_SOCKET: socket,
      DOCKER_GID: String((await stat(socket)).gid),
    });
    await project.compose("build");
    await project.compose("up", "-d");
  });
  after(async () => {
    await project?.remove();
    await engine?.stop();
  });

  it("runs without root on a read-only root file system, and sees the engine it runs on, itself included", async () => {
    const list = await until(
      async () => {
        const answer = await fetch(`${url}/api/v1/containers`).catch(() => undefined);
        const body = answer?.ok === true ? ((await answer.json()) as ContainerList) : undefined;
        return body !== undefined && body.total > 0 ? body : undefined;
      },
      { withinMs: 30_000, everyMs: 200 },
    );
    const names = list.groups.flatMap((group) => group.containers.map(({ name }) => name));
    assert.ok(names.includes(container()));
    assert.equal(list.groups.find((group) => group.name === project.name)?.source, "compose");
    assert.equal(await inspect("{{.Config.User}} {{.HostConfig.ReadonlyRootfs}}"), "1000:1000 true");
    assert.equal(await inspect("{{.HostConfig.Memory}} {{.HostConfig.NanoCpus}} {{.HostConfig.PidsLimit}}"), "1073741824 1000000000 128");
    const components = await engine.docker("exec", container(), "node", "-p", "require('/app/sbom.cdx.json').components.length");
    assert.ok(Number(components) > 0);
    assert.match(await (await fetch(url, { headers: { accept: "text/html" } })).text(), /<title>Binnacle/);
  });

  it("reports to the engine that it is healthy", async () => {
    await engine.docker("exec", container(), "node", "/app/main.js", "healthcheck");
    await until(async () => (await inspect("{{.State.Health.Status}}")) === "healthy", { withinMs: 60_000, everyMs: 500 });
  });

  it("keeps its data over a new container, and stops on request", async () => {
    const id = async (): Promise<number | undefined> =>
      ((await (await fetch(`${url}/api/v1/containers`)).json()) as ContainerList).groups
        .flatMap((group) => group.containers)
        .find(({ name }) => name === container())?.id;
    const known = await id();
    const startedMs = performance.now();
    await project.compose("restart", "-t", "30");
    assert.ok(performance.now() - startedMs < 25_000, "it heeded the order to stop");
    const again = await until(() => id().catch(() => undefined), { withinMs: 30_000, everyMs: 200 });
    assert.equal(again, known);
  });
});
