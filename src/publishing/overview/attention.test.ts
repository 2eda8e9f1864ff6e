import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { type AssistantWorld, openAssistantWorld } from "../../../test/support/assistant.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { checkedObservation, failure, labelled } from "../../../test/support/endpoints.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { sighting } from "../../../test/support/sightings.ts";
import { until } from "../../../test/support/until.ts";
import { type ContainerSighting, labelEndpointKey, type Observation } from "../../observations.ts";
import type { AlertContext } from "./answers.ts";

const [OLD, NEW] = ["a".repeat(64), "b".repeat(64)];

onBothDatabases((databases) => {
  const noon = new Date("2026-03-01T12:00:00Z");
  let clock: FakeClock;
  let world: AssistantWorld;

  beforeEach(async () => {
    clock = createFakeClock(noon);
    world = await openAssistantWorld({ database: await databases.create(), clock });
  });
  afterEach(() => world.stop());

  const at = (seconds: number): Date => new Date(noon.getTime() + seconds * 1000);
  const inventory = (seconds: number, container: Partial<ContainerSighting>): Observation => ({
    kind: "container.inventory",
    observedAt: at(seconds),
    containers: [sighting(container)],
  });
  const seen = (seconds: number, container: Partial<ContainerSighting>): Observation => ({
    kind: "container.seen",
    observedAt: at(seconds),
    container: sighting(container),
  });
  const lastWords = (seconds: number, externalId: string, snippet: string): Observation => ({
    kind: "container.last_words",
    observedAt: at(seconds + 1),
    externalId,
    endedAt: at(seconds),
    snippet,
  });

  async function contexts(): Promise<AlertContext[]> {
    const body = await world.check("GET", "/api/v1/alerts/active/context");
    // The answer was just held against its schema.
    return body["contexts"] as AlertContext[];
  }

  /** web is re-created with another image, ends three minutes later, and is down. */
  async function failAfterDeploy(snippet: string): Promise<void> {
    const created = { name: "web", createdAt: at(-100), startedAt: at(-90) };
    await world.see(null, inventory(0, { ...created, externalId: OLD, image: "web:1" }));
    const next = { name: "web", externalId: NEW, image: "web:2", createdAt: at(60), startedAt: at(60) };
    await world.see(null, inventory(60, next));
    const ended = { ...next, state: "exited" as const, exitCode: 3, finishedAt: at(240) };
    await world.see(null, seen(240, ended), lastWords(240, NEW, snippet));
    clock.jump(at(280));
    await world.run("containers that are down");
    await until(() => world.alerting.active()[0]);
  }

  it("is the last line before the end, and the image that came just before", async () => {
    await failAfterDeploy("starting\npanic: no ledger\n\n");
    const [context, ...others] = await contexts();
    assert.equal(others.length, 0);
    assert.deepEqual(context?.log_line, { text: "panic: no ledger", at: at(240).toISOString() });
    assert.partialDeepStrictEqual(context?.preceding, [{ kind: "image_changed", container_name: "web", from: "web:1", to: "web:2" }]);
  });

  it("shows no key, and no more than a line is long", async () => {
    const key = ["-----BEGIN PRIVATE KEY-----", "A".repeat(64), "-----END PRIVATE KEY-----"].join("\n");
    await failAfterDeploy(`${key}\n`);
    assert.doesNotMatch(JSON.stringify(await contexts()), /A{16}/);
    await world.see(null, seen(300, { name: "web", externalId: NEW, image: "web:2", createdAt: at(60), startedAt: at(300) }));
    const again = { name: "web", externalId: NEW, image: "web:2", createdAt: at(60), startedAt: at(300) };
    await world.see(
      null,
      seen(310, { ...again, state: "exited", exitCode: 3, finishedAt: at(310) }),
      lastWords(310, NEW, "x ".repeat(1000)),
    );
    clock.jump(at(350));
    await world.run("containers that are down");
    const line = await until(async () => (await contexts())[0]?.log_line);
    assert.ok(line.text.length <= 300, String(line.text.length));
  });

  it("is what its container did, of an endpoint", async () => {
    const facts = { externalId: OLD, name: "web", createdAt: at(-100), startedAt: at(-90), endpoints: [labelled()] };
    const key = labelEndpointKey(OLD, labelled().labelKey);
    await world.see(null, inventory(0, facts));
    await world.see(null, seen(50, { ...facts, state: "exited", exitCode: 0, finishedAt: at(50) }));
    await world.see(null, seen(60, { ...facts, startedAt: at(60) }));
    for (const second of [70, 100, 130]) {
      clock.jump(at(second));
      await world.see(null, checkedObservation(key, at(second), failure));
    }
    clock.jump(at(140));
    await until(() => world.alerting.active().find(({ source }) => source === "endpoint"));
    const found = (await contexts()).find(({ preceding }) => preceding.length > 0);
    assert.equal(found?.log_line, null);
    assert.partialDeepStrictEqual(found?.preceding, [
      { kind: "state_changed", container_name: "web", from: "completed", to: "running", at: at(60).toISOString() },
    ]);
  });
});
