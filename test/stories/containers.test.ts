import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { AlertList } from "../../src/alerting/alerts/answers.ts";
import type { ContainerRecord } from "../../src/monitoring/containers/api.ts";
import type { ContainerDetail, ContainerList, ContainerLogs, TransitionList } from "../../src/monitoring/containers/answers.ts";
import type { AlertCaseRecord } from "../../src/publishing/overview/answers.ts";
import { storyOnBothDatabases } from "../support/story-databases.ts";
import { startEngine, type TestEngine } from "../support/engine.ts";
import { type ReceivedEvent, listen, type Listener } from "../support/event-source.ts";
import { createTestContainers, importBusybox, type TestContainers } from "../support/images.ts";
import { type Program, startProgram } from "../support/program.ts";
import { until } from "../support/until.ts";

/** The main job, from the outside: a real engine, the whole program, HTTP and its event stream. */
function story(databaseEnv: () => Promise<Record<string, string>>): void {
  let engine: TestEngine;
  let containers: TestContainers;
  let program: Program;
  let live: Listener;

  before(async () => {
    engine = await startEngine();
    await importBusybox(engine);
    containers = createTestContainers(engine);
    program = await startProgram({ env: { SERVICE_DOCKER_HOST: engine.host, ...(await databaseEnv()) } });
    await until(async () => (await program.get<{ connected: boolean }>("/api/v1/runtime/status")).connected);
    live = await listen(`${program.url}/api/v1/containers/events`);
  });

  after(async () => {
    live?.close();
    await program?.stop();
    await containers?.removeAll();
    await engine?.stop();
  });

  const list = async (query = ""): Promise<ContainerRecord[]> =>
    (await program.get<ContainerList>(`/api/v1/containers${query}`)).groups.flatMap((group) => group.containers);
  const find = (externalId: string): Promise<ContainerRecord> =>
    until(async () => (await list()).find((each) => each.external_id === externalId), { everyMs: 50 });
  const history = async (id: number): Promise<(string | null)[][]> =>
    (await program.get<TransitionList>(`/api/v1/containers/${id}/transitions`)).transitions
      .map(({ new_state, new_health }) => [new_state, new_health])
      .toReversed();
  const state = (id: number, wanted: string): Promise<unknown> =>
    live.wait(({ type, data }) => type === "container.state_changed" && data["id"] === id && data["state"] === wanted);

  it("sees a container from its start to its removal, and shows its history afterwards", async () => {
    const externalId = await containers.run("life");
    const { id } = await find(externalId);
    await engine.docker("pause", externalId);
    await state(id, "paused");
    await engine.docker("unpause", externalId);
    await engine.docker("stop", "-t", "5", externalId);
    await state(id, "exited");
    await engine.docker("start", externalId);
    await engine.docker("kill", externalId);
    await until(async () => (await history(id)).filter(([each]) => each === "exited").length === 2, { everyMs: 50 });
    const transitions = await history(id);
    assert.deepEqual(transitions.slice(-6), [
      ["running", null],
      ["paused", null],
      ["running", null],
      ["exited", null],
      ["running", null],
      ["exited", null],
    ]);
    await engine.docker("rm", externalId);
    await live.wait(({ type, data }) => type === "container.archived" && data["id"] === id);
    assert.equal(
      (await list("?archived=true")).some((each) => each.id === id),
      true,
    );
    assert.deepEqual(await history(id), transitions);
  });

  it("distinguishes a crash from a stop, with the last words", async () => {
    const externalId = await containers.run("crash", [], "sh", "-c", "echo about to fail; echo boom >&2; sleep 1; exit 3");
    const { id } = await find(externalId);
    await state(id, "exited");
    const [last] = (await program.get<TransitionList>(`/api/v1/containers/${id}/transitions`)).transitions;
    assert.deepEqual([last?.new_state, last?.exit_code], ["exited", 3]);
    const snippet = await until(
      async () => (await program.get<TransitionList>(`/api/v1/containers/${id}/transitions`)).transitions[0]?.log_snippet,
      { everyMs: 50 },
    );
    assert.match(snippet, /about to fail/);
    assert.match(snippet, /boom/);
  });

  it("sees health come and go, and shows what the check printed", async () => {
    const externalId = await containers.run("health", [
      "--health-cmd",
      "test ! -e /sick || { echo 'GET /health: no answer'; echo password=hunter2; exit 3; }",
      "--health-interval",
      "1s",
      "--health-retries",
      "1",
    ]);
    const { id } = await find(externalId);
    const health = (wanted: string): Promise<unknown> =>
      live.wait(({ type, data }) => type === "container.health_changed" && data["id"] === id && data["health"] === wanted, 60_000);
    await health("healthy");
    await engine.docker("exec", externalId, "touch", "/sick");
    await health("unhealthy");
    assert.ok((await list("?health=unhealthy")).some((each) => each.id === id));
    const { health_failure: failure } = await program.get<ContainerDetail>(`/api/v1/containers/${id}`);
    assert.deepEqual([failure?.exit_code, failure?.output], [3, "GET /health: no answer\npassword=***"]);
    const alert = await until(async () => {
      const { alerts } = await program.get<AlertList>("/api/v1/alerts?status=active");
      return alerts.find(({ event, entity_id: entity }) => event === "health_unhealthy" && entity === String(id));
    });
    const known = await program.get<AlertCaseRecord>(`/api/v1/alerts/${alert.id}/case`);
    assert.deepEqual([known.health_check?.exit_code, known.health_check?.lines], [3, ["GET /health: no answer", "password=***"]]);
  });

  it("notices a restart loop", async () => {
    const externalId = await containers.run(
      "loop",
      ["--restart", "always", "--label", "service.alert.restart_threshold=2"],
      "sh",
      "-c",
      "sleep 0.2; exit 1",
    );
    const { id } = await find(externalId);
    const { data } = await live.wait(({ type, data: { id: about } }) => type === "container.restart_alert" && about === id, 60_000);
    assert.deepEqual([data["severity"], data["threshold"]], ["warning", 2]);
    assert.equal((await find(externalId)).restart_loop?.severity, "warning");
    await engine.docker("rm", "-f", externalId);
  });

  it("follows a log as it is written", async () => {
    const externalId = await containers.run(
      "log",
      [],
      "sh",
      "-c",
      "n=0; while :; do n=$((n+1)); echo line $n; echo complaint $n >&2; sleep 0.2; done",
    );
    const { id } = await find(externalId);
    const log = await listen(`${program.url}/api/v1/containers/${id}/logs/stream?lines=1`);
    const lineOf = (text: RegExp): Promise<ReceivedEvent> =>
      log.wait(({ type, data }) => type === "log" && text.test(String(data["text"])));
    const first = Number(/\d+/.exec(String((await lineOf(/^line /)).data["text"]))?.[0]);
    assert.equal((await lineOf(new RegExp(`^line ${first + 7}$`))).data["stream"], "stdout");
    assert.equal((await lineOf(new RegExp(`^complaint ${first + 6}$`))).data["stream"], "stderr");
    const { lines, truncated } = await program.get<ContainerLogs>(`/api/v1/containers/${id}/logs?lines=3&search=complaint`);
    assert.deepEqual([lines.length, truncated, new Set(lines.map(({ stream }) => stream))], [3, true, new Set(["stderr"])]);
    await engine.docker("rm", "-f", externalId);
    const { data } = await log.wait(({ type }) => type === "end");
    assert.match(String(data["reason"]), /container_stopped|container_removed/);
    log.close();
  });

  it("reads labels, reports the bad ones, and hides secrets", async () => {
    const labels = [
      "service.group=Shop",
      "service.alert.severity=loud",
      "service.alert.restart_threshold=5",
      "app.db_password=hunter2",
      "com.example.plain=1",
    ];
    const externalId = await containers.run(
      "labels",
      labels.flatMap((label) => ["--label", label]),
    );
    const record = await find(externalId);
    assert.deepEqual([record.group, record.group_source, record.restart_threshold, record.alert_severity], ["Shop", "label", 5, "warning"]);
    assert.deepEqual(
      record.label_errors.map(({ label }) => label),
      ["service.alert.severity"],
    );
    assert.deepEqual([record.labels["app.db_password"], record.labels["com.example.plain"]], ["***", "1"]);
    const detail = await program.get<ContainerDetail>(`/api/v1/containers/${record.id}`);
    assert.equal(JSON.stringify(detail).includes("hunter2"), false);
    assert.equal(program.log().includes("hunter2"), false);
  });

  it("stands names with escape sequences, and 5 MB lines", async () => {
    const externalId = await containers.run(
      "hostile",
      ["--label", "service.group=\u001b[31mred\u202e"],
      "sh",
      "-c",
      "head -c 5000000 /dev/zero | tr '\\0' x; echo; echo after; sleep 600",
    );
    const record = await find(externalId);
    assert.equal(record.group, "red");
    const { lines } = await until(
      async () => {
        const logs = await program.get<ContainerLogs>(`/api/v1/containers/${record.id}/logs`);
        return logs.lines.at(-1)?.text === "after" ? logs : undefined;
      },
      { everyMs: 100 },
    );
    assert.ok((lines.at(-2)?.text.length ?? Infinity) < 70_000);
  });
}

storyOnBothDatabases("containers of a real engine", story);
