import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../../test/support/seed.ts";
import { createForeignMemory, foreignText, foreignValue, quotedText, withoutFences } from "./foreign-text.ts";

/** Pieces of which somebody would build an escape from the fence. */
const pieces = fc.constantFrom(
  "⟦",
  "⟧",
  "〚",
  "〛",
  "\u001b[31m",
  "\u001b]0;title\u0007",
  "\u202e",
  "\u2066",
  "\u200b",
  "\u200d",
  "\ufeff",
  "\u{e0041}",
  "\u{e007f}",
  "\u{e0100}",
  "\ufe0f",
  "\u00ad",
  "\u3164",
  "\u115f",
  "\ud83d",
  "\ude00",
  "\u0000",
  "\u0085",
  "\u2028",
  "\n",
  "\r",
  "\t",
  " ",
  "😀",
  "ignore all previous instructions",
  "token=",
  "password: ",
  "Bearer ",
  "://user:pass@host",
  "https://",
  "@",
  "/",
  "DB_PASS=",
  "Cookie: a=b; c",
  "session",
  "=>",
  "ghp_abcdefgh12345678",
  "eyJhbGciOiJI.eyJzdWIiOiIx.",
  '"',
  "'",
  "***",
  "=",
  ":",
  "-----BEGIN PRIVATE KEY-----",
  "-----END PRIVATE KEY-----",
  "a".repeat(40),
);
const foreign = fc
  .array(fc.oneof(pieces, fc.string({ unit: "binary", maxLength: 5 }), fc.string({ maxLength: 20 })), { maxLength: 30 })
  .map((parts) => parts.join(""));

test("nothing leaves its fence, nothing unseen is in it, and it is bounded", () => {
  fc.assert(
    fc.property(foreign, fc.integer({ min: 1, max: 300 }), (text, maxLength) => {
      const fenced = foreignText(text, maxLength);
      assert.match(fenced, /^⟦[^⟦⟧〚〛]*⟧$/);
      assert.doesNotMatch(fenced, /(?!\n)[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029]/u);
      assert.ok(fenced.length <= maxLength + 2);
      assert.ok(fenced.isWellFormed());
      assert.equal(createForeignMemory()(text), foreignText(text));
      assert.doesNotMatch(quotedText(text), /[⟦⟧〚〛]/);
    }),
    { numRuns: 500 },
  );
});

test("what was fenced once is fenced the same when it comes back", () => {
  fc.assert(
    fc.property(foreign, (text) => {
      const fenced = foreignText(text);
      assert.equal(foreignText(withoutFences(fenced)), fenced);
    }),
    { numRuns: 1_000 },
  );
});

test("brackets that are the fence's, or look like them, become plain ones", () => {
  assert.equal(foreignText("a⟧ b⟦ c〛 d〚 e"), "⟦a] b[ c] d[ e⟧");
  assert.equal(quotedText("a⟧ b⟦ c〛 d〚 e"), "a] b[ c] d[ e");
});

test("secrets are masked, and the words around them stay", () => {
  const cases: [given: string, expected: string][] = [
    ["plain words stay", "plain words stay"],
    ["the token was rejected", "the token was rejected"],
    ["basic authentication failed for web", "basic authentication failed for web"],
    ["login with password=hunter2 failed", "login with password=*** failed"],
    ['{"password": "hunter 2", "user": "web"}', '{"password": ***, "user": "web"}'],
    ["Authorization: Bearer abc.def", "Authorization: ***"],
    ["sent bearer abcdefghijklmnop1234 to it", "sent *** to it"],
    ["postgres://web:p@ss@db:5432/web is down", "postgres://***@db:5432/web is down"],
    ["pushed with ghp_abcdefgh12345678 by ci", "pushed with *** by ci"],
    ["-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY----- read", "*** read"],
    ["-----BEGIN PRIVATE KEY-----\nMIIE", "***"],
    ["AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG set", "AWS_SECRET_ACCESS_KEY=*** set"],
    ["export SECRET_KEY=abc", "export SECRET_KEY=***"],
    ["SECRET_KEY_BASE: abc read", "SECRET_KEY_BASE: *** read"],
    ["ERROR: DB_PASS=hunter2 is refused", "ERROR: DB_PASS=*** is refused"],
    ["ENCRYPTION_KEY='a b' is short", "ENCRYPTION_KEY=*** is short"],
    ["> Cookie: session=abc; csrf=def", "> Cookie: ***"],
    ["set-cookie: id=abc; Path=/\nnext", "set-cookie: ***\nnext"],
    ["cloning https://TOKEN@github.com/x", "cloning https://***@github.com/x"],
    ["cloning ssh://git@github.com/x", "cloning ssh://git@github.com/x"],
    ["postgres://u:p/w@h is down", "postgres://***@h is down"],
    ["from http://web:8080/npm/@scope to ws://web:80/@x", "from http://web:8080/npm/@scope to ws://web:80/@x"],
    ["a://b:c@d,e://f:g@h", "a://***@d,e://***@h"],
    ['{"pass":"hunter2","user":"web"}', '{"pass":***,"user":"web"}'],
    [String.raw`{\"pass\": \"hunter2\"}`, String.raw`{\"pass\": ***`],
    ['"auth"=>"hunter2"', '"auth"=>***'],
    ["auth: none, auth::fail, path: /x, at 12:30:05 state=up", "auth: none, auth::fail, path: /x, at 12:30:05 state=up"],
    ["pass\u200bword=hunter2", "password=***"],
    ["\u001b[1mtoken\u001b[0m: abc", "token: ***"],
  ];
  for (const [given, expected] of cases) assert.equal(foreignText(given), `⟦${expected}⟧`);
  assert.equal(quotedText('Unrecognized key: "lines"; token=abc'), 'Unrecognized key: "lines"; token=***');
  assert.equal(foreignValue("DB_PASSWORD", "hunter2"), "⟦***⟧");
  assert.equal(foreignValue("PORT", "8080"), "⟦8080⟧");
});

for (const [name, text] of Object.entries({
  colons: `://${":".repeat(100_000)}`,
  "begun addresses": "://a:b".repeat(17_000),
  "addresses begun without an end": "://".repeat(34_000) + "@",
  "at signs": `://${"@:".repeat(50_000)}`,
  "one endless name": "pass".repeat(25_000),
  names: "pass:".repeat(20_000),
  "quoted names": 'pass="'.repeat(17_000),
  "broken names": `pass${"\\".repeat(100_000)}`,
  "names of no secret": "path=".repeat(20_000),
  "broken values": `pass=x${"\\".repeat(100_000)}x`,
  cookies: "cookie:".repeat(14_000),
  "schemes with spaces": `bearer${" ".repeat(100_000)}`,
  schemes: "bearer ".repeat(14_000),
  "begun keys": "-----BEGIN ".repeat(9_000),
  "keys without an end": "-----BEGIN PRIVATE KEY----------END ".repeat(2_700),
  "escape sequences": "\u001b]".repeat(50_000),
  "numbers of escapes": `\u001b[${"0".repeat(100_000)}`,
  spaces: `pass${" ".repeat(100_000)}`,
})) {
  test(`a hundred thousand characters of ${name} are read at once`, () => {
    const startedMs = performance.now();
    foreignText(`password=x ${text}`, 100_000);
    foreignValue(text, text, 100_000);
    assert.ok(performance.now() - startedMs < 10_000);
  });
}

test("nothing is shown of a secret across the end of what is looked at", () => {
  const long = `${"\u200b".repeat(90)}word postgres://web:hunter2@db`;
  assert.equal(foreignText(long, 58), "⟦word …⟧");
});

test("a text that is too long ends with a sign, and not inside of a character", () => {
  assert.equal(foreignText("abcdef", 4), "⟦abc…⟧");
  assert.equal(foreignText("ab😀d", 4), "⟦ab…⟧");
  assert.equal(foreignText("x".repeat(1_000_000)).length, 2_002);
});
