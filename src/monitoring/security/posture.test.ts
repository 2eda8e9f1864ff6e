import assert from "node:assert/strict";
import { describe, it, afterEach, beforeEach } from "node:test";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { port, startSecurity, type WatchedSecurity } from "../../../test/support/security.ts";
import { fc } from "../../../test/support/seed.ts";
import { MINUTE_MS } from "../../contract/time.ts";
import type { InsightType } from "../../events.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import type { Database } from "../../storage/database.ts";
import { openSqlite } from "../../storage/sqlite.ts";
import type { Insight } from "./insight.ts";
import {
  categoriesOf,
  gainOf,
  gradeOf,
  lossesOf,
  meanOf,
  type PostureSeverity,
  scoreOf,
  firstLevel,
  POSTURE_DEBOUNCE_MS,
  type PostureLevel,
  stepPosture,
  UNKNOWN_LEVEL,
} from "./posture.ts";
import { describeStep, stepsOf } from "./steps.ts";
import { insightsOf } from "./insight.ts";
import { wordsOf } from "./words.ts";
import { defaultSettings, sighting } from "../../../test/support/sightings.ts";

const finding = (type: InsightType, key = ""): Insight => ({ type, key, bindings: [{ hostIp: "0.0.0.0", hostPort: 1 }], database: null });
const OPEN = finding("port_exposed_all_interfaces", "80/tcp");
const DATABASE = finding("database_port_exposed", "80/tcp");
const PRIVILEGED = finding("privileged_container");
const HOST = finding("host_network_mode");

describe("the posture of a container", () => {
  // Network 45, configuration 30, updates 25; critical 35, high 20, medium 10, low 5.
  const rows: [what: string, findings: Insight[], updates: PostureSeverity[] | undefined, score: number][] = [
    ["nothing", [], undefined, 100],
    ["an open port", [OPEN], undefined, (65 * 45 + 100 * 30) / 75],
    ["a privileged container", [PRIVILEGED], undefined, (100 * 45 + 65 * 30) / 75],
    ["the network of the host", [HOST], undefined, (80 * 45 + 100 * 30) / 75],
    ["more than a category can lose", [OPEN, DATABASE, OPEN], undefined, (100 * 30) / 75],
    ["a node port", [finding("service_node_port")], undefined, (90 * 45 + 100 * 30) / 75],
    ["updates that apply and are all there", [], [], 100],
    ["updates with a low and a critical one", [OPEN], ["low", "critical"], (65 * 45 + 100 * 30 + 60 * 25) / 100],
  ];
  for (const [what, findings, updates, expected] of rows) {
    it(`with ${what} is ${Math.round(expected)}`, () => assert.equal(scoreOf({ findings, updates }).score, expected));
  }

  it("has grades", () => {
    assert.deepEqual([100, 90, 89.6, 89.4, 80, 70, 60, 59, 0].map(gradeOf), ["A", "A", "A", "B", "B", "C", "D", "F", "F"]);
  });

  it("has steps that put several findings right at once", () => {
    const steps = stepsOf([OPEN, DATABASE, PRIVILEGED], undefined);
    assert.deepEqual(
      steps.map(({ remedy, resolves, scoreAfter }) => [remedy, resolves.length, Math.round(scoreAfter)]),
      [
        ["publish_locally", 2, 86],
        ["drop_privileged", 1, 58],
      ],
    );
    const [first] = steps;
    assert.ok(first !== undefined);
    assert.deepEqual(describeStep({ name: "web", unit: null, image: "shop/web:1.2" }, first), {
      text: "Publish 80/tcp of web on 127.0.0.1 only, or not at all if only other containers need it.",
      snippet: 'services:\n  web:\n    ports:\n      - "127.0.0.1:1:80"',
    });
  });
});

describe("the ports of websites", () => {
  const own = { ...OPEN, key: "443/tcp", bindings: [{ hostIp: "0.0.0.0", hostPort: 443 }] };
  const admin = { ...OPEN, key: "8080/tcp", bindings: [{ hostIp: "0.0.0.0", hostPort: 8080 }] };
  const proxy = { name: "proxy", unit: null, image: "caddy:2" };

  it("are left open, and asked about apart from others", () => {
    const steps = stepsOf([own, admin], undefined);
    assert.deepEqual(
      steps.map(({ remedy, resolves }) => [remedy, ...resolves.map(({ key }) => key)]),
      [
        ["publish_locally", "8080/tcp"],
        ["confirm_public", "443/tcp"],
      ],
    );
    const [, asked] = steps;
    assert.ok(asked);
    assert.deepEqual(describeStep(proxy, asked), {
      text: "443/tcp of proxy is a usual public web port. If proxy serves visitors, leave it open and acknowledge it with a reason.",
      snippet: null,
    });
    const { fix, snippet } = wordsOf(proxy, own);
    assert.match(fix, /leave it open/);
    assert.equal(snippet, null);
    assert.match(wordsOf(proxy, admin).snippet ?? "", /127\.0\.0\.1:8080/);
  });
});

describe("a database that every node of a cluster has open", () => {
  const bindings = [{ hostIp: "0.0.0.0", hostPort: 30_432 }];
  const open = insightsOf({ state: "running", ports: [], networkMode: "bridge", privileged: false, settings: defaultSettings }, [], {
    nodePorts: [{ port: 5432, protocol: "tcp", bindings }],
  });

  for (const [runtime, fix] of [
    ["kubernetes", /ClusterIP/],
    ["swarm", /overlay network/],
  ] as const)
    it(`is closed in the service of ${runtime}, not on one address`, () => {
      const steps = stepsOf(open, undefined);
      assert.deepEqual(
        steps.map(({ remedy }) => remedy),
        ["close_cluster_service", "close_cluster_service"],
      );
      for (const step of steps) {
        const { text, snippet } = describeStep({ name: "db", unit: null, image: "postgres:16", runtime }, step);
        assert.match(text, fix);
        assert.doesNotMatch(`${text} ${snippet}`, /127\.0\.0\.1/);
      }
      const [database] = open;
      assert.ok(database);
      assert.match(wordsOf({ name: "db", unit: null, runtime }, database).what, /port 30432 of every node/);
    });
});

describe("a newer image", () => {
  const WEB = { name: "web", unit: "web", image: "shop/web:1.2" };

  it("is a step by what it puts right, and no more", () => {
    const steps = stepsOf([OPEN], ["critical", "high"], { image: "shop/web:1.3", leaves: ["high"] });
    assert.deepEqual(
      steps.map(({ remedy, scoreAfter, image }) => [remedy, scoreAfter, image]),
      [
        ["publish_locally", scoreOf({ findings: [], updates: ["critical", "high"] }).score, null],
        ["update_image", scoreOf({ findings: [OPEN], updates: ["high"] }).score, "shop/web:1.3"],
      ],
    );
    const update = steps[1];
    assert.ok(update !== undefined);
    assert.deepEqual(describeStep(WEB, update), {
      text: "Update web from shop/web:1.2 to shop/web:1.3.",
      snippet: "services:\n  web:\n    image: shop/web:1.3",
    });
    assert.match(describeStep({ ...WEB, image: "shop/web:1.3" }, update).text, /^Pull shop\/web:1\.3 and recreate web/);
  });

  const none: [what: string, updates: PostureSeverity[] | undefined, leaves: PostureSeverity[] | undefined][] = [
    ["nothing is newer", ["critical"], undefined],
    ["nothing is known of updates", undefined, []],
    ["nothing counts against the image", [], []],
    ["it puts nothing right", ["high"], ["high"]],
    ["it is worse", ["high"], ["critical"]],
  ];
  for (const [what, updates, leaves] of none) {
    it(`is no step when ${what}`, () =>
      assert.deepEqual(stepsOf([], updates, leaves === undefined ? undefined : { image: "shop/web:1.3", leaves }), []));
  }

  it("is written so that no name of a tag breaks the file", () => {
    const [step] = stepsOf([], ["low"], { image: 'x:1" #\n  privileged: true', leaves: [] });
    assert.ok(step !== undefined);
    assert.match(describeStep(WEB, step).snippet ?? "", /^services:\n {2}web:\n {4}image: "x:1\\" # privileged: true"$/);
  });
});

describe("the posture of many", () => {
  const scores = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 50 });

  it("is pulled down by the worst", () => {
    const of = (...all: number[]): number => Math.round(meanOf(lossesOf(all)) ?? Number.NaN);
    assert.deepEqual([of(100, 100), of(100, 0), of(50, 50), of(...Array.from({ length: 99 }, () => 100), 0)], [100, 29, 50, 90]);
    assert.equal(meanOf(lossesOf([])), undefined);
  });

  it("never falls when one of them rises", () => {
    fc.assert(
      fc.property(scores, fc.integer({ min: 0, max: 100 }), ([before = 0, ...others], after) => {
        const gain = gainOf(lossesOf([before, ...others]), before, after);
        assert.ok(after >= before ? gain >= 0 : gain <= 0);
      }),
    );
  });

  it("lies between the worst and the plain mean", () => {
    fc.assert(
      fc.property(scores, (all) => {
        const mean = meanOf(lossesOf(all)) ?? Number.NaN;
        const plain = all.reduce((sum, score) => sum + score, 0) / all.length;
        assert.ok(mean >= Math.min(...all) - 1e-9 && mean <= plain + 1e-9);
      }),
    );
  });

  it("gains what it would be less what it is", () => {
    fc.assert(
      fc.property(scores, fc.integer({ min: 0, max: 100 }), (all, after) => {
        const [before = 0, ...others] = all;
        const gain = (meanOf(lossesOf([after, ...others])) ?? 0) - (meanOf(lossesOf(all)) ?? 0);
        assert.ok(Math.abs(gainOf(lossesOf(all), before, after) - gain) < 1e-9);
      }),
    );
  });

  it("has the categories that apply to any", () => {
    const all = [scoreOf({ findings: [OPEN], updates: ["low"] }), scoreOf({ findings: [PRIVILEGED, HOST], updates: undefined })];
    assert.deepEqual(
      categoriesOf(all).map(({ name, score, findings }) => [name, Math.round(score), findings]),
      [
        ["network", 71, 2],
        ["configuration", 75, 1],
        ["updates", 95, 1],
      ],
    );
  });
});

/** An evaluation each minute; `low` and `back` at the minutes at which it was published. */
function minutes(scores: readonly (number | null)[], first: PostureLevel = UNKNOWN_LEVEL): string[] {
  let level = first;
  return scores.flatMap((score, minute) => {
    const step = stepPosture(level, { score, atMs: minute * MINUTE_MS }, 70);
    level = step.level;
    return step.changed ? [`${minute}: ${level.below ? "low" : "back"} from ${step.previousScore} to ${level.lastScore}`] : [];
  });
}
const times = (count: number, score: number | null): (number | null)[] => Array.from({ length: count }, () => score);

describe("a posture and its threshold", () => {
  const rows: [what: string, scores: (number | null)[], expected: string[]][] = [
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
  for (const [what, scores, expected] of rows)
    it(`${what}: ${expected.join(", ") || "nothing is published"}`, () => assert.deepEqual(minutes(scores), expected));

  it("is taken as it is at the start", () => {
    assert.deepEqual(minutes(times(10, 60), firstLevel(60, 70)), []);
    assert.deepEqual(minutes(times(6, 80), firstLevel(60, 70)), ["5: back from 60 to 80"]);
    assert.equal(firstLevel(70, 70).below, false);
  });

  it("only changes when it was on the other side at every evaluation for five minutes", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ low: fc.boolean(), ms: fc.integer({ min: 1, max: 4 * MINUTE_MS }) }), { maxLength: 60 }),
        (evaluations) => {
          let level = UNKNOWN_LEVEL;
          let atMs = 0;
          let sinceMs = 0;
          let side = false;
          for (const { low, ms } of evaluations) {
            atMs += ms;
            if (low !== side) sinceMs = atMs;
            side = low;
            const step = stepPosture(level, { score: low ? 10 : 90, atMs }, 50);
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

  const published = () =>
    watched
      .published("security.posture_threshold")
      .map(({ name, below, score, previous_score }) => ({ name, below, score, previous_score }));
  const announced = () => watched.security.announce().flatMap(({ type, data }) => (type === "security.posture_threshold" ? [data] : []));

  it("is published after five minutes, with what lowers it, and when it is back", async () => {
    await watched.show(GOOD, FAIR);
    await clock.advance(MINUTE_MS);
    await watched.show(BAD, GOOD, FAIR);
    await clock.advance(POSTURE_DEBOUNCE_MS - 20_000);
    assert.deepEqual([published(), announced()], [[], []]);
    await clock.advance(40_000);
    assert.deepEqual(published(), [{ name: "Local", below: true, score: 56, previous_score: 85 }]);
    assert.partialDeepStrictEqual(announced(), [
      { agent_id: null, threshold: 70, below: true, worst: ["web", "cache"], previous_score: 85 },
    ]);
    await watched.show(GOOD, FAIR);
    await clock.advance(POSTURE_DEBOUNCE_MS + 20_000);
    assert.deepEqual(published().slice(1), [{ name: "Local", below: false, score: 85, previous_score: 56 }]);
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
      published().map(({ name }) => name),
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
    assert.partialDeepStrictEqual(published()[1], { below: false, score: null });
  });

  it("is still low after a restart, without a wait", async () => {
    await watched.show(BAD);
    await clock.advance(POSTURE_DEBOUNCE_MS + 20_000);
    await watched.stop();
    await start();
    assert.partialDeepStrictEqual(announced(), [{ below: true, worst: ["web"] }]);
    assert.deepEqual(published(), []);
  });

  it("is no matter without the edition, and over when that is lost", async () => {
    isGranted = false;
    await watched.show(BAD);
    await clock.advance(2 * POSTURE_DEBOUNCE_MS);
    assert.deepEqual([published(), announced()], [[], []]);
    isGranted = true;
    await clock.advance(POSTURE_DEBOUNCE_MS + 20_000);
    assert.equal(announced().length, 1);
    isGranted = false;
    await clock.advance(20_000);
    assert.deepEqual([published().map(({ below }) => below), announced()], [[true, false], []]);
  });

  it("counts what is known of updates", async () => {
    await watched.stop();
    watched = await startSecurity({ database, clock, postureThreshold: 95, grants: () => true, updatesOf: () => ["critical"] });
    watched.security.announce();
    await watched.show(GOOD);
    await clock.advance(POSTURE_DEBOUNCE_MS + 20_000);
    assert.partialDeepStrictEqual(published(), [{ below: true, score: 91 }]);
  });
});
