import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { keptFolder, readCorpus } from "./corpus.ts";
import { fault, processorMs } from "./target.ts";
import { TARGETS } from "./targets.ts";

for (const target of TARGETS)
  describe(`kept inputs of ${target.name}`, () => {
    const kept = readCorpus(keptFolder(target.name));

    it("are there, and small", () => {
      assert.ok(kept.length > 0);
      for (const { name, bytes } of kept) assert.ok(bytes.length <= target.maxBytes, name);
    });

    it("are read or refused, in time", async () => {
      for (const { name, bytes } of kept) {
        const error = await fault(target, bytes);
        assert.equal(error, undefined, `${name}: ${error instanceof Error ? error.stack : String(error)}`);
        const leastMs = await processorMs(target, bytes);
        assert.ok(leastMs <= target.maxMs, `${name} took ${leastMs} ms of processor time`);
      }
    });
  });
