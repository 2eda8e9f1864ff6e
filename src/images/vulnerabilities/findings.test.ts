import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { osvRecord, VECTORS } from "../../../test/support/osv.ts";
import type { Package, Vulnerability } from "../image.ts";
import { findingsOf, vulnerabilityOf, worstFirst, questionsOf } from "./findings.ts";
import { readRecord } from "./record.ts";

function installed(name: string, source: string | null = null, version = "3.0.11-1~deb12u2", ecosystem = "Debian:12"): Package {
  return { ecosystem, name, version, source: source === null ? null : { name: source, version } };
}

function vulnerabilitiesOf(packages: Package[], ...records: object[]): Vulnerability[] {
  const { questions } = questionsOf(packages);
  const [question] = questions;
  assert.ok(question);
  assert.equal(questions.length, 1);
  const read = records.map((record) => readRecord(record)).filter((record) => record !== undefined);
  assert.equal(read.length, records.length);
  return findingsOf(question, read).map(vulnerabilityOf).sort(worstFirst);
}

const openssl = { ecosystem: "Debian:12", name: "openssl" };
const libssl = [installed("libssl3", "openssl")];

describe("findings", () => {
  it("show the CVE, the record, the score and the fix", () => {
    const record = osvRecord({
      id: "DEBIAN-CVE-2024-5535",
      ...openssl,
      fixed: "3.0.14-1~deb12u1",
      vector: VECTORS.critical,
      upstream: ["CVE-2024-5535"],
      details: "A buffer overread.",
    });
    assert.deepEqual(vulnerabilitiesOf(libssl, record), [
      {
        id: "CVE-2024-5535",
        osvId: "DEBIAN-CVE-2024-5535",
        package: "libssl3",
        version: "3.0.11-1~deb12u2",
        ecosystem: "Debian:12",
        score: 9.8,
        vector: VECTORS.critical,
        severity: "critical",
        fixedIn: "3.0.14-1~deb12u1",
        summary: "A buffer overread.",
        url: "https://osv.dev/vulnerability/DEBIAN-CVE-2024-5535",
        publishedAt: "2026-01-01T08:00:00.000Z",
      },
    ]);
  });

  it("are one for the same CVE of several records", () => {
    const one = osvRecord({
      id: "GHSA-aaaa-bbbb-cccc",
      ecosystem: "PyPI",
      name: "jinja2",
      fixed: "3.1.6",
      vector: VECTORS.medium,
      aliases: ["CVE-2025-1000"],
    });
    const other = osvRecord({
      id: "PYSEC-2025-1",
      ecosystem: "PyPI",
      name: "jinja2",
      fixed: "3.1.5",
      aliases: ["CVE-2025-1000", "GHSA-aaaa-bbbb-cccc"],
      summary: "Sandbox breakout",
    });
    for (const records of [
      [one, other],
      [other, one],
    ]) {
      const [found, ...more] = vulnerabilitiesOf([installed("Jinja2", null, "3.1.2", "PyPI")], ...records);
      assert.equal(more.length, 0);
      assert.equal(found?.id, "CVE-2025-1000");
      assert.equal(found.osvId, "GHSA-aaaa-bbbb-cccc");
      assert.equal(found.fixedIn, "3.1.5");
      assert.equal(found.summary, "Sandbox breakout");
    }
  });

  it("are one where a third record joins two, and where there is no CVE at all", () => {
    const record = (id: string, aliases: string[]) => osvRecord({ id, ecosystem: "npm", name: "left", aliases });
    const found = vulnerabilitiesOf(
      [installed("left", null, "1.0.0", "npm")],
      record("A-1", []),
      record("B-1", []),
      record("C-1", ["A-1", "B-1"]),
    );
    assert.deepEqual(
      found.map(({ id }) => id),
      ["A-1"],
    );
  });

  it("leave out an advisory whose CVEs are all listed, and keep one whose are not", () => {
    const cve = (number: number) => osvRecord({ id: `DEBIAN-CVE-2024-000${number}`, ...openssl });
    const advisory = (...upstream: string[]) => osvRecord({ id: "DSA-5700-1", ...openssl, upstream });
    const idsOf = (...records: object[]) => vulnerabilitiesOf(libssl, ...records).map(({ id }) => id);
    assert.deepEqual(idsOf(cve(1), cve(2), advisory("CVE-2024-0001", "CVE-2024-0002")), ["CVE-2024-0001", "CVE-2024-0002"]);
    assert.deepEqual(idsOf(cve(1), advisory("CVE-2024-0001", "CVE-2024-0002")), ["CVE-2024-0001", "DSA-5700-1"]);
    assert.deepEqual(idsOf(cve(1), advisory("CVE-2024-0001")), ["CVE-2024-0001"]);
  });

  it("leave out what was withdrawn", () => {
    assert.deepEqual(
      vulnerabilitiesOf(libssl, osvRecord({ id: "DEBIAN-CVE-2024-0001", ...openssl, withdrawn: "2026-01-02T00:00:00Z" })),
      [],
    );
  });

  const ratings: [string, object, Vulnerability["severity"]][] = [
    ["Debian's urgency", { specific: { urgency: "unimportant" } }, "none"],
    ["Debian's urgency that is not assigned", { specific: { urgency: "not yet assigned" } }, null],
    ["Ubuntu's rating", { severity: [{ type: "Ubuntu", score: "medium" }] }, "medium"],
    ["the database's word", { database_specific: { severity: "IMPORTANT" } }, "high"],
    ["nothing", {}, null],
    [
      "a vector that is none, and a word",
      { severity: [{ type: "CVSS_V3", score: "high!" }], database_specific: { severity: "LOW" } },
      "low",
    ],
  ];
  for (const [what, fields, severity] of ratings)
    it(`are rated by ${what}`, () => {
      const [found] = vulnerabilitiesOf(libssl, osvRecord({ id: "DEBIAN-CVE-2024-0001", ...openssl, ...fields }));
      assert.equal(found?.severity, severity);
      assert.equal(found.score, null);
      assert.equal(found.vector, null);
    });

  it("are worst first, and those that nobody rates last", () => {
    const found = vulnerabilitiesOf(
      libssl,
      osvRecord({ id: "DEBIAN-CVE-2024-0001", ...openssl }),
      osvRecord({ id: "DEBIAN-CVE-2024-0002", ...openssl, vector: VECTORS.medium }),
      osvRecord({ id: "DEBIAN-CVE-2024-0003", ...openssl, specific: { urgency: "high" } }),
      osvRecord({ id: "DEBIAN-CVE-2024-0004", ...openssl, vector: VECTORS.critical }),
    );
    assert.deepEqual(
      found.map(({ id }) => id.at(-1)),
      ["4", "3", "2", "1"],
    );
  });
});

describe("questions", () => {
  it("are one for all packages of a source", () => {
    const packages = ["libssl3", "openssl", "libssl-dev", "libssl-doc"].map((name) => installed(name, "openssl"));
    const [found] = vulnerabilitiesOf(packages, osvRecord({ id: "DEBIAN-CVE-2024-0001", ...openssl }));
    assert.equal(found?.package, "libssl-dev, libssl-doc, libssl3, 1 more");
    assert.deepEqual(
      questionsOf([...packages, installed("openssl", "openssl", "1")]).questions.map(({ version }) => version),
      ["3.0.11-1~deb12u2", "1"],
    );
  });

  it("are about the installed package where records name those", () => {
    const { questions } = questionsOf([
      installed("openssl-libs", "openssl", "1:3.0.7-27.el9", "AlmaLinux:9"),
      installed("openssl-libs", "openssl", "1:3.0.7-27.el9", "Rocky Linux:9"),
    ]);
    assert.deepEqual(
      questions.map(({ name }) => name),
      ["openssl-libs", "openssl"],
    );
  });

  it("are bounded", () => {
    const { questions, left } = questionsOf(Array.from({ length: 20_005 }, (_, index) => installed(`p${index}`)));
    assert.equal(questions.length, 20_000);
    assert.equal(left, 5);
  });
});
