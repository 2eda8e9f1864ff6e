import assert from "node:assert/strict";
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { test } from "node:test";
import { status } from "@grpc/grpc-js";
import {
  answer,
  batchOf,
  connectClient,
  enroll,
  nonceOf,
  openAuthenticated,
  openStream,
  startListener,
} from "../../../test/support/listener.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { chanceOf } from "../../../test/support/seed.ts";
import { until } from "../../../test/support/until.ts";
import { ServiceError } from "../../platform/errors.ts";

test("an agent that signs the nonce is welcomed, and receives its limits", async (t) => {
  const { calls, agent, port } = await startListener(t, { eventsPerSecond: 300 });
  const far = agent();
  const stream = openStream(connectClient(t, port));
  const nonce = await nonceOf(stream);
  assert.equal(nonce.length, 32);
  await stream.send(answer(far, nonce, { offsetSeconds: 100n }));
  const { case: kind, value } = await stream.next();
  assert.equal(kind, "welcome");
  const { serverVersion, maxBatchEvents, maxBatchBytes, maxEventsPerSecond, serverTimeMs } = value;
  assert.deepEqual([serverVersion, maxBatchEvents, maxBatchBytes, maxEventsPerSecond], ["1.2.3", 300, 1_048_576, 300]);
  assert.ok(Math.abs(Number(serverTimeMs) - Date.now()) < 10_000);
  const [connected] = calls.connected;
  assert.equal(connected?.agentId, far.id);
  assert.deepEqual([connected.hello.hostname, connected.hello.runtime, connected.hello.capabilities], ["far", "docker", ["logs"]]);
  assert.ok(Math.abs(connected.offsetMs - 100_000) <= 10_000);
  stream.cancel();
  await until(() => calls.disconnected.length === 1);
});

test("each refusal has its status and its code, and the clocks may be 300 seconds apart but not 301", async (t) => {
  const clock = createFakeClock(new Date());
  const world = await startListener(t, { clock });
  const client = connectClient(t, world.port);
  const far = world.agent();
  const revoked = world.agent();
  const key = world.known.get(revoked.id)?.publicKey ?? new Uint8Array(32);
  world.known.set(revoked.id, { status: "revoked", publicKey: key });
  const { privateKey } = generateKeyPairSync("ed25519");

  const rows = [
    ["agent_unknown", status.NOT_FOUND, { id: randomUUID(), privateKey }, {}],
    ["agent_unknown", status.NOT_FOUND, { ...far }, { id: randomUUID() }],
    ["bad_signature", status.UNAUTHENTICATED, { id: far.id, privateKey }, {}],
    ["bad_signature", status.UNAUTHENTICATED, { id: revoked.id, privateKey }, {}],
    ["bad_signature", status.UNAUTHENTICATED, far, { id: revoked.id }],
    ["agent_revoked", status.PERMISSION_DENIED, revoked, {}],
    ["clock_skew", status.FAILED_PRECONDITION, far, { offsetSeconds: 302n }],
    ["clock_skew", status.FAILED_PRECONDITION, far, { offsetSeconds: -301n }],
    ["protocol_unsupported", status.FAILED_PRECONDITION, far, { protocol: 2 }],
    ["protocol_unsupported", status.FAILED_PRECONDITION, far, { protocol: 0 }],
  ] as const;
  for (const [code, grpc, who, how] of rows) {
    const stream = openStream(client);
    await stream.send(answer(who, await nonceOf(stream), { now: clock.now(), ...how }));
    const ended = await stream.ended;
    assert.deepEqual(
      [ended.code, ended.status.code],
      [code, grpc],
      JSON.stringify(how, (_, value) => String(value)),
    );
    assert.match(ended.status.details, /^[A-Z].*\.$/);
  }
  assert.deepEqual(world.calls.connected, []);
  await openAuthenticated(client, far, { now: clock.now() });
});

test("a nonce is good for one stream and one answer", async (t) => {
  const world = await startListener(t);
  const client = connectClient(t, world.port);
  const far = world.agent();
  const first = openStream(client);
  const signed = answer(far, await nonceOf(first));
  await first.send(signed);
  assert.equal((await first.next()).case, "welcome");

  const thief = openStream(client);
  await nonceOf(thief);
  await thief.send(signed);
  assert.equal((await thief.ended).code, "bad_signature");

  await first.send(signed);
  assert.deepEqual([(await first.ended).code, (await first.ended).status.code], ["invalid_request", status.INVALID_ARGUMENT]);
});

test("who does not answer in time, or answers something else, is refused", async (t) => {
  const hasty = await startListener(t, { limits: { handshakeMs: 150 } });
  const silent = openStream(connectClient(t, hasty.port));
  await nonceOf(silent);
  assert.deepEqual([(await silent.ended).code, (await silent.ended).status.code], ["handshake_timeout", status.DEADLINE_EXCEEDED]);

  const world = await startListener(t);
  const client = connectClient(t, world.port);
  for (const bytes of [batchOf(1), new Uint8Array(0), chanceOf(t).bytes(200)]) {
    const stream = openStream(client);
    await nonceOf(stream);
    await stream.send(bytes);
    assert.deepEqual([(await stream.ended).code, (await stream.ended).status.code], ["invalid_request", status.INVALID_ARGUMENT]);
  }

  const gone = openStream(client);
  await nonceOf(gone);
  gone.half();
  assert.equal((await gone.ended).status.code, status.OK);
  assert.deepEqual(world.calls.connected, []);
});

test("a lookup that takes too long counts as silence, and one without a database is an error", async (t) => {
  const hasty = await startListener(t, { limits: { handshakeMs: 150 } });
  hasty.rules.find = () => new Promise(() => undefined);
  const slow = openStream(connectClient(t, hasty.port));
  await slow.send(answer(hasty.agent(), await nonceOf(slow)));
  assert.equal((await slow.ended).code, "handshake_timeout");

  const world = await startListener(t);
  const client = connectClient(t, world.port);
  const far = world.agent();
  world.rules.find = () => {
    throw new ServiceError("storage_unavailable", "The database cannot be reached.");
  };
  const refused = openStream(client);
  await refused.send(answer(far, await nonceOf(refused)));
  assert.deepEqual([(await refused.ended).code, (await refused.ended).status.code], ["storage_unavailable", status.UNAVAILABLE]);

  world.rules.find = () => {
    throw new TypeError("a secret of ours");
  };
  const broken = openStream(client);
  await broken.send(answer(far, await nonceOf(broken)));
  const { status: ended } = await broken.ended;
  assert.equal(ended.code, status.INTERNAL);
  assert.doesNotMatch(ended.details, /secret/);
});

test("below the Personal edition nobody enters, and who is in must go", async (t) => {
  const world = await startListener(t);
  const client = connectClient(t, world.port);
  const inside = await openAuthenticated(client, world.agent());
  world.listener.checkEdition();
  world.rules.granted = false;
  world.listener.checkEdition();
  assert.deepEqual([(await inside.ended).code, (await inside.ended).status.code], ["edition_required", status.PERMISSION_DENIED]);
  const outside = await openStream(client).ended;
  assert.deepEqual([outside.code, outside.status.code], ["edition_required", status.PERMISSION_DENIED]);
  const enrollment = await enroll(client);
  assert.deepEqual([enrollment.code, enrollment.status.code], ["edition_required", status.PERMISSION_DENIED]);
  assert.deepEqual(world.calls.registrations, []);
});

test("revoked means out, at once, even in the middle of a handshake", async (t) => {
  const world = await startListener(t);
  const client = connectClient(t, world.port);
  const far = world.agent();
  const revoke = (): void => {
    world.known.set(far.id, { status: "revoked", publicKey: world.known.get(far.id)?.publicKey ?? new Uint8Array() });
    void world.listener.disconnect(far.id, "agent_revoked");
  };
  const stream = await openAuthenticated(client, far);
  revoke();
  assert.deepEqual([(await stream.ended).code, (await stream.ended).status.code], ["agent_revoked", status.PERMISSION_DENIED]);

  const other = world.agent();
  world.rules.find = () => {
    world.rules.find = () => undefined;
    world.known.set(other.id, { status: "revoked", publicKey: world.known.get(other.id)?.publicKey ?? new Uint8Array() });
    void world.listener.disconnect(other.id, "agent_revoked");
  };
  const racing = openStream(client);
  await racing.send(answer(other, await nonceOf(racing)));
  assert.equal((await racing.ended).code, "agent_revoked");
  assert.deepEqual(
    world.calls.connected.map(({ agentId }) => agentId),
    [far.id],
  );
});

test("enrollment hands over what it was given, and answers failures by their codes", async (t) => {
  const world = await startListener(t);
  const client = connectClient(t, world.port);
  const publicKey = Uint8Array.from({ length: 32 }, (_, index) => index);
  const { response, status: fine } = await enroll(client, { publicKey, label: "attic" });
  assert.equal(fine.code, status.OK);
  assert.deepEqual([response?.label, response?.serverVersion], ["attic", "1.2.3"]);
  assert.ok(world.known.has(response?.agentId ?? ""));
  const [registration] = world.calls.registrations;
  assert.deepEqual(
    [registration?.token, Buffer.from(registration?.publicKey ?? []), registration?.peer, registration?.hello.os],
    ["svc_enr_right", Buffer.from(publicKey), "127.0.0.1", "Debian 13"],
  );

  const refused = await enroll(client, { token: "svc_enr_wrong" });
  assert.deepEqual([refused.code, refused.status.code], ["token_invalid", status.UNAUTHENTICATED]);
  for (const bytes of [0, 31]) assert.equal((await enroll(client, { publicKey: new Uint8Array(bytes) })).code, "invalid_request");
  assert.equal((await enroll(client, { protocol: 9 })).code, "protocol_unsupported");
  assert.equal((await enroll(client, { token: "x".repeat(1000) })).code, "invalid_request");
  assert.equal((await enroll(client, { token: "x".repeat(100_000) })).status.code, status.RESOURCE_EXHAUSTED);
});

test("a place among those who wait is given back, and one too many is refused", async (t) => {
  const world = await startListener(t, { limits: { waiting: 3, handshakeMs: 60_000 } });
  const client = connectClient(t, world.port);
  const waiting = [openStream(client), openStream(client), openStream(client)];
  for (const stream of waiting) await nonceOf(stream);
  const fourth = await openStream(client).ended;
  assert.deepEqual([fourth.code, fourth.status.code], ["listener_unavailable", status.UNAVAILABLE]);
  waiting[0]?.cancel();
  const far = world.agent();
  await until(async () => {
    const stream = openStream(client);
    return nonceOf(stream).then(
      async (nonce) => {
        await stream.send(answer(far, nonce));
        return (await stream.next()).case === "welcome";
      },
      () => false,
    );
  });
});
