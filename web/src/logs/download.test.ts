import assert from "node:assert/strict";
import { test } from "node:test";
import { fileName, textOf } from "./download.ts";

const AT = new Date("2026-01-01T04:12:07.118Z");

test("a line stands with its time, stream and plain text", () => {
  const line = { id: 1, time: AT.getTime(), stream: "stderr", text: "\u001b[31mno\u001b[0m", plain: "no", level: null } as const;
  assert.equal(textOf(line), "2026-01-01T04:12:07.118Z stderr no");
  assert.equal(textOf({ id: 2, time: null, note: "exited", tone: "down" }), "--- exited ---");
});

const names: [string, string][] = [
  ["shop_api-1", "shop_api-1"],
  ["../../etc/passwd", ".._.._etc_passwd"],
  ['a/b\\c:d*e?"f', "a_b_c_d_e_f"],
  ["", "container"],
  ["x".repeat(5000), "x".repeat(80)],
];
for (const [name, safe] of names) {
  test(`a file for ${name.slice(0, 20)}`, () => assert.equal(fileName(name, AT), `${safe} 2026-01-01 04.12.07.log`));
}
