import assert from "node:assert/strict";
import { it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { createLogCapture } from "../../../test/support/log-capture.ts";
import { hostOf, sighting } from "../../../test/support/sightings.ts";
import type { Event } from "../../events.ts";
import { type ContainerSighting, MOST_CONTAINERS, type Observation } from "../../observations.ts";
import { createBus } from "../../platform/bus.ts";
import { silentLog } from "../../platform/log.ts";
import { createScheduler } from "../../platform/scheduler.ts";
import { createHostLimit } from "./host-limit.ts";
import { createContainers } from "./index.ts";

const A = "7d444840-9dc0-4000-8000-000000000001";
const B = "7d444840-9dc0-4000-8000-000000000002";
const NOON = new Date("2026-03-01T12:00:00Z");
const NEW = { id: undefined };

onBothDatabases((databases) => {
  it("one more container of an agent is left out until there is room, and logged once a minute", async () => {
    const clock = createFakeClock(NOON);
    const { log, text } = createLogCapture();
    const bus = createBus<Event>(silentLog);
    const { observe, present } = createContainers({
      ...{ database: await databases.create(), bus, clock, log, scheduler: createScheduler(clock, silentLog) },
      logSource: { async *logs() {} },
    });
    const seen = (facts: Partial<ContainerSighting>): Observation => ({
      kind: "container.seen",
      observedAt: clock.now(),
      container: sighting(facts),
    });
    const all = hostOf(MOST_CONTAINERS - 1, 0);
    await observe(A, [{ kind: "container.inventory", observedAt: NOON, containers: all }]);
    const [first] = all;
    assert.ok(first !== undefined);
    await clock.advance(1_000);

    // The last that has room, one that has none, and one that is known.
    await observe(A, ["last", "extra"].map((name) => seen({ externalId: name, name })).concat(seen({ ...first, state: "paused" })));
    const names = ["last", "extra", first.externalId];
    const states = (): (string | undefined)[] => names.map((id) => present.find(A, id)?.state);
    assert.deepEqual(states(), ["running", undefined, "paused"]);
    assert.equal(present.ofHost(A).length, MOST_CONTAINERS);
    for (let times = 0; times < 3; times += 1) await observe(A, [seen({ externalId: "extra", name: "extra" })]);
    const message = "warn containers of an agent left out: its host has too many";
    assert.equal(text(), `${message} {"agent_id":"${A}","left_out":1,"most":${MOST_CONTAINERS}}`);
    await clock.advance(60_000);
    await observe(A, [seen({ externalId: "extra", name: "extra" })]);
    assert.equal(text().split("\n")[1], `${message} {"agent_id":"${A}","left_out":4,"most":${MOST_CONTAINERS}}`);

    await observe(B, [seen({ externalId: "extra", name: "extra" })]);
    assert.equal(present.find(B, "extra")?.state, "running", "another host has room");
    await clock.advance(1_000);
    await observe(A, [{ kind: "container.gone", observedAt: clock.now(), externalId: "last" }]);
    await observe(A, [seen({ externalId: "extra", name: "extra" })]);
    assert.equal(present.find(A, "extra")?.state, "running", "one that is gone made room");
  });
});

it("as many as a host may have, and as many that were removed a moment ago", () => {
  const clock = createFakeClock(NOON);
  const admitted = (size: { known: number; awaited: number }): number => {
    const admits = createHostLimit({ projection: { size: () => size, get: () => undefined }, clock, log: silentLog })(A);
    let count = 0;
    while (count <= MOST_CONTAINERS && admits(NEW)) count += 1;
    return count;
  };
  const most = MOST_CONTAINERS;
  assert.equal(admitted({ known: 0, awaited: 0 }), most);
  assert.equal(admitted({ known: most, awaited: most }), most, "all were replaced");
  assert.equal(admitted({ known: 2 * most - 5, awaited: most }), 5);
  assert.equal(admitted({ known: 2 * most, awaited: 2 * most }), 0);
  assert.equal(admitted({ known: most, awaited: 0 }), 0);
});
