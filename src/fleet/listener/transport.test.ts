import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect as connectTcp } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { connect as connectTls } from "node:tls";
import { credentials, status } from "@grpc/grpc-js";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { batchOf, connectClient, openAuthenticated, openStream, startListener } from "../../../test/support/listener.ts";
import { createLogCapture } from "../../../test/support/log-capture.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { chanceOf } from "../../../test/support/seed.ts";
import { turnUntil } from "../../../test/support/turn-until.ts";
import { until } from "../../../test/support/until.ts";
import { createQuota } from "../../http/quota.ts";
import type { Clock, Timer } from "../../platform/clock.ts";
import { StartError } from "../../platform/errors.ts";
import { silentLog } from "../../platform/log.ts";
import { makeSelfSigned } from "../own-certificate.ts";
import { openCredentials } from "./credentials.ts";

const NAMES = ["localhost", "127.0.0.1"];

test("a self-signed certificate is refused by clients that check authorities", async (t) => {
  const world = await startListener(t, { tls: { kind: "self_signed", ...makeSelfSigned(NAMES, new Date()) } });
  const skipping = credentials.createSsl(null, null, null, { rejectUnauthorized: false });
  const stream = await openAuthenticated(connectClient(t, world.port, skipping), world.agent());
  await stream.send(batchOf(1));
  assert.equal((await stream.next()).case, "ack");

  const careful = await openStream(connectClient(t, world.port, credentials.createSsl())).ended;
  assert.equal(careful.status.code, status.UNAVAILABLE);
  const plain = await openStream(connectClient(t, world.port)).ended;
  assert.equal(plain.status.code, status.UNAVAILABLE);
  const shown = await new Promise<string>((resolve, reject) => {
    const args = ["s_client", "-connect", `127.0.0.1:${world.port}`, "-alpn", "h2", "-servername", "localhost"];
    const openssl = execFile("openssl", args, (error, output) => (error === null ? resolve(output) : reject(error)));
    openssl.stdin?.end();
  });
  assert.match(shown, /ALPN protocol: h2/);
  assert.match(shown, /TLSv1\.3/);
});

test("a certificate from files is served, checked by agents, and changes when the files do", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "listener-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const files = { certificateFile: join(folder, "cert.pem"), keyFile: join(folder, "key.pem") };
  const write = (): string => {
    const { certificate, key } = makeSelfSigned(NAMES, new Date());
    writeFileSync(files.certificateFile, certificate);
    writeFileSync(files.keyFile, key);
    return certificate;
  };
  const first = write();
  const clock = createFakeClock(new Date());
  const { log, text } = createLogCapture();
  const world = await startListener(t, { tls: { kind: "files", ...files }, clock, log });
  const stream = await openAuthenticated(connectClient(t, world.port, credentials.createSsl(Buffer.from(first))), world.agent());

  const served = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connectTls({ host: "127.0.0.1", port: world.port, rejectUnauthorized: false, ALPNProtocols: ["h2"] }, () => {
        resolve(socket.getPeerX509Certificate()?.fingerprint256 ?? "");
        socket.destroy();
      });
      socket.on("error", reject);
    });
  assert.equal(await served(), new X509Certificate(first).fingerprint256);
  const second = write();
  await clock.advance(60_000);
  await until(async () => (await served()) === new X509Certificate(second).fingerprint256);
  writeFileSync(files.keyFile, "no key");
  await clock.advance(60_000);
  await until(() => text().includes("cannot be used"));
  assert.equal(await served(), new X509Certificate(second).fingerprint256);
  // Connected agents stay connected.
  await stream.send(batchOf(1));
  assert.equal((await stream.next()).case, "ack");
});

test("a listener that has stopped reads the files of its certificate no more", async (t) => {
  const folder = temporaryFolder();
  const files = { certificateFile: join(folder, "cert.pem"), keyFile: join(folder, "key.pem") };
  const { certificate, key } = makeSelfSigned(NAMES, new Date());
  writeFileSync(files.certificateFile, certificate);
  writeFileSync(files.keyFile, key);
  const clock = createFakeClock(new Date());
  const waiting = new Set<Timer>();
  const after: Clock["after"] = (delayMs, callback) => {
    const timer = clock.after(delayMs, () => {
      waiting.delete(timer);
      callback();
    });
    waiting.add(timer);
    return { cancel: () => (waiting.delete(timer), timer.cancel()) };
  };
  const { listener } = await startListener(t, { tls: { kind: "files", ...files }, clock: { ...clock, after } });
  assert.ok(waiting.size > 0);
  await listener.stop();
  assert.equal(waiting.size, 0);
});

test("what is wrong with the files is reported before it listens", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "listener-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const [one, other] = [makeSelfSigned(NAMES, new Date()), makeSelfSigned(NAMES, new Date())];
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const certificate = file("cert.pem", one.certificate);
  const rows: [certificateFile: string, keyFile: string, sentence: RegExp][] = [
    [join(folder, "none.pem"), file("key.pem", one.key), /SERVICE_GRPC_TLS_CERT: .*none\.pem cannot be read/],
    [certificate, file("other.pem", other.key), /other\.pem is not the key of the first certificate in .*cert\.pem/],
    [file("garbage.pem", "garbage"), file("key.pem", one.key), /garbage\.pem holds no PEM certificate/],
    [certificate, file("garbage.key", "garbage"), /SERVICE_GRPC_TLS_KEY: .*garbage\.key holds no PEM private key/],
  ];
  for (const [certificateFile, keyFile, sentence] of rows) {
    const opening = openCredentials({ kind: "files", certificateFile, keyFile }, { clock: createFakeClock(), log: silentLog });
    await assert.rejects(opening, (error) => error instanceof StartError && sentence.test(error.message));
  }
});

test("a port that is taken is a sentence", async (t) => {
  const { port } = await startListener(t);
  await assert.rejects(
    startListener(t, { listen: { host: "127.0.0.1", port } }),
    (error) => error instanceof StartError && /Cannot listen for agents on 127\.0\.0\.1:\d+: .*SERVICE_GRPC_LISTEN/.test(error.message),
  );
});

test("a connection without an authenticated stream may neither stay nor send much", async (t) => {
  const clock = createFakeClock(new Date());
  const world = await startListener(t, { limits: { strangerMs: 1000, strangerBytes: 50_000, handshakeMs: 60_000 }, clock });
  const far = await openAuthenticated(connectClient(t, world.port), world.agent());
  const silent = connectTcp(world.port, "127.0.0.1").resume();
  let isCut = false;
  silent.on("close", () => {
    isCut = true;
  });
  const talker = openStream(connectClient(t, world.port));
  await talker.next();
  // A message of 3 MB that never ends: below the limit of an agent's messages, above that of a stranger's.
  const unending = Buffer.alloc(3_000_000);
  void talker.send(unending);
  await turnUntil(clock, () => isCut, { stepMs: 500, mostMs: 10_000 });
  const { status: ended } = await talker.ended;
  assert.ok(ended.code === status.UNAVAILABLE || ended.code === status.RESOURCE_EXHAUSTED, String(ended.code));
  await far.send(batchOf(1));
  assert.equal((await far.next()).case, "ack");
});

test("garbage on the line is the end of that line alone", async (t) => {
  const chance = chanceOf(t);
  for (const tls of [{ kind: "insecure" }, { kind: "self_signed", ...makeSelfSigned(NAMES, new Date()) }] as const) {
    const world = await startListener(t, { tls });
    const trust =
      tls.kind === "insecure" ? credentials.createInsecure() : credentials.createSsl(null, null, null, { rejectUnauthorized: false });
    const far = await openAuthenticated(connectClient(t, world.port, trust), world.agent());
    for (const bytes of [
      chance.bytes(100_000),
      Buffer.from("GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
      Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\xff\xff\xff", "latin1"),
    ]) {
      const socket = connectTcp(world.port, "127.0.0.1");
      socket.on("error", () => undefined);
      socket.end(bytes);
      await new Promise((resolve) => socket.on("close", resolve).resume());
    }
    await far.send(batchOf(1));
    assert.equal((await far.next()).case, "ack");
  }
});

test("an address has its share of the places, a proxy on this machine or one that is trusted may have all", () => {
  const none = { includes: () => false };
  const quota = createQuota({ total: 5, perAddress: 2 }, none);
  const leave = quota.enter("192.0.2.1");
  assert.ok(leave && quota.enter("::ffff:192.0.2.1"));
  assert.equal(quota.enter("192.0.2.1"), undefined);
  leave();
  leave();
  assert.equal(quota.count(), 1);
  assert.ok(quota.enter("192.0.2.1"));
  assert.ok(quota.enter("127.0.0.1") && quota.enter("127.0.0.1") && quota.enter("::1"));
  assert.equal(quota.enter("198.51.100.1"), undefined);
  const networks = createQuota({ total: 10, perAddress: 1 }, none);
  assert.ok(networks.enter("2001:db8::1"));
  assert.equal(networks.enter("2001:db8::2"), undefined);
  assert.ok(networks.enter("2001:db8:0:1::1"));
  const behind = createQuota({ total: 4, perAddress: 1 }, { includes: (address) => address === "192.0.2.1" });
  assert.ok(behind.enter("192.0.2.1") && behind.enter("::ffff:192.0.2.1"));
  assert.ok(behind.enter("198.51.100.1"));
  assert.equal(behind.enter("198.51.100.1"), undefined);
  assert.ok(behind.enter("192.0.2.1"));
  assert.equal(behind.enter("192.0.2.1"), undefined, "all places are taken");
});
