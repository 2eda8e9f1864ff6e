import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { ActiveAlerts, AlertList } from "../../src/alerting/alerts/answers.ts";
import { startEngine, type TestEngine } from "../support/engine.ts";
import { createTestContainers, importBusybox, type TestContainers } from "../support/images.ts";
import { type Program, startProgram } from "../support/program.ts";
import { until } from "../support/until.ts";

/** A real engine that dies takes the containers without a restart policy with it: one alert says so. */
let engine: TestEngine;
let containers: TestContainers;
let program: Program;

before(async () => {
  engine = await startEngine({ own: true });
  await importBusybox(engine);
  containers = createTestContainers(engine);
  program = await startProgram({ env: { SERVICE_DOCKER_HOST: engine.host, SERVICE_CONTAINER_DOWN_AFTER: "1s" } });
});

after(async () => {
  await program?.stop();
  await containers?.removeAll();
  await engine?.stop();
});

const nameOf = (name: string): string => `${containers.prefix}-${name}`;

async function states(): Promise<Record<string, string>> {
  const { groups } = await program.get<{ groups: { containers: { name: string; state: string }[] }[] }>("/api/v1/containers");
  return Object.fromEntries(groups.flatMap((group) => group.containers.map(({ name, state }) => [name, state])));
}

async function alerts(): Promise<string[]> {
  const active = await program.get<ActiveAlerts>("/api/v1/alerts/active");
  return active.alerts.map(({ source, event }) => `${source}/${event}`);
}

async function become(expected: readonly string[]): Promise<void> {
  let found: readonly string[] = [];
  const look = async (): Promise<boolean> => {
    found = (await alerts()).toSorted();
    return String(found) === String(expected.toSorted());
  };
  await until(look, { withinMs: 90_000, everyMs: 250 }).catch(() => undefined);
  assert.deepEqual(found, expected.toSorted());
}

it("reports the end of an engine and of its containers once, until the last of them runs again", async () => {
  const [lone, other, kept] = [nameOf("lone"), nameOf("other"), nameOf("kept")];
  await containers.run("lone", ["--network", "none"]);
  await containers.run("other", ["--network", "none"]);
  await containers.run("kept", ["--network", "none", "--restart", "always"]);
  await until(async () => Object.values(await states()).filter((state) => state === "running").length === 3, { withinMs: 30_000 });

  await engine.kill();
  await engine.restart();
  // It stops those that outlived it when it comes back: nobody asked for that, and none of them is a separate alert.
  await become(["agent/runtime_lost"]);
  assert.deepEqual(await states(), { [lone]: "exited", [other]: "exited", [kept]: "running" });
  const [cause] = (await program.get<AlertList>("/api/v1/alerts?source=agent")).alerts;
  assert.ok(cause?.message.includes(`2 containers that stopped with it are not running: ${lone}, ${other}.`), cause?.message);

  await engine.docker("start", lone, other);
  await become([]);
  const { alerts: all } = await program.get<AlertList>("/api/v1/alerts");
  assert.deepEqual(
    all.map(({ source, event, status }) => `${source}/${event} ${status}`),
    ["agent/runtime_lost resolved"],
  );
});
