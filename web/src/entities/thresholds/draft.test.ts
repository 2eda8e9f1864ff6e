import assert from "node:assert/strict";
import { test } from "node:test";
import { draftOf, isSameDraft, percentOf, readDraft, watchedOf, withPercent, type ThresholdDraft } from "./draft.ts";

const DRAFT: ThresholdDraft = { cpu: { isOn: true, percent: "90" }, memory: { isOn: false, percent: "80" }, debounce: "60" };

test("what is set comes back as it was", () => {
  for (const body of [
    { cpu_threshold: 90, memory_threshold: 87.5, debounce_seconds: 60 },
    { cpu_threshold: null, memory_threshold: null, debounce_seconds: 0 },
  ])
    assert.deepEqual(readDraft(draftOf({ configured: true, ...body })), { body });
});

test("until something is set, all is off and shows what it would be", () => {
  const unset = { configured: false, cpu_threshold: 90, memory_threshold: 80, debounce_seconds: 60 };
  assert.deepEqual(draftOf(unset), { ...DRAFT, cpu: { isOn: false, percent: "90" } });
  assert.deepEqual(watchedOf(unset), []);
  assert.deepEqual(watchedOf({ ...unset, configured: true }), ["cpu", "memory"]);
  assert.deepEqual(watchedOf({ ...unset, configured: true, cpu_threshold: null }), ["memory"]);
});

test("numbers are read as people write them", () => {
  const cases: [string, number][] = [
    ["90", 90],
    [" 87.5 % ", 87.5],
    ["87,5%", 87.5],
    ["1", 1],
    ["100", 100],
  ];
  for (const [percent, value] of cases) {
    assert.deepEqual(readDraft({ ...DRAFT, cpu: { isOn: true, percent } }), {
      body: { cpu_threshold: value, memory_threshold: null, debounce_seconds: 60 },
    });
  }
  assert.deepEqual(readDraft({ ...DRAFT, debounce: "90 s" }), {
    body: { cpu_threshold: 90, memory_threshold: null, debounce_seconds: 90 },
  });
});

test("what is wrong is shown field by field", () => {
  for (const percent of ["", "0", "0.5", "101", "lots", "-5", "1e1", "9 0", "Infinity"]) {
    assert.deepEqual(readDraft({ ...DRAFT, memory: { isOn: true, percent } }), {
      faults: { memory_threshold: "A percentage from 1 to 100." },
    });
  }
  for (const debounce of ["", "3601", "1.5", "-1", "a minute"]) {
    assert.deepEqual(readDraft({ ...DRAFT, debounce }), { faults: { debounce_seconds: "A whole number of seconds, 0 to 3600." } });
  }
});

test("what is off is not asked for, whatever it says", () => {
  assert.deepEqual(readDraft({ ...DRAFT, memory: { isOn: false, percent: "lots" } }), {
    body: { cpu_threshold: 90, memory_threshold: null, debounce_seconds: 60 },
  });
  assert.equal(percentOf({ isOn: false, percent: "90" }), undefined);
  assert.equal(percentOf({ isOn: true, percent: "90" }), 90);
});

test("drafts are the same when they show the same", () => {
  assert.ok(isSameDraft(DRAFT, structuredClone(DRAFT)));
  assert.ok(!isSameDraft(DRAFT, withPercent(DRAFT, "cpu", 91)));
  assert.ok(!isSameDraft(DRAFT, { ...DRAFT, memory: { ...DRAFT.memory, isOn: true } }));
  assert.ok(!isSameDraft(DRAFT, { ...DRAFT, debounce: "61" }));
});

test("a threshold that is moved is on", () => {
  assert.deepEqual(withPercent(DRAFT, "memory", 42).memory, { isOn: true, percent: "42" });
});
