import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { endedBefore, lastPurgeTime } from "./purge.ts";

test("runs are purged by the latest 03:00 that is over", () => {
  const cases: [now: Date, last: Date][] = [
    [new Date(2026, 0, 10, 3, 0, 0), new Date(2026, 0, 10, 3)],
    [new Date(2026, 0, 10, 2, 59, 59, 999), new Date(2026, 0, 9, 3)],
    [new Date(2026, 2, 1, 0, 0), new Date(2026, 1, 28, 3)],
    [new Date(2026, 0, 1, 1, 0), new Date(2025, 11, 31, 3)],
  ];
  for (const [now, last] of cases) {
    assert.deepEqual(lastPurgeTime(now), last);
    assert.equal(endedBefore(now).getTime(), last.getTime() - 90 * 24 * 3_600_000);
  }
});

test("03:00 is that of the host's zone, also on the days when its clock is put forward or back", () => {
  const cases: [zone: string, now: string, last: string][] = [
    ["Europe/Berlin", "2026-03-29T00:59:59Z", "2026-03-28T02:00:00.000Z"],
    // 02:00 to 03:00 is left out.
    ["Europe/Berlin", "2026-03-29T01:00:00Z", "2026-03-29T01:00:00.000Z"],
    ["Europe/Berlin", "2026-10-25T01:30:00Z", "2026-10-24T01:00:00.000Z"],
    // 02:00 to 03:00 comes twice.
    ["Europe/Berlin", "2026-10-25T02:00:00Z", "2026-10-25T02:00:00.000Z"],
    ["America/New_York", "2026-03-08T06:59:00Z", "2026-03-07T08:00:00.000Z"],
    ["America/New_York", "2026-03-08T07:00:00Z", "2026-03-08T07:00:00.000Z"],
    ["Asia/Kolkata", "2026-06-01T21:29:59Z", "2026-05-31T21:30:00.000Z"],
    ["Asia/Kolkata", "2026-06-01T21:30:00Z", "2026-06-01T21:30:00.000Z"],
  ];
  const program = `
    import { lastPurgeTime } from ${JSON.stringify(new URL("./purge.ts", import.meta.url).href)};
    console.log(JSON.stringify(process.argv.slice(1).map((now) => lastPurgeTime(new Date(now)))));
  `;
  for (const zone of new Set(cases.map(([each]) => each))) {
    const ofZone = cases.filter(([each]) => each === zone);
    const args = ["--input-type=module", "--eval", program, ...ofZone.map(([, now]) => now)];
    const answer: unknown = JSON.parse(execFileSync(process.execPath, args, { env: { TZ: zone }, encoding: "utf8" }));
    assert.deepEqual(
      answer,
      ofZone.map(([, , last]) => last),
      zone,
    );
  }
});
