import assert from "node:assert/strict";
import { test } from "node:test";
import { TEMPLATES } from "../templates.ts";
import { applyTemplate, chooseComponents, draftOf, impactOf, NEW_INCIDENT, readEdit, readIncident, readUpdate } from "./incident-draft.ts";

const [down] = TEMPLATES.investigating;
const [cause] = TEMPLATES.identified;
const nameOf = (id: string) => (id === "1" ? "Checkout" : "Search");
if (down === undefined || cause === undefined) throw new Error("no templates");

test("an incident as it is written from a template", () => {
  let draft = applyTemplate(NEW_INCIDENT, down, []);
  assert.equal(draft.title, "Our service is not available");
  draft = chooseComponents(draft, ["1"], nameOf);
  assert.equal(draft.title, "Checkout is not available");
  draft = { ...draft, title: "Payments fail" };
  draft = chooseComponents(draft, ["1", "2"], nameOf);
  assert.equal(draft.title, "Payments fail");
  assert.match(draft.message, /^Checkout and Search are not available/);
  draft = applyTemplate(draft, cause, ["Checkout", "Search"]);
  assert.equal(draft.title, "Payments fail");
  assert.equal(draft.message, cause.message([]));
  const read = readIncident(draft);
  assert.ok("body" in read);
  assert.deepEqual(read.body, {
    title: "Payments fail",
    severity: "minor",
    status: "investigating",
    message: cause.message([]),
    components: [1, 2],
    impacts: [],
    notify: true,
  });
});

test("it needs a title and a message", () => {
  const read = readIncident({ ...NEW_INCIDENT, title: " ", message: "\n" });
  assert.ok("faults" in read);
  assert.deepEqual(Object.keys(read.faults), ["title", "message"]);
});

test("an edit sends only what concerns the whole, an update what is new", () => {
  const edit = readEdit({ ...NEW_INCIDENT, title: " Slow ", components: ["2"] });
  assert.ok("body" in edit);
  assert.deepEqual(edit.body, { title: "Slow", severity: "minor", components: [2], impacts: [] });
  assert.ok("faults" in readEdit(NEW_INCIDENT));
  const update = readUpdate({ status: "resolved", message: " Over. ", notify: false });
  assert.ok("body" in update);
  assert.deepEqual(update.body, { status: "resolved", message: "Over.", notify: false });
  assert.ok("faults" in readUpdate({ status: "resolved", message: " ", notify: true }));
});

test("components are what the severity says, or what was chosen", () => {
  const draft = {
    ...NEW_INCIDENT,
    title: "Slow",
    message: "x",
    components: ["1", "2", "3"],
    impacts: { "1": "operational", "2": "major_outage" },
  } as const;
  assert.deepEqual(
    draft.components.map((id) => impactOf(draft, id)),
    ["operational", "major_outage", "degraded"],
  );
  const major = { ...draft, severity: "major" } as const;
  assert.equal(impactOf(major, "1"), "partial_outage", "nothing of a major incident is operational");
  const read = readIncident(draft);
  assert.ok("body" in read);
  const impacts = [
    { component_id: 1, status: "operational" },
    { component_id: 2, status: "major_outage" },
  ] as const;
  assert.deepEqual(read.body.impacts, impacts);
  const record = { title: "Slow", severity: "minor", status: "investigating", components: [1, 2, 3] } as const;
  const saved = { id: 1, automatic: false, created_at: "", updated_at: "", resolved_at: null, updates: [] };
  const all = [...impacts, { component_id: 3, status: "degraded" as const }];
  assert.deepEqual(draftOf({ ...record, ...saved, components: [1, 2, 3], impacts: all }).impacts, draft.impacts);
});
