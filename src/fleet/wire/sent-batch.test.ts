import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { ANY_OBSERVATION } from "../../../test/support/observations.ts";
import { fc } from "../../../test/support/seed.ts";
import { type Observation, READING_COLUMNS, type ReadingColumn } from "../../observations.ts";
import { encodeAgentMessage, readBatch, type ReadBatch, takeBatch } from "./batch.ts";
import { type AgentBody, decode, decodeAgentMessage } from "./decode.ts";
import { asReplayed, encodeEvent } from "./event.ts";
import { AgentMessageSchema, EndpointCheckedSchema, EventSchema, SpoolStatusSchema } from "./gen/service/agent/v1/ingest_pb.ts";
import { sentBatchOf } from "./sent-batch.ts";
import { WireError } from "./values.ts";

const eventId = new Uint8Array(16).fill(7);
const TICK = 1_700_000_000_000n;

function messageOf(observations: readonly Observation[], replayed = true): Uint8Array {
  const events = observations.map((observation, index) => {
    const bytes = encodeEvent({ seq: index + 1, eventId, replayed: false, observation });
    return { seq: index + 1, bytes: replayed ? asReplayed(bytes) : bytes };
  });
  return takeBatch(events)?.message ?? new Uint8Array();
}

function batchIn(body: AgentBody): ReadBatch {
  assert.ok(body.case === "batch");
  return readBatch(body.value);
}

/** What was damaged may be another message. */
const whatIn = (body: AgentBody): ReadBatch | AgentBody => (body.case === "batch" ? readBatch(body.value) : body);
const byProtobuf = (message: Uint8Array): ReadBatch => batchIn(decode(AgentMessageSchema, message).body);

/** Undefined for what cannot be read. */
function tried<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    assert.ok(error instanceof WireError, String(error));
    return undefined;
  }
}

const anyObservations = fc.array(fc.oneof(...Object.values(ANY_OBSERVATION)), { minLength: 1, maxLength: 6 });

describe("a batch that was sent", () => {
  it("is read as protobuf reads it", () => {
    fc.assert(
      fc.property(anyObservations, fc.boolean(), (observations, replayed) => {
        // The same twice: the second may share what the first has.
        const message = messageOf([...observations, ...observations], replayed);
        assert.deepEqual(batchIn(decodeAgentMessage(message)), byProtobuf(message));
      }),
    );
  });

  it("is read as protobuf reads it, or not at all, when it was damaged", () => {
    const { "resources.sampled": sampled, "endpoint.checked": checked, "host.watched": watched } = ANY_OBSERVATION;
    const messages = fc.array(fc.oneof(sampled, checked, watched), { minLength: 1, maxLength: 3 }).map((some) => messageOf(some));
    fc.assert(
      fc.property(messages, fc.nat(), fc.nat({ max: 255 }), (message, place, value) => {
        const damaged = new Uint8Array(message).with(place % message.length, value);
        const read = tried(() => whatIn(decodeAgentMessage(damaged)));
        if (read !== undefined) assert.deepEqual(read, whatIn(decode(AgentMessageSchema, damaged).body));
      }),
      { numRuns: 2000 },
    );
  });

  it("has one list for ids that follow each other", () => {
    const ticks = fc.sample(ANY_OBSERVATION["resources.sampled"], { numRuns: 1, seed: 1 }).flatMap((tick) => [tick, tick]);
    const [one, two] = batchIn(decodeAgentMessage(messageOf(ticks))).events.map(({ observation }) => observation);
    assert.ok(one?.kind === "resources.sampled" && two?.kind === "resources.sampled");
    assert.equal(one.readings.externalIds, two.readings.externalIds);
    assert.notEqual(one.readings.columns.cpuPercent.buffer, two.readings.columns.cpuPercent.buffer);
  });

  it("has the ids of each tick, however alike they are to those before", () => {
    const lists = [["a"], ["b"], ["b"], ["b", "c"], ["b"], [], ["b"], ["bb"]];
    const ticks = lists.map((externalIds): Observation => {
      const column = new Float64Array(externalIds.length);
      const columns = Object.fromEntries(READING_COLUMNS.map((name) => [name, column])) as Record<ReadingColumn, Float64Array>;
      return { kind: "resources.sampled", observedAt: new Date(Number(TICK)), readings: { externalIds, columns } };
    });
    const read = batchIn(decodeAgentMessage(messageOf(ticks))).events;
    assert.deepEqual(
      read.map(({ observation }) => observation),
      ticks,
    );
  });

  const checked = { key: "a/service.endpoint.http", success: true, observed: true };
  const event = create(EventSchema, { seq: 1n, eventId, observedAtMs: TICK, body: { case: "endpointChecked", value: checked } });
  const firstSeq = Uint8Array.of((1 << 3) | WireType.Varint, 1);
  const batchOf = (...pieces: Uint8Array[]): Uint8Array => wrapped(2, Buffer.concat(pieces));
  /** Behind its usual fields the event has others. */
  const withEvent = (...more: Uint8Array[]): Uint8Array => wrapped(2, Buffer.concat([toBinary(EventSchema, event), ...more]));
  const failed = toBinary(EndpointCheckedSchema, create(EndpointCheckedSchema, { error: "refused" }));
  const UNUSUAL: readonly (readonly [what: string, message: Uint8Array])[] = [
    ["in two pieces", Buffer.concat([batchOf(firstSeq), batchOf(withEvent())])],
    ["with its first seq at the end", batchOf(withEvent(), firstSeq)],
    ["with a field of the future", batchOf(firstSeq, withEvent(), wrapped(500, new Uint8Array(3)))],
    ["with an event that has a field of the future", batchOf(firstSeq, withEvent(wrapped(500, new Uint8Array(3))))],
    ["with a body in two pieces", batchOf(firstSeq, withEvent(wrapped(15, failed)))],
    ["with a body that has a field of the future", batchOf(firstSeq, withEvent(wrapped(15, wrapped(500, new Uint8Array(3)))))],
    ["with a second body", batchOf(firstSeq, withEvent(wrapped(12, wrapped(1, Buffer.from("gone")))))],
  ];
  for (const [what, message] of UNUSUAL)
    it(`is read as protobuf reads it ${what}`, () => {
      const read = batchIn(decodeAgentMessage(message));
      assert.equal(read.events.length, 1);
      assert.deepEqual(read, byProtobuf(message));
    });

  it("is no other message", () => {
    const message = encodeAgentMessage({ case: "spoolStatus", value: create(SpoolStatusSchema, { queued: 5n }) });
    assert.equal(
      sentBatchOf(message, () => assert.fail()),
      undefined,
    );
    const body = decodeAgentMessage(message);
    assert.ok(body.case === "spoolStatus" && body.value.queued === 5n);
    assert.equal(decodeAgentMessage(new Uint8Array()).case, undefined);
  });
});

/** A field of these bytes. */
function wrapped(number: number, bytes: Uint8Array): Uint8Array {
  return new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(bytes).finish();
}
