import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../../../../test/support/seed.ts";
import {
  arrangementOf,
  isSameOrder,
  move,
  orderOf,
  placeOf,
  placeWords,
  step,
  toEdge,
  type Arrangement,
  type Piece,
} from "./arrangement.ts";

const GROUPS = [{ id: 10 }, { id: 20 }];
const COMPONENTS = [
  { id: 1, group_id: null },
  { id: 2, group_id: 10 },
  { id: 3, group_id: 10 },
  { id: 4, group_id: 20 },
];
const START = arrangementOf(GROUPS, COMPONENTS);
const component = (id: number): Piece => ({ kind: "component", id });
const group = (id: number): Piece => ({ kind: "group", id });
const shape = (arrangement: Arrangement) => arrangement.map(({ groupId, components }) => [groupId, components.join()]);

test("those without a group come first, and a group that is not known is none", () => {
  assert.deepEqual(shape(START), [
    [null, "1"],
    [10, "2,3"],
    [20, "4"],
  ]);
  assert.deepEqual(shape(arrangementOf([], [{ id: 7, group_id: 99 }])), [[null, "7"]]);
});

test("a component is moved within its group, to another and out of all", () => {
  assert.deepEqual(shape(move(START, component(3), { groupId: 10, index: 0 })), [
    [null, "1"],
    [10, "3,2"],
    [20, "4"],
  ]);
  assert.deepEqual(shape(move(START, component(2), { groupId: 20, index: 1 })), [
    [null, "1"],
    [10, "3"],
    [20, "4,2"],
  ]);
  assert.deepEqual(shape(move(START, component(4), { groupId: null, index: 0 })), [
    [null, "4,1"],
    [10, "2,3"],
    [20, ""],
  ]);
  assert.equal(move(START, component(4), { groupId: 99, index: 0 }), START);
});

test("a group takes its components along", () => {
  assert.deepEqual(shape(move(START, group(20), { groupId: 20, index: 0 })), [
    [null, "1"],
    [20, "4"],
    [10, "2,3"],
  ]);
});

test("steps continue into the next group, and stop at the edges", () => {
  const down = step(START, component(3), 1);
  assert.deepEqual(placeOf(down, component(3)), { groupId: 20, index: 0 });
  assert.deepEqual(placeOf(step(down, component(3), -1), component(3)), { groupId: 10, index: 1 });
  assert.deepEqual(placeOf(step(START, component(2), -1), component(2)), { groupId: null, index: 1 });
  assert.equal(step(START, component(1), -1), START);
  assert.equal(step(START, component(4), 1), START);
  assert.equal(step(START, group(10), -1), START);
  assert.deepEqual(placeOf(step(START, group(10), 1), group(10)), { groupId: 10, index: 1 });
  assert.equal(step(START, component(99), 1), START);
});

test("the edges of a group, and of the page", () => {
  assert.deepEqual(placeOf(toEdge(START, component(2), "last"), component(2)), { groupId: 10, index: 1 });
  assert.deepEqual(placeOf(toEdge(START, group(20), "first"), group(20)), { groupId: 20, index: 0 });
});

test("a place in words", () => {
  const name = () => "Shop";
  assert.equal(placeWords(START, component(3), name), "position 2 of 2 in Shop");
  assert.equal(placeWords(START, component(1), name), "position 1 of 1 without a group");
  assert.equal(placeWords(START, group(20), name), "position 2 of 2");
});

test("whatever is moved wherever, everything is there once", () => {
  const groupIds = [null, 10, 20] as const;
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          piece: fc.oneof(fc.integer({ min: 1, max: 4 }).map(component), fc.constantFrom(10, 20).map(group)),
          place: fc.record({ groupId: fc.constantFrom(...groupIds), index: fc.nat(6) }),
          by: fc.constantFrom(1 as const, -1 as const),
          steps: fc.boolean(),
        }),
        { maxLength: 12 },
      ),
      (moves) => {
        let now: Arrangement = START;
        for (const { piece, place, by, steps } of moves) now = steps ? step(now, piece, by) : move(now, piece, place);
        const { groups, components } = orderOf(now);
        assert.deepEqual(groups.toSorted(), [10, 20]);
        assert.deepEqual(components.map(({ id }) => id).toSorted(), [1, 2, 3, 4]);
        assert.equal(now[0]?.groupId, null);
        assert.equal(
          isSameOrder(
            now,
            arrangementOf(
              groups.map((id) => ({ id })),
              components,
            ),
          ),
          true,
        );
      },
    ),
  );
});
