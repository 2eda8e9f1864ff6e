import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { MINUTE_MS } from "../../contract/time.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { port, startSecurity, type WatchedSecurity } from "../../../test/support/security.ts";
import { fc } from "../../../test/support/seed.ts";
import { sighting } from "../../../test/support/sightings.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import type { Database } from "../../storage/database.ts";
import { openSqlite } from "../../storage/sqlite.ts";
import { firstLevel, POSTURE_DEBOUNCE_MS, type PostureLevel, stepPosture, UNKNOWN_LEVEL } from "./posture-threshold.ts";

/** A look each minute; `low` and `back` at the minutes at which it was told. */
function minutes(scores: readonly (number | null)[], first: PostureLevel = UNKNOWN_LEVEL): string[] {
  let level = first;
  return scores.flatMap((score, minute) => {
    const step = stepPosture(level, { score, atMs: minute * MINUTE_MS }, { threshold: 70 });
    level = step.level;
    return step.changed ? [`${minute}: ${level.below ? "low" : "back"} from ${step.previousScore} to ${level.lastScore}`] : [];
  });
}
const times = (count: number, score: number | null): (number | null)[] => Array.from({ length: count }, () => score);

describe("a posture and its threshold", () => {
  const rows: [what: string, scores: (number | null)[], told: string[]][] = [
    ["above", times(20, 80), []],
    ["at the threshold", times(20, 70), []],
    ["below for five minutes", [80, ...times(6, 60)], ["6: low from 80 to 60"]],
    ["below for less", [80, ...times(5, 60), 75, ...times(5, 60)], []],
    ["back for less", [80, ...times(6, 60), 75, 75, 60, 75, 75, 75], ["6: low from 80 to 60"]],
    ["back", [80, ...times(7, 60), ...times(6, 90)], ["6: low from 80 to 60", "13: back from 60 to 90"]],
    [
      "of a host on which nothing runs any more",
      [60, ...times(6, 60), ...times(6, null)],
      ["5: low from null to 60", "12: back from 60 to null"],
    ],
    ["of a host on which nothing runs", times(20, null), []],
  ];
  for (const [what, scores, told] of rows)
    it(`${what}: ${told.join(", ") || "nothing is told"}`, () => assert.deepEqual(minutes(scores), told));

  it("is taken as it is at the start", () => {
    assert.deepEqual(minutes(times(10, 60), firstLevel(60, 70)), []);
    assert.deepEqual(minutes(times(6, 80), firstLevel(60, 70)), ["5: back from 60 to 80"]);
    assert.equal(firstLevel(70, 70).below, false);
  });

  it("only changes when it was on the other side at every look for five minutes", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ low: fc.boolean(), ms: fc.integer({ min: 1, max: 4 * MINUTE_MS }) }), { maxLength: 60 }),
        (looks) => {
          let level = UNKNOWN_LEVEL;
          let atMs = 0;
          let sinceMs = 0;
          let side = false;
          for (const { low, ms } of looks) {
            atMs += ms;
            if (low !== side) sinceMs = atMs;
            side = low;
            const step = stepPosture(level, { score: low ? 10 : 90, atMs }, { threshold: 50 });
            assert.equal(step.changed, low !== level.below && atMs - sinceMs >= POSTURE_DEBOUNCE_MS);
            level = step.level;
          }
        },
      ),
    );
  });
});

describe("a host whose posture is low", () => {
  const AGENT = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff";
  const BAD = { externalId: "web", name: "web", ports: [port(80), port(5432)], privileged: true };
  const FAIR = { externalId: "cache", name: "cache", ports: [port(80)] };
  const GOOD = { externalId: "safe", name: "safe" };
  let database: Database;
  let clock: FakeClock;
  let watched: WatchedSecurity;
  let isGranted: boolean;

  async function start(): Promise<void> {
    watched = await startSecurity({
      database,
      clock,
      postureThreshold: 70,
      grants: (capability) => isGranted && capability === "security_posture",
    });
  }
  beforeEach(async () => {
    isGranted = true;
    database = openSqlite({ path: `${temporaryFolder()}/threshold.db`, clock: systemClock, log: silentLog });
    await database.start();
    clock = createFakeClock();
    await start();
    watched.security.announce();
  });
  afterEach(async () => {
    await watched.stop();
    await database.stop();
  });

  const told = () =>
    watched.told("security.posture_threshold").map(({ name, below, score, previous_score }) => ({ name, below, score, previous_score }));
  const announced = () => watched.security.announce().flatMap(({ type, data }) => (type === "security.posture_threshold" ? [data] : []));

  it("is told after five minutes, with what pulls it down, and when it is back", async () => {
    await watched.show(GOOD, FAIR);
    await clock.advance(MINUTE_MS);
    await watched.show(BAD, GOOD, FAIR);
    await clock.advance(POSTURE_DEBOUNCE_MS - 20_000);
    assert.deepEqual([told(), announced()], [[], []]);
    await clock.advance(40_000);
    assert.deepEqual(told(), [{ name: "Local", below: true, score: 56, previous_score: 85 }]);
    assert.partialDeepStrictEqual(announced(), [
      { agent_id: null, threshold: 70, below: true, worst: ["web", "cache"], previous_score: 85 },
    ]);
    await watched.show(GOOD, FAIR);
    await clock.advance(POSTURE_DEBOUNCE_MS + 20_000);
    assert.deepEqual(told().slice(1), [{ name: "Local", below: false, score: 85, previous_score: 56 }]);
    assert.deepEqual(announced(), []);
  });

  it("is each host by itself", async () => {
    await watched.show(GOOD);
    await watched.see(AGENT, {
      kind: "container.inventory",
      observedAt: clock.now(),
      containers: [sighting({ ...BAD, externalId: "there" })],
    });
    await clock.advance(POSTURE_DEBOUNCE_MS + 20_000);
    assert.deepEqual(
      told().map(({ name }) => name),
      [AGENT],
    );
  });

  it("is over when nothing runs there any more", async () => {
    await watched.show(BAD);
    await clock.advance(POSTURE_DEBOUNCE_MS + 20_000);
    await watched.show();
    await clock.advance(MINUTE_MS);
    assert.partialDeepStrictEqual(announced(), [{ below: true }]);
    await clock.advance(POSTURE_DEBOUNCE_MS);
    assert.partialDeepStrictEqual(told()[1], { below: false, score: null });
  });

  it("is still low after a restart, without a wait", async () => {
    await watched.show(BAD);
    await clock.advance(POSTURE_DEBOUNCE_MS + 20_000);
    await watched.stop();
    await start();
    assert.partialDeepStrictEqual(announced(), [{ below: true, worst: ["web"] }]);
    assert.deepEqual(told(), []);
  });

  it("is no matter without the edition, and over when that is lost", async () => {
    isGranted = false;
    await watched.show(BAD);
    await clock.advance(2 * POSTURE_DEBOUNCE_MS);
    assert.deepEqual([told(), announced()], [[], []]);
    isGranted = true;
    await clock.advance(POSTURE_DEBOUNCE_MS + 20_000);
    assert.equal(announced().length, 1);
    isGranted = false;
    await clock.advance(20_000);
    assert.deepEqual([told().map(({ below }) => below), announced()], [[true, false], []]);
  });

  it("counts what is known of updates", async () => {
    await watched.stop();
    watched = await startSecurity({ database, clock, postureThreshold: 95, grants: () => true, updatesOf: () => ["critical"] });
    watched.security.announce();
    await watched.show(GOOD);
    await clock.advance(POSTURE_DEBOUNCE_MS + 20_000);
    assert.partialDeepStrictEqual(told(), [{ below: true, score: 91 }]);
  });
});
