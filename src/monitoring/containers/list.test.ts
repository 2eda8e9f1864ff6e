import assert from "node:assert/strict";
import { beforeEach, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { sighting } from "../../../test/support/sightings.ts";
import type { Event } from "../../events.ts";
import type { ContainerSighting } from "../../observations.ts";
import { createBus } from "../../platform/bus.ts";
import { isServiceError } from "../../platform/errors.ts";
import { silentLog } from "../../platform/log.ts";
import { createScheduler } from "../../platform/scheduler.ts";
import type { ContainerList } from "./answers.ts";
import { type Containers, createContainers } from "./index.ts";

onBothDatabases((databases) => {
  const noon = new Date("2026-03-01T12:00:00Z");
  let containers: Containers;

  beforeEach(async () => {
    const clock = createFakeClock(noon);
    const logSource = { async *logs() {} };
    const parts = { database: await databases.create(), bus: createBus<Event>(silentLog), clock, log: silentLog, logSource };
    containers = createContainers({ ...parts, scheduler: createScheduler(clock, silentLog) });
    await containers.start();
  });
  const see = (...seen: Partial<ContainerSighting>[]): Promise<void> =>
    containers.observe(null, [{ kind: "container.inventory", observedAt: noon, containers: seen.map(sighting) }]);
  const list = async (filter: object): Promise<ContainerList> =>
    JSON.parse(String(await containers.service.list({ archived: false, ignored: false, ...filter }))) as ContainerList;
  const names = (of: ContainerList): string[] => of.groups.flatMap((group) => group.containers.map(({ name }) => name));

  it("is in order after containers that it has shown are renamed, come into another group, go, and come", async () => {
    const shop = { project: { name: "shop", source: "compose" as const } };
    const [a, b, c] = ["a", "b", "c"].map((letter) => ({ externalId: letter.repeat(64) }));
    await see({ ...a, ...shop, name: "one" }, { ...b, ...shop, name: "two" });
    assert.deepEqual(names(await list({})), ["one", "two"]);
    await see({ ...a, ...shop, name: "zero" }, { ...b, ...shop, name: "two" });
    assert.deepEqual(names(await list({})), ["two", "zero"]);
    await see({ ...a, ...shop, name: "zero" }, { ...b, name: "two" });
    assert.deepEqual(names(await list({})), ["zero", "two"]);
    await see({ ...b, name: "two" }, { ...c, name: "three" });
    assert.deepEqual(names(await list({})), ["three", "two"]);
  });

  it("is sorted by a column, the rows without a value last, over groups", async () => {
    await see(
      { name: "web10", project: { name: "shop", source: "compose" }, image: "b:1" },
      {
        externalId: "b".repeat(64),
        name: "web9",
        project: { name: "shop", source: "compose" },
        state: "exited",
        exitCode: 1,
        image: "c:1",
      },
      { externalId: "c".repeat(64), name: "alone", health: "unhealthy", image: "a:1" },
    );
    assert.deepEqual(names(await list({ sort: "name" })), ["alone", "web9", "web10"]);
    assert.deepEqual(names(await list({ sort: "name", order: "desc" })), ["web10", "web9", "alone"]);
    assert.deepEqual(names(await list({ sort: "image" })), ["alone", "web10", "web9"]);
    assert.deepEqual(names(await list({ sort: "state" })), ["web9", "alone", "web10"], "the worst first");
    assert.deepEqual(
      names(await list({ sort: "memory", order: "desc" })),
      ["web9", "web10", "alone"],
      "in the usual order where nothing is known",
    );
    const first = await list({ sort: "image", limit: 2 });
    assert.deepEqual(
      first.groups.map(({ name, containers: of }) => [name, of.map((each) => each.name)]),
      [
        ["Ungrouped", ["alone"]],
        ["shop", ["web10"]],
      ],
    );
    assert.deepEqual(names(await list({ sort: "image", limit: 2, cursor: first.next_cursor ?? "" })), ["web9"]);
    await assert.rejects(list({ sort: "image", archived: true }), (error) => isServiceError(error, "unusable_values"));
  });
});
