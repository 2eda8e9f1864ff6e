import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../test/support/seed.ts";
import { ListScanner } from "./list-scanner.ts";

const BOUND = 1_000_000;

/** Cuts text into chunks of the sizes given, over and over. */
function chunksOf(text: string, sizes: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text);
  const chunks: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

function scan(text: string, sizes: readonly number[], maxItemBytes = BOUND): { items: (string | null)[]; envelope: unknown } {
  const scanner = new ListScanner("items", maxItemBytes);
  const items = chunksOf(text, sizes).flatMap((chunk) => scanner.push(chunk));
  return { items, envelope: JSON.parse(scanner.envelope()) };
}

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });
/** Text that looks like the structure around it. */
const tricky = fc.string({ unit: fc.constantFrom('"', "\\", "{", "}", "[", "]", ",", ":", "a", "é", "😀", "items"), maxLength: 12 });
const value = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, tricky, fc.integer(), fc.constant(null), fc.boolean(), tie("array"), tie("object")),
  array: fc.array(tie("value"), { maxLength: 3 }),
  object: fc.dictionary(tricky, tie("value"), { maxKeys: 3 }),
})).object;

describe("list scanner", () => {
  it("takes a list apart as JSON.parse does, however it is cut and indented", () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 6 }), value, sizes, fc.constantFrom(0, 2), (items, metadata, cuts, indent) => {
        const list = { kind: "PodList", metadata, items, last: metadata };
        const scanned = scan(JSON.stringify(list, undefined, indent), cuts);
        const parsed = scanned.items.map((item) => JSON.parse(item ?? "") as unknown);
        assert.deepEqual(parsed, JSON.parse(JSON.stringify(items)));
        assert.deepEqual(scanned.envelope, JSON.parse(JSON.stringify({ ...list, items: [] })));
      }),
      { numRuns: 500 },
    );
  });

  it("does so with a list that is the whole", () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 6 }), sizes, fc.constantFrom(0, 2), (items, cuts, indent) => {
        const scanner = new ListScanner("whole", BOUND);
        const scanned = chunksOf(JSON.stringify(items, undefined, indent), cuts).flatMap((chunk) => scanner.push(chunk));
        assert.deepEqual(
          scanned.map((item) => JSON.parse(item ?? "") as unknown),
          JSON.parse(JSON.stringify(items)),
        );
        assert.equal(scanner.envelope().trim(), "[]");
      }),
    );
  });

  it("gives an item away as soon as it is whole", () => {
    const scanner = new ListScanner("items", BOUND);
    assert.deepEqual(scanner.push(Buffer.from('{"items":[{"a":1}')), ['{"a":1}']);
    assert.deepEqual(scanner.push(Buffer.from(',{"a":2')), []);
    assert.deepEqual(scanner.push(Buffer.from("}")), ['{"a":2}']);
  });

  it("gives null for an item beyond the bound, and continues after it", () => {
    const text = JSON.stringify({ items: [{ a: "x".repeat(200) }, { a: 1 }] });
    assert.deepEqual(scan(text, [7], 100).items, [null, '{"a":1}']);
  });

  it("takes no list for an empty one", () => {
    assert.deepEqual(scan('{"kind":"PodList","items":null}', [3]), { items: [], envelope: { kind: "PodList", items: null } });
  });

  it("does not hold a frame that never ends", () => {
    const scanner = new ListScanner("items", BOUND);
    assert.throws(() => {
      for (let turn = 0; turn < 100; turn += 1) scanner.push(Buffer.from(`"${"x".repeat(10_000)}",`));
    }, /too long/);
  });
});
