import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseSearch } from "../app/search-params.ts";
import { renameFault, renameView, saveFault, withoutView, withView, writeViews } from "./edit-views.ts";
import { readViews, VIEW_BOUNDS, viewQuery, type SavedView } from "./saved-views.ts";

const failing: SavedView = { name: "Failing", query: "?state=exited,dead" };
const busy: SavedView = { name: "Busy", query: "?order=desc&sort=cpu" };

describe("the query of a view", () => {
  it("is the same in whatever order its parts were chosen", () => {
    const one = viewQuery({ sort: "cpu", state: ["exited", "dead"], agent_id: "local" });
    assert.equal(one, viewQuery({ agent_id: "local", state: ["exited", "dead"], sort: "cpu", q: undefined }));
    assert.equal(one, "?agent_id=local&sort=cpu&state=exited,dead");
  });

  it("leaves out the moment and open forms", () => {
    assert.equal(
      viewQuery({ q: "a b&c=d", at: "2026-11-21T04:00:00.000Z", create: "yes", target: "https://example.com" }),
      "?q=a+b%26c%3Dd",
    );
  });

  it("is read again as it was", () => {
    assert.deepEqual(parseSearch(viewQuery({ q: "é, 50 % & more", group: "shop" })), { group: "shop", q: "é, 50 % & more" });
  });
});

describe("saved views", () => {
  it("are remembered as text", () => {
    const views = [{ name: 'a "b"\n', query: "?q=%22" }, busy];
    assert.deepEqual(readViews(writeViews(views)), views);
    assert.equal(writeViews([]), "");
  });

  it("are at most as many as may be, whatever is remembered", () => {
    const many = Array.from({ length: 50 }, (_, index) => ({ name: `view ${index}`, query: "" }));
    assert.equal(readViews(writeViews(many)).length, VIEW_BOUNDS.count);
  });

  it("fit into what a browser keeps for them", () => {
    const longest = { name: "\u0001".repeat(VIEW_BOUNDS.nameLength), query: "a".repeat(VIEW_BOUNDS.queryLength) };
    assert.ok(writeViews(Array.from({ length: VIEW_BOUNDS.count }, () => longest)).length <= 64_000);
  });

  for (const text of ["", "{", "null", "7", '"x"', "{}", '[["a"],["b",1],"c",null,["d","?q=d"]]']) {
    it(`are those that can be read when ${JSON.stringify(text)} is remembered`, () =>
      assert.deepEqual(readViews(text), text.includes("?q=d") ? [{ name: "d", query: "?q=d" }] : []));
  }

  it("are added at the end, and take the place of the one of the same name", () => {
    assert.deepEqual(withView([failing], busy), [failing, busy]);
    assert.deepEqual(withView([failing, busy], { name: " failing ", query: "?q=x" }), [{ name: "failing", query: "?q=x" }, busy]);
  });

  it("are renamed and deleted by their names", () => {
    assert.deepEqual(renameView([failing, busy], "Busy", " Hot "), [failing, { ...busy, name: "Hot" }]);
    assert.deepEqual(withoutView([failing, busy], "Failing"), [busy]);
  });

  it("are refused without a name, with too long filters, and when there are too many", () => {
    const full = Array.from({ length: VIEW_BOUNDS.count }, (_, index) => ({ name: `view ${index}`, query: "" }));
    assert.equal(saveFault([failing], { name: "  ", query: "" }), "Enter a name.");
    assert.match(saveFault([], { name: "a", query: "q".repeat(VIEW_BOUNDS.queryLength + 1) }) ?? "", /too long/);
    assert.match(saveFault(full, { name: "one more", query: "" }) ?? "", /^You have 20 saved views/);
    assert.equal(saveFault(full, { name: "View 3", query: "" }), undefined);
    assert.equal(saveFault([failing], busy), undefined);
  });

  it("keep names apart when they are renamed", () => {
    assert.equal(renameFault([failing, busy], "Busy", "FAILING"), "Another view has this name.");
    assert.equal(renameFault([failing, busy], "Busy", "BUSY"), undefined);
    assert.equal(renameFault([failing, busy], "Busy", " "), "Enter a name.");
  });
});
