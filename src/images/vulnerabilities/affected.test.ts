import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { judge, type Verdict } from "./affected.ts";
import { type OsvRecord, readRecord } from "./record.ts";

function record(...affected: object[]): OsvRecord {
  const read = readRecord({ id: "TEST-1", modified: "2026-01-01T00:00:00Z", affected });
  assert.ok(read);
  return read;
}

function npm(events: object[], versions: string[] = [], type = "SEMVER"): OsvRecord {
  return record({ package: { ecosystem: "npm", name: "left" }, ranges: [{ type, events }], versions });
}

function verdict(of: OsvRecord, version: string, ecosystem = "npm", name = "left"): Partial<Verdict> {
  return judge(of, { ecosystem, name, version });
}

const is = (fixedIn: string | null): Verdict => ({ affected: true, fixedIn, undecided: false });

describe("affected versions", () => {
  it("are those between what introduced and what fixed it", () => {
    const fixed = npm([{ introduced: "1.0.0" }, { fixed: "1.0.2" }, { introduced: "3.0.0" }, { fixed: "3.2.5" }]);
    assert.equal(verdict(fixed, "0.9.0").affected, false);
    assert.deepEqual(verdict(fixed, "1.0.0"), is("1.0.2"));
    assert.deepEqual(verdict(fixed, "1.0.1"), is("1.0.2"));
    assert.equal(verdict(fixed, "1.0.2").affected, false);
    assert.deepEqual(verdict(fixed, "3.1.0"), is("3.2.5"));
    assert.equal(verdict(fixed, "3.2.5").affected, false);
  });

  it("do not depend on the order of events", () => {
    const events = [{ introduced: "0" }, { fixed: "1.0.2" }, { introduced: "3.0.0" }, { last_affected: "3.2.5" }];
    const expected = ["0.1.0", "1.0.2", "2.0.0", "3.0.0", "3.2.5", "3.2.6"].map((version) => verdict(npm(events), version).affected);
    assert.deepEqual(expected, [true, false, false, true, true, false]);
    fc.assert(
      fc.property(fc.shuffledSubarray(events, { minLength: events.length }), (shuffled) => {
        const found = ["0.1.0", "1.0.2", "2.0.0", "3.0.0", "3.2.5", "3.2.6"].map((version) => verdict(npm(shuffled), version).affected);
        assert.deepEqual(found, expected);
      }),
    );
  });

  it("without a fix are all later ones, and nobody says what fixes it", () => {
    assert.deepEqual(verdict(npm([{ introduced: "0" }]), "9.0.0"), is(null));
    assert.deepEqual(verdict(npm([{ introduced: "0" }, { last_affected: "2.0.0" }]), "2.0.0"), is(null));
  });

  it("end at the last of the limits", () => {
    const limited = npm([{ introduced: "0" }, { limit: "1.5.0" }, { limit: "2.0.0" }]);
    assert.equal(verdict(limited, "1.9.0").affected, true);
    assert.equal(verdict(limited, "2.0.0").affected, false);
    assert.equal(verdict(npm([{ introduced: "0" }, { limit: "*" }]), "99.0.0").affected, true);
  });

  it("are those in the list as well", () => {
    assert.deepEqual(verdict(npm([{ introduced: "1.0.0" }, { fixed: "1.1.0" }], ["0.5.0"]), "0.5.0"), is("1.1.0"));
    assert.equal(verdict(npm([], ["0.5.0"]), "0.5.0-x").affected, false);
  });

  it("are those of one package in one release", () => {
    const debian = record(
      {
        package: { ecosystem: "Debian:12", name: "openssl" },
        ranges: [{ type: "ECOSYSTEM", events: [{ introduced: "0" }, { fixed: "3.0.14-1~deb12u1" }] }],
      },
      {
        package: { ecosystem: "Debian:13", name: "openssl" },
        ranges: [{ type: "ECOSYSTEM", events: [{ introduced: "0" }, { fixed: "3.2.2-1" }] }],
      },
    );
    assert.deepEqual(verdict(debian, "3.0.13-1~deb12u1", "Debian:12", "openssl"), is("3.0.14-1~deb12u1"));
    assert.equal(verdict(debian, "3.0.14-1~deb12u1", "Debian:12", "openssl").affected, false);
    assert.deepEqual(verdict(debian, "3.0.14-1~deb12u1", "Debian:13", "openssl"), is("3.2.2-1"));
    assert.equal(verdict(debian, "1", "Debian:11", "openssl").affected, false);
    assert.equal(verdict(debian, "1", "Debian:12", "curl").affected, false);
  });

  it("of several parts of a record have the earliest fix of those that hold", () => {
    const branches = record(
      { package: { ecosystem: "npm", name: "left" }, ranges: [{ type: "SEMVER", events: [{ introduced: "2.0.0" }, { fixed: "2.5.0" }] }] },
      { package: { ecosystem: "npm", name: "left" }, ranges: [{ type: "SEMVER", events: [{ introduced: "0" }, { fixed: "1.9.1" }] }] },
    );
    assert.deepEqual(verdict(branches, "1.2.0"), is("1.9.1"));
    assert.deepEqual(verdict(branches, "2.2.0"), is("2.5.0"));
  });

  it("are found however a name is spelt where spellings are the same", () => {
    const python = record({
      package: { ecosystem: "PyPI", name: "ruamel-yaml" },
      ranges: [{ type: "ECOSYSTEM", events: [{ introduced: "0" }, { fixed: "1.0" }] }],
    });
    assert.equal(verdict(python, "0.9rc1", "PyPI", "Ruamel_YAML").affected, true);
    const ubuntu = record({
      package: { ecosystem: "Ubuntu:22.04:LTS", name: "curl" },
      ranges: [{ type: "ECOSYSTEM", events: [{ introduced: "0" }] }],
    });
    assert.equal(verdict(ubuntu, "7.81.0-1ubuntu1", "Ubuntu:22.04", "curl").affected, true);
    const redHat = record({
      package: { ecosystem: "Red Hat:enterprise_linux:9::appstream", name: "curl" },
      ranges: [{ type: "ECOSYSTEM", events: [{ introduced: "0" }, { fixed: "0:7.76.1-29.el9" }] }],
    });
    assert.deepEqual(verdict(redHat, "7.76.1-26.el9", "Red Hat:enterprise_linux:9::baseos", "curl"), is("0:7.76.1-29.el9"));
  });

  it("are not guessed where versions cannot be compared", () => {
    const maven = record({
      package: { ecosystem: "Maven", name: "g:a" },
      ranges: [{ type: "ECOSYSTEM", events: [{ introduced: "0" }, { fixed: "2.0" }] }],
      versions: ["1.0"],
    });
    assert.deepEqual(verdict(maven, "1.5", "Maven", "g:a"), { affected: false, fixedIn: null, undecided: true });
    assert.equal(verdict(maven, "1.0", "Maven", "g:a").affected, true);
    assert.equal(verdict(npm([{ introduced: "0" }]), "file:../left").undecided, true);
    assert.equal(verdict(npm([{ introduced: "0" }, { fixed: "soon" }]), "1.0.0").undecided, true);
    assert.equal(verdict(npm([{ introduced: "0" }], [], "GIT"), "1.0.0").affected, false);
  });

  it("and the first fix after them are those that a walk from the oldest version finds", () => {
    const versions = ["0.0.1", "0.0.2", "0.1.9", "0.1.10", "1.0.0-rc.1", "1.0.0", "1.2.0", "2.0.0", "10.0.0"];
    const eventOf = fc.record({ at: fc.nat(versions.length - 1), kind: fc.constantFrom("introduced", "fixed", "last_affected") });
    const events = fc.uniqueArray(eventOf, { selector: ({ at }) => at });
    fc.assert(
      fc.property(events, (given) => {
        const kindAt = (index: number): string | undefined => given.find(({ at }) => at === index)?.kind;
        const read = npm(given.map(({ at, kind }) => ({ [kind]: versions[at] })));
        let affected = false;
        for (const [index, version] of versions.entries()) {
          if (kindAt(index - 1) === "last_affected" || kindAt(index) === "fixed") affected = false;
          if (kindAt(index) === "introduced") affected = true;
          const fixedIn = versions.find((_, later) => later > index && kindAt(later) === "fixed") ?? null;
          assert.deepEqual(verdict(read, version), { affected, fixedIn, undecided: false }, version);
        }
      }),
    );
  });
});

describe("records", () => {
  it("are cleaned and cut", () => {
    const read = readRecord({
      id: "GHSA-1",
      modified: "2026-01-01T00:00:00Z",
      published: "2025-12-31T00:00:00Z",
      summary: "a\u0007b\u202e\n<b>c</b>",
      details: null,
      aliases: ["CVE-2024-1", "<script>"],
      severity: null,
      affected: [{ package: null }, { package: { ecosystem: "npm", name: "x" }, ranges: null, ecosystem_specific: { urgency: 7 } }],
    });
    assert.equal(read?.summary, "a b <b>c</b>");
    assert.deepEqual(read?.aliases, ["CVE-2024-1"]);
    assert.equal(read?.published, "2025-12-31T00:00:00.000Z");
    assert.deepEqual(read?.affected, [{ ecosystem: "npm", name: "x", ranges: [], versions: [], severity: [], rating: null }]);
    assert.equal(readRecord({ id: "A-1", modified: "", details: "x".repeat(5000) })?.summary.length, 300);
  });

  it("are none when they have no fit id, or a part of another form", () => {
    const good = { id: "A-1", modified: "2026-01-01T00:00:00Z" };
    assert.ok(readRecord(good));
    for (const bad of [
      null,
      [],
      "x",
      {},
      { ...good, id: "../../etc/passwd" },
      { ...good, id: "" },
      { ...good, affected: {} },
      { ...good, affected: [{ package: { ecosystem: "npm" } }] },
      { ...good, affected: [{ ranges: [{ type: "SEMVER", events: "all" }] }] },
    ])
      assert.equal(readRecord(bad), undefined, JSON.stringify(bad));
  });

  it("of any content are read or refused without a fault", () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        (value) =>
          void readRecord({ id: "A-1", modified: "x", affected: value, aliases: value, severity: value, database_specific: value }),
      ),
    );
  });
});
