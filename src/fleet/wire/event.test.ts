import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ANY_OBSERVATION } from "../../../test/support/observations.ts";
import { readings } from "../../../test/support/readings.ts";
import { sighting } from "../../../test/support/sightings.ts";
import { fc } from "../../../test/support/seed.ts";
import { type Observation, READING_COLUMNS } from "../../observations.ts";
import { asReplayed, decodeEvent, encodeEvent, type WireEvent } from "./event.ts";

const eventId = Uint8Array.from({ length: 16 }, (_, index) => index * 16);

function event(observation: Observation, facts: Partial<WireEvent> = {}): WireEvent {
  return { seq: 1, eventId, replayed: false, observation, ...facts };
}

describe("an event on the wire", () => {
  for (const [kind, arbitrary] of Object.entries(ANY_OBSERVATION)) {
    it(`loses nothing of ${kind}`, () => {
      const anyEvent = fc.record(
        {
          seq: fc.maxSafeNat(),
          eventId: fc.uint8Array({ minLength: 16, maxLength: 16 }),
          replayed: fc.boolean(),
          observation: arbitrary as fc.Arbitrary<Observation>,
        },
        { noNullPrototype: true },
      );
      fc.assert(
        fc.property(anyEvent, (sent) => {
          const read = decodeEvent(encodeEvent(sent));
          assert.deepEqual(read.eventId, sent.eventId);
          assert.deepEqual({ ...read, eventId }, { ...sent, eventId });
        }),
        { numRuns: 200 },
      );
    });
  }

  it("has no container of more than a mebibyte, though its agent kept to no bound", () => {
    const labels = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`l${index}`, "v".repeat(7000)]));
    const sent = sighting({ labels: { ...labels, "service.group": "shop", "com.docker.compose.project": "shop" } });
    for (const observation of [
      { kind: "container.seen", observedAt: new Date(0), container: sent },
      { kind: "container.inventory", observedAt: new Date(0), containers: [sent, sighting({ externalId: "small" })] },
    ] as const) {
      const read = decodeEvent(encodeEvent(event(observation as Observation))).observation;
      const [large, small] = read.kind === "container.inventory" ? read.containers : read.kind === "container.seen" ? [read.container] : [];
      assert.ok(large);
      assert.ok(JSON.stringify(large.labels).length < 1024 * 1024);
      assert.partialDeepStrictEqual(large.labels, { "service.group": "shop", "com.docker.compose.project": "shop" });
      assert.match(
        large.labelErrors[0]?.message ?? "",
        /^Left out, with \d+ more: the labels of this container are larger than an agent can send\.$/,
      );
      assert.deepEqual({ ...large, labels: {}, labelErrors: [] }, { ...sent, labels: {} });
      if (small !== undefined) assert.deepEqual(small, sighting({ externalId: "small" }));
    }
  });

  it("can be marked as replayed without being decoded", () => {
    fc.assert(
      fc.property(ANY_OBSERVATION["endpoint.checked"], fc.boolean(), (observation, replayed) => {
        const encoded = encodeEvent(event(observation, { replayed }));
        assert.deepEqual(decodeEvent(asReplayed(encoded)), decodeEvent(encodeEvent(event(observation, { replayed: true }))));
      }),
    );
  });

  it("carries readings that lie anywhere in memory", () => {
    const whole = new Float64Array([Number.NaN, 1, 2, 3]);
    const sent = readings({ a: {}, b: {} });
    const columns = { ...sent.columns, memoryBytes: whole.subarray(1, 3) };
    const encoded = encodeEvent(event({ kind: "resources.sampled", observedAt: new Date(0), readings: { ...sent, columns } }));
    for (const offset of [0, 1, 3, 8]) {
      const moved = new Uint8Array(encoded.length + offset);
      moved.set(encoded, offset);
      const { observation } = decodeEvent(moved.subarray(offset));
      assert.ok(observation.kind === "resources.sampled");
      assert.deepEqual([...observation.readings.columns.memoryBytes], [1, 2]);
      assert.deepEqual([...observation.readings.columns.cpuPercent], [Number.NaN, Number.NaN]);
    }
  });

  it("spends few bytes on a tick", () => {
    const ids = Array.from({ length: 50 }, (_, index) => index.toString(16).padStart(64, "0"));
    const full = Object.fromEntries(READING_COLUMNS.map((column) => [column, 12.5]));
    const sent = readings(Object.fromEntries(ids.map((id) => [id, full])));
    const { length } = encodeEvent(event({ kind: "resources.sampled", observedAt: new Date(0), readings: sent }));
    assert.ok(length < 50 * (66 + 12 * 8) + 150, `${length} bytes`);
  });
});
