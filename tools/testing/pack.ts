/** Runs the test files that BINNACLE_TEST_FILES names (a JSON array of absolute paths) in this one process, each as a suite of its name. */
import { createRequire } from "node:module";
import { relative } from "node:path";
import { describe, it } from "node:test";

const ROOT = new URL("../../", import.meta.url).pathname;
const files = JSON.parse(process.env["BINNACLE_TEST_FILES"] ?? "[]") as string[];

const load = createRequire(import.meta.url);

// Here alone: threads and processes of tests, which load unhooked.ts too, are to end by such an error.
process.on("uncaughtExceptionMonitor", (error) => console.error(error));
process.on("unhandledRejection", (error) => console.error(error));

// Loaded at once: what is declared later would not be of the suite (unhooked.ts).
for (const file of files)
  describe(relative(ROOT, file), () => {
    try {
      load(file);
    } catch (error) {
      // The runner passes a suite whose body fails before it has a test.
      it("loads", () => Promise.reject(error as Error));
    }
  });
