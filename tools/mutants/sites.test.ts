import assert from "node:assert/strict";
import { test } from "node:test";
import { mutate } from "./mutation.ts";
import { findMutations } from "./sites.ts";

interface Case {
  name: string;
  source: string;
  /** Each with its kind and the whole source it makes. */
  mutants: string[];
}

const CASES: readonly Case[] = [
  {
    name: "a condition is negated, and the statement deleted",
    source: "if (ready) go();",
    mutants: ["negate: if (!(ready)) go();", "delete: {}", "delete: if (ready) {}"],
  },
  { name: "an if with an else stays", source: "if (a) {} else {}", mutants: ["negate: if (!(a)) {} else {}"] },
  {
    name: "each relation moves by one",
    source: "const a = [b < c, b <= c, b > c, b >= c];",
    mutants: [
      "bound: const a = [b <= c, b <= c, b > c, b >= c];",
      "bound: const a = [b < c, b < c, b > c, b >= c];",
      "bound: const a = [b < c, b <= c, b >= c, b >= c];",
      "bound: const a = [b < c, b <= c, b > c, b > c];",
    ],
  },
  {
    name: "an operand in parentheses",
    source: "const a = (b ?? c) < d;",
    mutants: ["bound: const a = (b ?? c) <= d;"],
  },
  { name: "equality beyond a test", source: "const f = (a) => a.b === c;", mutants: ["negate: const f = (a) => a.b !== c;"] },
  { name: "equality that is a test, once", source: "const a = b !== c ? d : e;", mutants: ["negate: const a = !(b !== c) ? d : e;"] },
  { name: "await", source: "const a = await b(c);", mutants: ["await: const a = b(c);"] },
  { name: "for await stays", source: "for await (const a of b) {}", mutants: [] },
  {
    name: "statements that can be deleted",
    source: "for (const a of b) { if (c) continue; else throw d; }",
    mutants: [
      "negate: for (const a of b) { if (!(c)) continue; else throw d; }",
      "delete: for (const a of b) { if (c) {} else throw d; }",
      "delete: for (const a of b) { if (c) continue; else {} }",
    ],
  },
  {
    name: "constants",
    source: 'const a = [0, 1, 41, true, "", "name"];',
    mutants: [
      'constant: const a = [1, 1, 41, true, "", "name"];',
      'constant: const a = [0, 0, 41, true, "", "name"];',
      'constant: const a = [0, 1, 42, true, "", "name"];',
      'constant: const a = [0, 1, 41, false, "", "name"];',
      'constant: const a = [0, 1, 41, true, "x", "name"];',
      'constant: const a = [0, 1, 41, true, "", "namex"];',
    ],
  },
  { name: "texts for people, keys and nothing", source: 'const a = { "b-c": "It is late.", d: null };', mutants: [] },
  { name: "imports and types", source: 'import a from "b";\nexport { c } from "d";\ntype E = "f" | 1;', mutants: [] },
  { name: "below a type", source: "const a = [1] as const;", mutants: ["constant: const a = [0] as const;"] },
];

for (const { name, source, mutants } of CASES)
  test(name, () => {
    const found = findMutations("src/a.ts", source).map((mutation) => `${mutation.kind}: ${mutate(source, mutation)}`);
    assert.deepEqual(found.sort(), mutants.toSorted());
  });

test("the line is the one where the change stands", () => {
  const [mutation] = findMutations("src/a.ts", "\n\nconst a =\n  7;\n");
  assert.equal(mutation?.line, 4);
});

test("a source that changed since is not mutated", () => {
  const [mutation] = findMutations("src/a.ts", "const a = 7;");
  assert.ok(mutation);
  assert.throws(() => mutate("const b = 10;", mutation), /not as it was/);
});
