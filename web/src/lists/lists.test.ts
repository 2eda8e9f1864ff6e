import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FOLDED, isFolded, readFolding, toggleFold, writeFolding } from "./folds.ts";
import { nextStop, shownItems, type ListItem } from "./items.ts";

function line(key: string): ListItem {
  return { kind: key.startsWith("g") ? "group" : "row", key };
}

const items = ["g1", "a", "b", "g2", "c"].map(line);

describe("the lines of a list", () => {
  it("are all but the rows of folded groups", () => {
    const shown = (...folded: string[]): string =>
      shownItems(items, (key) => folded.includes(key))
        .map(({ key }) => key)
        .join(" ");
    assert.equal(shown(), "g1 a b g2 c");
    assert.equal(shown("g1"), "g1 g2 c");
    assert.equal(shown("g1", "g2"), "g1 g2");
  });

  it("are gone through by rows, past the heads of open groups, and no further than the list goes", () => {
    assert.equal(nextStop(items, -1, 1), 1);
    assert.equal(nextStop(items, 2, 1), 4);
    assert.equal(nextStop(items, 4, 1), undefined);
    assert.equal(nextStop(items, 4, -1), 2);
    assert.equal(nextStop(items, 1, -1), undefined);
    assert.equal(nextStop(items, items.length, -1), 4);
  });

  it("are gone through by the heads of folded groups too", () => {
    const folded = ["g1", "g2", "c", "g3"].map(line);
    assert.deepEqual(
      [-1, 0, 2].map((from) => nextStop(folded, from, 1)),
      [0, 2, 3],
    );
    assert.deepEqual(
      [3, 2].map((from) => nextStop(folded, from, -1)),
      [2, 0],
    );
  });
});

describe("the folded groups of a list", () => {
  const open = readFolding("");

  it("are those that were folded one by one, and those that come later are open", () => {
    const folding = toggleFold(toggleFold(open, "shop"), "tools");
    assert.deepEqual(
      ["shop", "tools", "new"].map((key) => isFolded(folding, key)),
      [true, true, false],
    );
    assert.equal(isFolded(toggleFold(folding, "shop"), "shop"), false);
  });

  it("are all but those that were opened, and those that come later are folded", () => {
    const folding = toggleFold({ folded: true, except: [] }, "shop");
    assert.deepEqual(
      ["shop", "tools"].map((key) => isFolded(folding, key)),
      [false, true],
    );
  });

  it("are remembered as text", () => {
    const folding = toggleFold({ folded: true, except: ['a "b"\n'] }, "c");
    assert.deepEqual(readFolding(writeFolding(folding, 100)), folding);
  });

  it("are all where groups are folded as a rule, until one is opened", () => {
    assert.equal(isFolded(readFolding("", FOLDED), "a"), true);
    assert.equal(isFolded(readFolding(writeFolding(toggleFold(FOLDED, "a"), 100), FOLDED), "a"), false);
  });

  it("are the latest ones when there are too many to remember", () => {
    assert.equal(writeFolding({ folded: false, except: ["first", "second", "third"] }, 24), '[false,"second","third"]');
  });

  for (const text of ["", "{", "[]", "[1]", "[true,1]", '"x"', "null", '[false,["x"]]']) {
    it(`are none when ${JSON.stringify(text)} is remembered`, () => assert.deepEqual(readFolding(text), open));
  }
});
