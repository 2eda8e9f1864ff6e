import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../../../test/support/seed.ts";
import { compareApk } from "./apk.ts";
import { compareDpkg } from "./dpkg.ts";
import { type VersionOrder, comparePython, compareSemver } from "./order.ts";
import { compareRpm } from "./rpm.ts";

/** Each older than the next. */
function rises(order: VersionOrder, versions: readonly string[]): void {
  for (const [left, one] of versions.entries())
    for (const [right, other] of versions.entries())
      assert.equal(Math.sign(order(one, other) ?? Number.NaN), Math.sign(left - right), `${one} and ${other}`);
}

function same(order: VersionOrder, pairs: readonly (readonly [string, string])[]): void {
  for (const [one, other] of pairs) {
    assert.equal(order(one, other), 0, `${one} and ${other}`);
    assert.equal(order(other, one), 0, `${other} and ${one}`);
  }
}

function knowsNot(order: VersionOrder, versions: readonly string[]): void {
  for (const version of versions) assert.equal(order(version, "1"), undefined, version);
}

/** Text that looks like a version more often than not. */
function drawn(parts: readonly string[]): fc.Arbitrary<string> {
  return fc.tuple(fc.nat(3), fc.array(fc.constantFrom(...parts), { maxLength: 8 })).map(([first, rest]) => `${first}${rest.join("")}`);
}

/** For any three: turned round it says the opposite, and what is older than an older one is older. */
function isAnOrder(order: VersionOrder, version: fc.Arbitrary<string>): void {
  fc.assert(
    fc.property(version, version, version, (a, b, c) => {
      const known = (one: string, other: string): number => Math.sign(order(one, other) ?? Number.NaN);
      fc.pre(![known(a, a), known(b, b), known(c, c)].some(Number.isNaN));
      assert.equal(known(a, a), 0);
      assert.equal(known(a, b) + known(b, a), 0);
      if (known(a, b) <= 0 && known(b, c) <= 0) assert.ok(known(a, c) <= 0, `${a} ${b} ${c}`);
    }),
    { numRuns: 500 },
  );
}

describe("order of Debian", () => {
  it("puts versions in order", () => {
    rises(compareDpkg, [
      "0~~",
      "0~",
      "0",
      "1.0~rc1-1",
      "1.0-1",
      "1.0-1+b1",
      "1.0-1+deb12u1",
      "1.0-1.1",
      "1.0a-1",
      "1.0+dfsg-1",
      "1.2-1",
      "1.10-1",
      "1:0.1",
      "2:0",
    ]);
    same(compareDpkg, [
      ["1.0", "0:1.0"],
      ["1.0", "1.0-0"],
      ["1.01", "1.1"],
      ["1.0", "1.0-"],
    ]);
    knowsNot(compareDpkg, ["", "a:1", "1 2", "1_2", "1\n"]);
  });

  const parts = ["0", "1", "2", "9", "00", ".", "-", "+", "~", "a", "Z", "rc", "deb", ":"];

  it("is an order", () => isAnOrder(compareDpkg, drawn(parts)));
});

describe("order of Alpine", () => {
  it("puts versions in order", () => {
    rises(compareApk, [
      "0.9_alpha1",
      "0.9",
      "1.0_alpha",
      "1.0_alpha2",
      "1.0_beta",
      "1.0_pre1",
      "1.0_rc1-r0",
      "1.0_rc1-r1",
      "1.0",
      "1.0-r0",
      "1.0-r1",
      "1.0-r10",
      "1.0_git20240101",
      "1.0_p1",
      "1.0a",
      "1.0b",
      "1.0.1",
      "1.1",
      "1.2.3-r0",
      "1.10",
      "2",
    ]);
    rises(compareApk, ["1.02", "1.1", "1.2"]);
    same(compareApk, [["1.2.3-r4", "1.2.3-r4"]]);
    knowsNot(compareApk, ["", "a", "1.", "1.2-4", "1.2-r", "1.2_foo1", "1.2 "]);
  });

  it("is an order", () =>
    isAnOrder(
      compareApk,
      fc
        .tuple(
          drawn([".1", ".2", ".10", ".3"]),
          fc.constantFrom("", "a", "b"),
          fc.constantFrom("", "_alpha", "_rc1", "_p", "_p1", "_git2"),
          fc.constantFrom("", "-r0", "-r12"),
        )
        .map((some) => some.join("")),
    ));
});

describe("order of RPM", () => {
  // Source of most: rpm's tests/rpmvercmp.at.
  it("puts versions in order", () => {
    rises(compareRpm, [
      "1.0~rc1",
      "1.0~rc2",
      "1.0",
      "1.0^git1~pre",
      "1.0^git1",
      "1.0^git2",
      "1.0.1",
      "2.0.1",
      "5.5p1",
      "5.5p2",
      "5.5p10",
      "10.0001",
      "10.0039",
      "1:0.1",
    ]);
    rises(compareRpm, ["xyz.4", "2", "8"]);
    rises(compareRpm, ["1.0-1.el9", "1.0-1.el9_2", "1.0-2.el9", "1.0-10.el9"]);
    rises(compareRpm, ["1b.fc17", "1.fc17"]);
    rises(compareRpm, ["1.0", "1.0^", "1.0^20160101", "1.0^20160102", "1.0.1"]);
    same(compareRpm, [
      ["2_0", "2.0"],
      ["a+", "a_"],
      ["1.0", "1.0-5"],
      ["1.05", "1.5"],
      ["0:1.2-3", "1.2-3"],
    ]);
    knowsNot(compareRpm, ["", "a:1", "1 2"]);
  });

  it("is an order", () => isAnOrder(compareRpm, drawn(["0", "1", "12", ".", "_", "~", "^", "a", "rc", "el"])));
});

describe("order of packages for languages", () => {
  it("puts semantic versions in order", () => {
    rises(compareSemver, ["1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.2", "v1.10.0", "2"]);
    same(compareSemver, [
      ["1.0.0+one", "1.0.0+other"],
      ["v1.2.3", "1.2.3"],
      ["1.2", "1.2.0"],
    ]);
    knowsNot(compareSemver, ["", "x", "1.2.3.4", "latest", "file:../a"]);
  });

  it("puts versions of Python in order", () => {
    rises(comparePython, ["1.0.dev1", "1.0a1", "1.0b2", "1.0rc1", "1.0", "1.0.post1", "1.1", "1.10", "1!0.1"]);
    same(comparePython, [["1.0", "1.0.0"]]);
    knowsNot(comparePython, ["", "x", "1.0-foo"]);
  });
});
