import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, afterEach, before, it } from "node:test";
import type { ContainerDetail } from "../../src/monitoring/containers/answers.ts";
import type { CheckList, CheckRecord, EndpointList, EndpointRecord } from "../../src/monitoring/endpoints/answers.ts";
import { connectedAgent, makeToken, startAgent, startServer } from "../support/agent-program.ts";
import { storyOnBothDatabases } from "../support/story-databases.ts";
import { startEngine, type TestEngine } from "../support/engine.ts";
import { BUSYBOX, createTestContainers, importBusybox, type TestContainers } from "../support/images.ts";
import { type Program, startProgram } from "../support/program.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { until } from "../support/until.ts";

const INCIDENTS = "/api/v1/status/incidents";
/** Whoever wrote the labels may do all that they can be allowed to do. */
const TRUSTING = { SERVICE_LABEL_CHECK_METHODS: "delete,post" };

/** Images and containers whose labels would have the program change itself: a real engine, and the program as it is built. */
function story(databaseEnv: () => Promise<Record<string, string>>): void {
  let engine: TestEngine;
  let containers: TestContainers;
  let program: Program & { port: number };
  let incident: string;
  const ends: (() => unknown)[] = [];

  before(async () => {
    engine = await startEngine();
    await importBusybox(engine);
    containers = createTestContainers(engine);
  });
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
    await containers.removeAll();
  });
  after(async () => {
    await engine?.stop();
  });

  /** The program with an open incident. */
  async function start(env: Record<string, string> = {}): Promise<void> {
    program = await startProgram({ env: { SERVICE_DOCKER_HOST: engine.host, ...(await databaseEnv()), ...env } });
    await prepare();
  }

  async function prepare(): Promise<void> {
    ends.push(() => program.stop());
    const { id } = await send<{ id: number }>("POST", INCIDENTS, {
      title: "Open",
      severity: "minor",
      status: "investigating",
      message: "-",
    });
    incident = `${INCIDENTS}/${id}`;
  }

  async function send<Body>(method: string, path: string, body: object): Promise<Body> {
    const payload = { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
    const answer = await fetch(program.url + path, { method, ...payload });
    const text = await answer.text();
    assert.ok(answer.ok, text);
    // What the test asks for is what the route answers.
    return JSON.parse(text) as Body;
  }

  const endpoints = async (): Promise<EndpointRecord[]> => (await program.get<EndpointList>("/api/v1/endpoints")).endpoints;
  /** Its check has been made, or could not be. */
  const checked = (name: string): Promise<EndpointRecord> =>
    until(async () => (await endpoints()).find((each) => each.name === `${containers.prefix}-${name}` && each.last_check_at !== null), {
      everyMs: 50,
      withinMs: 30_000,
      what: `a check of ${name}`,
    });
  const container = (name: string): Promise<ContainerDetail> =>
    until(
      async () => {
        type List = { groups: { containers: { id: number; name: string }[] }[] };
        const { groups } = await program.get<List>(`/api/v1/containers?search=${containers.prefix}-${name}`);
        const found = groups.flatMap((group) => group.containers).find((each) => each.name === `${containers.prefix}-${name}`);
        return found && (await program.get<ContainerDetail>(`/api/v1/containers/${found.id}`));
      },
      { everyMs: 100, withinMs: 30_000, what: `container ${name}` },
    );
  const deleting = (url: string): string[] =>
    [`service.endpoint.http=${url}`, "service.endpoint.http.method=DELETE"].flatMap((label) => ["--label", label]);
  const stands = async (): Promise<void> => assert.equal((await fetch(program.url + incident)).status, 200);

  /** An image with such labels, without anything being run. */
  async function build(name: string, labels: Record<string, string>): Promise<string> {
    const image = `${containers.prefix}/${name}:1`;
    const made = await engine.docker("create", BUSYBOX);
    const changes = Object.entries(labels).flatMap(([label, value]) => ["--change", `LABEL ${label}=${JSON.stringify(value)}`]);
    await engine.docker("commit", ...changes, made, image);
    await engine.docker("rm", made);
    ends.unshift(() => engine.docker("rmi", "-f", image));
    return image;
  }

  const runImage = (name: string, image: string, ...flags: string[]): Promise<string> =>
    engine.docker(
      ...["run", "-d", "--network", "none", "--name", `${containers.prefix}-${name}`, "--label", `binnacle.test=${containers.prefix}`],
      ...[...flags, image],
    );

  it("takes nothing from the labels of an image, and says so on the container", async () => {
    await start(TRUSTING);
    const labels = { "service.endpoint.http": program.url + incident, "service.endpoint.http.method": "DELETE", "service.ignore": "true" };
    const compose = { "com.docker.compose.project.config_files": "/etc/shadow", "com.docker.compose.project.working_dir": "/etc" };
    const image = await build("hostile", { ...labels, ...compose });
    await runImage("hostile", image);
    await runImage("own", image, "--label", "service.endpoint.1.tcp=127.0.0.1:1");
    const seen = await container("hostile");
    assert.deepEqual(seen.label_errors.map(({ label }) => label).toSorted(), Object.keys(labels).toSorted());
    assert.deepEqual(Object.keys(seen.labels), ["binnacle.test"]);
    for (const { message } of seen.label_errors) assert.match(message, /comes from the image and is ignored; .*SERVICE_IMAGE_LABELS=true/);
    const { container_id } = await until(async () => (await endpoints())[0], { what: "the endpoint of the container's own label" });
    assert.deepEqual([(await endpoints()).length, container_id], [1, (await container("own")).id]);
    await stands();
  });

  it("takes the labels of images where that is allowed", async () => {
    await start({ SERVICE_IMAGE_LABELS: "true" });
    await runImage("allowed", await build("allowed", { "service.endpoint.tcp": "127.0.0.1:1" }));
    assert.match((await checked("allowed")).last_error ?? "", /refused the connection/);
    assert.deepEqual((await container("allowed")).label_errors, []);
  });

  it("asks with GET where labels ask for DELETE, and says so on the container", async () => {
    await start();
    const target = createServer((request, response) => void response.end(request.method));
    const elsewhere = await listen(target);
    await containers.run("methods", [...deleting(`http://127.0.0.1:${elsewhere}/`), "--label", "service.endpoint.http.body-contains=GET"]);
    assert.equal((await checked("methods")).status, "up");
    assert.match((await container("methods")).label_errors[0]?.message ?? "", /SERVICE_LABEL_CHECK_METHODS/);
  });

  it("reaches none of the server's listeners, whatever labels ask for", async () => {
    await start(TRUSTING);
    const { port } = program;
    const own = `http://127.0.0.1:${port}${incident}`;
    const elsewhere = await listen(createServer((_request, response) => response.writeHead(307, { location: own }).end()));
    const targets = { direct: own, named: `http://localhost:${port}${incident}`, redirected: `http://127.0.0.1:${elsewhere}/` };
    for (const [name, url] of Object.entries(targets)) {
      await containers.run(name, ["--network", "none", ...deleting(url)]);
      const { id, status, last_error: error } = await checked(name);
      assert.equal(status, "unknown");
      assert.match(error ?? "", new RegExp(`:${port} is not asked: .* is where this Binnacle listens`));
      const { checks } = await program.get<CheckList>(`/api/v1/endpoints/${id}/checks`);
      assert.deepEqual(new Set(checks.map(({ observed }) => observed)), new Set([false]));
    }
    await stands();
  });

  it("refuses its own checks where a proxy that has logged them in passes them on", async () => {
    await start(TRUSTING);
    const proxy = await startTcpProxy({ port: program.port });
    ends.push(() => proxy.stop());
    await containers.run("proxied", ["--network", "none", ...deleting(`http://127.0.0.1:${proxy.port}${incident}`)]);
    assert.match((await checked("proxied")).last_error ?? "", /answered 403/);
    await containers.run("health", ["--label", `service.endpoint.http=http://127.0.0.1:${proxy.port}/api/v1/health`]);
    assert.equal((await checked("health")).status, "up");
    await stands();
  });

  it("is as hard to fool on the host of an agent", async () => {
    const server = await startServer({ env: await databaseEnv() });
    program = server;
    await prepare();
    const { token } = await makeToken(server);
    const env = { SERVICE_DOCKER_HOST: engine.host, SERVICE_ENROLLMENT_TOKEN: token, ...TRUSTING };
    const agent = startAgent({ server: server.grpcUrl, env });
    ends.push(() => agent.stop());
    await connectedAgent(server);
    await runImage("hostile", await build("hostile", { "service.endpoint.http": program.url + incident }));
    await containers.run("foreign", deleting(program.url + incident));
    await containers.run("metadata", deleting("http://169.254.169.254/latest/meta-data/"));
    assert.match((await checked("foreign")).last_error ?? "", /answered 403/);
    assert.match((await checked("metadata")).last_error ?? "", /169\.254\.169\.254 is a link-local address/);
    assert.match((await container("hostile")).label_errors[0]?.message ?? "", /SERVICE_IMAGE_LABELS/);
    assert.equal((await endpoints()).length, 2);
    for (const own of [
      { type: "tcp", target: `127.0.0.1:${server.grpcPort}` },
      { type: "http", target: `${program.url}/api/v1/health` },
    ]) {
      const { id } = await send<{ id: number }>("POST", "/api/v1/endpoints", own);
      const { check } = await send<{ check: CheckRecord }>("POST", `/api/v1/endpoints/${id}/check`, {});
      assert.match(check.error ?? "", /is where this Binnacle listens/);
      assert.equal(check.observed, false);
    }
    await stands();
  });

  async function listen(server: Server): Promise<number> {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    ends.push(() => void server.close());
    return (server.address() as AddressInfo).port;
  }
}

storyOnBothDatabases("hostile labels", story);
