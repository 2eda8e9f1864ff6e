import assert from "node:assert/strict";
import { test } from "node:test";
import { retiredWords, usesOf } from "./words.ts";

const GLOSSARY = `# Words

| word | means | not |
|---|---|---|
| alert | a problem | |
| outbox | what waits | depot, parcels |
`;

test("the third column of each table is retired", () => {
  assert.deepEqual(
    [...retiredWords(GLOSSARY)],
    [
      ["depot", "outbox"],
      ["parcels", "outbox"],
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
