import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { ContainerRecord } from "../../src/monitoring/containers/api.ts";
import type { ContainerList, TransitionList, TransitionRecord } from "../../src/monitoring/containers/answers.ts";
import { startStorm, wholeHistory } from "../support/container-storm.ts";
import { storyOnBothDatabases } from "../support/story-databases.ts";
import { startEngine, type TestEngine } from "../support/engine.ts";
import { type ReceivedEvent, listen } from "../support/event-source.ts";
import { createTestContainers, importBusybox, type TestContainers } from "../support/images.ts";
import { startProgram } from "../support/program.ts";
import { repetitions } from "../support/repetitions.ts";
import { until } from "../support/until.ts";

const CRASHES = repetitions({ gate: 2, long: 100 });
const CONTAINERS = 6;

/** The program is killed again and again while containers start and end; what it published must be there afterwards, once. */
function story(databaseEnv: () => Promise<Record<string, string>>): void {
  let engine: TestEngine;
  let containers: TestContainers;

  before(async () => {
    engine = await startEngine();
    await importBusybox(engine);
    containers = createTestContainers(engine);
  });
  after(async () => {
    await containers?.removeAll();
    await engine?.stop();
  });

  it(`loses and doubles nothing when killed ${CRASHES} times in a storm of events`, async (context) => {
    const externalIds = await Promise.all(Array.from({ length: CONTAINERS }, (_, index) => containers.run(`storm-${index}`)));
    const env = { SERVICE_DOCKER_HOST: engine.host, ...(await databaseEnv()) };
    const storm = startStorm(engine, externalIds);
    context.after(() => storm.end());
    const published: ReceivedEvent[] = [];
    let program = await startProgram({ env });
    context.after(() => program.kill());
    const { dataDir, port } = program;
    for (let crash = 1; crash <= CRASHES; crash += 1) {
      const live = await listen(`${program.url}/api/v1/containers/events?types=container.state_changed`);
      await live.wait(({ type }) => type === "container.state_changed", 60_000);
      // Another moment each time.
      await new Promise((resolve) => setTimeout(resolve, (crash * 37) % 300));
      await program.kill();
      published.push(...live.events.filter(({ type }) => type === "container.state_changed"));
      live.close();
      program = await startProgram({ env, dataDir, port });
    }
    await storm.end();

    const list = async (): Promise<ContainerRecord[]> =>
      (await program.get<ContainerList>("/api/v1/containers")).groups
        .flatMap((group) => group.containers)
        .filter((each) => externalIds.includes(each.external_id));
    await until(async () => (await list()).filter(({ state }) => state === "running").length === CONTAINERS, { everyMs: 100 });
    const records = await list();
    assert.equal(records.length, CONTAINERS);
    for (const { id } of records) {
      const transitions = await wholeHistory((path) => program.get<TransitionList>(path), id);
      assertUnbroken(transitions);
      for (const { data } of published.filter((event) => event.data["id"] === id)) {
        const kept = transitions.filter((each) => each.timestamp === data["timestamp"] && each.new_state === data["state"]);
        assert.equal(kept.length, 1, `published at ${String(data["timestamp"])}: ${String(data["state"])}`);
      }
    }
    assert.ok(published.length >= CRASHES, "there was a storm");
    assert.equal(await program.stop(), 0);
  });
}

/** Every step begins where the one before ended, and leads elsewhere. */
function assertUnbroken(transitions: readonly TransitionRecord[]): void {
  let last: TransitionRecord | undefined;
  for (const each of transitions) {
    assert.equal(each.previous_state, last?.new_state ?? null, `at ${each.timestamp}`);
    assert.ok(last === undefined || each.timestamp >= last.timestamp);
    assert.ok(each.new_state !== last?.new_state || each.new_health !== last.new_health, `doubled at ${each.timestamp}`);
    last = each;
  }
}

storyOnBothDatabases("a storm of events", story);
