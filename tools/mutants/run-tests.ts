/**
 * `node tools/mutants/run-tests.ts TIMEOUT SKIP FILE...`, started with a channel to its parent: runs test files in this one process, reports to the parent
 * which file is at work and the first test that fails, and ends there.
 */
import { run } from "node:test";
import type { Progress } from "./suite.ts";

const [timeoutMs = "", skip = "", ...files] = process.argv.slice(2);
const report = (progress: Progress): Promise<void> => new Promise((resolve) => process.send?.(progress, undefined, {}, () => resolve()));

// Before a test can keep this thread to itself.
await report({ file: files[0] ?? "" });
for await (const event of run({ files, isolation: "none", timeout: Number(timeoutMs), testSkipPatterns: [new RegExp(skip)] })) {
  if (event.type === "test:dequeue" && event.data.file !== undefined) await report({ file: event.data.file });
  if (event.type === "test:complete" && !event.data.details.passed && event.data.todo === undefined) {
    await report({ file: event.data.file ?? "", failed: event.data.name });
    process.exit(1);
  }
}
process.exit(0);
