import assert from "node:assert/strict";
import { test } from "node:test";
import { createKnownPins, type Pin } from "./known-image.ts";

function pin(id: number, containerId: number, containerName: string): Pin {
  return { id, host: "local", containerId, containerName, reason: null, tag: null, digest: null, at: new Date(0) };
}
const of = (id: number, name: string) => ({ id, agentId: null, name });

test("a pin holds for its container whatever it is called, and for what has its name", () => {
  const pins = createKnownPins();
  pins.put(pin(1, 10, "web"));
  assert.equal(pins.find(of(10, "renamed"))?.id, 1);
  assert.equal(pins.find(of(11, "web"))?.id, 1);
  assert.equal(pins.find(of(11, "other")), undefined);
});

test("a pin that goes leaves that of another container of its name, and that of its container under another name", () => {
  const pins = createKnownPins();
  const [old, sameName, sameContainer] = [pin(1, 10, "web"), pin(2, 11, "web"), pin(3, 10, "api")];
  for (const each of [old, sameName, sameContainer]) pins.put(each);
  pins.remove(old);
  assert.equal(pins.find(of(12, "web"))?.id, 2);
  assert.equal(pins.find(of(10, "web"))?.id, 3);
  pins.remove(sameContainer);
  pins.remove(sameName);
  assert.deepEqual([pins.find(of(10, "api")), pins.find(of(11, "web")), [...pins.all()]], [undefined, undefined, []]);
});

test("a pin that is set again is found by its new name alone", () => {
  const pins = createKnownPins();
  pins.put(pin(1, 10, "web"));
  pins.put(pin(1, 10, "shop"));
  assert.equal(pins.find(of(11, "web")), undefined);
  assert.equal(pins.find(of(11, "shop"))?.id, 1);
});
