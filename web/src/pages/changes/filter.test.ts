import assert from "node:assert/strict";
import { test } from "node:test";
import { CHANGE_KINDS, type ChangeKind } from "../../../../src/contract/change-kinds.ts";
import { stringifySearch } from "../../app/search-params.ts";
import { changesFilter } from "./filter.ts";
import { chosenWords, kindRows } from "./kind-words.ts";

test("the address says which kinds are shown; what it says wrongly is left out", () => {
  const shown = { since: "2026-11-27T09:00:00.000Z", until: undefined, kind: ["container_removed", "image_changed"] };
  const read = changesFilter({ since: "2026-11-27T10:00:00+01:00", until: "noon", kind: "image_changed,reboot,container_removed" });
  assert.deepEqual(read, shown);
  assert.equal(stringifySearch({ kind: read.kind }), "?kind=container_removed,image_changed");
  assert.deepEqual(changesFilter({ kind: "reboot" }).kind, undefined);
});

test("the menu has every kind once, and changes what is chosen", () => {
  let chosen: ChangeKind[] = ["image_changed"];
  const rows = () => kindRows(chosen, (kinds) => (chosen = kinds));
  const row = (kind: ChangeKind) => rows().find(({ key }) => key === kind);
  assert.deepEqual(
    rows()
      .map(({ key }) => key)
      .toSorted(),
    CHANGE_KINDS.toSorted(),
  );
  row("alert_raised")?.run();
  assert.deepEqual(chosen, ["image_changed", "alert_raised"]);
  row("image_changed")?.run();
  assert.deepEqual([chosen, row("alert_raised")?.chosen, row("image_changed")?.chosen], [["alert_raised"], true, false]);
});

test("the button says what is chosen", () => {
  assert.equal(chosenWords([]), "any");
  assert.equal(chosenWords(["image_changed"]), "image");
  assert.equal(chosenWords(["image_changed", "update_found"]), "2 chosen");
});
