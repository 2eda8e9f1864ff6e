import assert from "node:assert/strict";
import { test } from "node:test";
import { HOUR_MS } from "../../contract/time.ts";
import { createHead, gather, roomFor } from "./head.ts";

const TICK_MS = 10_000;
const HOUR = 490_000 * HOUR_MS;
const COLUMNS = 2;

/** Numbers from 0 to below a bound; the same in each run. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

function tickOf(slot: number, ids: readonly number[], value: number) {
  const all = new Float64Array(COLUMNS * ids.length).map((_, place) => value + place);
  return { atMs: HOUR + slot * TICK_MS, ids, columns: [all.subarray(0, ids.length), all.subarray(ids.length)] };
}

test("of hosts whose ticks come mixed, each series has the first one that has it, whatever the lists are", () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const roll = dice(seed);
    const head = createHead(COLUMNS);
    const expected = new Map<string, number>();
    // Hosts of eight series; now and then one of a list is missing, a list begins elsewhere, or a tick comes again.
    for (let number = 0; number < 200; number += 1) {
      const host = roll(4);
      const ids = Array.from({ length: 8 }, (_, index) => host * 8 + index).filter(() => roll(10) > 0);
      const slot = roll(40);
      const tick = tickOf(slot, ids, number * 1000);
      head.put(tick, number);
      ids.forEach((id, place) => {
        const key = `${id} ${slot}`;
        if (!expected.has(key)) expected.set(key, number * 1000 + place);
      });
    }
    for (let id = 0; id < 32; id += 1) {
      const [grid] = head.grids(id, HOUR);
      for (let slot = 0; slot < 40; slot += 1) {
        assert.equal(grid?.[0]?.[slot], expected.get(`${id} ${slot}`) ?? Number.NaN, `seed ${seed}, series ${id}, slot ${slot}`);
      }
    }
  }
});

test("series of several hosts are gathered together, and a forgotten host is gone from it", () => {
  const head = createHead(COLUMNS);
  for (let slot = 0; slot < 5; slot += 1) {
    head.put(tickOf(slot, [1, 2], 10 + slot), slot * 2);
    head.put(tickOf(slot, [3, 4], 100 + slot), slot * 2 + 1);
  }
  assert.deepEqual(head.journalIdsOf(new Set([3, 4])), [1, 3, 5, 7, 9]);
  const before = head.bytes();
  head.forget(new Set([3, 4]));
  assert.equal(head.bytes(), before / 2);
  const [generation] = head.close(HOUR);
  assert.ok(generation !== undefined);
  const room = new Float64Array(roomFor(2, COLUMNS));
  assert.equal(gather(generation, [4, 3], COLUMNS, room), false);
  assert.equal(gather(generation, [2, 3], COLUMNS, room), true);
  assert.deepEqual([...room.subarray(0, 6)], [11, 12, 13, 14, 15, Number.NaN]);
  assert.ok(room.subarray(room.length / 2).every(Number.isNaN));
  assert.deepEqual(generation.journalIds, [0, 2, 4, 6, 8]);
});

test("a series that a tick has twice gets the first of its values", () => {
  const head = createHead(COLUMNS);
  head.put(tickOf(0, [1, 2, 1], 10), 0);
  const first = (id: number): (number | undefined)[] | undefined => head.grids(id, HOUR)[0]?.map((column) => column[0]);
  assert.deepEqual(first(1), [10, 13]);
  assert.deepEqual(first(2), [11, 14]);
});
