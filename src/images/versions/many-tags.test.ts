import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { DEFAULT_UPDATE_SETTINGS, type UpdateSettings } from "../../observations.ts";
import { createTagRules } from "./index.ts";
import { createPatternReader } from "./patterns.ts";
import { chooseTags } from "./rules.ts";

const rules = createTagRules();
const settings = (changes: Partial<UpdateSettings> = {}): UpdateSettings => ({ ...DEFAULT_UPDATE_SETTINGS, ...changes });

describe("among very many tags", () => {
  const many = Array.from({ length: 50_000 }, (_, index) => `${1 + (index % 9)}.${index % 40}.${index % 77}-ls${index}`);
  const most = 3;

  test("others get their turn every few hundred tags, and sooner where expressions are asked", () => {
    for (const [changes, pauses] of [
      [{}, 100],
      [{ tagInclude: "^never$" }, 5000],
      [{ tagInclude: "^never.{500}.{500}$" }, 15_000],
    ] as const) {
      const choosing = chooseTags("1.0.0-ls0", many, settings(changes), { most, readPatterns: createPatternReader() });
      let paused = 0;
      while (choosing.next().done !== true) paused += 1;
      assert.ok(paused >= pauses, `${paused} pauses`);
    }
  });

  test("it ends with the signal", async () => {
    const abort = new AbortController();
    const choosing = rules.choose("1.0.0-ls0", many, settings(), { most, signal: abort.signal });
    abort.abort(new Error("enough"));
    await assert.rejects(choosing, /enough/);
  });

  test("the best are listed in their order, each once", async () => {
    const tags = ["1.0.0", "1.2.0", "1.1.0", "2.0.0", "1.3.0"];
    const choices = await rules.choose("1.0.0", tags, settings(), { most, signal: new AbortController().signal });
    assert.deepEqual(
      choices.map(({ tag, type }) => `${type} ${tag}`),
      ["major 2.0.0", "minor 1.3.0", "minor 1.2.0"],
    );
  });
});
