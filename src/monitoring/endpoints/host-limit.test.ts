import assert from "node:assert/strict";
import { it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { httpCheck, labelled, startEndpoints } from "../../../test/support/endpoints.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { createLogCapture } from "../../../test/support/log-capture.ts";
import { sighting } from "../../../test/support/sightings.ts";
import { type ContainerSighting, MOST_LABEL_ENDPOINTS } from "../../observations.ts";

const A = "7d444840-9dc0-4000-8000-000000000001";
const NOON = new Date("2026-03-01T12:00:00Z");
const EACH = 100;

const container = (name: string, count: number): ContainerSighting =>
  sighting({
    externalId: name,
    name,
    endpoints: Array.from({ length: count }, (_, index) =>
      labelled(`service.endpoint.${index}.http`, httpCheck({ target: `http://${name}.test/${index}` })),
    ),
  });

onBothDatabases((databases) => {
  it("an agent's labels can ask for so many endpoints; of those that nothing asks for any more the oldest make room", async () => {
    const clock = createFakeClock(NOON);
    const { log, text } = createLogCapture();
    const watched = await startEndpoints({ database: await databases.create(), clock, log });
    const list = (agentId: string | null, ...containers: ContainerSighting[]): Promise<void> =>
      watched.see(agentId, { kind: "container.inventory", observedAt: clock.now(), containers });
    const counts = (): number[] =>
      [true, false].map((inactive) => watched.endpoints.service.list({ inactive, agent_id: A, limit: 1 }).total);
    const all = Array.from({ length: MOST_LABEL_ENDPOINTS / EACH }, (_, index) => container(`c${index}`, EACH));

    await list(A, ...all, container("extra", 3));
    const known = [...watched.endpoints.present()];
    assert.equal(known.length, MOST_LABEL_ENDPOINTS);
    assert.ok(known.every((endpoint) => endpoint.container?.externalId !== "extra"));
    const line = { agent_id: A, left_out: 3, most: MOST_LABEL_ENDPOINTS };
    assert.equal(text(), `warn endpoints of an agent left out: labels on its host ask for too many ${JSON.stringify(line)}`);
    // An agent's limit is no other's.
    await list(null, container("local", 2));
    assert.equal(watched.list({ agent_id: "local" }).length, 2);

    const without = async (...names: string[]): Promise<void> => {
      await clock.advance(1_000);
      await list(A, ...all.map((each) => (names.includes(each.name) ? { ...each, endpoints: [] } : each)));
    };
    await without("c1");
    await without("c1", "c2");
    assert.deepEqual(counts(), [2 * EACH, MOST_LABEL_ENDPOINTS - 2 * EACH]);
    await clock.advance(1_000);
    await list(A, ...all, container("extra", 3));
    // What c1 asked for longest ago comes back before anything makes room.
    assert.deepEqual(counts(), [0, MOST_LABEL_ENDPOINTS]);

    await without("c1");
    await clock.advance(1_000);
    await list(A, ...all.map((each) => (each.name === "c1" ? { ...each, endpoints: [] } : each)), container("extra", 3));
    assert.equal(watched.endpoints.present().filter((endpoint) => endpoint.container?.externalId === "extra").length, 3);
    assert.deepEqual(counts(), [0, MOST_LABEL_ENDPOINTS - EACH + 3], "what no label asks for made room");
    await watched.stop();
  });
});
