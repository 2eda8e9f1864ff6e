import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { openResults } from "./results.ts";
import { findMutations } from "./sites.ts";
import type { Outcome } from "./trial.ts";

const DRAWN = findMutations("src/a.ts", "const a = [1, 2];");
const KILLED: Outcome = { status: "killed", by: "src/a.test.ts: counts", files: 1, seconds: 2 };
const SURVIVED: Outcome = { status: "survived", by: "all passed", files: 3, seconds: 9 };
const ORDER = { seed: 1, count: 2 };

test("an interrupted run resumes where it was, with what it had drawn", (t) => {
  const path = join(folder(t), "results.jsonl");
  const first = openResults(path, ORDER);
  assert.equal(first.drawn, undefined);
  first.begin(DRAWN);
  first.add(0, "near", SURVIVED);
  first.add(0, "near", KILLED);
  first.add(1, "near", SURVIVED);
  // Cut while it was written.
  appendFileSync(path, '{"number":1,"pass":"sto');
  const second = openResults(path, ORDER);
  assert.deepEqual(second.drawn, DRAWN);
  assert.deepEqual([second.of(0, "near"), second.of(1, "near"), second.of(1, "stories")], [KILLED, SURVIVED, undefined]);
});

test("the results of another draw are not mixed with these", (t) => {
  const path = join(folder(t), "results.jsonl");
  openResults(path, ORDER).begin(DRAWN);
  assert.throws(() => openResults(path, { seed: 2, count: 2 }), /--seed 1 --count 2/);
});

test("after a cut line the next result stands on its own line", (t) => {
  const path = join(folder(t), "results.jsonl");
  openResults(path, ORDER).begin(DRAWN);
  appendFileSync(path, '{"number":1,"pa');
  openResults(path, ORDER).add(1, "near", KILLED);
  assert.deepEqual(openResults(path, ORDER).of(1, "near"), KILLED);
});

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "binnacle-test-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
