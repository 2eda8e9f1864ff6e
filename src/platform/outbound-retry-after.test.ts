import assert from "node:assert/strict";
import { it } from "node:test";
import { fc } from "../../test/support/seed.ts";
import { parseRetryAfter } from "./outbound-error.ts";

const now = new Date("2026-03-01T12:00:00.000Z");

for (const [value, milliseconds] of [
  ["7", 7000],
  ["0", 0],
  ["0.5", 500],
  [" 30 ", 30_000],
  ["86400", 3_600_000],
  ["999999999999999", 3_600_000],
  ["Sun, 01 Mar 2026 12:01:00 GMT", 60_000],
  ["Sun, 01 Mar 2026 11:59:00 GMT", 0],
  ["Mon, 01 Mar 2027 12:00:00 GMT", 3_600_000],
  ["Sunday, 01-Mar-26 12:01:00 GMT", 60_000],
  ["-1", null],
  ["soon", null],
  ["", null],
  ["1e3", null],
  ["9".repeat(40), null],
  [undefined, null],
] as const) {
  it(`reads ${value}`, () => assert.equal(parseRetryAfter(value, now), milliseconds));
}

it("answers null or a wait of at most an hour, whatever it is given", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const wait = parseRetryAfter(text, now);
      assert.ok(wait === null || (wait >= 0 && wait <= 3_600_000));
    }),
  );
});
