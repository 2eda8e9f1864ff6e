import assert from "node:assert/strict";
import { test } from "node:test";
import type { MaintenanceRecord } from "../../../../../src/alerting/suppression/answers.ts";
import { inZone } from "../../../../../test/support/in-zone.ts";
import { fromLocalField, shownInField, toLocalDraft, toLocalField } from "../../../format/local-time.ts";
import { matchersOf, newSilence, newWindow, readSilence, readWindow, windowDraft } from "../../../entities/silences/draft.ts";
import { groupProposal, silenceProposal } from "../../../entities/notifications/search.ts";
import { presetDraft, presetEnd } from "../../../entities/silences/periods.ts";
import { matchersWords } from "../../../entities/silences/silence-words.ts";

const NOW = new Date(2026, 2, 4, 22, 15).getTime();
const HOUR = 3_600_000;

test("presets end when they say", () => {
  const local = (day: number, hour: number, minute = 0): number => new Date(2026, 2, day, hour, minute).getTime();
  assert.equal(presetEnd("30m", NOW), local(4, 22, 45));
  assert.equal(presetEnd("2h", NOW), local(5, 0, 15));
  assert.equal(presetEnd("8h", NOW), local(5, 6, 15));
  assert.equal(presetEnd("morning", NOW), local(5, 9));
  assert.equal(presetEnd("morning", local(5, 3)), local(6, 9));
  assert.equal(presetEnd("week", NOW), local(11, 22, 15));
});

test("presets are as long as they say in the hour that occurs twice", (t) => {
  inZone(t, "Europe/Berlin");
  // Clocks go back from 03:00 to 02:00 at 01:00 UTC.
  const from = Date.parse("2026-10-25T00:45:00.000Z");
  assert.equal(new Date(from).getHours(), 2);
  assert.equal(presetEnd("30m", from) - from, HOUR / 2);
  assert.equal(presetEnd("morning", from), Date.parse("2026-10-26T08:00:00.000Z"));
});

test("a draft keeps the second of a time that occurs twice, which its field shows as the first", (t) => {
  inZone(t, "Europe/Berlin");
  const late = Date.parse("2026-10-25T01:15:00.000Z");
  assert.equal(toLocalDraft(late - HOUR), "2026-10-25T02:15");
  assert.equal(toLocalDraft(late), "2026-10-25T02:15+01:00");
  assert.equal(shownInField(toLocalDraft(late)), "2026-10-25T02:15");
  assert.equal(presetDraft("30m", "", late - HOUR / 2 - 59_000), "2026-10-25T02:15+01:00", "no second less than 30 min");
  assert.equal(presetDraft("30m", "", late - HOUR / 2), "2026-10-25T02:15+01:00");
  assert.equal(presetDraft("2h", "2026-10-25T01:15", 0), "2026-10-25T02:15+01:00");
  const read = readSilence({ ...newSilence({ entity: "container:42" }, late - 2 * HOUR), starts: "2026-10-25T01:15" }, "");
  assert.ok("body" in read);
  assert.equal(read.body.ends_at, new Date(late).toISOString());
  const ending = { ...WINDOW, starts_at: new Date(late - HOUR).toISOString(), ends_at: new Date(late).toISOString() };
  const kept = readWindow(windowDraft(ending), undefined);
  assert.ok("body" in kept);
  assert.deepEqual([kept.body.starts_at, kept.body.ends_at], [ending.starts_at, ending.ends_at]);
});

test("an offset west of Greenwich is written as such", (t) => {
  inZone(t, "America/Sao_Paulo");
  assert.equal(toLocalDraft(Date.parse("2018-02-18T02:30:00.000Z")), "2018-02-17T23:30-03:00");
});

test("a silence of what another page proposes", () => {
  const draft = { ...newSilence({ entity: "container:42", severity: "critical" }, NOW), reason: " Known ", event: "Restart loop" };
  assert.deepEqual(readSilence(draft, "Ada"), {
    body: {
      reason: "Known",
      ends_at: new Date(NOW + 2 * HOUR).toISOString(),
      matchers: { entity_type: "container", entity_id: "42", severity: "critical", event: "restart_loop" },
      created_by: "Ada",
    },
  });
});

test("a silence needs something to match, and an end after its beginning", () => {
  const blank = newSilence({}, NOW);
  assert.equal(matchersOf(blank), undefined);
  const read = readSilence({ ...blank, starts: "2026-03-05T10:00", ends: "2026-03-05T10:00" }, "");
  assert.ok("faults" in read);
  assert.deepEqual(Object.keys(read.faults), ["ends_at", "matchers"]);
  const quick = readSilence(newSilence({ entity: "group:shop" }, NOW), "");
  assert.ok("body" in quick);
  assert.equal(quick.body.reason, "No reason given");
});

const WINDOW: MaintenanceRecord = {
  id: 1,
  title: "Kernel",
  description: "",
  starts_at: new Date(NOW + 30_500).toISOString(),
  ends_at: new Date(NOW + 2 * HOUR).toISOString(),
  components: [],
  entities: [{ entity_type: "agent", entity_id: "local" }],
  status: "active",
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
};

test("a window keeps its seconds where its field was not touched", () => {
  const read = readWindow({ ...windowDraft(WINDOW), ends: "2026-03-05T00:00" }, WINDOW);
  assert.ok("body" in read);
  assert.equal(read.body.starts_at, WINDOW.starts_at);
  assert.equal(read.body.ends_at, fromLocalField("2026-03-05T00:00"));
  assert.deepEqual(read.body.entities, WINDOW.entities);
  assert.deepEqual(read.body.components, []);
});

test("a window needs a title and something that it covers, here or on the status page", () => {
  const read = readWindow(newWindow(NOW), undefined);
  assert.ok("faults" in read);
  assert.deepEqual(Object.keys(read.faults), ["title", "entities"]);
  assert.equal(newWindow(NOW).starts, "2026-03-04T23:00");
  const covered = { ...WINDOW, components: [2], entities: [] };
  const kept = readWindow(windowDraft(covered), covered);
  assert.ok("body" in kept);
  assert.deepEqual([kept.body.components, kept.body.entities], [[2], []]);
});

test("which alerts a silence keeps quiet", () => {
  const names = { entity: () => "shop-db", host: () => "Local" };
  assert.equal(matchersWords({ source: "endpoint" }, names), "Alerts from endpoints");
  assert.equal(
    matchersWords({ severity: "critical", entity_type: "container", entity_id: "42", event: "restart_loop", agent_id: "local" }, names),
    "Critical alerts about shop-db: restart loop, on host Local",
  );
  assert.equal(matchersWords({ label: "env=prod" }, names), "Every alert, labelled env=prod");
  assert.equal(matchersWords({ entity_type: "container" }, names), "Alerts about any container");
});

test("what an alert about a host proposes names its source, so that the rest of the host still alerts", () => {
  const about = { source: "agent", entity_type: "agent", entity_id: "local" } as const;
  assert.deepEqual(silenceProposal(about), { create: "yes", entity: "agent:local", source: "agent" });
  assert.deepEqual(silenceProposal({ ...about, source: "endpoint", entity_type: "endpoint", entity_id: "7" }), {
    create: "yes",
    entity: "endpoint:7",
  });
});

test("a silence and a window of a group keep its name as it is", () => {
  const draft = { ...newSilence(groupProposal("Shop, EU: 100 %"), NOW), reason: "x" };
  assert.equal(draft.ends, toLocalField(presetEnd("2h", NOW)));
  assert.deepEqual(matchersOf(draft), { entity_type: "group", entity_id: "Shop, EU: 100 %" });
});
