import assert from "node:assert/strict";
import { it } from "node:test";
import { onAllPages, testAllPagesAt } from "../../../support/all-pages.ts";
import { PHONE } from "../../../support/browser.ts";
import { smallTargets } from "../../../support/page-faults.ts";

testAllPagesAt(PHONE);

onAllPages("all pages under a finger", (pages) => {
  it("what is pressed is 40 px high", async () => {
    assert.deepEqual(await pages.faults(PHONE, smallTargets), []);
  });
});
