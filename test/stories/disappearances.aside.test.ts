/** Real containers and a real engine that disappear while something is wrong: what is not seen is not well. */
import assert from "node:assert/strict";
import { after, afterEach, before, it } from "node:test";
import type { AlertRecord } from "../../src/alerting/alerts/api.ts";
import type { AlertList } from "../../src/alerting/alerts/answers.ts";
import type { ContainerRecord } from "../../src/monitoring/containers/api.ts";
import type { ContainerList } from "../../src/monitoring/containers/answers.ts";
import type { PublicStatus } from "../../src/publishing/status/page/api.ts";
import { startEngine, type TestEngine } from "../support/engine.ts";
import { BUSYBOX, importBusybox } from "../support/images.ts";
import { startProgram } from "../support/program.ts";
import { until } from "../support/until.ts";

/** An engine counts as lost after half a minute, and alerts wait as long after a start. */
const NOTICED = { withinMs: 120_000, everyMs: 250 };
const NEWER = BUSYBOX.replace(":1", ":2");
/** Unhealthy until somebody makes it well. */
const SICK = ["--health-cmd", "test -e /well", "--health-interval", "2s", "--health-retries", "1"];

let engine: TestEngine;
let program: Awaited<ReturnType<typeof startProgram>>;

before(async () => {
  engine = await startEngine({ own: true });
  await importBusybox(engine);
  await engine.docker("tag", BUSYBOX, NEWER);
  await start();
});
// Checks of the health of containers cost as much as what is measured.
afterEach(async () => {
  const ids = await engine.docker("ps", "-aq");
  if (ids !== "") await engine.docker("rm", "-f", ...ids.split("\n"));
});
after(async () => {
  await program?.kill();
  await engine?.stop();
});

async function start(): Promise<void> {
  const again = program && { dataDir: program.dataDir, port: program.port };
  program = await startProgram({ ...again, env: { SERVICE_DOCKER_HOST: engine.host } });
}

const run = (name: string, image: string = BUSYBOX): Promise<string> =>
  engine.docker("run", "-d", "--net", "none", "--name", name, ...SICK, image);
const alerts = async (): Promise<AlertRecord[]> => (await program.get<AlertList>("/api/v1/alerts?limit=100")).alerts;
const active = async (name: string): Promise<string[]> =>
  (await alerts()).filter(({ status, entity_name }) => status === "active" && entity_name === name).map(({ event }) => event);
const resolvers = async (name: string): Promise<(string | undefined)[]> =>
  (await alerts())
    .filter(({ status, entity_name }) => status === "resolved" && entity_name === name)
    .map(({ resolution }) => resolution?.by);
const unhealthy = (name: string): Promise<unknown> =>
  until(async () => (await active(name)).includes("health_unhealthy"), { ...NOTICED, what: `an alert about ${name}` });

async function find(name: string): Promise<ContainerRecord | undefined> {
  const { groups } = await program.get<ContainerList>("/api/v1/containers");
  return groups.flatMap(({ containers }) => containers).find((each) => each.name === name);
}

async function publish(name: string): Promise<void> {
  const container = await until(() => find(name));
  const answer = await fetch(`${program.url}/api/v1/status/components`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name, monitor_type: "container", monitor_id: container.id }),
  });
  assert.equal(answer.status, 201);
}

async function page(name: string): Promise<string | undefined> {
  const { groups } = await program.get<PublicStatus>("/status/api");
  return groups.flatMap(({ components }) => components).find((each) => each.name === name)?.status;
}

it("an engine that dies, and a restart of ours after it, end nothing that was wrong", async () => {
  await run("sick");
  await publish("sick");
  await unhealthy("sick");
  await engine.kill();
  const lost = async (): Promise<AlertRecord | undefined> =>
    (await alerts()).find(({ event, status }) => event === "runtime_lost" && status === "active");
  const { id } = await until(lost, NOTICED);
  assert.deepEqual([await active("sick"), await page("sick")], [["health_unhealthy"], "degraded"]);

  await program.stop();
  await start();
  const settled = performance.now();
  await until(
    async () => {
      assert.deepEqual([await active("sick"), await page("sick"), (await lost())?.id], [["health_unhealthy"], "degraded", id]);
      return performance.now() - settled > 45_000;
    },
    { withinMs: 90_000, everyMs: 500 },
  );

  await engine.restart();
  await engine.docker("start", "sick");
  // It is over when what stopped with the engine runs again.
  await until(async () => (await lost()) === undefined, NOTICED);
  await engine.docker("exec", "sick", "touch", "/well");
  await until(async () => (await active("sick")).length === 0, NOTICED);
  await until(async () => (await page("sick")) === "operational", { ...NOTICED, what: "a public page that is well again" });
  assert.deepEqual(new Set((await alerts()).map(({ resolution }) => resolution?.by)), new Set(["observation"]));
});

it("a host that goes down and comes up with its containers ends nothing that is still wrong", async () => {
  await engine.docker("run", "-d", "--net", "none", "--name", "rebooted", "--restart", "always", ...SICK, BUSYBOX);
  await unhealthy("rebooted");
  const lasting = async (): Promise<number[]> =>
    (await alerts()).flatMap(({ id, entity_name, status }) => (entity_name === "rebooted" && status === "active" ? [id] : []));
  const alertIds = await lasting();
  const startedAt = (await find("rebooted"))?.started_at;
  await Promise.all([program.kill(), engine.kill()]);
  await engine.restart();
  await start();
  const isBack = async (): Promise<boolean> => {
    const container = await find("rebooted");
    return container?.state === "running" && container.started_at !== startedAt && container.health === "unhealthy";
  };
  const seen = async (): Promise<string> => {
    const state = await engine.docker("inspect", "--format", "{{json .State}}", "rebooted");
    return `the engine says ${state}, we say ${JSON.stringify(await find("rebooted"))}`;
  };
  await until(isBack, { ...NOTICED, what: seen });
  assert.deepEqual([await lasting(), await resolvers("rebooted")], [alertIds, []]);
  await engine.docker("exec", "rebooted", "touch", "/well");
  await until(async () => (await lasting()).length === 0, NOTICED);
  assert.deepEqual(await resolvers("rebooted"), ["observation"]);
});

for (const [way, image] of [
  ["the same image", BUSYBOX],
  ["a newer image", NEWER],
] as const) {
  const name = `recreated-${image.slice(-1)}`;
  it(`a container that is re-created with ${way} shows no health before its check succeeds`, async () => {
    await run(name);
    await unhealthy(name);
    await engine.docker("rm", "-f", name);
    const externalId = await run(name, image);
    await until(async () => (await find(name))?.external_id === externalId && (await find(name))?.health === "unhealthy", NOTICED);
    await unhealthy(name);
    assert.ok(!(await resolvers(name)).includes("observation"), "an alert is over because health was seen");
    await engine.docker("exec", name, "touch", "/well");
    await until(async () => (await active(name)).length === 0, NOTICED);
    assert.equal((await resolvers(name)).filter((by) => by === "observation").length, 1);
  });
}

it("a container that is removed is never shown as well", async () => {
  await run("removed");
  await unhealthy("removed");
  await engine.docker("rm", "-f", "removed");
  await until(async () => (await find("removed")) === undefined, NOTICED);
  assert.deepEqual(
    (await resolvers("removed")).filter((by) => by !== "removal"),
    [],
  );
});
