import assert from "node:assert/strict";
import { test } from "node:test";
import { HEALTH_OUTPUT_CHARACTERS, type HealthFailure } from "../../observations.ts";
import { healthFailureOf } from "./health-failure.ts";
import { containerAnswer } from "./schemas.ts";

const END = "2026-03-01T12:00:05.123456789Z";
const run = (ExitCode: number, Output: string, End = END) => ({ Start: End, End, ExitCode, Output });

function failureOf(...runs: object[]): HealthFailure | null {
  const State = { Status: "running", Health: { Status: "unhealthy", FailingStreak: 1, Log: runs } };
  return healthFailureOf(containerAnswer.parse({ Id: "a", State, Config: {} }).State);
}
const outputOf = (text: string): string | undefined => failureOf(run(1, text))?.output;

test("is the last failed run, though a later one succeeded", () => {
  const failure = failureOf(run(1, "first"), run(2, "second\n"), run(0, "well"));
  assert.deepEqual(failure, { exitCode: 2, output: "second", endedAt: new Date("2026-03-01T12:00:05.123Z") });
});

test("is missing without a failed run, and without runs", () => {
  assert.equal(failureOf(run(0, "well")), null);
  assert.equal(failureOf(run(1, "never ended", "0001-01-01T00:00:00Z")), null);
  assert.equal(failureOf(), null);
  assert.equal(
    healthFailureOf(containerAnswer.parse({ Id: "a", State: { Health: { Status: "starting", Log: null } }, Config: {} }).State),
    null,
  );
});

test("is read where an older Podman has it", () => {
  const State = { Status: "running", Healthcheck: { Status: "unhealthy", Log: [run(-1, "Health check exceeded timeout (1s)")] } };
  assert.partialDeepStrictEqual(healthFailureOf(containerAnswer.parse({ Id: "a", State, Config: {} }).State), {
    exitCode: -1,
    output: "Health check exceeded timeout (1s)",
  });
});

test("is text for reading: without colours, control characters and directions", () => {
  assert.equal(outputOf("\u001b[31mred\u001b[0m\r\n\u0000a\u202eb\tc\n\n\n\nend\n"), "red\na b c\n\nend");
});

test("has its secrets masked, also one that stands across lines", () => {
  assert.equal(outputOf("GET http://mara:hunter2@db/ password=hunter2 failed"), "GET http://***@db/ password=*** failed");
  const key = ["-----BEGIN RSA PRIVATE KEY-----", "MIIEowIBAAKCAQEAx1", "-----END RSA PRIVATE KEY-----"];
  assert.equal(outputOf(["before", ...key, "after"].join("\n")), "before\n***\n***\n***\nafter");
});

test("keeps the last whole lines, and the beginning of a line that is too long", () => {
  const lines = Array.from({ length: 150 }, (_, index) => `line ${index} of the output`);
  const kept = outputOf(lines.join("\n")) ?? "";
  assert.ok(kept.length <= HEALTH_OUTPUT_CHARACTERS && kept.length > HEALTH_OUTPUT_CHARACTERS - 40);
  assert.ok(kept.endsWith("line 149 of the output"));
  assert.ok(kept.split("\n").every((line) => lines.includes(line)));
  assert.equal(outputOf("word ".repeat(1000))?.length, HEALTH_OUTPUT_CHARACTERS);
  assert.equal(outputOf(`short\n${"x".repeat(3000)}`)?.length, HEALTH_OUTPUT_CHARACTERS);
});

test("does not show the rest of a secret whose beginning was cut", () => {
  const secret = `token=${"s3cr3t".repeat(400)}`;
  assert.doesNotMatch(outputOf(`${"a ".repeat(600)}\n${secret}`) ?? "s3cr3t", /s3cr3t/);
});
