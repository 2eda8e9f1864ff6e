import assert from "node:assert/strict";
import { test } from "node:test";
import { endpointRecord } from "../../../entities/endpoints/record.fixture.ts";
import { headline } from "./headline.ts";

const CREATED = "2026-03-01T12:00:00.000Z";
const LATER = "2026-03-01T12:00:05.000Z";
const unknown = { status: "unknown", status_reason: "not_checked_yet", status_since: CREATED } as const;
const REFUSED = "127.0.0.1:8080 is not asked: 127.0.0.1 is where this Binnacle listens.";

test("an endpoint whose checks cannot be made says why", () => {
  const endpoint = endpointRecord({ ...unknown, last_check_at: LATER, last_error: REFUSED });
  assert.equal(headline(endpoint, Date.parse(LATER)), `Unknown: ${REFUSED}`);
});

test("an endpoint that was not checked since it is unknown says so, whatever was wrong before", () => {
  for (const last of [
    { last_check_at: null, last_error: null, expected: /^Not checked yet/ },
    { last_check_at: "2026-03-01T11:00:00.000Z", last_error: "It was down.", expected: /^Not checked again yet/ },
  ]) {
    const { expected, ...parts } = last;
    assert.match(headline(endpointRecord({ ...unknown, ...parts }), Date.parse(LATER)), expected);
  }
});

test("an endpoint that its host cannot look at says since when and why, not that it is up", () => {
  const away = {
    ...{ last_check_at: "2026-11-21T10:00:00.000Z", last_observed_at: "2026-11-21T04:00:00.000Z" },
    last_error: "This host has no network.",
  };
  const nowMs = Date.parse("2026-11-21T10:00:05.000Z");
  assert.equal(headline(endpointRecord(away), nowMs), "Not seen for 6 h: This host has no network.");
  // Before that is for long, what it was is still valid, with its own reason.
  const soon = { ...away, last_check_at: "2026-11-21T04:04:30.000Z" };
  assert.equal(headline(endpointRecord(soon), NOW), "Up for 8 min. Last response time 38 ms.");
  const down = endpointRecord({ ...soon, status: "down", last_failure_class: "timeout" });
  assert.equal(headline(down, NOW), "Down for 8 min: timed out.");
});

const NOW = Date.parse("2026-11-21T04:08:00.000Z");

test("an endpoint says the reason of its state in a sentence", () => {
  const down = endpointRecord({ status: "down", last_error: "shop answered 503; expected 2xx", last_failure_class: "http" });
  assert.equal(headline(down, NOW), "Down for 8 min: shop answered 503; expected 2xx.");
  assert.equal(headline(endpointRecord(), NOW), "Up for 8 min. Last response time 38 ms.");
  assert.match(
    headline(endpointRecord({ status: "unknown", status_reason: "container_stopped", container_name: "web" }), NOW),
    /web is not running/,
  );
});
