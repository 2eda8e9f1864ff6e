import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { it } from "node:test";
import { status } from "@grpc/grpc-js";
import { HOUR_MS } from "../contract/time.ts";
import { onBothDatabases } from "../../test/support/databases.ts";
import { STALE_MS, strangeToken } from "../../test/support/fleet.ts";
import { startFleetServer } from "../../test/support/fleet-server.ts";
import { answer, batchWith, connectClient, enroll, nonceOf, openAuthenticated, openStream } from "../../test/support/listener.ts";
import { sighting } from "../../test/support/sightings.ts";
import { startTcpProxy } from "../../test/support/tcp-proxy.ts";
import { until } from "../../test/support/until.ts";
import { connected, worldOf } from "../../test/support/uplink.ts";
import { publicKeyBytes } from "./handshake.ts";

/** The rows of the specification's table of agent states and the codes of contract 12, each over the wire and down to the database. */
onBothDatabases((databases) => {
  const start = async (t: Parameters<typeof startFleetServer>[0], options = {}) => startFleetServer(t, await databases.create(), options);

  it("a disconnected agent that streams is connected, and that is published; one not seen for longer than the threshold is disconnected", async (t) => {
    const { fleet, enrolled, client, later, clock } = await start(t);
    const far = await enrolled("far");
    const stateOf = (): string => fleet.agents.service.get(far.id).connection_state;
    await later(STALE_MS + 1000);
    assert.equal(stateOf(), "disconnected");
    const stream = await openAuthenticated(client, far, { now: clock.now() });
    await later(1000);
    assert.equal(stateOf(), "connected");
    assert.deepEqual(
      fleet.published("agent.connected").map(({ id, previous_connection_state: before }) => [id, before]),
      [[far.id, "disconnected"]],
    );
    const lostBefore = fleet.published("agent.disconnected").length;
    stream.cancel();
    await stream.ended;
    await later(STALE_MS - 10_000);
    assert.equal(stateOf(), "connected");
    await later(11_000);
    assert.equal(stateOf(), "disconnected");
    assert.equal(fleet.published("agent.disconnected").length, lostBefore + 1);
  });

  it("a connection that is half open is noticed, and its agent is disconnected", async (t) => {
    const { fleet, enrolled, port, later, streams } = await start(t, { limits: { keepaliveMs: 1000, keepaliveTimeoutMs: 3500 } });
    const far = await enrolled();
    const line = await startTcpProxy({ port });
    t.after(() => line.stop());
    const stream = await openAuthenticated(connectClient(t, line.port), far);
    await stream.send(batchWith([{ kind: "container.gone", observedAt: new Date(), externalId: "x" }]));
    assert.equal((await stream.next()).case, "ack");
    await later(1000);
    assert.deepEqual([fleet.agents.service.get(far.id).connection_state, streams()], ["connected", 1]);
    line.freeze();
    await until(() => streams() === 0);
    await later(STALE_MS + 1000);
    assert.equal(fleet.agents.service.get(far.id).connection_state, "disconnected");
  });

  it("a stream by which nothing comes any more is no contact, though something between keeps it open", async (t) => {
    const { fleet, enrolled, client, clock, later, streams } = await start(t);
    const far = await enrolled();
    const stateOf = (): string => fleet.agents.service.get(far.id).connection_state;
    const stream = await openAuthenticated(client, far, { now: clock.now() });
    await later(STALE_MS - 2000);
    assert.equal(stateOf(), "connected");
    await later(4000);
    assert.deepEqual([stateOf(), streams(), fleet.published("agent.disconnected").length], ["disconnected", 1, 1]);
    await stream.send(batchWith([{ kind: "container.gone", observedAt: clock.now(), externalId: "x" }]));
    assert.equal((await stream.next()).case, "ack");
    await later(1000);
    assert.equal(stateOf(), "connected");
  });

  it("revoking ends the stream at once, and the agent never tries again", async (t) => {
    const { fleet, port } = await start(t);
    const world = await worldOf(t, {
      server: { host: "127.0.0.1", port, isPlain: true },
      enrollmentToken: await fleet.token(),
    });
    world.start();
    await connected(world);
    const id = world.uplink.status().agentId ?? "";
    await until(() => fleet.agents.service.get(id).connection_state === "connected");
    const { status: is } = await fleet.agents.service.revoke(id);
    assert.equal(is, "revoked");
    const end = await world.uplink.ended;
    assert.equal(end.code, "agent_revoked");
    assert.equal(fleet.agents.service.get(id).connection_state, "disconnected");

    // Even if it is started again, as whatever restarts programs does.
    await world.restart();
    world.start();
    assert.equal((await world.uplink.ended).code, "agent_revoked");
    assert.equal(world.server.attempts, 0);
  });

  it("deleting ends the stream and removes every row of the host, and of no other", async (t) => {
    const { fleet, hosts, enrolled, client } = await start(t);
    const [far, near] = [await enrolled("far"), await enrolled("near")];
    const streams = [await openAuthenticated(client, far), await openAuthenticated(client, near)];
    for (const stream of streams) {
      await stream.send(batchWith([{ kind: "container.seen", observedAt: new Date(), container: sighting() }]));
      assert.equal((await stream.next()).case, "ack");
    }
    const hostsOf = (): (string | null)[] => [...hosts.containers.present.hosts()];
    assert.deepEqual(new Set(hostsOf()), new Set([far.id, near.id]));
    await fleet.agents.service.remove(far.id);
    assert.equal((await streams[0]?.ended)?.code, "listener_unavailable");
    assert.deepEqual(hostsOf(), [near.id]);
    const back = openStream(client);
    await back.send(answer(far, await nonceOf(back)));
    assert.deepEqual([(await back.ended).code, (await back.ended).status.code], ["agent_unknown", status.NOT_FOUND]);
    await streams[1]?.send(batchWith([{ kind: "container.gone", observedAt: new Date(), externalId: "x" }], { firstSeq: 2 }));
    assert.equal((await streams[1]?.next())?.case, "ack");
  });

  it("each refusal of an enrollment has its code and status", async (t) => {
    const { fleet, client, clock, rules } = await start(t);
    const { publicKey } = generateKeyPairSync("ed25519");
    const key = publicKeyBytes(publicKey);
    const refused = async (code: string, grpc: status, how: Parameters<typeof enroll>[1]): Promise<void> => {
      const { code: received, status: ended } = await enroll(client, { publicKey: key, ...how });
      assert.deepEqual([received, ended.code], [code, grpc]);
      assert.match(ended.details, /^[A-Z].*\.$/);
    };
    const old = await fleet.token({ ttl_hours: 1 });
    await clock.advance(HOUR_MS);
    const token = await fleet.token();
    for (const wrong of ["", "svc_enr_", strangeToken(), `${token}a`, token.toUpperCase()])
      await refused("token_invalid", status.UNAUTHENTICATED, { token: wrong });
    await refused("token_expired", status.UNAUTHENTICATED, { token: old });
    await refused("label_too_long", status.INVALID_ARGUMENT, { token, label: "x".repeat(65) });
    await refused("label_too_long", status.INVALID_ARGUMENT, { token, label: "🛶".repeat(65) });
    await refused("protocol_unsupported", status.FAILED_PRECONDITION, { token, protocol: 2 });
    await refused("invalid_request", status.INVALID_ARGUMENT, { token, publicKey: key.subarray(1) });
    rules.granted = false;
    await refused("edition_required", status.PERMISSION_DENIED, { token });
    rules.granted = true;
    assert.equal(fleet.agents.count(), 0);
    const fine = await enroll(client, { token, publicKey: key, label: "🛶".repeat(64) });
    assert.deepEqual([fine.status.code, fine.response?.label], [status.OK, "🛶".repeat(64)]);
    const another = publicKeyBytes(generateKeyPairSync("ed25519").publicKey);
    await refused("token_consumed", status.FAILED_PRECONDITION, { token, publicKey: another });
    assert.equal(fleet.agents.count(), 1);
  });

  it("of 50 that use one token at the same time, one gets in", async (t) => {
    const { fleet, client, port } = await start(t);
    const token = await fleet.token();
    const clients = [client, ...Array.from({ length: 4 }, () => connectClient(t, port))];
    const uses = await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        const publicKey = publicKeyBytes(generateKeyPairSync("ed25519").publicKey);
        return enroll(clients[index % clients.length] ?? client, { token, publicKey });
      }),
    );
    const codes = uses.map(({ code, status: ended }) => code ?? status[ended.code]);
    assert.deepEqual(codes.toSorted(), [...Array<string>(1).fill("OK"), ...Array<string>(49).fill("token_consumed")]);
    assert.equal(fleet.agents.count(), 1);
  });

  it("the clocks may be 300 seconds apart, either way, and not 301", async (t) => {
    const { clock, client, enrolled, fleet } = await start(t);
    const far = await enrolled();
    for (const [seconds, isTaken] of [
      [300n, true],
      [-300n, true],
      [301n, false],
      [-301n, false],
      [2n ** 62n, false],
      [-(2n ** 62n), false],
    ] as const) {
      const stream = openStream(client);
      await stream.send(answer(far, await nonceOf(stream), { now: clock.now(), offsetSeconds: seconds }));
      if (isTaken) assert.equal((await stream.next()).case, "welcome");
      else assert.deepEqual([(await stream.ended).code, (await stream.ended).status.code], ["clock_skew", status.FAILED_PRECONDITION]);
      if (isTaken) assert.equal(fleet.agents.service.get(far.id).clock_offset_ms, Number(seconds) * 1000);
    }
  });
});
