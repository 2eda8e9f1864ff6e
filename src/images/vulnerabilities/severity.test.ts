import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Severity } from "./record.ts";
import { ratingAmong, scoreOf, severityOf, severityOfRating } from "./severity.ts";

/** As the NVD publishes them, and for version 4 FIRST among its examples. */
const PUBLISHED: [string, string, number][] = [
  ["CVE-2021-44228", "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H", 10],
  ["CVE-2021-44228", "AV:N/AC:M/Au:N/C:C/I:C/A:C", 9.3],
  ["CVE-2014-0160", "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N", 7.5],
  ["CVE-2014-0160", "AV:N/AC:L/Au:N/C:P/I:N/A:N", 5],
  ["CVE-2014-6271", "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H", 9.8],
  ["CVE-2014-6271", "AV:N/AC:L/Au:N/C:C/I:C/A:C", 10],
  ["CVE-2014-3566", "CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:C/C:L/I:N/A:N", 3.4],
  ["CVE-2014-3566", "AV:N/AC:M/Au:N/C:P/I:N/A:N", 4.3],
  ["CVE-2015-4000", "CVSS:3.0/AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:L/A:N", 3.7],
  ["CVE-2016-5195", "AV:L/AC:L/Au:N/C:C/I:C/A:C", 7.2],
  ["CVE-2017-5754", "CVSS:3.1/AV:L/AC:H/PR:L/UI:N/S:C/C:H/I:N/A:N", 5.6],
  ["CVE-2021-3156", "CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H", 7.8],
  ["CVE-2021-23337", "CVSS:3.1/AV:N/AC:L/PR:H/UI:N/S:U/C:H/I:H/A:H", 7.2],
  ["CVE-2020-11022", "CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N", 6.1],
  ["CVE-2023-4863", "CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H", 8.8],
  ["CVE-2023-44487", "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H", 7.5],
  ["CVE-2024-6387", "CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:H", 8.1],
  ["CVE-2014-0160", "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N", 8.7],
  ["CVE-2021-44228", "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H", 10],
  ["CVE-2022-41741", "CVSS:4.0/AV:L/AC:L/AT:P/PR:L/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N", 7.3],
  ["CVE-2020-3549", "CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:P/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N", 7.7],
  ["CVE-2023-3089", "CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:N/VC:H/VI:L/VA:L/SC:N/SI:N/SA:N", 8.3],
];

function typed(vector: string): Severity {
  return { type: vector.startsWith("CVSS:4") ? "CVSS_V4" : vector.startsWith("CVSS:3") ? "CVSS_V3" : "CVSS_V2", score: vector };
}

describe("scores", () => {
  for (const [cve, vector, score] of PUBLISHED)
    it(`gives ${cve} ${score} by ${vector}`, () => assert.deepEqual(scoreOf([typed(vector)]), { score, vector }));

  it("takes the newest kind of vector, wherever it stands", () => {
    const v2 = typed("AV:N/AC:L/Au:N/C:P/I:N/A:N");
    const v30 = typed("CVSS:3.0/AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:L/A:N");
    const v31 = typed("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N");
    const v4 = typed("CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N");
    assert.equal(scoreOf([v2, v30, v31, v4])?.score, 8.7);
    assert.equal(scoreOf([v2, v30, v31])?.score, 7.5);
    assert.equal(scoreOf([v2, v30])?.score, 3.7);
    assert.equal(scoreOf([typed("CVSS:4.0/AV:N"), v2])?.score, 5);
  });

  it("takes the base score, whatever else a vector of version 3 says", () => {
    assert.equal(scoreOf([typed("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H/E:U/RL:O")])?.score, 10);
  });

  const none: [string, Severity][] = [
    ["is cut", typed("CVSS:3.1/AV:N/AC:L")],
    ["has a value that there is not", typed("CVSS:3.1/AV:X/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H")],
    ["says a metric twice", typed("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H/AV:L")],
    ["is a number", { type: "CVSS_V3", score: "9.8" }],
    ["is empty", { type: "CVSS_V2", score: "" }],
    ["is of another kind than it says", { type: "CVSS_V3", score: "AV:N/AC:L/Au:N/C:P/I:N/A:N" }],
    ["is a word", { type: "Ubuntu", score: "medium" }],
    ["has markup", { type: "CVSS_V3", score: "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H<script>" }],
  ];
  for (const [what, severity] of none) it(`gives none by a vector that ${what}`, () => assert.equal(scoreOf([severity]), undefined));
});

describe("severities", () => {
  it("are FIRST's words for scores", () => {
    const words = [0, 0.1, 3.9, 4, 6.9, 7, 8.9, 9, 10].map(severityOf);
    assert.deepEqual(words, ["none", "low", "low", "medium", "medium", "high", "high", "critical", "critical"]);
  });

  it("are what a database says in a word, and null where that says nothing", () => {
    const severities = { high: "high", MODERATE: "medium", Important: "high", "low**": "low", negligible: "low", unimportant: "none" };
    for (const [rating, severity] of Object.entries(severities)) assert.equal(severityOfRating(rating), severity, rating);
    for (const rating of ["not yet assigned", "end-of-life", "untriaged", "", "toString", null])
      assert.equal(severityOfRating(rating), null);
    assert.equal(ratingAmong([typed("AV:N/AC:L/Au:N/C:P/I:N/A:N"), { type: "Ubuntu", score: "medium" }]), "medium");
  });
});
