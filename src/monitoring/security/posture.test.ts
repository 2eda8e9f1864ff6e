import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import type { InsightType } from "../../events.ts";
import type { Insight } from "./insight.ts";
import { categoriesOf, gainOf, gradeOf, lossesOf, meanOf, type PostureSeverity, scoreOf } from "./posture.ts";
import { describeStep, stepsOf } from "./steps.ts";
import { insightsOf } from "./insight.ts";
import { wordsOf } from "./words.ts";
import { defaultSettings } from "../../../test/support/sightings.ts";

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
