import assert from "node:assert/strict";
import { test } from "node:test";
import { typedCommand, logOf, silenceOf, targetsOf } from "./palette-commands.ts";

test("a query that begins with a verb is a command", () => {
  assert.deepEqual(typedCommand(" silence  shop "), { verb: "silence", name: "shop" });
  assert.deepEqual(typedCommand("Mute shop db"), { verb: "silence", name: "shop db" });
  assert.deepEqual(typedCommand("log web"), { verb: "log", name: "web" });
  assert.deepEqual(typedCommand("LOGS web"), { verb: "log", name: "web" });
  for (const query of ["", "silence", "silence ", "logs", "silences shop", "login web", "new silence shop"])
    assert.equal(typedCommand(query), undefined, query);
});

test("the log of a container is asked for with what to find in it", () => {
  assert.deepEqual(logOf("web"), { container: "web", find: undefined });
  assert.deepEqual(logOf("web-1  out of memory"), { container: "web-1", find: "out of memory" });
});

test("a silence is of two hours, or of a usual length that follows the name", () => {
  assert.deepEqual(silenceOf("shop"), { about: "shop", preset: "2h" });
  assert.deepEqual(silenceOf("shop db  30m"), { about: "shop db", preset: "30m" });
  assert.deepEqual(silenceOf("shop 8 H"), { about: "shop", preset: "8h" });
  assert.deepEqual(silenceOf("shop 9h"), { about: "shop 9h", preset: "2h" });
  assert.deepEqual(silenceOf("8h"), { about: "8h", preset: "2h" });
});

test("a command is offered for what has the name, a group before its containers", () => {
  const options = [
    { value: "agent:local", label: "Local", note: "Everything on this host" },
    { value: "group:shop", label: "shop (group)", note: "5 containers" },
    { value: "group:office (group)", label: "office (group) (group)", note: "1 container" },
    { value: "container:7", label: "old-shop-db", note: "Container in shop" },
    { value: "container:8", label: "shop-db", note: "Container in shop" },
  ];
  assert.deepEqual(
    targetsOf(options, "SHOP").map(({ entity }) => entity),
    ["group:shop", "container:8", "container:7"],
  );
  assert.deepEqual(targetsOf(options, "office"), [{ entity: "group:office (group)", name: "office (group)", note: "Group, 1 container" }]);
  assert.deepEqual(targetsOf(options, "nothing"), []);
  const many = Array.from({ length: 9 }, (_, id) => ({ value: `container:${id}`, label: `web-${id}`, note: "" }));
  assert.equal(targetsOf(many, "web").length, 5);
});
