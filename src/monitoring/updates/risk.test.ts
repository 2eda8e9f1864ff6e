import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { UPDATE_TYPES } from "../../contract/updates.ts";
import type { Vulnerability } from "../../images/index.ts";
import { levelOf, type RiskInput, riskOf } from "./risk.ts";

/** What a property is given. */
interface Drawn {
  updateType: (typeof UPDATE_TYPES)[number] | null;
  score: number | null;
  publishedPorts: number;
  servicePorts: number | null;
  privileged: boolean;
  hostNetwork: boolean;
  restarts24h: number | null;
  days: number | null;
}

const NOW = new Date("2026-03-01T12:00:00Z");
const DAY_MS = 86_400_000;

function daysAgo(days: number): Date {
  return new Date(NOW.getTime() - days * DAY_MS);
}

function vulnerability(changes: Partial<Vulnerability> = {}): Vulnerability {
  return {
    id: "CVE-2024-1",
    osvId: "DEBIAN-CVE-2024-1",
    package: "libc6",
    version: "1",
    ecosystem: "Debian:12",
    score: null,
    vector: null,
    severity: null,
    fixedIn: null,
    summary: "",
    url: "",
    publishedAt: null,
    ...changes,
  };
}

function found(...vulnerabilities: Vulnerability[]): NonNullable<RiskInput["vulnerabilities"]> {
  return { known: true, complete: true, vulnerabilities };
}

const quiet: RiskInput = {
  updateType: null,
  vulnerabilities: found(),
  exposure: { publishedPorts: 0, servicePorts: 0, privileged: false, hostNetwork: false },
  restarts24h: 0,
  currentBuiltAt: daysAgo(1),
  now: NOW,
};

function part(name: string, changes: Partial<RiskInput>): { points: number; why: string } {
  const one = riskOf({ ...quiet, ...changes }).parts.find((each) => each.name === name);
  assert.ok(one);
  return { points: one.points, why: one.why };
}

describe("risk", () => {
  it("is nothing for an image that is new, known and quiet", () => {
    const risk = riskOf(quiet);
    assert.equal(risk.score, 0);
    assert.equal(risk.level, "low");
    assert.deepEqual(
      risk.parts.map(({ name }) => name),
      ["update_type", "worst_cve", "exposure", "restarts", "age"],
    );
  });

  it("is 100 when everything is at its worst", () => {
    const risk = riskOf({
      updateType: "major",
      vulnerabilities: found(vulnerability({ score: 10, severity: "critical" })),
      exposure: { publishedPorts: 9, servicePorts: 0, privileged: true, hostNetwork: true },
      restarts24h: 50,
      currentBuiltAt: daysAgo(1000),
      now: NOW,
    });
    assert.equal(risk.score, 100);
    assert.equal(risk.level, "critical");
    assert.ok(risk.parts.every(({ points, of }) => points === of));
  });

  const cases: [string, Partial<RiskInput>, number, string][] = [
    ["update_type", { updateType: "digest" }, 4, "The same tag has newer content."],
    ["update_type", { updateType: "minor" }, 9, "A minor version is available."],
    ["worst_cve", { vulnerabilities: undefined }, 0, "Vulnerabilities are not known: they were not looked up."],
    ["worst_cve", { vulnerabilities: { ...found(), known: false } }, 0, "Vulnerabilities are not known."],
    ["worst_cve", {}, 0, "No vulnerability of its packages is known."],
    [
      "worst_cve",
      { vulnerabilities: { ...found(), complete: false } },
      0,
      "No vulnerability is known, but not all of its packages could be looked up.",
    ],
    ["worst_cve", { vulnerabilities: found(vulnerability()) }, 0, "How bad its one vulnerability is is not known."],
    [
      "worst_cve",
      {
        vulnerabilities: found(
          vulnerability({ score: 5 }),
          vulnerability({ id: "CVE-2024-2", score: 9.8, severity: "critical", fixedIn: "2" }),
        ),
      },
      40,
      "CVE-2024-2 in libc6 (critical, 9.8), fixed in 2.",
    ],
    ["worst_cve", { vulnerabilities: found(vulnerability({ severity: "high" })) }, 28, "CVE-2024-1 in libc6 (high, no score)."],
    [
      "worst_cve",
      { vulnerabilities: { ...found(vulnerability({ score: 4, severity: "medium" })), known: false } },
      16,
      "CVE-2024-1 in libc6 (medium, 4.0).",
    ],
    [
      "exposure",
      { exposure: { publishedPorts: 1, servicePorts: 0, privileged: false, hostNetwork: false } },
      4,
      "A port is exposed on all interfaces.",
    ],
    [
      "exposure",
      { exposure: { publishedPorts: 3, servicePorts: 0, privileged: true, hostNetwork: true } },
      19,
      "3 ports are exposed on all interfaces, it runs privileged and it uses host network mode.",
    ],
    ["exposure", { exposure: { ...quiet.exposure, servicePorts: 1 } }, 4, "A port of its service is open outside its cluster."],
    [
      "exposure",
      { exposure: { ...quiet.exposure, publishedPorts: 1, servicePorts: 4 } },
      7,
      "A port is exposed on all interfaces and 4 ports of its services are open outside its cluster.",
    ],
    ["exposure", { exposure: { ...quiet.exposure, servicePorts: null } }, 0, "What its cluster opens for it is not known."],
    ["exposure", { exposure: { ...quiet.exposure, servicePorts: null, privileged: true } }, 8, "It runs privileged."],
    ["restarts", { restarts24h: null }, 0, "Restarts are not known."],
    ["restarts", { restarts24h: 1 }, 2, "1 restart in 24 hours."],
    ["age", { currentBuiltAt: null }, 0, "When the image was built is not known."],
    ["age", { currentBuiltAt: new Date(0) }, 0, "When the image was built is not known."],
    ["age", { currentBuiltAt: daysAgo(-3) }, 0, "When the image was built is not known."],
    ["age", { currentBuiltAt: daysAgo(90) }, 7, "The image was built 90 days ago."],
    ["age", { currentBuiltAt: daysAgo(89) }, 3, "The image was built 89 days ago."],
  ];
  for (const [name, changes, points, why] of cases)
    it(`gives ${points} for ${name}: ${why}`, () => assert.deepEqual(part(name, changes), { points, why }));

  it("has levels that begin at 25, 50 and 75", () => {
    assert.deepEqual([0, 24, 25, 49, 50, 74, 75, 100].map(levelOf), [
      "low",
      "low",
      "medium",
      "medium",
      "high",
      "high",
      "critical",
      "critical",
    ]);
  });

  const input = fc.record({
    updateType: fc.constantFrom(null, ...UPDATE_TYPES),
    score: fc.option(fc.integer({ min: 0, max: 100 }).map((tenths) => tenths / 10)),
    publishedPorts: fc.nat(70_000),
    servicePorts: fc.option(fc.nat(10)),
    privileged: fc.boolean(),
    hostNetwork: fc.boolean(),
    restarts24h: fc.option(fc.nat(100_000)),
    days: fc.option(fc.nat(4000)),
  });
  const read = ({ updateType, score, publishedPorts, servicePorts, privileged, hostNetwork, restarts24h, days }: Drawn): RiskInput => ({
    updateType,
    vulnerabilities: score === null ? undefined : found(vulnerability({ score })),
    exposure: { publishedPorts, servicePorts, privileged, hostNetwork },
    restarts24h,
    currentBuiltAt: days === null ? null : daysAgo(days),
    now: NOW,
  });

  it("adds up, stays within bounds and gives a sentence for each part", () => {
    fc.assert(
      fc.property(input, (drawn) => {
        const { score, level, parts } = riskOf(read(drawn));
        assert.equal(
          parts.reduce((sum, { points }) => sum + points, 0),
          score,
        );
        assert.equal(
          parts.reduce((sum, { of }) => sum + of, 0),
          100,
        );
        assert.equal(level, levelOf(score));
        for (const { points, of, why } of parts) {
          assert.ok(Number.isInteger(points) && points >= 0 && points <= of);
          assert.match(why, /^[A-Z0-9].*\.$/);
        }
      }),
    );
  });

  it("says how high the level may be while something is not known", () => {
    const atMost = (changes: Partial<RiskInput>): string[] => {
      const { level, levelAtMost } = riskOf({ ...quiet, ...changes });
      return [level, levelAtMost];
    };
    assert.deepEqual(atMost({}), ["low", "low"]);
    assert.deepEqual(atMost({ restarts24h: null }), ["low", "low"]);
    // Of its ports alone: whether it runs privileged is known.
    const ofCluster = { exposure: { ...quiet.exposure, servicePorts: null } };
    assert.deepEqual(atMost({ ...ofCluster, currentBuiltAt: daysAgo(365) }), ["low", "low"]);
    assert.deepEqual(atMost({ ...ofCluster, currentBuiltAt: daysAgo(365), restarts24h: 2 }), ["low", "medium"]);
    assert.deepEqual(atMost({ vulnerabilities: undefined }), ["low", "medium"]);
    assert.deepEqual(atMost({ vulnerabilities: found(vulnerability()) }), ["low", "medium"]);
    assert.deepEqual(atMost({ vulnerabilities: { ...found(), complete: false } }), ["low", "medium"]);
    assert.deepEqual(atMost({ vulnerabilities: { ...found(vulnerability({ score: 2 })), complete: false } }), ["low", "medium"]);
    const some = { known: false, complete: false, vulnerabilities: [vulnerability({ score: 6 })] };
    assert.deepEqual(atMost({ vulnerabilities: some, updateType: "minor" }), ["medium", "medium"]);
    assert.deepEqual(atMost({ vulnerabilities: some, updateType: "minor", currentBuiltAt: null }), ["medium", "high"]);
  });

  it("knows a part that can give no more, whatever was left out", () => {
    const knownOf = (score: number): boolean | undefined =>
      riskOf({ ...quiet, vulnerabilities: { ...found(vulnerability({ score })), complete: false } }).parts[1]?.known;
    assert.deepEqual([knownOf(9), knownOf(9.8)], [false, true]);
  });

  it("is never higher than was said while something was not known", () => {
    fc.assert(
      fc.property(input, input, (seen, other) => {
        const all: Drawn = {
          ...seen,
          score: seen.score ?? other.score,
          servicePorts: seen.servicePorts ?? other.servicePorts,
          restarts24h: seen.restarts24h ?? other.restarts24h,
          days: seen.days ?? other.days,
        };
        const order = ["low", "medium", "high", "critical"];
        assert.ok(order.indexOf(riskOf(read(all)).level) <= order.indexOf(riskOf(read(seen)).levelAtMost));
      }),
    );
  });

  it("never falls when something gets worse, nor when something is not known any more turns up bad", () => {
    fc.assert(
      fc.property(input, input, (one, other) => {
        const worse: Drawn = {
          updateType: worseType(one.updateType, other.updateType),
          score: most(one.score, other.score),
          publishedPorts: Math.max(one.publishedPorts, other.publishedPorts),
          servicePorts: most(one.servicePorts, other.servicePorts),
          privileged: one.privileged || other.privileged,
          hostNetwork: one.hostNetwork || other.hostNetwork,
          restarts24h: most(one.restarts24h, other.restarts24h),
          days: most(one.days, other.days),
        };
        assert.ok(riskOf(read(worse)).score >= riskOf(read(one)).score);
      }),
    );
  });
});

function most(one: number | null, other: number | null): number | null {
  return one === null ? other : other === null ? one : Math.max(one, other);
}

function worseType(one: Drawn["updateType"], other: Drawn["updateType"]): Drawn["updateType"] {
  const rank = (type: Drawn["updateType"]): number => (type === null ? 9 : UPDATE_TYPES.indexOf(type));
  return rank(one) < rank(other) ? one : other;
}
