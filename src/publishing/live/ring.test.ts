import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { createRing } from "./ring.ts";

describe("the ring", () => {
  it("gives back exactly what came after a sequence number, or says that it cannot", () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 60 });
    fc.assert(
      fc.property(
        sizes,
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 200 }),
        fc.nat(70),
        (lengths, capacity, mostBytes, asked) => {
          const ring = createRing({ capacity, mostBytes });
          const frames = lengths.map((length, index) => ({ sequence: index + 1, type: "t", agentId: null, bytes: Buffer.alloc(length) }));
          for (const frame of frames) ring.push(frame);
          assert.equal(ring.head, frames.length);
          let kept = frames.slice(-capacity);
          while (kept.length > 1 && kept.reduce((sum, { bytes }) => sum + bytes.length, 0) > mostBytes) kept = kept.slice(1);
          const oldest = kept[0]?.sequence ?? 1;
          const expected = asked <= frames.length && asked + 1 >= oldest ? kept.filter(({ sequence }) => sequence > asked) : undefined;
          assert.deepEqual(ring.after(asked, Number.POSITIVE_INFINITY), expected);
        },
      ),
    );
  });
});
