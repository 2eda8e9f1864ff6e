import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, it } from "node:test";
import { heldMemory } from "../../../test/support/held-memory.ts";
import { fc } from "../../../test/support/seed.ts";
import { type LiveFrame, Ring } from "./ring.ts";

const NO_LIMIT = Number.POSITIVE_INFINITY;
const frame = (sequence: number, bytes: Buffer, agentId: string | null = null): LiveFrame => ({ sequence, type: "t", agentId, bytes });

describe("the ring", () => {
  it("gives back exactly what came after a sequence number, or says that it cannot", () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 60 });
    fc.assert(
      fc.property(
        sizes,
        fc.record({ capacity: fc.integer({ min: 1, max: 20 }), blockBytes: fc.integer({ min: 1, max: 200 }) }),
        fc.nat(70),
        fc.integer({ min: 1, max: 500 }),
        (lengths, { capacity, blockBytes }, asked, wantedBytes) => {
          const ring = new Ring({ capacity, blockBytes, mostBytes: NO_LIMIT });
          const frames = lengths.map((length, index) => frame(index + 1, randomBytes(length)));
          for (const each of frames) ring.push(each);
          assert.equal(ring.head, frames.length);
          const missed = frames.filter(({ sequence }) => sequence > asked);
          const all = ring.after(asked, NO_LIMIT);
          assert.deepEqual(all, asked > frames.length || missed.length > capacity ? undefined : missed);
          const some = ring.after(asked, wantedBytes);
          assert.deepEqual(some, all?.slice(0, some?.length));
          assert.equal(some === undefined || some.length === missed.length || sumOf(some) >= wantedBytes, true);
        },
      ),
    );
  });

  it("keeps what its bytes hold, and a hundred times as much of what is alike", () => {
    const kept = (bytes: () => Buffer): number => {
      const ring = new Ring({ capacity: 100_000, mostBytes: 65_536, blockBytes: 8_192 });
      for (let sequence = 1; sequence <= 20_000; sequence += 1) ring.push(frame(sequence, bytes()));
      return Array.from({ length: 20_001 }, (_, index) => index).filter((count) => ring.after(20_000 - count, 0) !== undefined).length;
    };
    const alike = Buffer.from(`data: ${"a container changed".repeat(40)}\n\n`);
    const unlike = kept(() => randomBytes(alike.length)) * alike.length;
    assert.ok(unlike > 40_000 && unlike < 66_000 + 8_192, `${unlike} bytes of frames that cannot be compressed`);
    assert.ok(kept(() => alike) * alike.length > 65_536 * 50);
  });

  it("takes no more memory than what it keeps", () => {
    const ring = new Ring({ capacity: 100_000, mostBytes: NO_LIMIT, blockBytes: 8_192 });
    const block = Buffer.from("a container changed ".repeat(500));
    const before = heldMemory().arrayBuffers;
    for (let sequence = 1; sequence <= 200; sequence += 1) {
      ring.push(frame(sequence, block));
      // What the rest of the program needs for a moment meanwhile.
      for (let passing = 0; passing < 3; passing += 1) Buffer.allocUnsafe(30_000).fill(0);
    }
    const grownBy = heldMemory().arrayBuffers - before;
    assert.ok(grownBy < 1_000_000, `200 blocks of some 100 bytes take ${grownBy}`);
    assert.equal(ring.head, 200);
  });

  it("empties the frames of a host, compressed ones too, and keeps their places", () => {
    const ring = new Ring({ capacity: 100, mostBytes: NO_LIMIT, blockBytes: 30 });
    for (let sequence = 1; sequence <= 10; sequence += 1)
      ring.push(frame(sequence, Buffer.from(`event ${sequence}`), sequence % 2 ? "odd" : null));
    ring.forgetHost("odd");
    const texts = ring.after(0, NO_LIMIT)?.map(({ bytes }) => bytes.toString());
    assert.deepEqual(texts, ["", "event 2", "", "event 4", "", "event 6", "", "event 8", "", "event 10"]);
  });
});

function sumOf(frames: readonly LiveFrame[]): number {
  return frames.reduce((sum, { bytes }) => sum + bytes.length, 0);
}
