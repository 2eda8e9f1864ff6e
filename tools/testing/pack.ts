/** Runs the test files that BINNACLE_TEST_FILES names (a JSON array of absolute paths) in this one process, each as a suite of its name. */
import { relative } from "node:path";
import { describe, it } from "node:test";

const ROOT = new URL("../../", import.meta.url).pathname;
const files = JSON.parse(process.env["BINNACLE_TEST_FILES"] ?? "[]") as string[];

for (const file of files)
  describe(relative(ROOT, file), async () => {
    // The runner passes a suite whose body fails before it has a test.
    await import(file).catch((error: unknown) => it("loads", () => Promise.reject(error)));
  });
