import assert from "node:assert/strict";
import { test } from "node:test";
import { alertRecord } from "../alerts/record.fixture.ts";
import { coversChoices, namedBy } from "./covers.ts";

const words = (...alerts: Parameters<typeof alertRecord>[0][]): string[] =>
  coversChoices(alerts.map((parts) => alertRecord(parts))).map((choice) => choice.words);

test("of a container's alert its other alerts can be silenced too", () => {
  assert.deepEqual(coversChoices([alertRecord()]), [
    { covers: "alert", words: "This alert" },
    { covers: "entity", words: "All alerts of shop" },
  ]);
  assert.deepEqual(words({}, { id: 2 }), ["These 2 alerts", "All alerts of shop"]);
  assert.deepEqual(words({}, { id: 2, entity_id: "2" }), ["These 2 alerts", "All alerts of these 2"]);
});

test("what has one alert at a time has no choice, and a host is not silenced as a whole", () => {
  for (const type of ["heartbeat", "endpoint", "agent", "host"]) assert.deepEqual(words({ entity_type: type }), [""], type);
  assert.deepEqual(words({}, { entity_type: "agent" }), [""]);
});

test("all alerts of a thing take one silence, however many of them are selected", () => {
  const alerts = [alertRecord(), alertRecord({ id: 2 }), alertRecord({ id: 3, entity_id: "2" })];
  assert.deepEqual([namedBy(alerts, "alert").length, namedBy(alerts, "entity").map(({ id }) => id)], [3, [1, 3]]);
});
