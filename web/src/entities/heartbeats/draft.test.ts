import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { heartbeatRecord } from "./record.fixture.ts";
import { draftFaults, draftOf, fieldsOf, newDraft, readDraft, readLength, type HeartbeatDraft } from "./draft.ts";

const draft = (changes: Partial<HeartbeatDraft> = {}): HeartbeatDraft => ({ ...newDraft("UTC"), name: "backup", ...changes });

describe("readLength", () => {
  for (const [text, seconds] of [
    ["90 s", 90],
    ["5min", 300],
    ["1h30m", 5400],
    [" 1 H 30 min ", 5400],
    ["2 d", 172_800],
    ["0", 0],
    ["5", undefined],
    ["five min", undefined],
    ["5 y", undefined],
    ["-5 min", undefined],
    ["", undefined],
  ] as const) {
    it(`reads ${JSON.stringify(text)} as ${seconds}`, () => assert.equal(readLength(text), seconds));
  }
});

describe("readDraft", () => {
  it("sends an interval without a cron line, and a cron line without an interval", () => {
    const common = { name: "backup", grace_seconds: 300, max_runtime_seconds: null, tags: [] };
    assert.deepEqual(readDraft(draft()), { body: { ...common, schedule: "interval", interval_seconds: 3600 } });
    assert.deepEqual(readDraft(draft({ kind: "cron", cron: " 0  3 * * * " })), {
      body: { ...common, schedule: "cron", cron: "0 3 * * *", timezone: "UTC" },
    });
  });

  it("shows every fault at once", () => {
    const read = readDraft(draft({ name: " ", interval: "10 s", grace: "8 d", maxRuntime: "x", tags: "a".repeat(65) }));
    assert.ok("faults" in read);
    assert.deepEqual(Object.keys(read.faults).sort(), ["grace", "interval", "maxRuntime", "name", "tags"]);
    assert.equal(read.faults.interval, "From 30 s to 365 d.");
  });

  it("judges only the schedule that is chosen", () => {
    assert.ok("body" in readDraft(draft({ cron: "nonsense" })));
    assert.ok("body" in readDraft(draft({ kind: "cron", interval: "nonsense" })));
    const read = readDraft(draft({ kind: "cron", cron: "nonsense", timezone: "Mars/Olympus" }));
    assert.ok("faults" in read);
    assert.deepEqual(Object.keys(read.faults).sort(), ["cron", "timezone"]);
  });

  it("gives back what a record says", () => {
    const record = heartbeatRecord({ tags: ["db", "night"], max_runtime_seconds: 5400, interval_seconds: 90 });
    assert.deepEqual(readDraft(draftOf(record)), {
      body: {
        name: record.name,
        schedule: "interval",
        interval_seconds: 90,
        grace_seconds: 60,
        max_runtime_seconds: 5400,
        tags: ["db", "night"],
      },
    });
  });
});

describe("draftFaults", () => {
  it("puts the server's faults at their fields", () => {
    assert.deepEqual(draftFaults({ "tags.3": "too long", grace_seconds: "too much", unknown: "?" }), {
      tags: "too long",
      grace: "too much",
    });
  });

  it("knows which fields the form shows", () => {
    assert.deepEqual(
      ["cron", "interval_seconds", "grace_seconds"].map((path) => fieldsOf("cron").includes(path)),
      [true, false, true],
    );
    assert.deepEqual(
      ["cron", "interval_seconds", "paused"].map((path) => fieldsOf("interval").includes(path)),
      [false, true, false],
    );
  });
});
