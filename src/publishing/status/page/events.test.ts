import assert from "node:assert/strict";
import { connect } from "node:net";
import { test, type TestContext } from "node:test";
import { listen } from "../../../../test/support/event-source.ts";
import { heldMemory } from "../../../../test/support/held-memory.ts";
import { createTestServer } from "../../../../test/support/http-server.ts";
import { aComponent, anIncident, aWork, NOW, openStatusPage, theShop } from "../../../../test/support/status-page.ts";
import { until } from "../../../../test/support/until.ts";

async function open(context: TestContext) {
  const opened = openStatusPage(theShop());
  opened.page.start();
  const server = createTestServer({ routes: opened.page.routes });
  const { url, port } = await server.start();
  context.after(async () => {
    opened.page.stop();
    await server.stop();
  });
  const { world, clock } = opened;
  return {
    ...opened,
    url,
    port,
    async change(what: () => void) {
      what();
      world.changed();
      await clock.advance(300);
    },
  };
}

test("hello comes first, then what changed in the contract's words, then the parts of the page", async (context) => {
  const { url, world, change } = await open(context);
  const listener = await listen(`${url}/status/events`);
  context.after(listener.close);
  const hello = await listener.wait(() => true);
  assert.equal(hello.type, "hello");
  const page = await (await fetch(`${url}/status/`)).text();
  assert.equal(hello.data["version"], /data-v="([^"]+)"/.exec(page)?.[1], "the version of the page that is served");

  await change(() => {
    world.components = world.components.map((each) => (each.id === 2 ? { ...each, status: "operational", since: NOW } : each));
    world.incidents = world.incidents.map((each) => (each.id === 7 ? { ...each, status: "resolved", resolvedAt: NOW } : each));
    world.works = world.works.map((each) => ({ ...each, active: each.id === 2 }));
    world.incidents.push(anIncident({ id: 8, title: "Mail is late", components: [4] }));
  });
  const changed = await listener.wait(({ type }) => type === "page.changed");
  assert.deepEqual(
    listener.events.map(({ type }) => type),
    [
      "hello",
      "status.changed",
      "component.changed",
      "incident.created",
      "incident.resolved",
      "maintenance.started",
      "maintenance.ended",
      "page.changed",
    ],
  );
  const fragments = changed.data["fragments"] as Record<string, string>;
  assert.deepEqual(Object.keys(fragments).sort(), ["banner", "c-2", "g-1", "incidents", "past", "work"]);
  const component = listener.events[2]?.data;
  assert.deepEqual(component, {
    id: 2,
    name: "Checkout",
    status: "operational",
    observed: true,
    previous_status: "major_outage",
    since: NOW.toISOString(),
  });
  const after = await (await fetch(`${url}/status/`)).text();
  for (const html of Object.values(fragments)) assert.ok(after.includes(html), "what is sent is what is served");
  assert.equal(changed.data["version"], /data-v="([^"]+)"/.exec(after)?.[1]);
});

test("an update is announced, and an edit that shows nothing is not sent at all", async (context) => {
  const { url, world, change } = await open(context);
  const listener = await listen(`${url}/status/events`);
  context.after(listener.close);
  await listener.wait(({ type }) => type === "hello");
  await change(() => {
    world.components = [...world.components, aComponent({ id: 20, visible: false, status: "major_outage" })];
    world.works = [...world.works, aWork({ id: 9, components: [20], active: true })];
  });
  await change(() => {
    world.incidents = world.incidents.map((each) =>
      each.id === 7
        ? { ...each, updates: [...each.updates, { id: 9, status: "monitoring", message: "It runs again.", at: NOW, editedAt: null }] }
        : each,
    );
  });
  const changed = await listener.wait(({ type }) => type === "page.changed");
  assert.deepEqual(
    listener.events.map(({ type }) => type),
    ["hello", "incident.updated", "page.changed"],
  );
  assert.equal(changed.data["announce"], "Incident updated: Payments fail at checkout.");
});

test("new components come with the whole section, and another head with another frame", async (context) => {
  const { url, world, change } = await open(context);
  const listener = await listen(`${url}/status/events`);
  context.after(listener.close);
  await listener.wait(({ type }) => type === "hello");
  world.canSubscribe = false;
  await change(() => undefined);
  await change(() => {
    world.components = [...world.components, aComponent({ id: 20, name: "New" })];
  });
  const [head, section] = [
    await listener.wait(({ type }) => type === "page.changed"),
    await listener.wait(({ type, data }) => type === "page.changed" && "services" in (data["fragments"] as object)),
  ];
  assert.deepEqual(head.data["fragments"], {});
  assert.equal(head.data["frame"], section.data["frame"]);
});

test("viewers are sent away when the page is withdrawn", async (context) => {
  const { url, world, change } = await open(context);
  const answer = await fetch(`${url}/status/events`);
  const ended = answer.text();
  await change(() => {
    world.settings = { ...world.settings, published: false };
  });
  assert.match(await ended, /event: hello/);
  assert.equal((await fetch(`${url}/status/events`)).status, 404);
});

test("a viewer that does not read is cut, and the others receive everything", async (context) => {
  const { url, port, world, change } = await open(context);
  const stalled = connect(port, "127.0.0.1");
  context.after(() => stalled.destroy());
  stalled.write(`GET /status/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  await new Promise((resolve) => stalled.once("readable", resolve));
  const listener = await listen(`${url}/status/events`);
  context.after(listener.close);
  await listener.wait(({ type }) => type === "hello");
  const before = heldMemory().arrayBuffers;
  const CHANGES = 60;
  for (let count = 1; count <= CHANGES; count += 1) {
    // Long texts, since the system takes megabytes before a client seems slow.
    const message = `${count} ${"x".repeat(200_000)}`;
    await change(() => {
      world.incidents = world.incidents.map((each) =>
        each.id === 7 ? { ...each, updates: [{ id: count, status: "monitoring", message, at: NOW, editedAt: null }] } : each,
      );
    });
    await until(() => listener.events.filter(({ type }) => type === "page.changed").length === count);
  }
  assert.ok(heldMemory().arrayBuffers - before < 5_000_000, "what waits for it is bounded");
  let received = "";
  stalled.setEncoding("latin1").on("data", (text: string) => {
    received = (received + text).slice(-1000);
  });
  await until(() => received.includes("event: resync") && received.endsWith("0\r\n\r\n"), {
    what: "it gets the reason, and its stream ends",
  });
});
