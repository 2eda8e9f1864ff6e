import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { AlertRecord } from "../../src/alerting/alerts/api.ts";
import type { ActiveAlerts } from "../../src/alerting/alerts/answers.ts";
import type {
  AcknowledgmentRecord,
  ContainerInsights,
  ContainerPostureDetail,
  Posture,
  Summary,
} from "../../src/monitoring/security/answers.ts";
import { LICENSES, mintLicense } from "../../tools/license.ts";
import { storyOnBothDatabases } from "../support/story-databases.ts";
import { startEngine, type TestEngine } from "../support/engine.ts";
import { listen, type Listener } from "../support/event-source.ts";
import { createTestContainers, importBusybox, type TestContainers } from "../support/images.ts";
import { takePort } from "../support/ports.ts";
import { type Program, startProgram } from "../support/program.ts";
import { until } from "../support/until.ts";

/** Within the limits of the API. */
const SELDOM = { everyMs: 100, withinMs: 60_000 };
const SECURITY = "/api/v1/security";

/** Real containers that are exposed in every way, from outside the program: found, scored, alerted, acknowledged, revoked. */
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
    const licence = mintLicense(LICENSES, { edition: "pro", organisation: "Tests", days: 1 });
    env = { SERVICE_DOCKER_HOST: engine.host, SERVICE_LICENSE_KEY: licence, ...(await databaseEnv()) };
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
    await until(async () => (await program.get<{ connected: boolean }>("/api/v1/runtime/status")).connected, SELDOM);
    live = await listen(`${program.url}/api/v1/containers/events`);
  }

  async function send<Body>(method: string, path: string, body?: object): Promise<{ status: number; body: Body }> {
    const payload = body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
    const answer = await fetch(program.url + path, { method, ...payload });
    const text = await answer.text();
    // What the test asks for is what the route answers.
    return { status: answer.status, body: (text === "" ? {} : JSON.parse(text)) as Body };
  }

  async function idOf(name: string, externalId: string): Promise<number> {
    type List = { groups: { containers: { id: number; name: string; external_id: string }[] }[] };
    const found = await until(
      async () => {
        const { groups } = await program.get<List>(`/api/v1/containers?search=${containers.prefix}-${name}`);
        return groups.flatMap((group) => group.containers).find((each) => each.external_id === externalId);
      },
      { ...SELDOM, what: `container ${name}` },
    );
    return found.id;
  }
  const run = async (name: string, ...flags: string[]): Promise<number> => idOf(name, await containers.run(name, flags, "sleep", "100000"));
  const insights = (id: number): Promise<ContainerInsights> => program.get(`${SECURITY}/insights/${id}`);
  const posture = (id: number): Promise<ContainerPostureDetail> => program.get(`${SECURITY}/posture/containers/${id}`);
  const findings = async (id: number): Promise<string[]> =>
    (await insights(id)).insights.map(({ type, finding_key: key, severity }) => `${severity} ${type} ${key}`.trim());
  const found = (id: number, count: number): Promise<string[]> =>
    until(
      async () => {
        const all = await findings(id);
        return all.length === count ? all : undefined;
      },
      { ...SELDOM, what: `${count} findings of container ${id}` },
    );
  const alertOf = async (id: number): Promise<AlertRecord | undefined> =>
    (await program.get<ActiveAlerts>("/api/v1/alerts/active")).alerts.find(
      ({ source, entity_id }) => source === "security" && entity_id === String(id),
    );
  const alerted = (id: number): Promise<AlertRecord> => until(() => alertOf(id), { ...SELDOM, what: `an alert of container ${id}` });
  const acknowledge = (container_id: number, finding_type: string, finding_key = "", acknowledged_by = "Ada") =>
    send<AcknowledgmentRecord>("POST", `${SECURITY}/acknowledgments`, {
      container_id,
      finding_type,
      finding_key,
      acknowledged_by,
      reason: "It is meant to be public",
    });

  it("finds each kind in a real container, and alerts by the worst", async () => {
    const [first, second] = [await takePort(), await takePort()];
    const open = await run("open", "-p", `0.0.0.0:${first}:80`);
    const [insight] = (await until(async () => ((await insights(open)).total === 1 ? insights(open) : undefined), SELDOM)).insights;
    assert.partialDeepStrictEqual(insight, {
      type: "port_exposed_all_interfaces",
      finding_key: "80/tcp",
      severity: "critical",
      bindings: [{ host_ip: "0.0.0.0", host_port: first }],
      acknowledgment: null,
    });
    assert.match(insight?.snippet ?? "", new RegExp(`"127\\.0\\.0\\.1:${first}:80"`));
    assert.deepEqual([(await alerted(open)).severity, (await alerted(open)).event], ["critical", "dangerous_configuration"]);

    const database = await run("database", "-p", `${second}:5432`);
    assert.deepEqual(await found(database, 2), [
      "critical port_exposed_all_interfaces 5432/tcp",
      "critical database_port_exposed 5432/tcp",
    ]);
    const host = await run("host", "--network", "host");
    assert.deepEqual(await found(host, 1), ["high host_network_mode"]);
    assert.equal((await alerted(host)).severity, "warning");
    const local = await run("local", "-p", "127.0.0.1::5432");
    await until(async () => (await posture(local)).score === 100, { ...SELDOM, what: "that the port on loopback is none" });
    assert.deepEqual(await findings(local), []);
    await live.wait(({ type, data }) => type === "security.insights_changed" && data["id"] === host);
    const summary = await program.get<Summary>(`${SECURITY}/summary`);
    assert.ok(summary.by_type.host_network_mode >= 1 && summary.by_severity.critical >= 3);
  });

  it("finds a privileged container", async (test) => {
    const name = `${containers.prefix}-privileged`;
    let runs = true;
    await containers.run("privileged", ["--privileged", "--network", "none"], "sleep", "100000").catch((error: unknown) => {
      // Machines that lack a capability themselves cannot grant it: then the container is made, but never runs.
      if (!String(error).includes("unable to apply caps")) throw error;
      runs = false;
    });
    const id = await idOf("privileged", await engine.docker("inspect", "--format", "{{.Id}}", name));
    if (runs) {
      assert.deepEqual(await found(id, 1), ["critical privileged_container"]);
      assert.equal((await alerted(id)).severity, "critical");
      assert.equal((await posture(id)).score, 86);
      return;
    }
    test.diagnostic("this machine runs no privileged containers: what was only made is looked at");
    assert.equal((await program.get<{ privileged: boolean }>(`/api/v1/containers/${id}`)).privileged, true);
    assert.match((await insights(id)).not_assessed ?? "", /does not run \(created\)/);
  });

  it("takes a finding out of the score by acknowledging it, then the alert in hand, and back by revoking it", async () => {
    const id = await run("two", "-p", `${await takePort()}:8080`, "-p", `${await takePort()}:9090`);
    await found(id, 2);
    const alert = await alerted(id);
    const scored = await posture(id);
    assert.deepEqual([scored.score, scored.severity_distribution.critical], [58, 2]);

    const one = await acknowledge(id, "port_exposed_all_interfaces", "8080/tcp");
    assert.deepEqual([one.status, one.body.acknowledged_by, one.body.carried_over], [201, "Ada", false]);
    assert.deepEqual([(await posture(id)).score, (await alertOf(id))?.acknowledged_at ?? null], [79, null]);
    assert.equal((await acknowledge(id, "port_exposed_all_interfaces", "8080/tcp")).status, 409);
    assert.equal((await acknowledge(id, "host_network_mode")).status, 409);
    assert.equal((await acknowledge(4_711_000, "host_network_mode")).status, 404);

    const two = await acknowledge(id, "port_exposed_all_interfaces", "9090/tcp", "Grace");
    const all = await posture(id);
    assert.deepEqual([all.score, all.acknowledged, all.insights.length], [100, 2, 2]);
    assert.partialDeepStrictEqual(await alertOf(id), { id: alert.id, status: "active", acknowledged_by: "Grace" });
    await live.wait(({ type, data }) => type === "security.acknowledged" && data["acknowledgment_id"] === two.body.id);

    assert.equal((await send("DELETE", `${SECURITY}/acknowledgments/${two.body.id}`)).status, 204);
    assert.equal((await posture(id)).score, 79);
    assert.partialDeepStrictEqual(await alertOf(id), { id: alert.id, acknowledged_by: "Grace" });
    await live.wait(({ type, data }) => type === "security.revoked" && data["id"] === id);
  });

  it("keeps it over a restart, and for the container that takes the place of another", async () => {
    const port = await takePort();
    const id = await run("kept", "-p", `${port}:80`);
    await alerted(id);
    await acknowledge(id, "port_exposed_all_interfaces", "80/tcp");
    const alert = await alertOf(id);
    assert.ok(alert !== undefined && alert.acknowledged_at !== null);
    await program.stop();
    live.close();
    await start();
    await found(id, 1);
    assert.equal((await posture(id)).score, 100);
    // The alert of another, which comes after what is bad now was asked for: what is active and all acknowledged stays so.
    await alerted(await run("later", "-p", `${await takePort()}:80`));
    assert.equal((await alertOf(id))?.id, alert.id);

    await engine.docker("rm", "-f", `${containers.prefix}-kept`);
    const recreated = await run("kept", "-p", `${port}:80`);
    await found(recreated, 1);
    const [insight] = (await insights(recreated)).insights;
    assert.partialDeepStrictEqual(insight?.acknowledgment, { given_for_container_id: id, acknowledged_by: "Ada" });
    assert.deepEqual([recreated, (await alertOf(id))?.id], [id, alert.id], "it is the same container, re-created");
    const { history, score } = await program.get<Posture>(`${SECURITY}/posture`);
    assert.deepEqual(history.at(-1)?.score, score);
  });

  it("keeps the alert of a container that is started again, and ends it with one that is made in its place", async () => {
    const port = await takePort();
    const id = await run("stopped", "-p", `${port}:80`);
    const alert = await alerted(id);
    await engine.docker("stop", "-t", "0", `${containers.prefix}-stopped`);
    await found(id, 0);
    assert.equal((await posture(id)).score, null);
    assert.match((await insights(id)).not_assessed ?? "", /does not run/);
    assert.partialDeepStrictEqual(await alertOf(id), { id: alert.id, status: "active" });
    await engine.docker("start", `${containers.prefix}-stopped`);
    await found(id, 1);
    assert.equal((await alertOf(id))?.id, alert.id);

    await engine.docker("rm", "-f", `${containers.prefix}-stopped`);
    await live.wait(({ type, data }) => type === "container.archived" && data["id"] === id);
    assert.equal((await alertOf(id))?.id, alert.id);
    const recreated = await run("stopped", "-p", `127.0.0.1:${port}:80`);
    await until(async () => (await alertOf(id)) === undefined, { ...SELDOM, what: "that the alert of the removed one is over" });
    assert.equal(await alertOf(recreated), undefined);
  });
}

storyOnBothDatabases("what containers expose", story);
