import assert from "node:assert/strict";
import { test } from "node:test";
import { explainExitCode } from "./exit-code.ts";

test("exit codes are explained as far as they have a meaning", () => {
  const cases: [number, string | undefined][] = [
    [0, undefined],
    [1, undefined],
    [127, "command not found"],
    [137, "killed (SIGKILL)"],
    [139, "segmentation fault (SIGSEGV)"],
    [162, "killed by signal 34"],
    [128, undefined],
    [255, undefined],
  ];
  for (const [code, expected] of cases) assert.equal(explainExitCode(code), expected);
});
