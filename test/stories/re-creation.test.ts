import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import type { AlertRecord } from "../../src/alerting/alerts/api.ts";
import type { AlertList } from "../../src/alerting/alerts/answers.ts";
import type { ContainerRecord } from "../../src/monitoring/containers/api.ts";
import type { ContainerList, DailyUptime, GenerationList } from "../../src/monitoring/containers/answers.ts";
import type { CheckList, EndpointList, EndpointRecord } from "../../src/monitoring/endpoints/answers.ts";
import type { Thresholds } from "../../src/monitoring/resources/answers.ts";
import { LICENSES, mintLicense } from "../../tools/license.ts";
import { type ComposeProject, createComposeProject } from "../support/compose.ts";
import { startEngine, type TestEngine } from "../support/engine.ts";
import { importBusybox } from "../support/images.ts";
import { takePort } from "../support/ports.ts";
import { type Program, startProgram, temporaryFolder } from "../support/program.ts";
import { type Receiver, startReceiver } from "../support/receivers.ts";
import { until } from "../support/until.ts";

const run = promisify(execFile);
/** It serves until somebody lets it crash. */
const SERVES = "mkdir -p /w; httpd -p 80 -h /w; while [ ! -e /crash ]; do sleep 0.1; done; exit 3";

/** Compose re-creates a service with other images: all that was recorded of it and set for it stays with it. */
describe("a service that Compose re-creates with new images", () => {
  let engine: TestEngine;
  let program: Program;
  let receiver: Receiver;
  let project: ComposeProject;
  let folder: string;
  let port: number;
  let prefix: string;
  const variables: Record<string, string> = {};

  before(async () => {
    engine = await startEngine();
    await importBusybox(engine);
    receiver = await startReceiver();
    folder = temporaryFolder();
    port = await takePort();
    program = await startProgram({
      env: {
        SERVICE_DOCKER_HOST: engine.host,
        SERVICE_ALLOW_PRIVATE_WEBHOOKS: "true",
        SERVICE_CONTAINER_DOWN_AFTER: "2s",
        SERVICE_LICENSE_KEY: mintLicense(LICENSES, { edition: "pro", organisation: "Tests", days: 1 }),
      },
    });
    await until(async () => (await program.get<{ connected: boolean }>("/api/v1/runtime/status")).connected);
    const file = join(folder, "compose.yaml");
    await writeFile(
      file,
      `services:
  web:
    image: \${IMAGE}
    ports: ["127.0.0.1:${port}:80"]
    labels:
      service.endpoint.http: http://127.0.0.1:${port}/
      service.endpoint.http.interval: 5s
      service.endpoint.http.expected-status: "404"
`,
    );
    project = createComposeProject(engine, file, variables);
    prefix = `${project.name}/web`;
    for (const version of ["1", "2", "4"]) await build(version, SERVES);
    await build("3", "sleep 0.3; exit 7");
  });

  after(async () => {
    await project?.remove().catch(() => undefined);
    await program?.stop();
    await receiver?.stop();
    await engine?.stop();
  });

  async function build(version: string, command: string): Promise<void> {
    const path = join(folder, "Dockerfile");
    await writeFile(
      path,
      `FROM binnacle-test/busybox:1\nENV VERSION=${version}\nSTOPSIGNAL SIGKILL\nCMD ${JSON.stringify(["sh", "-c", command])}\n`,
    );
    const env = { ...process.env, DOCKER_HOST: engine.host, DOCKER_BUILDKIT: "0" };
    await run("docker", ["build", "-q", "-t", `${prefix}:${version}`, folder], { env });
  }
  async function up(version: string): Promise<void> {
    variables["IMAGE"] = `${prefix}:${version}`;
    await project.compose("up", "-d");
  }
  async function send<Answer>(method: string, path: string, body: object): Promise<Answer> {
    const answer = await fetch(program.url + path, { method, body: JSON.stringify(body), headers: { "content-type": "application/json" } });
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${await answer.clone().text()}`);
    return (await answer.json()) as Answer;
  }
  const named = async (): Promise<ContainerRecord[]> =>
    (await program.get<ContainerList>(`/api/v1/containers?search=${project.name}`)).groups.flatMap(({ containers }) => containers);
  /** The one that there is, with this image. */
  const shows = (version: string, state: ContainerRecord["state"]): Promise<ContainerRecord> =>
    until(
      async () => {
        const all = await named();
        const [only] = all;
        return all.length === 1 && only?.image === `${prefix}:${version}` && only.state === state ? only : undefined;
      },
      { withinMs: 30_000, everyMs: 50, what: `version ${version} is ${state}` },
    ).catch(async (error: unknown) => {
      const shown = (await named()).map((each) => `${each.external_id.slice(0, 12)} ${each.image} ${each.state}`);
      const there = await engine.docker("ps", "-a", "--filter", `name=${project.name}`, "--format", "{{.ID}} {{.Image}} {{.Status}}");
      throw new Error(`shown: ${shown.join(", ") || "nothing"}; the engine has: ${there}`, { cause: error });
    });
  const endpoint = async (): Promise<EndpointRecord | undefined> =>
    (await program.get<EndpointList>("/api/v1/endpoints")).endpoints.find(({ name }) => name.includes(project.name));
  const isUp = (): Promise<EndpointRecord> =>
    until(
      async () => {
        const found = await endpoint();
        return found?.status === "up" ? found : undefined;
      },
      { withinMs: 30_000, everyMs: 50, what: "its endpoint is up" },
    );
  /** That it is down, or not any more, was sent so often. */
  const areDelivered = (event: "alert.fired" | "alert.resolved", count: number): Promise<unknown> =>
    until(
      () => {
        const sent = receiver.received.map(({ json }) => json as { event: string; alert: AlertRecord });
        return sent.filter((each) => each.event === event && each.alert.event === "down").length === count;
      },
      { withinMs: 30_000, everyMs: 50, what: `${event} ${count}` },
    );
  const isDown = (id: number): Promise<AlertRecord> =>
    until(
      async () => {
        const query = `entity_type=container&entity_id=${id}&source=container&status=active`;
        return (await program.get<AlertList>(`/api/v1/alerts?${query}`)).alerts.find(({ event }) => event === "down");
      },
      { withinMs: 30_000, everyMs: 50, what: "it is down" },
    );

  it("is the same through five of them, one of which crashes at once", { timeout: 240_000 }, async () => {
    await up("1");
    const first = await shows("1", "running");
    const { id } = first;
    const served = await isUp();
    await send("PUT", `/api/v1/containers/${id}/resources/alerts`, { cpu_threshold: 77, memory_threshold: null, debounce_seconds: 30 });
    const { id: channel } = await send<{ id: number }>("POST", "/api/v1/channels", {
      name: "Ops",
      type: "webhook",
      url: receiver.url,
    });
    await send("POST", `/api/v1/channels/${channel}/rules`, { entity_type: "container", entity_id: String(id) });
    const { id: silence } = await send<{ id: number }>("POST", "/api/v1/silence", {
      reason: "Its end is expected",
      ends_at: new Date(Date.now() + 3_600_000).toISOString(),
      matchers: { event: "down", entity_type: "container", entity_id: String(id) },
    });

    const windowOf = { title: "Work", entities: [{ entity_type: "container", entity_id: String(id) }] };
    const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
    const window = await send<{ id: number }>("POST", "/api/v1/status/maintenance", {
      ...windowOf,
      ...{ starts_at: inHours(1), ends_at: inHours(2) },
    });

    await up("2");
    assert.deepEqual([(await shows("2", "running")).id, (await isUp()).id], [id, served.id]);
    await up("4");
    const third = await shows("4", "running");
    assert.deepEqual([third.id, (await isUp()).id], [id, served.id]);
    await engine.docker("exec", third.name, "touch", "/crash");
    assert.equal((await isDown(id)).suppressed_by, "silence", "the silence is one of the same container");
    await fetch(`${program.url}/api/v1/silence/${silence}`, { method: "DELETE" });
    await areDelivered("alert.fired", 1);

    await up("2");
    assert.deepEqual([(await shows("2", "running")).id, (await isUp()).id], [id, served.id]);
    await areDelivered("alert.resolved", 1);

    const crashedAt = Date.now();
    await up("3");
    const crashed = await shows("3", "exited");
    assert.deepEqual([crashed.id, crashed.exit_code, crashed.generation], [id, 7, 5]);
    await areDelivered("alert.fired", 2);
    const { alerts: worse } = await until(
      async () => {
        const found = await program.get<AlertList>(`/api/v1/alerts?entity_type=container&entity_id=${id}&source=update`);
        return found.alerts.some(({ event }) => event === "regression") ? found : undefined;
      },
      { withinMs: 60_000, what: "the guard says so" },
    );
    assert.ok(Date.now() - crashedAt < 60_000);
    assert.match(worse[0]?.message ?? "", /performs worse since its image changed: it is not running, exit code 7/);

    await up("2");
    const last = await shows("2", "running");
    assert.deepEqual([last.id, last.generation, (await isUp()).id], [id, 6, served.id]);
    await areDelivered("alert.resolved", 2);
    const { days } = await program.get<DailyUptime>(`/api/v1/containers/${id}/uptime/daily?days=90`);
    const downFor = days.filter(({ uptime_percent }) => uptime_percent !== null && uptime_percent < 100);
    assert.ok(downFor.length > 0, "the crashes of images before this one count");
    const { generations, total } = await program.get<GenerationList>(`/api/v1/containers/${id}/generations`);
    assert.equal(total, 6);
    assert.deepEqual(
      generations.slice(1).map(({ number, image, end_reason }) => [number, image, end_reason]),
      [
        [5, `${prefix}:3`, "failed"],
        [4, `${prefix}:2`, "stopped"],
        [3, `${prefix}:4`, "failed"],
        [2, `${prefix}:2`, "stopped"],
        [1, `${prefix}:1`, "stopped"],
      ],
    );
    const checks = await program.get<CheckList>(`/api/v1/endpoints/${served.id}/checks?since=${first.first_seen_at}&limit=500`);
    const firstEnd = Date.parse(generations.at(-1)?.ended_at ?? "");
    assert.ok(Date.parse(checks.checks.at(-1)?.timestamp ?? "") < firstEnd, "its history begins with the first image");
    const thresholds = await program.get<Thresholds>(`/api/v1/containers/${id}/resources/alerts`);
    assert.deepEqual([thresholds.configured, thresholds.cpu_threshold], [true, 77]);

    await send("PUT", `/api/v1/status/maintenance/${window.id}`, { ...windowOf, starts_at: inHours(0), ends_at: inHours(1) });
    await engine.docker("exec", last.name, "touch", "/crash");
    assert.equal((await isDown(id)).suppressed_by, "maintenance", "the window is one of the same container");
  });
});
