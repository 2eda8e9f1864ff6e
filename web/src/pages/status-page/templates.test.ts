import assert from "node:assert/strict";
import { test } from "node:test";
import { INCIDENT_BOUNDS } from "../../../../src/contract/status-page.ts";
import { isReplaceable, rephrase, TEMPLATES } from "./templates.ts";

test("templates name the components", () => {
  const [down] = TEMPLATES.investigating;
  assert.equal(down?.title([]), "Our service is not available");
  assert.equal(down?.title(["Checkout"]), "Checkout is not available");
  assert.equal(down?.title(["Checkout", "Search", "Mail"]), "Checkout, Search and Mail are not available");
  assert.match(down?.message(["Checkout"]) ?? "", /^Checkout is not available\. /);
});

test("every status has templates, in one line and far below the limits", () => {
  for (const templates of Object.values(TEMPLATES)) {
    assert.ok(templates.length > 0);
    for (const { title, message } of templates)
      for (const names of [[], ["Checkout"], ["Checkout", "Search"]]) {
        assert.match(title(names), /^[A-Z][^\n]*[^.\s]$/);
        assert.match(message(names), /^[A-Z][^\n]*\.$/);
        assert.ok(title(names).length < INCIDENT_BOUNDS.titleLength && message(names).length < INCIDENT_BOUNDS.messageLength);
      }
  }
});

test("only what nobody wrote gives way to a template", () => {
  const [down] = TEMPLATES.investigating;
  assert.equal(isReplaceable(" ", [], "message"), true);
  assert.equal(isReplaceable(down?.message(["Checkout"]) ?? "", ["Checkout"], "message"), true);
  assert.equal(isReplaceable(`${down?.message(["Checkout"])} Soon.`, ["Checkout"], "message"), false);
  assert.equal(isReplaceable(down?.title([]) ?? "", [], "title"), true);
});

test("a template's text follows the components, a person's does not", () => {
  const [down] = TEMPLATES.investigating;
  const change = { from: ["Checkout"], to: ["Checkout", "Search"], part: "title" } as const;
  assert.equal(rephrase(down?.title(["Checkout"]) ?? "", change), "Checkout and Search are not available");
  assert.equal(rephrase("Trouble", change), "Trouble");
  assert.equal(rephrase("", change), "");
});
