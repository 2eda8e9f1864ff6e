import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../../../test/support/seed.ts";
import { createRecordIndex } from "./record-index.ts";

describe("index of records", () => {
  it("finds all records of a key, and where they are", () => {
    const key = fc.stringMatching(/^[a-e]{1,2}$/);
    const place = fc.oneof(
      fc.record({ container: fc.nat(1000), at: fc.nat(4_000_000_000), bytes: fc.nat(4_000_000_000) }, { noNullPrototype: true }),
      fc.record({ container: fc.nat(1000), name: fc.string({ minLength: 1, unit: "grapheme" }) }, { noNullPrototype: true }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(place, fc.array(key, { maxLength: 5 })), { maxLength: 100 }), (records) => {
        const index = createRecordIndex();
        for (const [at, keys] of records) assert.ok(index.add(at, keys));
        assert.equal(index.size, records.length);
        for (const [number, [at]] of records.entries()) assert.deepEqual(index.place(number), at);
        for (const asked of new Set(records.flatMap(([, keys]) => keys))) {
          const expected = records.flatMap(([, keys], number) => (keys.includes(asked) ? [number] : []));
          assert.deepEqual(index.candidates(asked), expected);
        }
      }),
      { numRuns: 50 },
    );
  });

  it("rarely names records of another key", () => {
    const index = createRecordIndex();
    for (let number = 0; number < 200_000; number += 1) index.add({ container: 0, at: number, bytes: 1 }, [`npm\npackage-${number}`]);
    let wrong = 0;
    for (let number = 0; number < 2000; number += 1) wrong += index.candidates(`npm\nother-${number}`).length;
    assert.ok(wrong < 5, `${wrong}`);
    assert.deepEqual(index.candidates("npm\npackage-123456"), [123_456]);
  });

  it("says when it is full", () => {
    const records = createRecordIndex({ mostRecords: 2 });
    assert.deepEqual(
      [1, 2, 3].map((at) => records.add({ container: 0, at, bytes: 1 }, ["a"])),
      [true, true, false],
    );
    assert.deepEqual(records.candidates("a"), [0, 1]);
    assert.equal(createRecordIndex({ mostKeys: 1 }).add({ container: 0, at: 0, bytes: 0 }, ["a", "b"]), false);
  });
});
