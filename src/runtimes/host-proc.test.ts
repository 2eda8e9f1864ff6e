import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { StartError } from "../platform/errors.ts";
import { findHostProc } from "./host-proc.ts";

test("a configured /proc must be one", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "binnacle-test-"));
  t.after(() => rmSync(folder, { recursive: true }));
  assert.throws(
    () => findHostProc(folder),
    (error) => error instanceof StartError && error.message.includes(folder) && error.message.includes("SERVICE_HOST_PROC"),
  );
  writeFileSync(join(folder, "stat"), "cpu 1 2 3 4\n");
  assert.equal(findHostProc(folder), folder);
});

test("without one, the host's where it is mounted, else our own", () => {
  assert.match(findHostProc(undefined), /^(\/host)?\/proc$/);
});
