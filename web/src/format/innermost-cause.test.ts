import assert from "node:assert/strict";
import { test } from "node:test";
import { innermostCause } from "./innermost-cause.ts";

test("a chain of errors is shown by its end", () => {
  const cases: [string, string][] = [
    ["port is already allocated", "port is already allocated"],
    ["exec failed: no such file", "exec failed: no such file"],
    [
      'failed to create task: runtime create failed: unable to start container process: exec: "mailerd": executable file not found in $PATH: unknown',
      '"mailerd": executable file not found in $PATH',
    ],
    [
      "driver failed programming external connectivity on endpoint web (3f2c9d): Bind for 0.0.0.0:80 failed: port is already allocated",
      "Bind for 0.0.0.0:80 failed: port is already allocated",
    ],
    ["", ""],
    ["unknown", "unknown"],
  ];
  for (const [message, expected] of cases) assert.equal(innermostCause(message), expected);
});
