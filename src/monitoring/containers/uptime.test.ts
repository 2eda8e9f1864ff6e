import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { CONTAINER_STATES } from "../../events.ts";
import { countsAs } from "./container.ts";
import { countIncidents, observedMs, type StateChange, stateSpans, type UptimeInput, unobservedSpans, uptimePercent } from "./uptime.ts";

const running = { state: "running", health: null } as const;
const exited = { state: "exited", health: null } as const;
const window = { from: 0, to: 100 };
const input = (facts: Partial<UptimeInput>): UptimeInput => ({
  before: running,
  changes: [],
  watched: [window],
  archivedAt: null,
  ...facts,
});

describe("uptime", () => {
  const cases: [string, Partial<UptimeInput>, number | null][] = [
    ["all the time", {}, 100],
    ["never", { before: exited }, 0],
    [
      "down for a tenth",
      {
        changes: [
          { at: 50, ...exited },
          { at: 60, ...running },
        ],
      },
      90,
    ],
    ["running but unhealthy is down", { changes: [{ at: 75, state: "running", health: "unhealthy" }] }, 75],
    ["paused is not counted", { changes: [{ at: 20, state: "paused", health: null }] }, 100],
    ["a finished job is not counted", { before: { state: "completed", health: null } }, null],
    ["what somebody stopped is not counted", { changes: [{ at: 20, ...exited, stopRequested: true }] }, 100],
    ["created is not counted", { before: { state: "created", health: null }, changes: [{ at: 50, ...exited }] }, 0],
    [
      "restarting and dead are down",
      {
        changes: [
          { at: 50, state: "restarting", health: null },
          { at: 70, state: "dead", health: null },
        ],
      },
      50,
    ],
    [
      "time not watched does not count",
      {
        changes: [{ at: 50, ...exited }],
        watched: [
          { from: 0, to: 50 },
          { from: 90, to: 100 },
        ],
      },
      83.33,
    ],
    ["nothing was watched", { watched: [] }, null],
    [
      "watched only outside the window",
      {
        watched: [
          { from: -50, to: 0 },
          { from: 100, to: 150 },
        ],
      },
      null,
    ],
    ["not there before its first change", { before: null, changes: [{ at: 80, ...running }] }, 100],
    ["never there", { before: null }, null],
    ["gone from 50 on", { archivedAt: 50, changes: [{ at: 25, ...exited }] }, 50],
    ["a change before the window", { before: exited, changes: [{ at: -10, ...running }] }, 100],
    ["is cut, not rounded", { changes: [{ at: 66.667, ...exited }] }, 66.66],
    ["99.999 is not 100", { changes: [{ at: 99.999, ...exited }] }, 99.99],
  ];
  for (const [name, facts, expected] of cases) it(name, () => assert.equal(uptimePercent(input(facts), window), expected));

  it("agrees with counting each millisecond", () => {
    const time = fc.integer({ min: -20, max: 120 });
    const change = fc.record({
      at: time,
      state: fc.constantFrom(...CONTAINER_STATES),
      health: fc.constantFrom("healthy", "unhealthy", null),
      stopRequested: fc.boolean(),
    });
    const spans = fc.uniqueArray(time, { maxLength: 8 }).map((times) => {
      const sorted = times.sort((a, b) => a - b);
      return sorted.flatMap((from, index) =>
        index % 2 === 0 && sorted[index + 1] !== undefined ? [{ from, to: sorted[index + 1] ?? from }] : [],
      );
    });
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 8 }),
        spans,
        fc.option(time),
        fc.option(fc.constant(running)),
        (changes, watched, archivedAt, before) => {
          changes.sort((a, b) => a.at - b.at);
          const facts = { before, changes: changes as StateChange[], watched, archivedAt };
          assert.equal(uptimePercent(facts, window), counted(facts));
        },
      ),
    );
  });

  function counted({ before, changes, watched, archivedAt }: UptimeInput): number | null {
    let observed = 0;
    let up = 0;
    for (let moment = window.from; moment < window.to; moment += 1) {
      const current = changes.findLast((change) => change.at <= moment) ?? before;
      if (current === null || moment >= (archivedAt ?? Infinity) || !watched.some(({ from, to }) => moment >= from && moment < to))
        continue;
      const counts = countsAs(current);
      if (counts !== null) observed += 1;
      if (counts === "up") up += 1;
    }
    return observed === 0 ? null : Math.floor((up / observed) * 10_000) / 100;
  }
});

describe("incidents", () => {
  it("are the times it went down without a plan, within the window", () => {
    const changes: StateChange[] = [
      { at: -5, ...exited },
      { at: 1, ...running },
      { at: 10, ...exited },
      { at: 11, state: "restarting", health: null },
      { at: 12, ...running },
      { at: 20, state: "completed", health: null },
      { at: 30, ...running },
      { at: 40, state: "running", health: "unhealthy" },
      { at: 120, ...exited },
    ];
    assert.equal(countIncidents(input({ changes }), window), 2);
  });
});

describe("states within a window", () => {
  it("are counted only while the host was watched, from the first sight until it was gone", () => {
    const changes: StateChange[] = [
      { at: 10, ...running },
      { at: 30, state: "running", health: "unhealthy" },
      { at: 50, ...exited },
      { at: 60, state: "exited", health: null, stopRequested: true },
    ];
    const watched = [
      { from: -10, to: 40 },
      { from: 45, to: 100 },
    ];
    assert.deepEqual(stateSpans(input({ before: null, changes, watched, archivedAt: 80 }), window), [
      { from: 10, to: 30, state: "up" },
      { from: 30, to: 40, state: "degraded" },
      { from: 45, to: 50, state: "degraded" },
      { from: 50, to: 60, state: "down" },
      { from: 60, to: 80, state: "stopped" },
    ]);
  });

  it("are observed or not, whatever they are", () => {
    const facts = input({
      before: null,
      changes: [{ at: 10, state: "completed", health: null }],
      watched: [
        { from: -10, to: 40 },
        { from: 45, to: 60 },
        { from: 70, to: 75 },
      ],
      archivedAt: 80,
    });
    assert.equal(observedMs(facts, window), 50);
    assert.deepEqual(unobservedSpans(facts, window), [
      { from: 40, to: 45 },
      { from: 60, to: 70 },
      { from: 75, to: 80 },
    ]);
    assert.deepEqual(unobservedSpans(input({ watched: [] }), window), [window]);
    assert.deepEqual(unobservedSpans(input({ before: null }), window), []);
  });
});
