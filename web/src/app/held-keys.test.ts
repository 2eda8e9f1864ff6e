import assert from "node:assert/strict";
import { test } from "node:test";
import { editOf } from "./held-keys.ts";

test("keys that write are kept as text, and all others do nothing", () => {
  const typed = ["r", "e", "x", "Backspace", "ß", "Enter", "ArrowDown", " ", "F5", "𝄞"];
  assert.equal(
    typed.reduce((text, key) => editOf(key)?.(text) ?? text, ""),
    "reß 𝄞",
  );
});
