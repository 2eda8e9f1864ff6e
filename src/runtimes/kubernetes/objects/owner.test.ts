import assert from "node:assert/strict";
import { test } from "node:test";
import { metadata } from "./schemas.ts";
import { controllerOf } from "./values.ts";

const ownerOf = (uid: string) =>
  controllerOf(metadata.parse({ name: "p", uid: "u1", ownerReferences: [{ kind: "Thing", name: "t", uid, controller: true }] }));

test("an owner is known by its uid", () => {
  assert.deepEqual(ownerOf("0b9c54a0-0000-4000-8000-000000000001"), {
    kind: "Thing",
    name: "t",
    id: "0b9c54a0-0000-4000-8000-000000000001",
  });
});

test("an owner whose uid is none, as anybody may name one, has an id all the same", () => {
  for (const uid of ["not a uid", "x".repeat(300), "", "a\nb"]) {
    const id = ownerOf(uid)?.id ?? "";
    assert.match(id, /^[0-9a-f]{64}$/);
    assert.equal(id, ownerOf(uid)?.id);
  }
  assert.notEqual(ownerOf("not a uid")?.id, ownerOf("nor this")?.id);
});
