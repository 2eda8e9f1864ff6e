import assert from "node:assert/strict";
import { rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, test } from "node:test";
import { createFakeClock, type FakeClock } from "../../test/support/fake-clock.ts";
import { temporaryFolder } from "../../test/support/program.ts";
import { silentLog } from "../platform/log.ts";
import { AgentStatusRepository, readAgentStatus } from "./agent-status.ts";

let dataDir: string;
let clock: FakeClock;
const path = (): string => join(dataDir, "agent-status.json");

beforeEach(() => {
  dataDir = temporaryFolder();
  // The file carries the time of the file system.
  clock = createFakeClock(new Date());
});

function repository({
  connected = true,
  ended = new Promise<never>(() => {}),
}: { connected?: boolean; ended?: Promise<{ code: string; message: string }> } = {}) {
  const status = {
    agentId: "a",
    connected: false,
    draining: false,
    reason: "no route to it",
    queued: 7,
    dropped: 2,
    bytes: 900,
    oversize: 1,
    tooLarge: ["Too much."],
  };
  const kept = new AgentStatusRepository({ dataDir, uplink: { status: () => status, ended }, clock, log: silentLog });
  return {
    watchedUntil: () => kept.watchedUntil(),
    start: () => kept.start({ status: () => ({ connected }) }),
    stop: () => kept.stop(),
  };
}

test("an agent that runs says how it is, for its user's eyes alone", () => {
  const kept = repository();
  kept.start();
  const { reason, queued, dropped, retired } = readAgentStatus(dataDir, clock) ?? {};
  assert.deepEqual([reason, queued, dropped, retired], ["no route to it", 7, 2, false]);
  assert.equal(statSync(path()).mode & 0o777, 0o600);
  kept.stop();
  assert.equal(readAgentStatus(dataDir, clock), undefined);
});

test("one that was killed, or hangs, counts as not there after a while", () => {
  repository().start();
  const longAgo = clock.now().getTime() / 1000 - 60;
  utimesSync(path(), longAgo, longAgo);
  assert.equal(readAgentStatus(dataDir, clock), undefined);
});

test("one that was revoked says so", async () => {
  repository({ ended: Promise.resolve({ code: "agent_revoked", message: "revoked" }) }).start();
  await clock.advance(10_000);
  assert.equal(readAgentStatus(dataDir, clock)?.retired, true);
});

test("until when it watched is known to the next run, and is not moved on while the runtime is away", async () => {
  assert.equal(repository().watchedUntil(), undefined);
  const first = repository();
  first.start();
  await clock.advance(10_000);
  const watched = clock.now();
  const second = repository({ connected: false });
  second.start();
  await clock.advance(20_000);
  second.stop();
  assert.deepEqual(repository().watchedUntil(), watched);
});

test("a torn file is like none", () => {
  writeFileSync(path(), '{"running": tr');
  assert.equal(readAgentStatus(dataDir, clock), undefined);
  assert.equal(repository().watchedUntil(), undefined);
});

test("a folder that is gone is no end", () => {
  const kept = repository();
  rmSync(dataDir, { recursive: true });
  kept.start();
  assert.equal(readAgentStatus(dataDir, clock), undefined);
});
