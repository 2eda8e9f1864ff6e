import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { fc } from "../../../test/support/seed.ts";
import { sighting } from "../../../test/support/sightings.ts";
import { toContainer } from "./container.ts";
import { decode } from "./decode.ts";
import { decodeEvent, fromEvent } from "./event.ts";
import {
  AgentMessageSchema,
  type Container,
  ContainerSchema,
  EventSchema,
  type HttpCheckSchema,
  LabelledEndpointSchema,
  PortSchema,
} from "./gen/service/agent/v1/ingest_pb.ts";
import { MAX_MESSAGE_BYTES } from "./limits.ts";
import { WireError } from "./values.ts";

type EventFacts = MessageInitShape<typeof EventSchema>;
type Body = NonNullable<EventFacts["body"]>;

const TICK = 1_700_000_000_000n;
const eventId = new Uint8Array(16);

function event(body: Body, facts: EventFacts = {}): Uint8Array {
  return toBinary(EventSchema, create(EventSchema, { seq: 1n, eventId, observedAtMs: TICK, ...facts, body } as EventFacts));
}

const gone: Body = { case: "containerGone", value: { externalId: "a" } };

/** A container in which one thing is wrong. */
function seen(wrong: (container: Container) => void): Uint8Array {
  const container = create(ContainerSchema, toContainer(sighting()));
  wrong(container);
  return event({ case: "containerSeen", value: { container } });
}

const endpoint = {
  labelKey: "service.endpoint.http",
  target: "http://web/",
  intervalMs: 30_000,
  timeoutMs: 10_000,
  failureThreshold: 3,
  recoveryThreshold: 2,
};
const http = { method: "GET", expectedStatus: ["2xx"], maxRedirects: 5 };
type EndpointFacts = MessageInitShape<typeof LabelledEndpointSchema>;
const withEndpoint = (facts: EndpointFacts): Uint8Array =>
  seen((container) => container.endpoints.push(create(LabelledEndpointSchema, { ...endpoint, http, ...facts } as EndpointFacts)));
const withHttp = (facts: MessageInitShape<typeof HttpCheckSchema>): Uint8Array => withEndpoint({ http: { ...http, ...facts } });
const doubles = (...values: number[]): Uint8Array => new Uint8Array(Float64Array.from(values).buffer);
const checked = (facts: object): Body => ({ case: "endpointChecked", value: { key: "a/service.endpoint.http", ...facts } });

const target = { domain: "a.test", port: 443, serverName: "a.test" };
const leaf = { fingerprintSha256: Array.from({ length: 32 }, () => "AB").join(":") };
const scanned = (facts: object): Body => ({ case: "certificateScanned", value: { target, leaf, ...facts } });
const runtimeChanged = (facts: object): Body => ({ case: "runtimeChanged", value: { runtime: 1, ...facts } });

const REFUSED: readonly (readonly [what: string, bytes: Uint8Array, error: RegExp])[] = [
  ["no body", toBinary(EventSchema, create(EventSchema, { eventId, observedAtMs: TICK })), /^event\.body is missing/],
  ["an id that is too short", event(gone, { eventId: new Uint8Array(15) }), /^event\.event_id is not 16 bytes/],
  ["a number of an event beyond 2^53", event(gone, { seq: 2n ** 63n }), /^event\.seq is beyond/],
  ["a time before 1970", event(gone, { observedAtMs: -1n }), /^event\.observed_at_ms is out of range/],
  ["a time after the year 9999", event(gone, { observedAtMs: 2n ** 62n }), /^event\.observed_at_ms is out of range/],
  ["no container", event({ case: "containerSeen", value: {} }), /^container_seen\.container is missing/],
  ["no id", event({ case: "containerGone", value: {} }), /^container_gone\.external_id is empty/],
  ["an id of 256 characters", event({ case: "containerGone", value: { externalId: "a".repeat(256) } }), /external_id has more than 255/],
  ["an id with a line end", event({ case: "containerGone", value: { externalId: "a\nb" } }), /external_id has characters/],
  ["no state", seen((container) => (container.state = 0)), /^container_seen\.container\.state is missing or not known/],
  ["a state of the future", seen((container) => (container.state = 99 as Container["state"])), /\.state is missing or not known/],
  ["a runtime of the future", seen((container) => (container.runtime = 99 as Container["runtime"])), /\.runtime is missing or not known/],
  ["an exit code beyond 2^53", seen((container) => (container.exitCode = 2n ** 60n)), /\.exit_code is beyond/],
  ["a start in the year 300000", seen((container) => (container.startedAtMs = 2n ** 53n)), /\.started_at_ms is out of range/],
  ["a name of 4 MB", seen((container) => (container.name = "n".repeat(4_000_000))), /\.name has more than 255 characters/],
  [
    "513 labels",
    seen((container) => (container.labels = Object.fromEntries(Array.from({ length: 513 }, (_, index) => [index, ""])))),
    /\.labels has more than 512 entries/,
  ],
  ["a long label name", seen((container) => (container.labels = { ["n".repeat(513)]: "" })), /\.labels: a name has more than 512/],
  ["a long label value", seen((container) => (container.labels = { n: "v".repeat(8193) })), /\.labels: a value has more than 8192/],
  [
    "201 ports",
    seen((container) => container.ports.push(...Array.from({ length: 201 }, () => create(PortSchema, { containerPort: 80 })))),
    /\.ports has more than 200 items/,
  ],
  ["a target that is none", withEndpoint({ target: "file:///etc/passwd" }), /\.endpoints\[0\]\.target is not a target of http/],
  ["an interval of a millisecond", withEndpoint({ intervalMs: 1 }), /\.interval_ms is not between 5000 and/],
  ["an unknown method", withHttp({ method: "TRACE" }), /\.http\.method is not known/],
  ["an unknown status", withHttp({ expectedStatus: ["999"] }), /\.expected_status\[0\] is not a status/],
  [
    "a container twice",
    event({ case: "containerInventory", value: { containers: [toContainer(sighting()), toContainer(sighting())] } }),
    /^container_inventory\.containers names a container twice/,
  ],
  [
    "10,001 containers",
    event({ case: "containerInventory", value: { containers: Array.from({ length: 10_001 }, () => ({})) } }),
    /^container_inventory\.containers has more than 10000 items/,
  ],
  [
    "last words of 10 KiB and a byte",
    event({ case: "containerLastWords", value: { externalId: "a", snippet: "x".repeat(10_241) } }),
    /snippet has/,
  ],
  [
    "a watch that ends before it began",
    event({ case: "hostWatched", value: { sinceMs: TICK + 1n } }),
    /^host_watched\.since_ms is out of range/,
  ],
  ["a load of two numbers", event({ case: "hostSampled", value: { load: [1, 2] } }), /^host_sampled\.load is not three numbers/],
  ["a load that is no number", event({ case: "hostSampled", value: { load: [1, 2, Number.NaN] } }), /^host_sampled\.load is not between/],
  ["less than no memory", event({ case: "hostSampled", value: { memoryBytes: -1 } }), /^host_sampled\.memoryBytes is not between/],
  ["a check of another's endpoint", event(checked({ key: "standalone/7" })), /^endpoint_checked\.key does not name/],
  ["a check of nothing", event(checked({ key: "service.endpoint.http" })), /^endpoint_checked\.key does not name/],
  ["an answer that took for ever", event(checked({ responseTimeMs: Infinity })), /\.response_time_ms is not between/],
  ["a status of 7", event(checked({ httpStatus: 7 })), /\.http_status is not between/],
  ["a scan of nothing", event(scanned({ target: undefined })), /^certificate_scanned\.target is missing/],
  ["a scan of a domain with a line end", event(scanned({ target: { ...target, domain: "a\nb" } })), /\.target\.domain has characters/],
  ["a scan of port 0", event(scanned({ target: { ...target, port: 0 } })), /\.target\.port is not between/],
  ["a chain of 101", event(scanned({ chain: Array.from({ length: 101 }, () => ({})) })), /\.chain has more than 100 items/],
  ["201 names of a certificate", event(scanned({ leaf: { ...leaf, sans: Array(201).fill("a") } })), /\.leaf\.sans has more than 200 items/],
  ["a fingerprint in another form", event(scanned({ leaf: { fingerprintSha256: "AB:CD" } })), /\.fingerprint_sha256 is not a fingerprint/],
  ["a certificate for ever", event(scanned({ leaf: { ...leaf, expiresAtMs: 2n ** 60n } })), /\.leaf\.expires_at_ms is out of range/],
  ["a certificate from before Christ", event(scanned({ leaf: { ...leaf, notBeforeMs: -(2n ** 60n) } })), /\.not_before_ms is out of range/],
  ["a chain of the year 300000", event(scanned({ chain: [{ expiresAtMs: 2n ** 53n }] })), /\.chain\[0\]\.expires_at_ms is out of range/],
  ["no runtime", event(runtimeChanged({ runtime: 0 })), /^runtime_changed\.runtime is missing or not known/],
  ["a runtime since before 1970", event(runtimeChanged({ sinceMs: -1n })), /^runtime_changed\.since_ms is out of range/],
  ["a runtime's error of 4 MB", event(runtimeChanged({ error: "e".repeat(4_000_000) })), /^runtime_changed\.error has more than 1000/],
  [
    "a time between ticks",
    event({ case: "resourcesSampled", value: {} }, { observedAtMs: TICK + 1n }),
    /^event\.observed_at_ms is not a tick/,
  ],
  [
    "a column of another length than the ids",
    event({ case: "resourcesSampled", value: { externalIds: ["a", "b"], cpuPercent: doubles(1) } }),
    /^resources_sampled\.cpuPercent is not 2 numbers long/,
  ],
  [
    "a column of half a number",
    event({ case: "resourcesSampled", value: { externalIds: ["a"], cpuPercent: doubles(1).subarray(1) } }),
    /^resources_sampled\.cpuPercent is not 1 numbers long/,
  ],
  [
    "10,001 ids",
    event({ case: "resourcesSampled", value: { externalIds: Array.from({ length: 10_001 }, String) } }),
    /^resources_sampled\.external_ids has more than 10000/,
  ],
];

describe("an event of an agent that is not to be trusted", () => {
  it("is read when nothing is wrong", () => {
    decodeEvent(seen(() => undefined));
    decodeEvent(withHttp({}));
    decodeEvent(event(checked({})));
    decodeEvent(event(scanned({})));
    decodeEvent(event(runtimeChanged({})));
    decodeEvent(event({ case: "hostSampled", value: { load: [1, 2, 3] } }));
    decodeEvent(event({ case: "resourcesSampled", value: { externalIds: ["a", "b"], cpuPercent: doubles(1, 2) } }));
  });

  for (const [what, bytes, error] of REFUSED)
    it(`is refused with ${what}`, () => {
      assert.throws(
        () => decodeEvent(bytes),
        (thrown) => {
          assert.ok(thrown instanceof WireError, String(thrown));
          assert.match(thrown.message, error);
          assert.ok(thrown.message.length < 200, "what was sent must not be in the message");
          return true;
        },
      );
    });

  it("is refused when it comes from the future", () => {
    decodeEvent(event(gone), { latestMs: Number(TICK) });
    assert.throws(() => decodeEvent(event(gone), { latestMs: Number(TICK) - 1 }), /observed_at_ms is out of range/);
  });

  it("has its text cleaned as a collector cleans it", () => {
    const read = decodeEvent(
      seen((container) => Object.assign(container, { name: "\u001b[31mw\u202eeb\n", errorDetail: " \0 ", labels: { a: "b\0" } })),
    );
    assert.ok(read.observation.kind === "container.seen");
    const { name, errorDetail, labels } = read.observation.container;
    assert.deepEqual({ name, errorDetail, labels }, { name: "w eb", errorDetail: null, labels: { a: "b" } });
  });

  it("is cut where a third party may have chosen the text", () => {
    const long = "n".repeat(300_000);
    const sans = [`a${"\u202e"}b`, long];
    const chain = [{ subject: long, issuer: "\u001b[31mred\n", error: long }];
    const bytes = event(
      scanned({ error: long, chainError: long, chain, leaf: { ...leaf, subject: long, serialNumber: long, issuerOrg: "\0", sans } }),
    );
    const read = decodeEvent(bytes).observation;
    assert.ok(read.kind === "certificate.scanned" && read.scan.leaf !== null);
    const { error, chainError, chain: links, leaf: leafSeen } = read.scan;
    assert.deepEqual([error?.length, chainError?.length], [1000, 10_000]);
    assert.deepEqual([links[0]?.subject.length, links[0]?.issuer, links[0]?.error?.length], [500, "red", 2000]);
    assert.deepEqual([leafSeen.subject.length, leafSeen.serialNumber.length, leafSeen.issuerOrg], [500, 255, null]);
    assert.deepEqual([leafSeen.sans[0], leafSeen.sans[1]?.length], ["a b", 255]);
  });

  it("is not connected since a time that has yet to come", () => {
    const read = decodeEvent(event(runtimeChanged({ sinceMs: TICK + 5n }))).observation;
    assert.ok(read.kind === "runtime.changed");
    assert.deepEqual(read.status.since, read.observedAt);
  });

  it("takes a word of the future for none where something can be assumed", () => {
    const read = decodeEvent(seen((container) => (container.health = 99 as Container["health"])));
    assert.ok(read.observation.kind === "container.seen");
    assert.equal(read.observation.container.health, null);
  });

  it("has values that no host can have read as not known", () => {
    const values = [Infinity, -1, 1e300, Number.NaN, 5];
    const read = decodeEvent(
      event({ case: "resourcesSampled", value: { externalIds: ["a", "b", "c", "d", "e"], cpuPercent: doubles(...values) } }),
    );
    assert.ok(read.observation.kind === "resources.sampled");
    const none = Number.NaN;
    assert.deepEqual([...read.observation.readings.columns.cpuPercent], [none, none, none, none, 5]);
  });
});

/** A message with one field of these bytes. */
function field(number: number, bytes: Uint8Array): Uint8Array {
  return new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(bytes).finish();
}

describe("bytes that are not to be trusted", () => {
  it("are an error of the wire and nothing else, whatever they are", () => {
    const valid = seen(() => undefined);
    const damaged = fc
      .tuple(fc.nat({ max: valid.length - 1 }), fc.nat({ max: 255 }), fc.nat({ max: valid.length }))
      .map(([place, value, length]) => valid.with(place, value).subarray(0, length));
    const anyBytes = fc.oneof(fc.uint8Array({ maxLength: 300 }), damaged);
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        try {
          decodeEvent(bytes);
        } catch (error) {
          assert.ok(error instanceof WireError, String(error));
        }
      }),
      { numRuns: 3000 },
    );
  });

  it("are refused beyond the size of a message", () => {
    assert.throws(() => decode(EventSchema, new Uint8Array(MAX_MESSAGE_BYTES + 1)), /^WireError: Event has more than \d+ bytes$/);
  });

  const small = (count: number): Uint8Array => new Uint8Array(count * 2).map((_, index) => (index % 2 === 0 ? (2 << 3) | 2 : 0));
  const BOMBS: readonly (readonly [what: string, bytes: Uint8Array])[] = [
    ["empty events", field(2, small(1_000_000))],
    [
      "empty containers",
      field(
        2,
        field(
          2,
          field(
            10,
            small(1_000_000).map((byte) => (byte === 18 ? 10 : byte)),
          ),
        ),
      ),
    ],
    [
      "certificates of a chain",
      field(
        2,
        field(
          2,
          field(
            18,
            small(1_000_000).map((byte) => (byte === 18 ? 34 : byte)),
          ),
        ),
      ),
    ],
    ["numbers of a load", field(2, field(2, field(16, field(9, new Uint8Array(3_000_000)))))],
  ];
  for (const [what, bytes] of BOMBS)
    it(`spend no memory on a million ${what}`, () => {
      const before = process.memoryUsage().heapUsed;
      assert.throws(() => decode(AgentMessageSchema, bytes), /^WireError: AgentMessage has more than 150000 parts$/);
      assert.ok(process.memoryUsage().heapUsed - before < 30 * 1024 ** 2);
    });

  it("spend none on a million fields that are not known, and none on groups within groups", () => {
    const unknown = new Uint8Array(2_000_000).map((_, index) => (index % 2 === 0 ? 15 << 3 : 1));
    assert.ok(decode(AgentMessageSchema, unknown).$unknown === undefined);
    assert.throws(() => decode(AgentMessageSchema, new Uint8Array(1_000_000).fill((15 << 3) | 3)), WireError);
  });

  it("keep what an older program knows of a newer one's message", () => {
    const bytes = event(gone);
    const newer = new Uint8Array([...bytes, ...field(500, new Uint8Array(7))]);
    assert.deepEqual(fromEvent(decode(EventSchema, newer)), decodeEvent(bytes));
  });
});
