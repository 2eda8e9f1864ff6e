import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { CorruptBytes, open, seal } from "./envelope.ts";

test("any bytes in, the same bytes out, and seldom more", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 2000 }), fc.boolean(), (bytes, compress) => {
      const sealed = seal(bytes, { compress });
      assert.deepEqual(Uint8Array.from(open(sealed)), bytes);
      assert.ok(sealed.length <= bytes.length + 5);
    }),
  );
});

test("a changed byte anywhere is noticed, and so are bytes cut off", () => {
  for (const bytes of [new Uint8Array(500).fill(7), Uint8Array.of(1, 2, 3)]) {
    const sealed = seal(bytes, { compress: true });
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = sealed.slice();
      changed[at] = (changed[at] ?? 0) ^ 0x10;
      assert.throws(() => open(changed), CorruptBytes, `byte ${at}`);
      assert.throws(() => open(sealed.subarray(0, at)), CorruptBytes, `cut at ${at}`);
    }
  }
});

test("bytes that were never sealed are corrupt", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      assert.throws(() => open(bytes), CorruptBytes);
    }),
  );
});
