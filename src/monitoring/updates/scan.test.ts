import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { workInLanes } from "../../platform/queues.ts";
import { newScan, nextScanAt, withImage } from "./known-image.ts";

describe("work in lanes", () => {
  it("does all of it once, within its bounds", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 30 }),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 5 }),
        async (items, perLane, atOnce) => {
          const busy = new Map<string, number>();
          const done: string[] = [];
          let all = 0;
          await workInLanes(items, { laneOf: (item) => item, perLane, atOnce, signal: new AbortController().signal }, async (item) => {
            busy.set(item, (busy.get(item) ?? 0) + 1);
            all += 1;
            assert.ok((busy.get(item) ?? 0) <= perLane && all <= atOnce);
            await new Promise((resolve) => setImmediate(resolve));
            busy.set(item, (busy.get(item) ?? 0) - 1);
            all -= 1;
            done.push(item);
          });
          assert.deepEqual(done.toSorted(), items.toSorted());
        },
      ),
      { numRuns: 50 },
    );
  });

  it("begins nothing once it is aborted", async () => {
    const abort = new AbortController();
    let done = 0;
    await workInLanes(["a", "a", "a"], { laneOf: (item) => item, perLane: 1, atOnce: 1, signal: abort.signal }, async () => {
      done += 1;
      abort.abort();
    });
    assert.equal(done, 1);
  });
});

describe("scans", () => {
  const startedAt = new Date("2026-03-01T12:00:00Z");
  const afterStart = (minutes: number): Date => new Date(startedAt.getTime() + minutes * 60_000);
  const due = (last: { status: "completed" | "failed"; startedAt: Date } | undefined, chance: number) =>
    nextScanAt({ intervalMs: 3_600_000, startedAt, last, chance }).getTime() - startedAt.getTime();

  it("are due within the interval, at most a tenth early", () => {
    assert.equal(due(undefined, 0), 30_000);
    assert.equal(due({ status: "completed", startedAt: afterStart(-30) }, 0.5), 27 * 60_000);
    assert.equal(due({ status: "completed", startedAt: afterStart(0) }, 0), 60 * 60_000);
    assert.equal(due({ status: "completed", startedAt: afterStart(0) }, 1), 54 * 60_000);
    assert.equal(due({ status: "completed", startedAt: afterStart(-600) }, 0.5), 30_000);
    assert.equal(due({ status: "failed", startedAt: afterStart(0) }, 0), 600_000);
  });

  it("keep 200 errors at most, as the API says, and count on", () => {
    let scan = newScan("x", "manual", startedAt);
    for (let image = 0; image < 205; image += 1) scan = withImage(scan, { image: `i${image}`, found: image === 0, error: "No." });
    assert.deepEqual([scan.scanned, scan.updatesFound, scan.errors.length], [205, 1, 200]);
  });
});
