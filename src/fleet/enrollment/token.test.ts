import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { hashOf, idOf, isToken, prefixOf, tokenOf } from "./token.ts";

describe("an enrollment token", () => {
  it("is base32 in lower case, as RFC 4648 has it", () => {
    assert.equal(tokenOf(new TextEncoder().encode("foobar")), "svc_enr_mzxw6ytboi");
    assert.equal(tokenOf(new Uint8Array(32)), `svc_enr_${"a".repeat(52)}`);
    assert.equal(tokenOf(new Uint8Array(32).fill(255)), `svc_enr_${"7".repeat(51)}q`);
  });

  it("has its form whatever the bytes, and others for other bytes", () => {
    const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(bytes, bytes, (one, other) => {
        const token = tokenOf(one);
        assert.ok(isToken(token));
        assert.equal(token.length, 60);
        assert.equal(token === tokenOf(other), Buffer.compare(one, other) === 0);
      }),
    );
  });

  it("is known by its hash, named by the beginning of that, and shown by its own", () => {
    const token = `svc_enr_${"a".repeat(52)}`;
    // printf %s svc_enr_ | sha256sum
    assert.equal(hashOf("svc_enr_"), "8cb822afcd00342381da85cb584a8c926b28a2be40da971209ed74c84dd2cf4e");
    assert.equal(idOf(hashOf(token)).length, 16);
    assert.ok(hashOf(token).startsWith(idOf(hashOf(token))));
    assert.equal(prefixOf(token), "svc_enr_aaaaaa");
  });

  for (const text of [
    "",
    "svc_enr_",
    `svc_enr_${"A".repeat(52)}`,
    `svc_enr_${"a".repeat(51)}`,
    `svc_enr_${"1".repeat(52)}`,
    ` svc_enr_${"a".repeat(52)}`,
    `svc_enr_${"a".repeat(52)}\n`,
  ])
    it(`is not ${JSON.stringify(text)}`, () => assert.equal(isToken(text), false));
});
