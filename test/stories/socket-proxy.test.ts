import assert from "node:assert/strict";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { ContainerList } from "../../src/monitoring/containers/answers.ts";
import { ENGINE_ROUTES, enginePath, type EngineRoute } from "../../src/runtimes/docker/routes.ts";
import { startEngine, type TestEngine } from "../support/engine.ts";
import { createTestContainers, importBusybox, type TestContainers } from "../support/images.ts";
import { runNginx, type TestNginx } from "../support/nginx.ts";
import { takePort } from "../support/ports.ts";
import { type Program, startProgram, temporaryFolder } from "../support/program.ts";
import { until } from "../support/until.ts";

const CONF = new URL("../../deploy/socket-proxy.conf", import.meta.url);
const ID = "a".repeat(64);

describe("the socket proxy of deploy/compose.proxy.yaml", () => {
  let engine: TestEngine;
  let nginx: TestNginx;
  let port: number;
  let program: Program | undefined;
  let containers: TestContainers;

  before(async () => {
    engine = await startEngine();
    await importBusybox(engine);
    containers = createTestContainers(engine);
    port = await takePort();
    const folder = temporaryFolder();
    const file = join(folder, "nginx.conf");
    const conf = readFileSync(CONF, "utf8")
      .replaceAll("/tmp/", `${folder}/`)
      .replace("listen 2375", `listen 127.0.0.1:${port}`)
      .replace("/var/run/docker.sock", engine.host.replace("unix://", ""));
    // In the compose file the group of the socket lets the proxy in; here it is root.
    writeFileSync(file, `user root;\n${conf}`);
    chmodSync(folder, 0o755);
    nginx = await runNginx({ folder, file, port });
  });
  after(async () => {
    await program?.stop();
    await containers?.removeAll();
    await nginx?.kill();
    await engine?.stop();
  });

  function statusOf(path: string, method = "GET", headers: Record<string, string> = {}): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const sent = request({ host: "127.0.0.1", port, path, method, headers }, (answer) => {
        resolve(answer.statusCode);
        answer.destroy();
      });
      sent.on("error", reject);
      sent.end();
    });
  }

  it("passes each route that the program asks", async () => {
    for (const route of Object.keys(ENGINE_ROUTES) as EngineRoute[]) {
      const needsId = ENGINE_ROUTES[route].path.includes("{");
      const id = route === "image" ? `sha256:${ID}` : ID;
      const path = enginePath({ route, ...(needsId ? { id } : {}), query: { all: "1" } }, "1.41");
      if (route !== "ping" && route !== "version") assert.notEqual(await statusOf(path), 403, path);
    }
    for (const path of ["/_ping", "/version"]) assert.equal(await statusOf(path), 200, path);
  });

  it("refuses all else, however it is written", async () => {
    const refused = [
      `/v1.41/containers/${ID}/archive?path=/etc/shadow`,
      `/v1.41/containers/${ID}/export`,
      `/v1.41/containers/${ID}/attach/ws?json`,
      `/containers/${ID}/top`,
      `/containers/${ID}/%6csn`,
      `/containers/${ID}/../../secrets/json`,
      `/containers/%2e%2e/secrets`,
      "//containers/json",
      "/containers/json/",
      "/images/json",
      "/images/nginx/get",
      "/secrets",
      "/v1.41/swarm",
      "/v1.41/volumes",
      "/",
    ];
    for (const path of refused) assert.equal(await statusOf(path), 403, path);
    for (const method of ["POST", "PUT", "DELETE", "HEAD", "OPTIONS"])
      assert.equal(await statusOf("/v1.41/containers/json", method), 403, method);
    assert.equal(await statusOf("/v1.41/containers/create", "POST"), 403);
  });

  it("refuses checks of endpoints", async () => {
    assert.equal(await statusOf("/version", "GET", { "X-Service-Probe": "1" }), 403);
  });

  it("is all that the program needs", async () => {
    program = await startProgram({ env: { SERVICE_DOCKER_HOST: `tcp://127.0.0.1:${port}` } });
    const { get } = program;
    const seen = async (externalId: string): Promise<string | undefined> =>
      (await get<ContainerList>("/api/v1/containers")).groups
        .flatMap((group) => group.containers)
        .find((each) => each.external_id === externalId)?.state;
    await until(async () => (await get<{ connected: boolean }>("/api/v1/runtime/status")).connected);
    const id = await containers.run("proxied");
    await until(async () => (await seen(id)) === "running", { withinMs: 5000, what: "the start to be seen by its event" });
    await engine.docker("kill", id);
    await until(async () => (await seen(id)) === "exited", { withinMs: 5000, what: "the end to be seen by its event" });
    const status = await get<{ missing: string[] }>("/api/v1/runtime/status");
    assert.deepEqual(status.missing, []);
  });
});
