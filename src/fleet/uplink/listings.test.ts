import assert from "node:assert/strict";
import { test } from "node:test";
import { type ListenerWorld, startListener } from "../../../test/support/listener.ts";
import { hostOf, sighting } from "../../../test/support/sightings.ts";
import { until } from "../../../test/support/until.ts";
import { connected, gone, story, worldOf } from "../../../test/support/uplink.ts";
import type { ContainerSighting, Observation } from "../../observations.ts";
import { noObjects } from "../../observations/kubernetes.ts";

const inventory = (containers: ContainerSighting[], observedAt = new Date()): Observation => ({
  kind: "container.inventory",
  observedAt,
  containers,
});

const listed = ({ calls }: ListenerWorld): ContainerSighting[][] =>
  calls.saved.flatMap(({ observations }) => observations.flatMap((each) => (each.kind === "container.inventory" ? [each.containers] : [])));

test("10,000 containers with 40 labels each arrive from an agent, as one listing", async (t) => {
  const containers = hostOf(10_000, 40);
  const server = await startListener(t);
  const options = { host: "127.0.0.1", port: server.port, isPlain: true };
  const world = await worldOf(t, {
    server: options,
    enrollmentToken: "svc_enr_right",
    refresh: async () => world.uplink.observe(null, inventory(containers)),
  });
  world.start();
  await connected(world);
  world.uplink.observe(null, { kind: "container.gone", observedAt: new Date(), externalId: "after" });
  await until(() => server.calls.saved.some(({ observations }) => observations.some(({ kind }) => kind === "container.gone")));
  const [arrived, ...more] = listed(server);
  assert.equal(more.length, 0);
  assert.deepEqual(arrived, containers);
  assert.deepEqual(
    server.calls.saved[0]?.observations.map(({ kind }) => kind),
    ["container.inventory"],
  );
  assert.deepEqual([world.uplink.status().oversize, server.calls.listingsDropped], [0, []]);
});

test("a host that fits into one message is listed in one, also to a server of an earlier version", async (t) => {
  const world = await worldOf(t, { refresh: async () => world.uplink.observe(null, inventory(hostOf(600, 20))) });
  world.start();
  await until(() => world.server.batches.length === 1);
  const observation = world.server.batches[0]?.events[0]?.observation;
  assert.ok(observation?.kind === "container.inventory");
  assert.deepEqual(observation.containers, hostOf(600, 20));
});

test("to a server that knows no parts a large listing goes without the labels that do not fit, and the agent says so", async (t) => {
  const containers = hostOf(2500, 20).map((each) => ({ ...each, labels: { ...each.labels, "com.docker.compose.project": "shop" } }));
  const world = await worldOf(t, { refresh: async () => world.uplink.observe(null, inventory(containers)) });
  world.start();
  await until(() => world.server.batches.length === 1);
  const observation = world.server.batches[0]?.events[0]?.observation;
  assert.ok(observation?.kind === "container.inventory");
  assert.equal(observation.containers.length, 2500);
  for (const { labels, labelErrors } of observation.containers) {
    assert.equal(labels["com.docker.compose.project"], "shop");
    assert.match(labelErrors[0]?.message ?? "", /^Left out, with \d+ more: /);
  }
  const { oversize, tooLarge } = world.uplink.status();
  assert.equal(oversize, 1);
  assert.match(
    tooLarge.join(),
    /^Labels of 2500 of 2500 containers are not sent: .* This server takes listings in one message alone: update it\.$/,
  );
  assert.match(world.logText(), /error Labels of 2500/);
  await until(() => world.server.statuses.at(-1)?.oversize === 1n);
  assert.ok(world.server.statuses.some(({ sentAtMs }) => sentAtMs > 0n));
});

test("a listing that no server takes is refused by the agent, with a log and a finding; the next one that is smaller is sent", async (t) => {
  const server = await startListener(t);
  let containers = hostOf(10_001, 0);
  const world = await worldOf(t, {
    server: { host: "127.0.0.1", port: server.port, isPlain: true },
    enrollmentToken: "svc_enr_right",
    refresh: async () => world.uplink.observe(null, inventory(containers)),
  });
  world.start();
  await until(() => world.uplink.status().tooLarge.length === 1);
  assert.match(
    world.uplink.status().tooLarge[0] ?? "",
    /^The listing of all containers is not sent: 10001 containers are more than the 10000/,
  );
  assert.equal(listed(server).length, 0);
  containers = hostOf(3, 1);
  world.uplink.observe(null, inventory(containers));
  await until(() => listed(server).length === 1);
  assert.deepEqual(world.uplink.status().tooLarge, []);
});

test("a cluster of more workloads than can be listed is shown all the same, before anything that waited", async (t) => {
  const observedAt = new Date();
  const kubernetes = {
    ...{ standing: "watching" as const, clusterId: "c1", version: "v1.30.0", reason: null, unseen: [] },
    ...{ isComplete: true, objects: noObjects(), removed: {} },
  };
  const world = await worldOf(t, {
    async refresh() {
      world.uplink.observe(null, inventory(hostOf(10_001, 0)));
      world.uplink.observe(null, { kind: "kubernetes.observed", observedAt, kubernetes });
    },
    report() {
      const status = { runtime: "kubernetes", connected: true, version: null, apiVersion: null, error: null, since: observedAt } as const;
      world.uplink.observe(null, { kind: "runtime.changed", observedAt, status });
    },
  });
  world.uplink.observe(null, gone(1));
  world.start();
  await until(() => story(world).length === 3);
  assert.equal(story(world)[0], "kubernetes.observed");
  assert.deepEqual(story(world).toSorted(), ["kubernetes.observed", "replayed:c1", "runtime.changed"]);
});

test("a container with more labels than a message holds is sent without the largest of them", async (t) => {
  const server = await startListener(t);
  const labels = Object.fromEntries(Array.from({ length: 512 }, (_, index) => [`l${index}`, "ü".repeat(8000 + index)]));
  const huge = sighting({ name: "huge", labels: { ...labels, small: "s", "service.group": "shop" } });
  const world = await worldOf(t, {
    server: { host: "127.0.0.1", port: server.port, isPlain: true },
    enrollmentToken: "svc_enr_right",
    refresh: async () => world.uplink.observe(null, inventory([huge])),
  });
  world.start();
  await connected(world);
  world.uplink.observe(null, { kind: "container.seen", observedAt: new Date(), container: huge });
  const seen = await until(() =>
    server.calls.saved.flatMap(({ observations }) => [...observations]).find(({ kind }) => kind === "container.seen"),
  );
  assert.ok(seen.kind === "container.seen");
  assert.deepEqual([seen.container.labels["small"], seen.container.labels["service.group"]], ["s", "shop"]);
  assert.deepEqual(listed(server)[0], [seen.container]);
  assert.deepEqual(seen.container.labelErrors, [
    {
      label: "l511",
      message: `Left out, with ${514 - Object.keys(seen.container.labels).length - 1} more: the labels of this container are larger than an agent can send.`,
    },
  ]);
  assert.match(world.uplink.status().tooLarge.join(), /Labels of the container huge are not sent/);
});
