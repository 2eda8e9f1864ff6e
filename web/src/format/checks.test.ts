import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { endpointRecord } from "../entities/endpoints/record.fixture.ts";
import { daysWords } from "./certificate-status.ts";
import { endpointStatus } from "./endpoint-status.ts";
import { formatMilliseconds } from "./milliseconds.ts";

describe("the words for checks", () => {
  it("show how long an answer took", () => {
    assert.deepEqual([null, 0, 0.42, 9.96, 38.4, 999.6, 1240, 10_000, 12_340].map(formatMilliseconds), [
      ...["–", "0 ms", "0.4 ms", "10 ms", "38 ms", "1 s", "1.24 s", "10 s", "12.3 s"],
    ]);
  });

  it("show an endpoint's status and why", () => {
    const shown = (parts: Parameters<typeof endpointRecord>[0]) => {
      const { status, word, cause } = endpointStatus(endpointRecord(parts));
      return [status, word, cause];
    };
    assert.deepEqual(shown({}), ["ok", "Up", undefined]);
    assert.deepEqual(shown({ status: "down", last_failure_class: "http", last_http_status: 503, consecutive_failures: 3 }), [
      ...["down", "Down", "HTTP 503"],
    ]);
    assert.deepEqual(shown({ last_failure_class: "timeout", consecutive_failures: 1 }), ["ok", "Up", "timed out, 1 of 3 failures"]);
    assert.deepEqual(shown({ paused: true, status: "unknown", status_reason: "paused" }), ["idle", "Paused", undefined]);
    assert.deepEqual(shown({ status: "degraded", status_reason: "certificate_untrusted" })[2], "certificate not trusted");
    assert.deepEqual(shown({ active: false, status: "unknown" })[1], "Inactive");
  });

  it("show the days that are left", () => {
    assert.deepEqual([null, 62, 1, 0, -1, -4].map(daysWords), [
      ...[undefined, "62 days left", "1 day left", "less than a day left", "expired within the last day", "expired 3 days ago"],
    ]);
  });
});
