import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { chosenColumns, columnAttributes, columnsParam, paramOf, type Track } from "./columns.ts";

const KEYS = ["image", "cpu", "since"] as const;
type Key = (typeof KEYS)[number];
const TRACKS: readonly Track<Key>[] = [
  [undefined, "2fr", "3fr"],
  ["image", undefined, "1fr"],
  ["cpu", "44px", "100px"],
  ["since", "52px", "52px"],
];

describe("the columns of a list", () => {
  it("are read from an address, in the order of the list", () => {
    assert.deepEqual(columnsParam("since,cpu,nonsense", KEYS), ["cpu", "since"]);
    assert.equal(columnsParam("nonsense", KEYS), undefined);
    assert.equal(columnsParam(undefined, KEYS), undefined);
  });

  it("are what the address says, else what was remembered, else as many as fit", () => {
    assert.deepEqual(chosenColumns(["cpu"], "image", KEYS), ["cpu"]);
    assert.deepEqual(chosenColumns(undefined, "image,since", KEYS), ["image", "since"]);
    assert.equal(chosenColumns(undefined, "", KEYS), undefined);
    assert.equal(chosenColumns(["auto"], "image", KEYS), undefined);
    assert.deepEqual(chosenColumns(["none"], "image", KEYS), []);
  });

  for (const chosen of [undefined, [], ["cpu"], [...KEYS]] as const) {
    it(`stand in an address: ${String(chosen)}`, () =>
      assert.deepEqual(chosenColumns(columnsParam(paramOf<Key>(chosen).join(), KEYS), "since", KEYS), chosen));
  }

  it("share the width among those that are shown", () => {
    assert.deepEqual(columnAttributes(TRACKS, ["image", "since"]), {
      "data-columns": "chosen",
      "data-hides": "cpu",
      style: { "--tracks-medium": "2fr 52px", "--tracks-wide": "3fr 1fr 52px" },
    });
    assert.deepEqual(columnAttributes(TRACKS, undefined), { "data-columns": "auto" });
  });
});
