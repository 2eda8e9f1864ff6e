import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { describe, it } from "node:test";
import { runInNewContext } from "node:vm";
import { parseAst } from "rolldown/parseAst";
import { createChance } from "../../test/support/chance.ts";
import { smallestCover } from "./corpus.ts";
import { instrument } from "./instrument.ts";
import { mutated } from "./mutate.ts";

const SOURCE = `
function judge(a: number, b = a > 5 ? "large" : "small"): string {
  if (a === 1) return "one";
  else if (a === 2) b = "two";
  for (const each of [a]) b += each;
  switch (a) {
    case 3:
    case 4: return "few";
    default: { b += "!"; }
  }
  const more = (c: number) => ({ c: c ?? 7 });
  return a > 9 && more(a).c > 11 || b === "x" ? "many" : b;
}`;

describe("instrumented source", () => {
  it("does as before, and counts what it reaches", () => {
    const { source, counters, words } = instrument(SOURCE, { first: 10, language: "ts" });
    const hits = new Uint32Array(10 + counters);
    const make = (text: string, given: Uint32Array): ((a: number) => string) =>
      runInNewContext(`${stripTypeScriptTypes(text)}\njudge;`, { __hits: given }) as (a: number) => string;
    const [plain, counting] = [make(SOURCE, hits), make(source, hits)];
    assert.ok(hits.every((count) => count === 0));
    const reached = new Set<string>();
    for (const value of [0, 1, 2, 3, 6, 10, 12]) {
      hits.fill(0);
      assert.equal(counting(value), plain(value));
      reached.add([...hits].map((count) => Math.sign(count)).join(""));
      assert.ok(hits.subarray(0, 10).every((count) => count === 0));
    }
    assert.equal(reached.size, 7, "each of the values takes its own path");
    assert.deepEqual(words.sort(), ["few", "large", "many", "one", "small", "two"]);
  });

  it("is TypeScript, whatever the file", () => {
    const root = join(import.meta.dirname, "../..");
    for (const path of globSync("src/{collector,fleet/wire,images/packages}/**/*.ts", { cwd: root })) {
      const { source } = instrument(readFileSync(join(root, path), "utf8"), { first: 0, language: "ts" });
      assert.doesNotThrow(() => parseAst(source, { lang: "ts" }), path);
    }
  });
});

describe("inputs", () => {
  it("are drawn the same with the same seed, and are never too long", () => {
    const pool = [Buffer.from("one two"), Buffer.alloc(40, 7)];
    const draw = (): Buffer[] => {
      const chance = createChance(3);
      return Array.from({ length: 500 }, (_, index) =>
        mutated(pool[index % 2] as Buffer, { chance, pool, words: [Buffer.from("word")], maxBytes: 64 }),
      );
    };
    const drawn = draw();
    assert.deepEqual(draw(), drawn);
    assert.ok(drawn.every(({ length }) => length <= 64));
    assert.ok(new Set(drawn.map(String)).size > 400);
  });

  it("that are kept reach what all reach", () => {
    const input = (text: string, ...features: number[]) => ({ bytes: Buffer.from(text), features });
    const [one, two, three] = [input("long", 1, 2), input("a", 1), input("b", 3)];
    assert.deepEqual(smallestCover([two, one, three]), [one, three]);
  });
});
