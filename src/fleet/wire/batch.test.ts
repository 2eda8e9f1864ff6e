import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create, fromBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { ANY_OBSERVATION } from "../../../test/support/observations.ts";
import { sighting } from "../../../test/support/sightings.ts";
import { fc } from "../../../test/support/seed.ts";
import { type EncodedEvent, encodeAgentMessage, readBatch, takeBatch } from "./batch.ts";
import { decode } from "./decode.ts";
import { asReplayed, encodeEvent, type WireEvent } from "./event.ts";
import { AgentMessageSchema, type Batch, BatchSchema, type EventSchema } from "./gen/service/agent/v1/ingest_pb.ts";

const eventId = new Uint8Array(16);
const observedAt = new Date(1_700_000_000_000);

function gone(seq: number, replayed = false): EncodedEvent {
  const observation = { kind: "container.gone", observedAt, externalId: `c${seq}` } as const;
  return { seq, bytes: encodeEvent({ seq, eventId, replayed, observation }) };
}

function batchOf(message: Uint8Array | undefined): Batch {
  const { body } = decode(AgentMessageSchema, message ?? new Uint8Array());
  assert.ok(body.case === "batch");
  return body.value;
}

const events = (count: number): EncodedEvent[] => Array.from({ length: count }, (_, index) => gone(index + 1));

describe("a batch", () => {
  it("brings the events as they were, in their order", () => {
    const anyObservation = fc.oneof(...Object.values(ANY_OBSERVATION));
    fc.assert(
      fc.property(fc.array(anyObservation, { minLength: 1, maxLength: 5 }), fc.boolean(), (observations, replayed) => {
        const sent = observations.map((observation, index): WireEvent => ({ seq: index * 3 + 7, eventId, replayed, observation }));
        const taken = takeBatch(sent.map((event) => ({ seq: event.seq, bytes: encodeEvent(event) })));
        const read = readBatch(batchOf(taken?.message));
        const lastSeq = sent.length * 3 + 4;
        assert.deepEqual(read, { firstSeq: 7, lastSeq, replayed, events: sent, refused: [] });
        assert.deepEqual([taken?.lastSeq, taken?.count], [lastSeq, sent.length]);
      }),
    );
  });

  it("is made of as many events as fit", () => {
    assert.equal(takeBatch([]), undefined);
    assert.equal(takeBatch(events(1001))?.count, 1000);
    assert.equal(takeBatch(events(10), { maxEvents: 3, maxBytes: 1_000_000 })?.count, 3);
    const maxBytes = 500;
    const taken = takeBatch(events(100), { maxEvents: 1000, maxBytes });
    assert.ok(taken !== undefined && taken.count > 5 && taken.message.length <= maxBytes);
    assert.equal(batchOf(taken.message).events.length, taken.count);
  });

  it("holds an event alone that is larger than a batch may be", () => {
    assert.equal(takeBatch(events(3), { maxEvents: 1000, maxBytes: 1 })?.count, 1);
  });

  it("lists a host without the containers that cannot be read, and names those that are there all the same", () => {
    const odd = sighting({ externalId: "odd", ports: [{ containerPort: 70_000, protocol: "tcp", hostIp: null, hostPort: null }] });
    const containers = [sighting({ externalId: "good" }), odd, sighting({ externalId: "x".repeat(300) })];
    const bytes = encodeEvent({ seq: 1, eventId, replayed: false, observation: { kind: "container.inventory", observedAt, containers } });
    const read = readBatch(batchOf(takeBatch([{ seq: 1, bytes }])?.message));
    const [listed] = read.events;
    assert.ok(listed?.observation.kind === "container.inventory");
    assert.deepEqual([listed.observation.containers, listed.observation.unread], [containers.slice(0, 1), ["odd"]]);
    assert.match(
      read.refused.join(),
      /containers\[1\]\.ports\[0\]\.container_port is not between .*containers\[2\]\.external_id has more than/,
    );
  });

  it("is what protobuf makes of the same message", () => {
    const message = takeBatch(events(3))?.message ?? new Uint8Array();
    assert.deepEqual(encodeAgentMessage(fromBinary(AgentMessageSchema, message).body), new Uint8Array(message));
  });

  it("is replayed when its events were marked so", () => {
    const taken = takeBatch(events(2).map(({ seq, bytes }) => ({ seq, bytes: asReplayed(bytes) })));
    assert.equal(readBatch(batchOf(taken?.message)).replayed, true);
  });

  it("is taken without the events that cannot be", () => {
    const bodies: MessageInitShape<typeof EventSchema>[] = [
      { body: { case: "containerGone", value: { externalId: "a" } } },
      { body: { case: "containerGone", value: { externalId: "" } } },
      {},
      { body: { case: "containerGone", value: { externalId: "b" } } },
    ];
    const sent = bodies.map((body, index) => ({ seq: BigInt(index + 1), eventId, ...body }));
    const read = readBatch(create(BatchSchema, { firstSeq: 1n, events: sent }));
    assert.deepEqual(
      [read.events.length, read.refused.map(String), read.lastSeq],
      [2, ["WireError: container_gone.external_id is empty"], 4],
    );
  });

  const event = { eventId, body: { case: "containerGone", value: { externalId: "a" } } } as const;
  const REFUSED: readonly (readonly [what: string, batch: MessageInitShape<typeof BatchSchema>, error: RegExp])[] = [
    ["is empty", {}, /batch\.events is empty/],
    ["has more than 1,000 events", { events: Array.from({ length: 1001 }, () => event) }, /more than 1000 events/],
    ["names another first event", { firstSeq: 2n, events: [{ ...event, seq: 1n }] }, /batch\.first_seq is not that of the first event/],
    [
      "is out of order",
      {
        firstSeq: 2n,
        events: [
          { ...event, seq: 2n },
          { ...event, seq: 2n },
        ],
      },
      /not in the order of their seq/,
    ],
    ["mixes live and replayed events", { events: [event, { ...event, seq: 1n, replayed: true }] }, /partly live and partly replayed/],
    ["counts beyond 2^53", { firstSeq: 2n ** 60n, events: [{ ...event, seq: 2n ** 60n }] }, /beyond 2\^53/],
  ];
  for (const [what, batch, error] of REFUSED)
    it(`is refused when it ${what}`, () => {
      assert.throws(() => readBatch(create(BatchSchema, batch)), error);
    });
});
