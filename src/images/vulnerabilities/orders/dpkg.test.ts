import assert from "node:assert/strict";
import { it } from "node:test";
import { compareByDpkg } from "../../../../test/support/dpkg.ts";
import { fc } from "../../../../test/support/seed.ts";
import { compareDpkg } from "./dpkg.ts";

it("the order of Debian is what dpkg says", () => {
  const part = fc.constantFrom("0", "1", "2", "9", "00", ".", "-", "+", "~", "a", "Z", "rc", "deb", ":");
  const version = fc.tuple(fc.nat(3), fc.array(part, { maxLength: 8 })).map(([first, rest]) => `${first}${rest.join("")}`);
  const pairs = fc.sample(fc.tuple(version, version), { numRuns: 400, seed: 7 });
  let compared = 0;
  for (const [index, expected] of compareByDpkg(pairs).entries()) {
    const [a = "", b = ""] = pairs[index] ?? [];
    const ours = compareDpkg(a, b);
    if (expected === undefined || ours === undefined) continue;
    compared += 1;
    assert.equal(Math.sign(ours), expected, `${a} and ${b}`);
  }
  assert.ok(compared > 200, `${compared} compared`);
});
