import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestServer } from "../../../../test/support/http-server.ts";
import { listen } from "../../../../test/support/event-source.ts";
import { aComponent, anIncident, aWork, NOW, openStatusPage, SETTINGS, type World } from "../../../../test/support/status-page.ts";
import { statusRecord } from "./changes.ts";
import { project, type PublicComponent } from "./projection.ts";

/** Every value that the installation holds and the public must not see carries one of these, each its own. */
const PRIVATE = "zq7private";

let count = 0;
function secret(): string {
  count += 1;
  return `${PRIVATE}${count}x`;
}

/** Records as parts of the program may really hand them over: with all they know, not only what their types say. */
function seeded(): Partial<World> {
  const ofMonitor = () => ({
    monitorName: secret(),
    monitorType: secret(),
    monitorId: secret(),
    agentId: secret(),
    hostname: secret(),
    image: secret(),
    target: `https://${secret()}.internal/`,
    error: secret(),
    labels: { [secret()]: secret() },
    needsAttention: secret(),
    override: secret(),
  });
  return {
    groups: [
      { id: 1, name: "Shop", ...{ note: secret() } },
      { id: 2, name: secret() },
    ],
    components: [
      { ...aComponent({ id: 1, groupId: 1, name: "Storefront" }), ...ofMonitor() },
      { ...aComponent({ id: 2, groupId: 1, name: "Checkout", status: "major_outage" }), ...ofMonitor() },
      { ...aComponent({ id: 3, name: secret(), description: secret(), visible: false }), ...ofMonitor() },
      { ...aComponent({ id: 4, groupId: 2, name: secret(), visible: false }), ...ofMonitor() },
    ],
    incidents: [
      {
        ...anIncident({ id: 1, title: "Checkout fails", components: [2, 3] }),
        ...{ alertId: secret(), author: secret(), entity: { type: "container", id: secret() } },
        updates: [
          { id: 1, status: "investigating", message: "Looking.", at: NOW, editedAt: NOW, ...{ writtenBy: secret(), cause: secret() } },
        ],
      },
      anIncident({ id: 2, title: secret(), components: [3], updates: [] }),
    ],
    works: [
      {
        ...aWork({ id: 1, title: "Upgrade", components: [1, 4] }),
        ...{ entities: [{ entity_type: "agent", entity_id: secret() }], reason: secret() },
      },
      aWork({ id: 2, title: secret(), components: [4] }),
      aWork({ id: 3, title: secret(), components: [] }),
    ],
    settings: { ...SETTINGS, ...{ smtpPassword: secret() } },
    canSubscribe: true,
  };
}

/** The names of answers that hold something private. Identifiers of hidden things count as well. */
function leaks(answers: Readonly<Record<string, string>>): string[] {
  return Object.entries(answers).flatMap(([name, text]) => (text.includes(PRIVATE) ? [name] : []));
}

test("no public answer holds anything but what is published", async (context) => {
  const { world, page, clock } = openStatusPage(seeded());
  assert.ok(count > 60, "the world is full of secrets");
  page.start();
  const server = createTestServer({ routes: page.routes });
  const { url } = await server.start();
  context.after(async () => {
    page.stop();
    await server.stop();
  });

  const answers: Record<string, string> = {};
  const listener = await listen(`${url}/status/events`);
  context.after(listener.close);
  await listener.wait(({ type }) => type === "hello");
  const read = async (path: string): Promise<void> => {
    const answer = await fetch(url + path);
    answers[path] = JSON.stringify([...answer.headers]) + (await answer.text());
  };
  const paths = page.routes
    .filter(({ stream }) => stream !== true)
    .flatMap(({ path }) => (path.includes("{id}") ? [1, 2, 3, 4, 99].map((id) => path.replace("{id}", String(id))) : [path]));
  assert.ok(paths.length > 14);
  for (const path of [...paths, "/status/?embed=1", "/status/history?month=2026-11"]) await read(path);

  // And what streams say when each of them changes.
  world.components = world.components.map((component) => ({
    ...component,
    status: "degraded",
    name: component.visible ? `${component.name}!` : secret(),
  }));
  world.incidents = world.incidents.map((incident) => ({ ...incident, status: "resolved", resolvedAt: NOW }));
  world.works = world.works.map((work) => ({ ...work, active: true }));
  world.changed();
  await clock.advance(300);
  await listener.wait(({ type }) => type === "page.changed");
  answers["/status/events"] = JSON.stringify(listener.events);
  assert.ok(listener.events.some(({ type }) => type === "incident.resolved"));

  assert.deepEqual(leaks(answers), []);
});

test("the search finds what leaks: one private field, published on purpose", () => {
  const world = seeded();
  const projection = project({
    settings: SETTINGS,
    board: { groups: world.groups ?? [], components: world.components ?? [] },
    incidents: world.incidents ?? [],
    works: world.works ?? [],
    now: NOW,
  });
  const answer = (shown: typeof projection): Record<string, string> => ({ "/status/api": JSON.stringify(statusRecord(shown, NOW)) });
  assert.deepEqual(leaks(answer(projection)), []);
  const careless = ({ id, ...component }: PublicComponent): PublicComponent => {
    const source = world.components?.find((each) => each.id === id) as { monitorName?: string } | undefined;
    return { id, ...component, description: source?.monitorName ?? "" };
  };
  const leaky = { ...projection, groups: projection.groups.map((group) => ({ ...group, components: group.components.map(careless) })) };
  assert.deepEqual(leaks(answer(leaky)), ["/status/api"]);
});
