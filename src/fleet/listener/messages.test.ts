import assert from "node:assert/strict";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import { DESCRIPTION } from "../../../test/support/listener.ts";
import { AuthResponseSchema } from "../wire/index.ts";
import { helloOf } from "./messages.ts";

test("what an agent says of itself is cleaned and bounded", () => {
  const { agent } = create(AuthResponseSchema, {
    agent: {
      ...DESCRIPTION,
      version: "1.3.0\u0000",
      os: "\u001b[31mred",
      arch: "a".repeat(100),
      capabilities: ["", ...Array.from({ length: 100 }, () => "x")],
    },
  });
  const { version, os, arch, capabilities } = helloOf(agent);
  assert.deepEqual([version, os, arch.length, capabilities.length], ["1.3.0", "red", 32, 31]);
});
