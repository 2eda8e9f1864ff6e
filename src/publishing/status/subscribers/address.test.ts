import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../../../test/support/seed.ts";
import { readAddress } from "./subscriber.ts";

describe("an address", () => {
  const taken: [typed: string, email: string, mailbox: string][] = [
    ["ada@example.com", "ada@example.com", "ada@example.com"],
    ["  ada@example.com ", "ada@example.com", "ada@example.com"],
    ["Ada.Lovelace+Status@Example.COM", "Ada.Lovelace+Status@example.com", "ada.lovelace@example.com"],
    ["post@bücher.example", "post@xn--bcher-kva.example", "post@xn--bcher-kva.example"],
    ["post@bu\u0308cher.example", "post@xn--bcher-kva.example", "post@xn--bcher-kva.example"],
    ["post@例え.テスト", "post@xn--r8jz45g.xn--zckzah", "post@xn--r8jz45g.xn--zckzah"],
    [
      "o'brien_{x}!#$%&*/=?^`|~-1@mail.a-b.example",
      "o'brien_{x}!#$%&*/=?^`|~-1@mail.a-b.example",
      "o'brien_{x}!#$%&*/=?^`|~-1@mail.a-b.example",
    ],
    [`${"a".repeat(64)}@example.com`, `${"a".repeat(64)}@example.com`, `${"a".repeat(64)}@example.com`],
    ["+x@example.com", "+x@example.com", "@example.com"],
  ];
  for (const [typed, email, mailbox] of taken) {
    it(`can be ${JSON.stringify(typed)}`, () => assert.deepEqual(readAddress(typed), { email, key: email.toLowerCase(), mailbox }));
  }

  const refused = [
    "",
    "   ",
    "ada",
    "@example.com",
    "ada@",
    "ada@localhost",
    "ada@127.0.0.1",
    "ada@[127.0.0.1]",
    "ada@[IPv6:::1]",
    "ada@0x7f.1",
    "ada@example.123",
    "ada@example..com",
    "ada@.example.com",
    "ada@example.com.",
    "ada@-example.com",
    "ada@exa_mple.com",
    "ada@ex%61mple.com",
    "ada@example.com:25",
    "ada@example.com/path",
    "ada@user@example.com",
    "ada,grace@example.com",
    "ada@example.com,grace@example.com",
    "Ada <ada@example.com>",
    '"ada l"@example.com',
    "ada l@example.com",
    ".ada@example.com",
    "ada.@example.com",
    "a..b@example.com",
    "ада@example.com",
    "ada@example.com\r\nBcc: all@example.com",
    "ada\r\n@example.com",
    "ada@exam\u0000ple.com",
    "ada@exam\u202eple.com",
    "\tada@example.com",
    `${"a".repeat(65)}@example.com`,
    `ada@${"a".repeat(64)}.com`,
    `ada@${"a.".repeat(130)}com`,
    `ada@${"ü".repeat(60)}.${"ü".repeat(60)}.${"ü".repeat(60)}.${"ü".repeat(50)}.com`,
    `${"a".repeat(288)}@example.com`,
  ];
  for (const typed of refused) {
    it(`cannot be ${JSON.stringify(typed.slice(0, 60))}`, () => {
      const read = readAddress(typed);
      assert.ok("fault" in read, JSON.stringify(read));
      assert.match(read.fault, /^Must /);
    });
  }

  it("is ASCII in one line, whatever was typed, and read again it is the same", () => {
    const typed = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.tuple(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" })).map(([a, b]) => `${a}@${b}.com`),
      fc.emailAddress(),
    );
    fc.assert(
      fc.property(typed, (text) => {
        const read = readAddress(text);
        if ("fault" in read) return;
        assert.match(read.email, /^[\x21-\x7e]{3,254}$/);
        assert.deepEqual(readAddress(read.email), read);
      }),
    );
  });
});
