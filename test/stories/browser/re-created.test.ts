import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser } from "playwright-core";
import type { ContainerRecord } from "../../../src/monitoring/containers/api.ts";
import type { ContainerList } from "../../../src/monitoring/containers/answers.ts";
import { openPage, startBrowser } from "../../support/browser.ts";
import { startEngine, type TestEngine } from "../../support/engine.ts";
import { BUSYBOX, createTestContainers, importBusybox, type TestContainers } from "../../support/images.ts";
import { looks } from "../../support/looks.ts";
import { type Program, startProgram } from "../../support/program.ts";
import { until } from "../../support/until.ts";

const NEWER = "binnacle-test/busybox:newer";

describe("a container that was re-created with another image", () => {
  let engine: TestEngine;
  let containers: TestContainers;
  let program: Program;
  let browser: Browser;

  before(async () => {
    engine = await startEngine();
    await importBusybox(engine);
    await engine.docker("tag", BUSYBOX, NEWER);
    containers = createTestContainers(engine);
    program = await startProgram({ env: { SERVICE_DOCKER_HOST: engine.host } });
    await until(async () => (await program.get<{ connected: boolean }>("/api/v1/runtime/status")).connected);
    browser = await startBrowser();
  });

  after(async () => {
    await browser?.close();
    await program?.stop();
    await containers?.removeAll();
    await engine?.docker("rmi", NEWER).catch(() => undefined);
    await engine?.stop();
  });

  const shown = (generation: number): Promise<ContainerRecord> =>
    until(async () => {
      const { groups } = await program.get<ContainerList>(`/api/v1/containers?search=${containers.prefix}`);
      const [only] = groups.flatMap((group) => group.containers);
      return only?.state === "running" && only.generation === generation ? only : undefined;
    });

  it("says so among its facts and in its history", async () => {
    const flags = ["--network", "none"];
    await containers.run("web", flags, "sleep", "100000");
    const { id } = await shown(1);
    await engine.docker("rm", "-f", `${containers.prefix}-web`);
    const named = ["--name", `${containers.prefix}-web`, "--label", `binnacle.test=${containers.prefix}`];
    await engine.docker("run", "-d", ...named, ...flags, NEWER, "sleep", "100000");
    assert.equal((await shown(2)).id, id);
    const { page, complaints } = await openPage(browser);
    await page.goto(`${program.url}/containers/${id}`);
    await page.getByText(/^1 time, last /).waitFor();
    await page.getByText(`Re-created with ${NEWER}`).first().waitFor();
    assert.deepEqual(await looks(page, "overview"), []);
    await page.goto(`${program.url}/containers/${id}?tab=history`);
    await page.getByText(`Re-created with ${NEWER}`).first().waitFor();
    assert.deepEqual([...(await looks(page, "history")), ...complaints], []);
    await page.context().close();
  });
});
