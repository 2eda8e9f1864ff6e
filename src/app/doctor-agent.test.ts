import assert from "node:assert/strict";
import { test } from "node:test";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { temporaryFolder } from "../../test/support/program.ts";
import { parseConfig } from "../config/config.ts";
import { silentLog } from "../platform/log.ts";
import { AgentStatusRepository } from "./agent-status.ts";
import { agentLooks } from "./doctor-agent.ts";

test("the doctor says what the running agent could not send since it was too large", async (t) => {
  const dataDir = temporaryFolder();
  const tooLarge = ["The listing of all containers is not sent: 10001 containers are more than the 10000 that a host may have."];
  const spool = { queued: 0, dropped: 0, bytes: 0 };
  const status = { ...spool, agentId: "a", connected: true, draining: false, reason: null, oversize: 3, tooLarge };
  const kept = new AgentStatusRepository({
    dataDir,
    uplink: { status: () => status, ended: new Promise<never>(() => {}) },
    clock: createFakeClock(new Date()),
    log: silentLog,
  });
  kept.start({ status: () => ({ connected: true }) });
  t.after(() => kept.stop());
  const start = parseConfig({ argv: ["--mode=agent", "--server=grpcs://watch.example", `--data-dir=${dataDir}`], env: {} });
  assert.ok("config" in start);
  const [, look] = agentLooks(start.config).find(([subject]) => subject === "agent") ?? [];
  assert.deepEqual(await look?.(), [
    { verdict: "ok", text: "running and connected" },
    { verdict: "warn", text: tooLarge[0] },
  ]);
});
