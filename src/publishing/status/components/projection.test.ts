import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY_MS, MINUTE_MS } from "../../../contract/time.ts";
import { ACCOUNT_DAYS } from "./account.ts";
import { createProjection } from "./projection.ts";

const noon = new Date("2026-03-01T12:00:00Z");

test("the retention keeps the days that are not saved yet, but for those too old to be shown", () => {
  let now = noon;
  const projection = createProjection(() => now);
  projection.put({
    id: 1,
    groupId: null,
    name: "Shop",
    description: "",
    monitor: { type: "container", id: 1 },
    sortOrder: 1,
    visible: true,
    statusOverride: null,
    autoIncident: false,
    monitorName: "web-1",
    agentId: null,
    monitorStatus: "operational",
    lastObservedAt: noon,
    observed: true,
    impact: null,
    needsAttention: false,
    status: "operational",
    since: noon,
    createdAt: noon,
    updatedAt: noon,
  });
  const countMinuteBefore = (at: Date): void => projection.count({ fromMs: at.getTime() - MINUTE_MS, untilMs: at.getTime() });
  const unsaved = (): string[] => projection.unsavedDays().map(({ startMs }) => new Date(startMs).toISOString().slice(0, 10));
  countMinuteBefore(noon);
  now = new Date(noon.getTime() + (ACCOUNT_DAYS - 1) * DAY_MS);
  countMinuteBefore(now);

  projection.forgetDays();
  assert.deepEqual(unsaved(), ["2026-03-01", "2026-05-29"], "both are among the days that are shown");
  now = new Date(now.getTime() + DAY_MS);
  projection.forgetDays();
  assert.deepEqual(unsaved(), ["2026-05-29"]);
});
