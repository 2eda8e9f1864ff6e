import { QueryClient } from "@tanstack/react-query";
import assert from "node:assert/strict";
import { it } from "node:test";
import type { UpdateSummary } from "../../../src/monitoring/updates/answers.ts";
import { updateSummary } from "../entities/updates/record.fixture.ts";
import { advanceScan } from "./apply-scan.ts";
import { createUpdateUpdates } from "./live-updates.ts";
import { exclusionsQuery, updateSummaryQuery } from "./updates.ts";

const id = "0b9e5c34-6f0c-4f58-9a0e-0d3f1e2a7c55";
const at = "2026-11-21T04:00:00.000Z";
const scanning: UpdateSummary["scanning"] = {
  scan_id: id,
  trigger: "manual",
  status: "running",
  started_at: at,
  completed_at: null,
  failure: null,
  total: 30,
  scanned: 4,
  updates_found: 1,
  errors: [],
};
const progress = { scan_id: id, total: 30, scanned: 12, updates_found: 3, agent_id: null, timestamp: at };

it("shows how far the scan is that runs, and lets no older event undo a newer one", () => {
  const summary = updateSummary({ scanning });
  assert.deepEqual(advanceScan(summary, progress).scanning, { ...scanning, scanned: 12, updates_found: 3 });
  assert.equal(advanceScan(summary, { ...progress, scanned: 3 }), summary);
  assert.equal(advanceScan(summary, { ...progress, scan_id: at }), summary);
  const idle = updateSummary();
  assert.equal(advanceScan(idle, progress), idle);
});

it("applies progress in place, on every host's summary, and reads the rest again once it rests", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const queryClient = new QueryClient();
  const keys = [updateSummaryQuery().queryKey, updateSummaryQuery("local").queryKey];
  for (const key of keys) queryClient.setQueryData(key, updateSummary({ scanning }));
  queryClient.setQueryData(exclusionsQuery.queryKey, { exclusions: [], total: 0 });
  const updates = createUpdateUpdates(queryClient);
  const isStale = (queryKey: readonly unknown[]): boolean | undefined => queryClient.getQueryState(queryKey)?.isInvalidated;

  updates.events["update.scan_progress"](progress);
  for (const key of keys) assert.equal(queryClient.getQueryData<UpdateSummary>(key)?.scanning?.scanned, 12);
  context.mock.timers.tick(5000);
  assert.equal(isStale(exclusionsQuery.queryKey), false);

  updates.events["update.scan_completed"]({ ...progress, status: "completed", errors: 0 });
  assert.equal(isStale(keys[0] ?? []), true);
  assert.equal(isStale(exclusionsQuery.queryKey), false);
  context.mock.timers.tick(500);
  assert.equal(isStale(exclusionsQuery.queryKey), true);
  updates.cancel();
  queryClient.clear();
});
