import assert from "node:assert/strict";
import { nextMatch, parseCron } from "../../../src/contract/cron.ts";
import { MINUTE_MS } from "../../../src/contract/time.ts";
import {
  type AgentBody,
  AgentMessageSchema,
  AuthResponseSchema,
  CommandResultSchema,
  CommandSchema,
  decode,
  decodeAgentMessage,
  readBatch,
  type ReadBatch,
  RegisterAgentRequestSchema,
  ServerMessageSchema,
  WireError,
} from "../../../src/fleet/wire/index.ts";
import type { Target } from "../target.ts";

export const protobuf: Target = {
  name: "protobuf",
  reads: "a message of an agent, as protobuf and by the quick reader of batches, which must agree",
  maxBytes: 4096,
  maxMs: 100,
  run(input) {
    const quick = tried(() => contents(decodeAgentMessage(input)));
    const whole = tried(() => contents(decode(AgentMessageSchema, input).body));
    // What is damaged may be refused by the quick reader alone; what it takes is what protobuf reads.
    if (quick !== undefined) assert.deepEqual(quick, whole);
    for (const schema of [RegisterAgentRequestSchema, AuthResponseSchema, CommandResultSchema, CommandSchema, ServerMessageSchema])
      tried(() => decode(schema, input));
  },
};

function contents(body: AgentBody): ReadBatch | AgentBody {
  return body.case === "batch" ? readBatch(body.value) : body;
}

/** Undefined for what is refused. */
function tried<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}

const TIMES = [Date.UTC(2024, 0, 1), Date.UTC(2024, 1, 29, 23, 59), Date.UTC(2099, 11, 31, 23, 59, 30)];

export const cron: Target = {
  name: "cron",
  reads: "a cron line, and when it fires next",
  maxBytes: 200,
  maxMs: 100,
  run(input) {
    const read = parseCron(input.toString("utf8"));
    if ("fault" in read) return assert.ok(read.fault.length > 0 && read.fault.length < 500, "a fault is a short sentence");
    for (const time of TIMES) {
      const next = nextMatch(read.line, time);
      assert.ok(next !== undefined, "a line that is taken fires");
      assert.ok(next >= time && next % MINUTE_MS === 0, "it fires at a minute that is not over");
      assert.equal(nextMatch(read.line, next), next);
      const date = new Date(next);
      assert.ok(read.line.months.has(date.getUTCMonth() + 1) && read.line.hours.includes(date.getUTCHours()));
      assert.ok(read.line.minutes.includes(date.getUTCMinutes()));
    }
  },
};
