import assert from "node:assert/strict";
import { test } from "node:test";
import { type StoredFound, findLastLines } from "./find.ts";

/** Ten chunks of ten lines; line 0 is the oldest. Answers which chunks were read. */
async function lastOf(lines: number): Promise<{ texts: string[]; read: number[] }> {
  const read: number[] = [];
  async function search(visit: (found: StoredFound) => void, ends: AbortSignal): Promise<void> {
    for (let chunk = 9; chunk >= 0 && !ends.aborted; chunk -= 1) {
      read.push(chunk);
      for (let ordinal = 0; ordinal < 10; ordinal += 1) {
        const text = `line ${chunk * 10 + ordinal}`;
        visit({ atMs: chunk, ordinal, level: null, readLine: () => ({ timestamp: new Date(chunk), stream: "stdout", text }) });
      }
    }
  }
  const found = await findLastLines(lines, search, new AbortController().signal);
  return { texts: found.map(({ text }) => text), read };
}

test("the last lines come oldest first, from as few chunks as have them", async () => {
  assert.deepEqual(await lastOf(3), { texts: ["line 97", "line 98", "line 99"], read: [9] });
  assert.deepEqual(await lastOf(11), {
    texts: ["line 89", ...Array.from({ length: 10 }, (_, index) => `line ${90 + index}`)],
    read: [9, 8],
  });
  const { texts, read } = await lastOf(1_000);
  assert.deepEqual([texts.length, texts[0], read.length], [100, "line 0", 10]);
});
