import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { HEARTBEAT_WORDS } from "../../format/heartbeat-status.ts";
import { applyFilter } from "./filter.ts";
import { HEARTBEAT_STATUSES } from "../../../../src/contract/heartbeat.ts";
import { heartbeatFilter, isNarrowed } from "./search.ts";
import { heartbeatRecord } from "./record.fixture.ts";

const agent = "0b9cfa2a-94d1-4d3c-a7a6-3f1e6f3f1f3e";
const all = [
  heartbeatRecord({ id: 1, name: "Backup", tags: ["Night"] }),
  heartbeatRecord({ id: 2, name: "certs", status: "paused" }),
  heartbeatRecord({ id: 3, name: "mail", status: "started", reason: "exit_code", agent_id: agent }),
  heartbeatRecord({ id: 4, name: "sync", status: "down", reason: "deadline" }),
];
const ids = (filter: Parameters<typeof applyFilter>[1]): number[] => applyFilter(all, filter).map(({ id }) => id);

describe("applyFilter", () => {
  it("puts first what needs attention", () => assert.deepEqual(ids({}), [4, 3, 1, 2]));
  it("keeps a status", () => assert.deepEqual(ids({ status: ["paused", "down"] }), [4, 2]));
  it("keeps what has the text in its name or a tag", () => {
    assert.deepEqual(ids({ q: "BACK" }), [1]);
    assert.deepEqual(ids({ q: "night" }), [1]);
  });
  it("keeps those of a host", () => {
    assert.deepEqual(ids({ host: "local" }), [4, 1, 2]);
    assert.deepEqual(ids({ host: agent }), [3]);
  });
});

describe("heartbeatFilter", () => {
  it("knows every status that has a word", () => assert.deepEqual(HEARTBEAT_STATUSES, Object.keys(HEARTBEAT_WORDS)));
  it("takes from the address what is known", () => {
    assert.deepEqual(heartbeatFilter({ status: "down,nonsense", q: "x" }), { q: "x", status: ["down"] });
    assert.equal(isNarrowed(heartbeatFilter({ status: "nonsense", q: "" })), false);
    assert.equal(isNarrowed({ q: "x" }), true);
  });
});
