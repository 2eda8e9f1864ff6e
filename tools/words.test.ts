import assert from "node:assert/strict";
import { test } from "node:test";
import { retiredWords, usesOf } from "./words.ts";

const GLOSSARY = `# Words

| word | means | not |
|---|---|---|
| alert | a problem | |
| outbox | what waits | depot, parcels |
| separate | not shared | of its own |
`;

test("the third column of each table is retired", () => {
  assert.deepEqual(
    [...retiredWords(GLOSSARY)],
    [
      ["depot", "outbox"],
      ["parcels", "outbox"],
      ["of its own", "separate"],
    ],
  );
});

test("a retired word is found alone and in a name, and not inside another word", () => {
  const found = (text: string): string[] => usesOf(text, retiredWords(GLOSSARY)).map(({ line, word }) => `${line} ${word}`);
  assert.deepEqual(found("const depot = 1;\nopenDepot();\nDEPOT_SIZE\n./parcels.ts\ndepots, parcel"), [
    "1 depot",
    "2 depot",
    "3 depot",
    "4 parcels",
  ]);
  assert.deepEqual(found("alert outbox"), []);
});

test("a phrase is found in one line, over the end of a line, and in a name", () => {
  const found = (text: string): string[] => usesOf(text, retiredWords(GLOSSARY)).map(({ line, word }) => `${line} ${word}`);
  assert.deepEqual(found("A thread of its own.\n/**\n * A table of\n * its own.\n */\n// Of its\n// own.\nconst ofItsOwn = 1;"), [
    "1 of its own",
    "3 of its own",
    "6 of its own",
    "8 of its own",
  ]);
  assert.deepEqual(found("Of its kind, own or not."), []);
});
