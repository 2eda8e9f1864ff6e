import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test, type TestContext } from "node:test";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import {
  type AgentStream,
  batchOf,
  connectClient,
  listingPart,
  type ListenerWorld,
  openAuthenticated,
  startListener,
  type TestAgent,
} from "../../../test/support/listener.ts";
import { createLogCapture } from "../../../test/support/log-capture.ts";
import { hostOf } from "../../../test/support/sightings.ts";
import { until } from "../../../test/support/until.ts";
import type { ContainerSighting } from "../../observations.ts";
import { silentLog } from "../../platform/log.ts";
import { encodeListing, MAX_LISTING_BYTES, takeBatch } from "../wire/index.ts";
import { createListingRoom } from "./assembly.ts";
import { createListings } from "./listings.ts";

const listed = ({ calls }: ListenerWorld): ContainerSighting[][] =>
  calls.saved.flatMap(({ observations }) => observations.flatMap((each) => (each.kind === "container.inventory" ? [each.containers] : [])));

/** The messages of a listing in parts, one batch each. */
function partsOf(containers: ContainerSighting[], firstSeq = 1, observedAt = new Date()): Uint8Array[] {
  let seq = firstSeq - 1;
  const options = { observedAt, nextSeq: () => (seq += 1), eventId: () => randomBytes(16), maxListingBytes: MAX_LISTING_BYTES };
  return encodeListing(containers, options).events.map((event) => {
    const batch = takeBatch([event]);
    assert.ok(batch !== undefined);
    return batch.message;
  });
}

interface HostileWorld {
  world: ListenerWorld;
  stream: AgentStream;
  agent: TestAgent;
  clock: FakeClock;
  logText(): string;
  /** Sends a message, and waits for its acknowledgement. */
  send(message: Uint8Array | undefined): Promise<void>;
}

async function hostile(t: TestContext): Promise<HostileWorld> {
  const clock = createFakeClock(new Date());
  const { log, text } = createLogCapture();
  const world = await startListener(t, { clock, log });
  const agent = world.agent();
  const stream = await openAuthenticated(connectClient(t, world.port), agent, { now: clock.now() });
  async function send(message: Uint8Array | undefined): Promise<void> {
    assert.ok(message !== undefined);
    await stream.send(message);
    assert.equal((await stream.next()).case, "ack");
  }
  return { world, stream, agent, clock, logText: text, send };
}

const DROPPED = /listing of an agent dropped/g;

test("nothing is gone by a part, and nothing is listed before the last one", async (t) => {
  const { world, send } = await hostile(t);
  const [first, ...others] = partsOf(hostOf(2000, 20));
  const last = others.pop();
  assert.ok(others.length > 3, String(others.length));
  await send(first);
  for (const part of others) await send(part);
  assert.equal(world.calls.saved.length, 0);
  await send(last);
  assert.deepEqual(
    listed(world).map(({ length }) => length),
    [2000],
  );
  assert.deepEqual(world.calls.listingsDropped, []);
});

test("a stream that ends between two parts drops them, and the next one lists again", async (t) => {
  const { world, stream, agent, clock, send } = await hostile(t);
  const parts = partsOf(hostOf(2000, 20));
  await send(parts[0]);
  await send(parts[1]);
  stream.cancel();
  await until(() => world.calls.listingsDropped.length === 1);
  const again = await openAuthenticated(connectClient(t, world.port), agent, { now: clock.now() });
  await again.send(parts[2] ?? new Uint8Array());
  await again.next();
  assert.equal(world.calls.saved.length, 0);
  for (const part of partsOf(hostOf(2000, 20), 1000)) {
    await again.send(part);
    await again.next();
  }
  assert.deepEqual(
    listed(world).map(({ length }) => length),
    [2000],
  );
});

test("a listing that begins drops the one before it", async (t) => {
  const { world, logText, send } = await hostile(t);
  const before = partsOf(hostOf(2000, 20));
  await send(before[0]);
  for (const part of partsOf(hostOf(1500, 20), 1000)) await send(part);
  for (const part of before.slice(1)) await send(part);
  assert.deepEqual(
    listed(world).map(({ length }) => length),
    [1500],
  );
  assert.match(logText(), /dropped: its host stays .*the agent began another one/);
});

test("parts that lie are dropped with their listing", async (t) => {
  const { world, logText, send } = await hostile(t);
  const at = new Date();
  const [whole, otherTime] = [partsOf(hostOf(2000, 20), 1, at), partsOf(hostOf(2000, 20), 1, new Date(at.getTime() - 1))];
  const larger = partsOf(hostOf(3000, 20), 1, at);
  const cases: [second: Uint8Array | undefined, reason: RegExp][] = [
    [whole[2], /a part is not the next one/],
    [otherTime[1], /a part contradicts the parts before/],
    [larger[1], /a part contradicts the parts before/],
  ];
  for (const [second, reason] of cases) {
    const before = logText().length;
    await send(whole[0]);
    await send(second);
    assert.match(logText().slice(before), reason);
  }
  for (const part of whole.slice(1)) await send(part);
  assert.equal(world.calls.saved.length, 0);
  assert.equal(world.calls.listingsDropped.length, 3);
  // The stream continues.
  await send(batchOf(1, { firstSeq: 10_000 }));
  assert.equal(world.calls.saved.length, 1);
});

test("a container that cannot be read is left out of a listing in parts, and is there all the same", async (t) => {
  const { world, logText, send } = await hostile(t);
  const ports = [{ containerPort: 70_000, protocol: "tcp" as const, hostIp: null, hostPort: null }];
  const containers = hostOf(2000, 20).map((each, index) => (index === 1 || index === 1999 ? { ...each, ports } : each));
  for (const part of partsOf(containers)) await send(part);
  const inventories = world.calls.saved.flatMap(({ observations }) => observations);
  assert.deepEqual(
    inventories.map((each) => each.kind === "container.inventory" && [each.containers.length, each.unread]),
    [[1998, [containers[1]?.externalId, containers[1999]?.externalId]]],
  );
  assert.match(logText(), /containers of an agent skipped.*container_port is not between/);
});

test("a part that names a container again drops the listing", async (t) => {
  const { world, logText, send } = await hostile(t);
  const containers = hostOf(2000, 20);
  for (const part of partsOf([...containers, ...containers.slice(0, 1)])) await send(part);
  assert.equal(world.calls.saved.length, 0);
  assert.match(logText(), /names a container that was listed before/);
});

test("a listing that is never finished is dropped after a minute, and one that drips after five", async (t) => {
  const { world, clock, logText, send } = await hostile(t);
  const parts = partsOf(hostOf(6000, 20));
  await send(parts[0]);
  await clock.advance(59_999);
  await send(parts[1]);
  assert.equal(world.calls.listingsDropped.length, 0);
  await clock.advance(60_000);
  assert.equal(world.calls.listingsDropped.length, 1);
  await send(parts[2]);
  for (const part of parts.slice(0, 6)) {
    await send(part);
    await clock.advance(55_000);
  }
  assert.equal(world.calls.listingsDropped.length, 2);
  assert.equal(logText().match(DROPPED)?.length, 2);
  assert.equal(world.calls.saved.length, 0);
});

test("what a listing holds is bounded: bytes, containers, labels and parts", async (t) => {
  const { world, clock, logText, send } = await hostile(t);
  const observedAt = new Date();
  const labels = Object.fromEntries(Array.from({ length: 512 }, (_, index) => [`l${index}`, ""]));
  const cases: [containersOfPart: (part: number) => ContainerSighting[], reason: RegExp][] = [
    [(part) => hostOf(100, 4, 8000, part * 100), /makes a listing of more than 67108864 bytes/],
    [(part) => hostOf(1000, 0, 40, part * 1000), /makes a listing of more than 10000 containers/],
    [(part) => hostOf(90, 0, 40, part * 90).map((each) => ({ ...each, labels })), /makes a listing of more than 1000000 labels/],
  ];
  let seq = 0;
  for (const [containersOfPart, reason] of cases) {
    const before = logText().length;
    const listing = (seq += 1);
    // An agent that never ends.
    for (let part = 1; !reason.test(logText().slice(before)) && part < 30; part += 1)
      await send(
        listingPart({ seq: part === 1 ? listing : (seq += 1), listing, part, parts: 1000, observedAt, containers: containersOfPart(part) }),
      );
    assert.match(logText().slice(before), reason);
  }
  // Between two lines about what cannot be understood.
  await clock.advance(60_000);
  await send(listingPart({ seq: (seq += 1), listing: seq, part: 1, parts: 1001, observedAt, containers: hostOf(1, 0) }));
  assert.match(logText(), /container_inventory_part\.parts is not between 1 and 1000/);
  assert.deepEqual([world.calls.saved.length, world.calls.listingsDropped.length], [0, 3]);
});

test("listings of all streams share their room: who came late comes again, and who dawdles gives way", async () => {
  const clock = createFakeClock(new Date());
  const room = createListingRoom(clock, 1000);
  const dropped: string[] = [];
  const agent = (agentId: string) => createListings({ agentId, room, onDropped: () => dropped.push(agentId), clock, log: silentLog });
  const [slow, quick, late] = [agent("slow"), agent("quick"), agent("late")];
  const observedAt = clock.now();
  const part = (number: number) => ({ listing: 1, part: number, parts: 3, observedAt, containers: hostOf(1, 0, 40, number) });
  slow.take(part(1), 600);
  quick.take(part(1), 300);
  assert.throws(() => late.take(part(1), 200), { code: "listener_unavailable" });
  late.stop();
  assert.equal(room.bytes(), 900);
  await clock.advance(50_000);
  slow.take(part(2), 10);
  quick.take(part(2), 10);
  await clock.advance(20_000);
  late.take(part(1), 600);
  assert.deepEqual(dropped, ["late", "slow"]);
  assert.equal(quick.take(part(3), 10)?.containers.length, 3);
  quick.saved();
  late.stop();
  assert.equal(room.bytes(), 0);
});
