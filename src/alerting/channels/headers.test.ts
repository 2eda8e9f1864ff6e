import assert from "node:assert/strict";
import { it } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { maskHeaders, readHeaders, unmaskHeaders } from "./headers.ts";

for (const [text, path, message] of [
  ["[]", "headers", /JSON object/],
  ["null ", "headers", /JSON object/],
  ['"a"', "headers", /JSON object/],
  ["1", "headers", /JSON object/],
  ["{", "headers", /JSON object/],
  ['{"a":1}', "headers.a", /text/],
  ['{"a":null}', "headers.a", /text/],
  ['{"a":["b"]}', "headers.a", /text/],
  ['{"a":{"b":"c"}}', "headers.a", /text/],
  ['{"a":"b\\r\\nHost: x"}', "headers.a", /line breaks/],
  ['{"a":"b\\u0000"}', "headers.a", /control/],
  ['{"a":"ü"}', "headers.a", /ASCII/],
  ['{"a b":"c"}', "headers.a b", /named/],
  ['{"":"c"}', "headers.", /named/],
  ['{"a\\r\\nb":"c"}', "headers.a\r\nb", /named/],
  ['{":authority":"c"}', "headers.:authority", /named|not be set/],
  ['{"a":"1","A":"2"}', "headers.A", /twice/],
  ...[
    "Host",
    "content-length",
    "Content-Type",
    "Transfer-Encoding",
    "connection",
    "Keep-Alive",
    "TE",
    "Trailer",
    "Upgrade",
    "Expect",
    "Proxy-Authorization",
    "Idempotency-Key",
    "Content-Encoding",
  ].map((name) => [`{"${name}":"x"}`, `headers.${name}`, /not be set/] as const),
] as const) {
  it(`are refused: ${JSON.stringify(text)}`, () => {
    const read = readHeaders(text);
    assert.ok("faults" in read);
    assert.equal(read.faults[0]?.path, path);
    assert.match(read.faults[0]?.message ?? "", message);
  });
}

it("are refused when they are too many or too long", () => {
  const many = JSON.stringify(Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`h${index}`, "x"])));
  for (const text of [many, JSON.stringify({ a: "x".repeat(4097) }), JSON.stringify({ ["a".repeat(101)]: "x" })])
    assert.ok("faults" in readHeaders(text));
});

it("are none when nothing is given", () => {
  for (const text of [undefined, null, "", " ", "{}"]) assert.deepEqual(readHeaders(text), { headers: {} });
});

it("come back as they were when they are sent back masked", () => {
  const name = fc.stringMatching(/^x-[a-z]{1,10}$/);
  const value = fc.stringMatching(/^[ -~]{0,40}$/);
  fc.assert(
    fc.property(fc.dictionary(name, value, { noNullPrototype: true }), (headers) => {
      const read = readHeaders(JSON.stringify(headers));
      assert.deepEqual(read, { headers });
      const masked = readHeaders(maskHeaders(headers));
      assert.ok("headers" in masked);
      assert.deepEqual(unmaskHeaders(masked.headers, headers), { headers });
    }),
  );
});

it("cannot be unmasked when they were not there", () => {
  assert.deepEqual(unmaskHeaders({ a: "***", b: "***" }, { B: "2" }), {
    faults: [{ path: "headers.a", message: "Is masked: give its value" }],
  });
});
