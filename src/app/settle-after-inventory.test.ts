import assert from "node:assert/strict";
import { test } from "node:test";
import type { Observation } from "../observations.ts";
import { settleAfterInventory } from "./settle-after-inventory.ts";

const AT = new Date("2026-03-01T12:00:00Z");
const listing: Observation = { kind: "container.inventory", observedAt: AT, containers: [] };
const runtime = (connected: boolean): Observation => ({
  kind: "runtime.changed",
  observedAt: AT,
  status: { runtime: "docker", connected, version: null, apiVersion: null, error: null, since: AT },
});

const ROWS: [what: string, agentId: string | null, batches: Observation[][], settles: boolean][] = [
  ["a listing that is still being taken in", null, [[listing]], false],
  ["a runtime that does not answer", null, [[runtime(false)]], false],
  ["another host", "an-agent", [[listing, runtime(true)]], false],
  ["our own runtime after its listing", null, [[listing], [runtime(true)]], true],
];
for (const [what, agentId, batches, settles] of ROWS)
  test(`${what} ${settles ? "lets" : "does not let"} alerts go`, async () => {
    let settled = false;
    const observer = settleAfterInventory({ settle: () => void (settled = true) });
    for (const batch of batches) await observer.observe(agentId, batch);
    assert.equal(settled, settles);
  });
