import assert from "node:assert/strict";
import { it } from "node:test";
import { scanOf, startCertificates } from "../../../test/support/certificates.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { turnUntil } from "../../../test/support/turn-until.ts";
import { MINUTE_MS } from "../../contract/time.ts";
import { pause } from "../../platform/clock.ts";

const COUNT = 20;
const ROUNDS = 4;
const SCAN_MS = 4_000;

onBothDatabases((databases) => {
  it("scans each every minute where scans are slow, and some have to wait for others", async (t) => {
    const clock = createFakeClock();
    const watched = await startCertificates({ database: await databases.create(), clock });
    t.after(() => watched.stop());
    for (let index = 0; index < COUNT; index += 1) await watched.create({ domain: `host-${index}.test` });

    const begun = new Map<string, number[]>();
    watched.shows(async ({ domain }) => {
      begun.set(domain, [...(begun.get(domain) ?? []), clock.monotonicMs()]);
      await pause(clock, SCAN_MS);
      return scanOf();
    });
    const isDone = (): boolean => begun.size === COUNT && [...begun.values()].every((times) => times.length >= ROUNDS);
    await turnUntil(clock, isDone, { stepMs: 1_000, mostMs: 2 * ROUNDS * MINUTE_MS });
    const gaps = [...begun.values()].flatMap((times) => times.slice(1).map((time, index) => time - (times[index] ?? 0)));
    assert.ok(Math.max(...gaps) < 1.5 * MINUTE_MS, `up to ${Math.max(...gaps)} ms between two scans`);
  });
});
