import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../test/support/seed.ts";
import { PRIVATE_HOSTS, PUBLIC_HOSTS } from "../../test/support/private-hosts.ts";
import { readOutboundUrl, refusalOf } from "./outbound-url.ts";

const strict = { allowPrivate: false };

describe("addresses of receivers", () => {
  for (const [host, what] of PRIVATE_HOSTS) {
    it(`refuses ${host}: ${what}`, () => {
      const fault = readOutboundUrl(`https://${host}/hook`, strict);
      assert.ok(!(fault instanceof URL), "it was allowed");
      assert.equal(fault.code, "private_address_refused");
      assert.match(fault.message, new RegExp(what));
    });
  }

  for (const host of PUBLIC_HOSTS) {
    it(`allows ${host}`, () => assert.ok(readOutboundUrl(`https://${host}/hook`, strict) instanceof URL));
  }

  for (const [text, message] of [
    ["https://user:secret@example.com/", /user name or a password/],
    ["https://user@example.com/", /user name or a password/],
    ["https://@example.com/", /user name or a password/],
    ["https://example.com\r\nHost: inward/", /line breaks/],
    ["https://example.com/\npath", /line breaks/],
    ["https://exa\tmple.com/", /control characters/],
    ["https://example.com/a b", /spaces/],
    [" https://example.com/", /spaces/],
    ["https:\\\\example.com\\", /backslashes/],
    ["https://example.com\u0000/", /control characters/],
    ["https://example.com\u202e/", /control characters/],
    ["https:/example.com/", /address such as/],
    ["https:example.com", /address such as/],
    ["https:///example.com/", /address such as/],
    ["example.com/hook", /address such as/],
    ["", /address such as/],
    ["https://", /address such as/],
    ["https://[::1/", /address such as/],
    ["https://1.2.3.4.5/", /address such as/],
    ["https://256.1.1.1/", /address such as/],
    ["https://example.com/#secret", /fragment/],
    ["https://example.com:0/", /port 0/],
    ["https://example.com:65536/", /address such as/],
    ["ftp://example.com/", /begin with https/],
    ["file:///etc/passwd", /address such as|begin with https/],
    ["javascript:alert(1)", /address such as/],
    [`https://example.com/${"a".repeat(2048)}`, /longer than/],
  ] as const) {
    it(`refuses ${JSON.stringify(text.slice(0, 40))}`, () => {
      const fault = readOutboundUrl(text, strict);
      assert.ok(!(fault instanceof URL), "it was allowed");
      assert.equal(fault.code, "unusable_values");
      assert.match(fault.message, message);
      assert.doesNotMatch(fault.message, /secret/);
    });
  }

  it("asks for https", () => {
    const fault = readOutboundUrl("http://example.com/", strict);
    assert.ok(!(fault instanceof URL));
    assert.equal(fault.code, "https_required");
  });

  it("allows http and private hosts when that is lifted, but nothing else that is wrong", () => {
    const lifted = { allowPrivate: true };
    assert.ok(readOutboundUrl("http://127.0.0.1:8080/hook", lifted) instanceof URL);
    assert.ok(!(readOutboundUrl("http://user:pass@127.0.0.1/", lifted) instanceof URL));
    assert.ok(!(readOutboundUrl("http://127.0.0.1/\r\n", lifted) instanceof URL));
  });

  it("refuses every address of the private networks, however it is spelt", () => {
    const spellings = [
      (value: number) => `${value}`,
      (value: number) => `0x${value.toString(16)}`,
      (value: number) => `0${value.toString(8)}`,
      (value: number) => `${value >>> 24}.${value & 0xffffff}`,
      (value: number) => `0x${(value >>> 24).toString(16)}.${(value >>> 16) & 255}.${value & 0xffff}`,
      (value: number) =>
        [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255].map((part) => `0${part.toString(8)}`).join("."),
      (value: number) => `[::ffff:${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}]`,
      (value: number) => `[64:ff9b::${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}]`,
      (value: number) => `[2002:${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}::1]`,
    ];
    fc.assert(
      fc.property(fc.constantFrom(0x0a000000, 0x7f000000), fc.nat(0xffffff), fc.constantFrom(...spellings), (network, host, spell) => {
        const fault = readOutboundUrl(`https://${spell((network + host) >>> 0)}/`, strict);
        assert.ok(!(fault instanceof URL) && fault.code === "private_address_refused");
      }),
    );
  });

  it("takes text that is no address for a refusal", () => {
    fc.assert(fc.property(fc.string(), (text) => assert.ok(refusalOf(`x${text}`) !== undefined)));
    assert.equal(refusalOf("fe80::1%eth0"), "not an address");
    assert.equal(refusalOf("1.1"), "not an address");
  });
});
