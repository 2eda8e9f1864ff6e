import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type {
  CheckList,
  ContainerEndpoints,
  EndpointDetail,
  EndpointList,
  EndpointRecord,
} from "../../src/monitoring/endpoints/answers.ts";
import { storyOnBothDatabases } from "../support/story-databases.ts";
import { startEngine, type TestEngine } from "../support/engine.ts";
import { type ReceivedEvent, listen, type Listener } from "../support/event-source.ts";
import { createTestContainers, importBusybox, type TestContainers } from "../support/images.ts";
import { takePort } from "../support/ports.ts";
import { type Program, startProgram } from "../support/program.ts";
import { until } from "../support/until.ts";

/** Checks of what containers offer, from the outside: a real engine, the whole program, HTTP and its event stream. */
function story(databaseEnv: () => Promise<Record<string, string>>): void {
  let engine: TestEngine;
  let containers: TestContainers;
  let program: Program & { dataDir: string; port: number };
  let env: Record<string, string>;
  let live: Listener;

  before(async () => {
    engine = await startEngine();
    await importBusybox(engine);
    containers = createTestContainers(engine);
    env = { SERVICE_DOCKER_HOST: engine.host, ...(await databaseEnv()) };
    await start();
  });

  after(async () => {
    live?.close();
    await program?.stop();
    await containers?.removeAll();
    await engine?.stop();
  });

  async function start(): Promise<void> {
    program = await startProgram({ env, ...(program === undefined ? {} : { dataDir: program.dataDir, port: program.port }) });
    await until(async () => (await program.get<{ connected: boolean }>("/api/v1/runtime/status")).connected);
    live = await listen(`${program.url}/api/v1/containers/events`);
  }

  const list = async (query = ""): Promise<EndpointRecord[]> => (await program.get<EndpointList>(`/api/v1/endpoints${query}`)).endpoints;
  const named = (name: string): Promise<EndpointRecord> =>
    until(async () => (await list()).find((each) => each.name === `${containers.prefix}-${name}`), { everyMs: 50 });
  const published = (type: string, fits: (data: Record<string, unknown>) => boolean, withinMs = 30_000): Promise<ReceivedEvent> =>
    live.wait((event) => event.type === type && fits(event.data), withinMs);
  const status = (id: number, wanted: string): Promise<EndpointRecord> =>
    until(
      async () => {
        const endpoint = await program.get<EndpointDetail>(`/api/v1/endpoints/${id}`);
        return endpoint.status === wanted ? endpoint : undefined;
      },
      { withinMs: 40_000, everyMs: 50, what: `endpoint ${id} is ${wanted}` },
    );
  async function send(method: string, path: string, body?: object): Promise<{ status: number; body: Record<string, unknown> }> {
    const payload = body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
    const answer = await fetch(program.url + path, { method, ...payload });
    const text = await answer.text();
    return { status: answer.status, body: text === "" ? {} : (JSON.parse(text) as Record<string, unknown>) };
  }

  /** A container that serves `/health` while its file `/tmp/www/health` is there, on a port of this host. */
  async function serve(name: string, ...labels: string[]): Promise<{ externalId: string; port: string }> {
    const port = String(await takePort());
    const flags = [`service.endpoint.http=http://127.0.0.1:${port}/health`, ...labels].flatMap((label) => ["--label", label]);
    const command = "mkdir -p /tmp/www; echo fine > /tmp/www/health; exec httpd -f -p 80 -h /tmp/www";
    const externalId = await containers.run(name, ["-p", `127.0.0.1:${port}:80`, ...flags], "sh", "-c", command);
    return { externalId, port };
  }

  it("checks what a label names within seconds, and follows the container through its end and its return", async () => {
    const { externalId } = await serve("life");
    const { id, container_id } = await named("life");
    await status(id, "up");
    assert.deepEqual(
      (await program.get<ContainerEndpoints>(`/api/v1/containers/${container_id}/endpoints`)).endpoints.map((each) => each.id),
      [id],
    );
    await engine.docker("stop", "-t", "0", externalId);
    await published("endpoint.updated", (data) => data["id"] === id && data["status"] === "unknown");
    assert.equal((await status(id, "unknown")).status_reason, "container_stopped");
    await engine.docker("start", externalId);
    await published("endpoint.updated", (data) => data["id"] === id && data["status"] === "up" && data["previous_status"] === "unknown");
    await engine.docker("rm", "-f", externalId);
    assert.equal((await status(id, "unknown")).status_reason, "container_stopped");
    await serve("life");
    assert.equal((await status(id, "up")).container_id, container_id, "it is the same container, re-created");
  });

  it("says that a service is down while its container runs, and that it recovered", async () => {
    const { externalId } = await serve("failing", "service.endpoint.interval=5s");
    const { id } = await named("failing");
    await status(id, "up");
    await engine.docker("exec", externalId, "rm", "/tmp/www/health");
    const { data: alert } = await published("endpoint.alert", (data) => data["id"] === id, 120_000);
    assert.partialDeepStrictEqual(alert, {
      status: "down",
      previous_status: "up",
      consecutive_failures: 3,
      http_status: 404,
      failure_class: "http",
    });
    assert.match((await status(id, "down")).last_error ?? "", /404/);
    await engine.docker("exec", externalId, "sh", "-c", "echo fine > /tmp/www/health");
    const { data: recovery } = await published("endpoint.recovery", (data) => data["id"] === id, 120_000);
    assert.partialDeepStrictEqual(recovery, { status: "up", previous_status: "down", reason: "recovered" });
    const { checks } = await program.get<CheckList>(`/api/v1/endpoints/${id}/checks`);
    assert.deepEqual(new Set(checks.map(({ success }) => success)), new Set([true, false]));
  });

  it("has the same to say after a kill", async () => {
    const { externalId } = await serve(
      "kept",
      "service.endpoint.interval=5s",
      "service.endpoint.timeout=2s",
      "service.endpoint.failure-threshold=1",
    );
    const { id } = await named("kept");
    await status(id, "up");
    await engine.docker("exec", externalId, "rm", "/tmp/www/health");
    await status(id, "down");
    const known = await program.get<CheckList>(`/api/v1/endpoints/${id}/checks`);
    live.close();
    await program.kill();
    await start();
    const { checks } = await program.get<CheckList>(`/api/v1/endpoints/${id}/checks`);
    assert.deepEqual(checks.slice(-known.checks.length), known.checks);
    assert.equal((await program.get<EndpointDetail>(`/api/v1/endpoints/${id}`)).alerting, true);
    await engine.docker("exec", externalId, "sh", "-c", "echo fine > /tmp/www/health");
    await published("endpoint.recovery", (data) => data["id"] === id);
  });

  it("checks what was created manually, and shows its credentials to nobody", async () => {
    const { port } = await serve("shared");
    await named("shared");
    const made = await send("POST", "/api/v1/endpoints", {
      type: "http",
      name: "created manually",
      target: `http://admin:hunter2@127.0.0.1:${port}/health`,
      headers: { "X-Token": "s3cret" },
      body_contains: "fine",
    });
    assert.equal(made.status, 201);
    const id = Number(made.body["id"]);
    await status(id, "up");
    const checked = await send("POST", `/api/v1/endpoints/${id}/check`);
    assert.partialDeepStrictEqual(checked.body, { check: { success: true, http_status: 200 } });
    const changed = await send("PUT", `/api/v1/endpoints/${id}`, {
      type: "http",
      name: "created manually",
      target: made.body["target"],
      headers: { "X-Token": "***" },
      body_contains: "not there",
      failure_threshold: 1,
    });
    assert.equal(changed.status, 200);
    const down = await status(id, "down");
    assert.equal(down.last_failure_class, "assertion");
    const shown = JSON.stringify([made, checked, changed, await list(), live.events]) + program.log();
    for (const secret of ["hunter2", "s3cret"]) assert.equal(shown.includes(secret), false);
    assert.equal((await send("DELETE", `/api/v1/endpoints/${id}`)).status, 204);
  });

  it("says which label was not understood, and checks the others", async () => {
    const { port } = await serve("labels", "service.endpoint.interval=soon", "service.endpoint.1.tcp=127.0.0.1:1");
    const endpoint = await named("labels");
    assert.equal(endpoint.config.interval_seconds, 30);
    const second = await named("labels 1");
    assert.deepEqual([second.type, second.target], ["tcp", "127.0.0.1:1"]);
    await status(endpoint.id, "up");
    assert.equal(endpoint.target, `http://127.0.0.1:${port}/health`);
    await published("container.label_errors", (data) => JSON.stringify(data["label_errors"]).includes("service.endpoint.interval"));
  });
}

storyOnBothDatabases("endpoints of a real engine", story);
