import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { afterEach, describe, it } from "node:test";
import { listen } from "../../../test/support/event-source.ts";
import { createTestServer } from "../../../test/support/http-server.ts";
import { until } from "../../../test/support/until.ts";
import type { Event, SnapshotData } from "../../events.ts";
import type { HttpServer } from "../../http/server.ts";
import { createBus } from "../../platform/bus.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import { createLive } from "./index.ts";

const servers: HttpServer[] = [];
const open: { close?(): void; destroy?(): void }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) (each.close ?? each.destroy)?.call(each);
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function serve() {
  const bus = createBus<Event>(silentLog);
  const live = createLive({ bus, clock: systemClock, log: silentLog, version: "1.2.3" });
  // Every address is a proxy, so that a test's clients can come from as many addresses as it likes.
  const server = createTestServer({
    routes: live.routes,
    config: { trustedProxies: { includes: (address) => address.startsWith("127.") } },
  });
  live.start();
  servers.push(server);
  const { port, url } = await server.start();
  const events = `${url}/api/v1/containers/events`;
  const follow = async (query = "", headers: Record<string, string> = {}) => {
    const listener = await listen(events + query, headers);
    open.push(listener);
    await listener.wait(({ type }) => type === "hello");
    return listener;
  };
  return { bus, live, port, events, follow };
}

function updated(id: number, { agentId = null, padding = 0 }: { agentId?: string | null; padding?: number } = {}): Event {
  return {
    type: "container.updated",
    data: {
      id,
      agent_id: agentId,
      name: `web-${id}${"x".repeat(padding)}`,
      timestamp: "2026-03-01T12:00:00.000Z",
      runtime: "docker",
      image: "nginx:1.27",
      group: "shop",
      labels: {},
      alert_severity: "warning",
      alert_channels: [],
      alert_tags: [],
    },
  };
}

const runtimeLost: Event = {
  type: "runtime.status_changed",
  data: { agent_id: null, runtime: "docker", connected: false, error: "gone", timestamp: "2026-03-01T12:00:00.000Z" },
};

const agent = "8c6f2c1e-5f0a-4b57-9a52-0f4e9c1d2b3a";

const AGENT = {
  id: agent,
  agent_id: agent,
  name: "nas",
  hostname: "nas.lan",
  status: "active",
  connection_state: "connected",
  timestamp: "2026-03-01T12:00:00.000Z",
} as const;

/** A tick of so many containers, and how often it was read. */
function snapshot(tick: number, count = 1): { event: Event; readings: () => number } {
  let readings = 0;
  const event: Event = {
    type: "resource.snapshot",
    data: {
      agent_id: null,
      host: null,
      get snapshots() {
        readings += 1;
        return range(1, count).map((id) => ({ ...usage, container_id: id }));
      },
      timestamp: String(tick),
    },
  };
  return { event, readings: () => readings };
}

const usage: SnapshotData = {
  container_id: 0,
  cpu_percent: 12.34,
  cpu_cores_used: 0.1234,
  memory_bytes: 123_456_789,
  memory_limit_bytes: 1_234_567_890,
  memory_percent: 10,
  network_rx_bytes: 123_456_789,
  network_tx_bytes: 123_456_789,
  disk_read_bytes: 123_456_789,
  disk_write_bytes: 123_456_789,
  network_rx_bytes_per_second: null,
  network_tx_bytes_per_second: null,
  disk_read_bytes_per_second: null,
  disk_write_bytes_per_second: null,
  timestamp: "2026-03-01T12:00:00.000Z",
};

const idsReceived = (listener: { events: { type: string; data: Record<string, unknown> }[] }) =>
  listener.events.filter(({ type }) => type === "container.updated").map(({ data }) => data["id"]);

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe("GET /api/v1/containers/events", () => {
  it("begins with hello, then sends each event with its id", async () => {
    const { bus, follow } = await serve();
    const listener = await follow();
    bus.publish(updated(1));
    bus.publish(runtimeLost);
    await listener.wait(({ type }) => type === "runtime.status_changed");
    const [hello, first, second] = listener.events;
    assert.equal(hello?.data["version"], "1.2.3");
    assert.ok(Math.abs(Date.parse(String(hello?.data["server_time"])) - Date.now()) < 10_000);
    assert.deepEqual(first?.data, updated(1).data);
    assert.equal(second?.type, "runtime.status_changed");
    const sequences = [hello, first, second].map((event) => Number(event?.id?.split("-")[1]));
    assert.deepEqual(sequences, [0, 1, 2]);
  });

  it("resumes after the last event that a client received, by header or query, and from hello alone", async () => {
    const { bus, follow } = await serve();
    const first = await follow();
    for (const id of range(1, 20)) bus.publish(updated(id));
    const tenth = await first.wait(({ data }) => data["id"] === 10);
    const hello = first.events[0];
    first.close();
    for (const id of range(21, 30)) bus.publish(updated(id));
    for (const listener of [await follow("", { "last-event-id": tenth.id ?? "" }), await follow(`?last_event_id=${tenth.id}`)]) {
      await listener.wait(({ data }) => data["id"] === 30);
      assert.deepEqual(idsReceived(listener), range(11, 30));
      assert.equal(listener.events[0]?.id, undefined, "hello must not move the client's place");
    }
    const fromHello = await follow("", { "last-event-id": hello?.id ?? "" });
    await fromHello.wait(({ data }) => data["id"] === 30);
    assert.deepEqual(idsReceived(fromHello), range(1, 30));
  });

  it("says resync when it cannot know what was missed, and continues", async () => {
    const { bus, follow } = await serve();
    const other = await serve();
    bus.publish(updated(1));
    other.bus.publish(updated(1));
    const foreign = (await (await other.follow()).wait(({ type }) => type === "hello")).id ?? "";
    const ownStart = ((await follow()).events[0]?.id ?? "").split("-")[0];
    for (const id of [foreign, `${ownStart}-2`, `${ownStart}--1`, "nonsense", "1"]) {
      const listener = await follow("", { "last-event-id": id });
      const resync = await listener.wait(({ type }) => type === "resync");
      assert.match(resync.id ?? "", /-1$/, id);
    }
    const listener = await follow("", { "last-event-id": foreign });
    bus.publish(updated(2));
    await listener.wait(({ data }) => data["id"] === 2);
    assert.deepEqual(
      listener.events.map(({ type }) => type),
      ["hello", "resync", "container.updated"],
    );
  });

  it("replays 10,000 events and no more", async () => {
    const { bus, follow } = await serve();
    const first = await follow();
    bus.publish(updated(1));
    const oldest = await first.wait(({ data }) => data["id"] === 1);
    first.close();
    for (const id of range(2, 10_001)) bus.publish(updated(id));
    const whole = await follow("", { "last-event-id": oldest.id ?? "" });
    await whole.wait(({ data }) => data["id"] === 10_001);
    assert.deepEqual(idsReceived(whole), range(2, 10_001));
    bus.publish(updated(10_002));
    const tooLate = await follow("", { "last-event-id": oldest.id ?? "" });
    await tooLate.wait(({ type }) => type === "resync");
    assert.deepEqual(idsReceived(tooLate), []);
  });

  it("filters by name, by prefix and by host", async () => {
    const { bus, follow } = await serve();
    const wanted: [query: string, received: (number | string)[]][] = [
      ["?types=container.updated", [1, 2]],
      ["?types=container.*", [1, 2]],
      ["?types=runtime.*,%20container.archived", ["runtime"]],
      ["?agent_id=local", [1, "runtime"]],
      [`?agent_id=${agent}`, [2]],
      [`?agent_id=${agent}&types=runtime.*`, []],
      ["", [1, 2, "runtime"]],
    ];
    const listeners = await Promise.all(wanted.map(async ([query]) => follow(query)));
    bus.publish(updated(1));
    bus.publish(updated(2, { agentId: agent }));
    bus.publish(runtimeLost);
    await until(() => listeners.every(({ events }, index) => events.length > (wanted[index]?.[1].length ?? 0)));
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.deepEqual(
      listeners.map((listener) => listener.events.slice(1).map(({ data }) => data["id"] ?? "runtime")),
      wanted.map(([, received]) => received),
    );
    const resumed = await follow("?types=runtime.*", { "last-event-id": listeners.at(-1)?.events[0]?.id ?? "" });
    await resumed.wait(({ type }) => type === "runtime.status_changed");
    assert.equal(resumed.events.length, 2, "a replay is filtered too");
  });

  it("sends nothing of a host that was deleted since, but that it was", async () => {
    const { bus, follow } = await serve();
    const first = await follow();
    bus.publish(updated(1, { agentId: agent }));
    bus.publish(updated(2));
    await first.wait(({ data }) => data["id"] === 2);
    bus.publish({ type: "agent.deleted", data: AGENT });
    const late = await follow("", { "last-event-id": first.events[0]?.id ?? "" });
    await late.wait(({ type }) => type === "agent.deleted");
    assert.deepEqual(
      late.events.map(({ type, data }) => [type, data["id"]]),
      [
        ["hello", undefined],
        ["container.updated", 2],
        ["agent.deleted", agent],
      ],
    );
  });

  it("sends what is superseded to those who listen, without an id, and to nobody afterwards", async () => {
    const { bus, follow } = await serve();
    const first = await follow();
    bus.publish(updated(1));
    bus.publish(snapshot(1).event);
    bus.publish(updated(2));
    bus.publish(snapshot(2).event);
    await first.wait(({ type, data }) => type === "resource.snapshot" && data["timestamp"] === "2");
    assert.deepEqual(
      first.events.map(({ id, type }) => [id?.split("-")[1], type]),
      [
        ["0", "hello"],
        ["1", "container.updated"],
        [undefined, "resource.snapshot"],
        ["2", "container.updated"],
        [undefined, "resource.snapshot"],
      ],
    );
    first.close();
    const resumed = await follow("", { "last-event-id": first.events[1]?.id ?? "" });
    await resumed.wait(({ data }) => data["id"] === 2);
    bus.publish(updated(3));
    await resumed.wait(({ data }) => data["id"] === 3);
    assert.deepEqual(
      resumed.events.map(({ type }) => type),
      ["hello", "container.updated", "container.updated"],
    );
  });

  it("encodes what is superseded only while somebody wants it", async () => {
    const { bus, follow } = await serve();
    const unwanted = snapshot(1);
    bus.publish(unwanted.event);
    await follow("?types=container.*");
    await follow(`?agent_id=${agent}`);
    bus.publish(unwanted.event);
    assert.equal(unwanted.readings(), 0);
    const listeners = [await follow("?types=resource.*"), await follow("?agent_id=local"), await follow()];
    const received = snapshot(2);
    bus.publish(received.event);
    for (const listener of listeners) await listener.wait(({ type }) => type === "resource.snapshot");
    assert.equal(received.readings(), 1, "once for all");
  });

  it("does not cut a client for a snapshot of thousands, but one that does not read", async () => {
    const { bus, port, follow } = await serve();
    const brisk = await follow();
    const { socket, ended } = await openStalledSocket(port);
    for (let tick = 1; tick <= 20; tick += 1) {
      bus.publish(updated(tick));
      bus.publish(snapshot(tick, 5_000).event);
      bus.publish(updated(tick + 100));
      await brisk.wait(({ data }) => data["id"] === tick + 100);
    }
    const snapshots = brisk.events.filter(({ type }) => type === "resource.snapshot");
    assert.equal(snapshots.length, 20);
    assert.ok(JSON.stringify(snapshots[0]?.data).length > 1_500_000);
    assert.deepEqual(idsReceived(brisk).length, 40);
    for (const id of range(1_000, 31_000)) {
      bus.publish(updated(id, { padding: 2_000 }));
      if (id % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    socket.resume();
    await until(() => ended(), { withinMs: 60_000, everyMs: 100 });
  });

  it("refuses names that do not exist", async () => {
    const { events } = await serve();
    for (const query of ["?types=container.nothing", "?types=nothing.*", "?types=*", "?types=", "?agent_id=x", "?type=container.updated"]) {
      const response = await fetch(events + query);
      assert.equal(response.status, 400, query);
      assert.match(await response.text(), /invalid_request/);
    }
  });

  it("sends a slow client everything, in order, once it reads again", async () => {
    const { bus, port, follow } = await serve();
    const brisk = await follow();
    const { socket, text } = await openStalledSocket(port);
    for (const id of range(1, 5_000)) {
      bus.publish(updated(id, { padding: 2_000 }));
      if (id % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await brisk.wait(({ data }) => data["id"] === 5_000);
    assert.deepEqual(idsReceived(brisk), range(1, 5_000), "the slow one harms nobody");
    socket.resume();
    await until(() => text().includes('"id":5000,'), { withinMs: 60_000, everyMs: 100 });
    const received = [...text().matchAll(/^data: \{"id":(\d+),/gm)].map(([, id]) => Number(id));
    assert.deepEqual(received, range(1, 5_000));
  });

  it("cuts a client that has fallen behind the ring, and says resync", async () => {
    const { bus, port } = await serve();
    const { socket, text, ended } = await openStalledSocket(port);
    for (const id of range(1, 30_000)) {
      bus.publish(updated(id, { padding: 2_000 }));
      if (id % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    socket.resume();
    await until(() => ended(), { withinMs: 60_000, everyMs: 100 });
    assert.match(text().slice(-100), /event: resync\ndata: \{"reason":"too_slow"\}\n\n/);
    const received = [...text().matchAll(/^data: \{"id":(\d+),/gm)].map(([, id]) => Number(id));
    assert.deepEqual(received, range(1, received.length), "up to the cut nothing is left out");
  });

  it("serves 300 clients alike", async () => {
    const { bus, follow } = await serve();
    const listeners = await Promise.all(
      range(1, 300).map((client) => follow("", { "x-forwarded-for": `10.0.${client >> 8}.${client & 255}` })),
    );
    for (const id of range(1, 100)) {
      bus.publish(updated(id));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    for (const listener of listeners) {
      await listener.wait(({ data }) => data["id"] === 100);
      assert.deepEqual(idsReceived(listener), range(1, 100));
    }
  });

  it("sends nothing more once it is stopped", async () => {
    const { bus, live, follow } = await serve();
    const listener = await follow();
    live.stop();
    live.stop();
    bus.publish(updated(1));
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(listener.events.length, 1);
  });
});

async function openStalledSocket(port: number): Promise<{ socket: Socket; text: () => string; ended: () => boolean }> {
  const socket = connect(port, "127.0.0.1");
  open.push(socket);
  let text = "";
  socket.setEncoding("utf8").on("error", () => undefined);
  socket.write("GET /api/v1/containers/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await new Promise<void>((resolve) => {
    socket.on("data", (chunk: string) => {
      text += chunk;
      if (text.includes("event: hello")) resolve();
    });
  });
  socket.pause();
  return { socket, text: () => text.replaceAll(/\r\n[0-9a-f]+\r\n/g, ""), ended: () => text.endsWith("\r\n0\r\n\r\n") };
}
