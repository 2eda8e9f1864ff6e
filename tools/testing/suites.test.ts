import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";

const ROOT = join(import.meta.dirname, "../..");

it("no suite declares anything after a wait, where it would not be of the suite", () => {
  const paths = globSync("{src,test,tools,web/src}/**/*.test.{ts,tsx}", { cwd: ROOT });
  assert.ok(paths.length > 100);
  const waiting = paths.filter((path) => /^\s*(?:describe|suite)\(.*\basync\b/m.test(readFileSync(join(ROOT, path), "utf8")));
  assert.deepEqual(waiting, []);
});
