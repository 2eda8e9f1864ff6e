import assert from "node:assert/strict";
import { test } from "node:test";
import type { Simulation, TriggerRecord } from "../../../../../src/alerting/routing/answers.ts";
import { draftOf, NEW_TRIGGER, readDraft } from "./draft.ts";
import { channelWords, daysSummary, simulationWords } from "./simulation-words.ts";

const NIGHTS: TriggerRecord = {
  id: 3,
  name: "Nights",
  filter_severities: "critical,warning",
  filter_sources: "",
  filter_entities: "container:42,group:Shop,group:shop%2C 100%25",
  filter_tags: "night",
  enabled: false,
  notify_on_resolve: true,
  channel_ids: [1, 5],
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
};

test("what is saved comes back from the form as it was", () => {
  const { id: _, created_at: _made, updated_at: _changed, ...body } = NIGHTS;
  assert.deepEqual(readDraft(draftOf(NIGHTS)), { body });
  assert.deepEqual(draftOf(NIGHTS).entities, ["container:42", "group:Shop", "group:shop, 100%"]);
});

test("a name and a channel are needed", () => {
  const read = readDraft(NEW_TRIGGER);
  assert.ok("faults" in read);
  assert.deepEqual(Object.keys(read.faults), ["name", "channel_ids"]);
});

const tried: Simulation = {
  period_days: 30,
  matched: 42,
  held_back: 2,
  deliveries: 80,
  per_day: [
    { date: "2026-01-01", deliveries: 0 },
    { date: "2026-01-02", deliveries: 80 },
  ],
  by_channel: [],
  examples: [],
  complete: true,
};

test("what would have been sent", () => {
  assert.equal(simulationWords(tried), "42 alerts from the last 30 days match, 2 suppressed: 80 messages would have been sent.");
  assert.equal(simulationWords({ ...tried, matched: 0 }), "No alert from the last 30 days matches. Nothing would have been sent.");
  assert.match(simulationWords({ ...tried, complete: false }), /counts cover part of them\.$/);
  assert.equal(daysSummary(tried.per_day), "At most 80 messages a day, on 2026-01-02; none on 1 day");
  assert.equal(daysSummary([]), "No messages on any day");
});

test("what a channel would have got", () => {
  const channel = { channel_id: 1, name: "ops", enabled: true, fired: 40, resolved: 1 };
  assert.equal(channelWords(channel), "40 alerts, 1 resolved");
  assert.equal(channelWords({ ...channel, resolved: 0 }), "40 alerts");
  assert.equal(channelWords({ ...channel, enabled: false }), "nothing: it is disabled");
});
