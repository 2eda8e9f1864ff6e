import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createSecureContext } from "node:tls";
import { ServerCredentials } from "@grpc/grpc-js";
import { createLogCapture } from "../../../test/support/log-capture.ts";
import { createAuthority } from "../../../test/support/tls-authority.ts";
import { until } from "../../../test/support/until.ts";
import { connected, gone, hastyClock, type World, worldOf } from "../../../test/support/uplink.ts";
import { type Clock, pause, systemClock } from "../../platform/clock.ts";
import { StartError } from "../../platform/errors.ts";
import { identityPath } from "./identity.ts";
import { createUplink, type UplinkOptions } from "./index.ts";

test("it enrolls once, proves who it is ever after, and needs no token then", async (t) => {
  const world = await worldOf(t);
  world.start();
  await connected(world);
  assert.equal(world.server.registrations[0]?.enrollmentToken, "svc_enr_token");
  assert.equal(world.server.registrations[0].label, "harbour");
  assert.equal(world.server.registrations[0].publicKey.length, 32);
  const { agentId } = world.uplink.status();
  assert.match(agentId ?? "", /^[0-9a-f-]{36}$/);
  await world.restart({ enrollmentToken: undefined });
  world.start();
  await connected(world);
  assert.equal(world.server.registrations.length, 1);
  assert.equal(world.uplink.status().agentId, agentId);
  assert.doesNotMatch(world.logText(), /svc_enr_token|PRIVATE KEY/);
});

test("without identity and token, and with an identity that is broken, it does not start", async (t) => {
  const world = await worldOf(t, { enrollmentToken: undefined });
  assert.throws(
    () => world.start(),
    (error) => error instanceof StartError && /no identity .* and no enrollment token/.test(error.message),
  );
  writeFileSync(identityPath(world.dataDir), "{}");
  assert.throws(() => world.start(), StartError);
  assert.equal(readFileSync(identityPath(world.dataDir), "utf8"), "{}");
});

test("plaintext is refused other than to this host itself", (t) => {
  const options = (host: string, skipTlsVerify = false): UplinkOptions => ({
    server: { host, port: 443, isPlain: true },
    skipTlsVerify,
    serverFingerprint: undefined,
    trust: () => createSecureContext(),
    dataDir: join(tmpdir(), `binnacle-none-${process.pid}`),
    enrollmentToken: undefined,
    label: undefined,
    spool: { maxMemoryBytes: 0, maxDiskBytes: 0, maxAgeMs: 1 },
    logs: () => assert.fail(),
    clock: systemClock,
    log: createLogCapture().log,
  });
  t.after(() => rmSync(options("").dataDir, { recursive: true, force: true }));
  for (const host of ["watch.example.com", "10.0.0.5", "127.0.0.1.example.com"])
    assert.throws(() => createUplink(options(host)), StartError);
  for (const host of ["localhost", "127.0.0.1", "::1"]) createUplink(options(host));
  createUplink(options("10.0.0.5", true));
});

for (const code of ["token_invalid", "token_expired", "token_consumed", "label_too_long"])
  test(`an enrollment refused with ${code} is not tried again`, async (t) => {
    const world = await worldOf(t);
    world.server.refuseRegistrations = { grpc: "UNAUTHENTICATED", code, message: "No, not that one." };
    world.start();
    const end = await world.uplink.ended;
    assert.equal(end.code, code);
    assert.match(end.message, /No, not that one\./);
    await pause(systemClock, 200);
    assert.equal(world.server.registrations.length, 1);
    assert.throws(() => readFileSync(identityPath(world.dataDir)), /ENOENT/);
  });

test("an enrollment whose answer never came is asked for again with the same key, by which the server knows it", async (t) => {
  const world = await worldOf(t);
  world.server.refuseRegistrations = { grpc: "UNAVAILABLE", code: "" };
  world.start();
  await until(() => world.server.registrations.length > 0);
  world.server.refuseRegistrations = undefined;
  await connected(world);
  const keys = world.server.registrations.map(({ publicKey }) => Buffer.from(publicKey).toString("hex"));
  assert.ok(keys.length >= 2 && new Set(keys).size === 1, keys.join());
});

test("an agent that ends before it has the answer to its enrollment asks again with the same key after its next start", async (t) => {
  const world = await worldOf(t);
  world.server.refuseRegistrations = { grpc: "UNAVAILABLE", code: "" };
  world.start();
  await until(() => world.server.registrations.length > 0);
  const path = join(world.dataDir, "enrolling.pem");
  assert.equal(statSync(path).mode & 0o777, 0o600);
  await world.restart();
  world.server.refuseRegistrations = undefined;
  world.start();
  await connected(world);
  const keys = world.server.registrations.map(({ publicKey }) => Buffer.from(publicKey).toString("hex"));
  assert.ok(keys.length >= 2 && new Set(keys).size === 1, keys.join());
  assert.ok(!existsSync(path), "another enrollment has its own key");
});

test("a stop that meets the answer to an enrollment keeps the identity, and opens no stream", async (t) => {
  const worlds: World[] = [];
  let stopped: Promise<void> | undefined;
  const clock: Clock = {
    ...hastyClock,
    now() {
      // Asked for last: when the agent enrolled.
      if (worlds[0]?.server.registrations.length === 1) stopped ??= worlds[0].uplink.stop();
      return systemClock.now();
    },
  };
  const world = await worldOf(t, { clock });
  worlds.push(world);
  world.start();
  await until(() => stopped !== undefined);
  await Promise.race([stopped, pause(systemClock, 2000).then(() => assert.fail("it does not stop"))]);
  assert.equal(world.server.attempts, 0);
  assert.match(readFileSync(identityPath(world.dataDir), "utf8"), /agent_id/);
});

test("a revoked agent never comes back, keeps nothing more, and says so", async (t) => {
  const world = await worldOf(t);
  world.start();
  await connected(world);
  world.server.refuse({ grpc: "PERMISSION_DENIED", code: "agent_revoked" });
  const { code, message } = await world.uplink.ended;
  assert.equal(code, "agent_revoked");
  assert.match(message, /revoked.*identity\.json/);
  world.uplink.observe(null, gone(1));
  assert.equal(world.uplink.status().queued, 0);
  const { attempts } = world.server;
  await pause(systemClock, 500);
  assert.equal(world.server.attempts, attempts);
  assert.match(world.logText(), /error The server has revoked this agent/);
});

test("a server that lost its licence is asked again, but seldom", async (t) => {
  const world = await worldOf(t, { random: () => 0.5 });
  world.server.refuseStreams = { grpc: "PERMISSION_DENIED", code: "edition_required", message: "Several hosts need the Personal edition." };
  world.start();
  await until(() => /Several hosts need the Personal edition/.test(world.logText()));
  assert.match(world.logText(), /"code":"edition_required".*"again_in_ms":600000/);
  assert.equal(world.server.attempts, 1);
  world.uplink.observe(null, gone(1));
  assert.equal(world.uplink.status().queued, 1);
  assert.match(world.uplink.status().reason ?? "", /Personal/);
});

test("a server that has its licence again has the agent back within its slow round", async (t) => {
  const clock: Clock = { ...systemClock, after: (ms, callback) => systemClock.after(ms > 60_000 ? ms / 2000 : ms, callback) };
  const world = await worldOf(t, { clock });
  world.server.refuseStreams = { grpc: "PERMISSION_DENIED", code: "edition_required" };
  world.start();
  await until(() => world.server.attempts === 3);
  for (const [, ms] of world.logText().matchAll(/"again_in_ms":(\d+)/g)) assert.ok(Number(ms) >= 450_000, ms);
  world.server.refuseStreams = undefined;
  await connected(world);
});

for (const code of ["clock_skew", "bad_signature", "stream_replaced"])
  test(`after ${code} it tries again by the schedule`, async (t) => {
    const world = await worldOf(t, { random: () => 0.5 });
    world.server.refuseStreams = { grpc: "FAILED_PRECONDITION", code };
    world.start();
    const waits = (): number[] => [...world.logText().matchAll(/"again_in_ms":(\d+)/g)].map(([, ms]) => Number(ms));
    await until(() => waits().length === 3);
    world.server.refuseStreams = undefined;
    await connected(world);
    assert.deepEqual(waits().slice(0, 3), [1000, 2000, 4000]);
  });

test("TLS: a server is believed by its certificate, or not at all, or without asking", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "binnacle-tls-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const [from, until_] = [new Date(Date.now() - 86_400_000), new Date(Date.now() + 86_400_000)];
  const authority = createAuthority(folder);
  const extensions = ["subjectAltName=IP:127.0.0.1", "basicConstraints=critical,CA:TRUE"];
  const own = await authority.issue({ name: "own", from, until: until_, extensions });
  const credentials = ServerCredentials.createSsl(null, [{ cert_chain: Buffer.from(own.cert), private_key: Buffer.from(own.key) }]);
  const world = await worldOf(t, {}, credentials);
  const server = { host: "127.0.0.1", port: world.server.port, isPlain: false };

  await world.restart({ server });
  world.start();
  await until(() => /not connected to the server .*certificate/i.test(world.logText()), { what: `refused; ${world.logText()}` });
  assert.equal(world.server.registrations.length, 0);

  await world.restart({ server, trust: () => createSecureContext({ ca: own.cert }) });
  world.start();
  await connected(world);

  await world.restart({ server, skipTlsVerify: true });
  world.start();
  await connected(world);
  assert.match(world.logText(), /warn the server's certificate is not checked/);
});
