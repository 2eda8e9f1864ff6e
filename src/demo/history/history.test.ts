import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/time.ts";
import { alertRows } from "./alert-rows.ts";
import { alertsOf } from "./alerts.ts";
import { containerRows } from "./containers.ts";
import { endpointRows, endpointsOf } from "./endpoint-store.ts";
import { heartbeatRows, heartbeatsOf } from "./heartbeats.ts";
import { type Moments, pastOf } from "./past.ts";
import { componentsOf, statusRows } from "./status-page.ts";
import type { Row, Rows } from "./store.ts";

/** A start of the demo at any time of some years. */
const starts = fc.integer({ min: 0, max: 3 * 365 * 24 * 60 }).map((minutes): Moments => {
  const nowMs = Date.parse("2026-01-01T00:00:00Z") + minutes * MINUTE_MS;
  return { nowMs, updatedMs: nowMs - 17 * MINUTE_MS, startMs: Math.floor((nowMs - 364 * DAY_MS) / HOUR_MS) * HOUR_MS };
});
const RUNS = { numRuns: 12 };

const rowsOf = (tables: readonly Rows[], table: string): Row[] =>
  tables.filter((each) => each.table === table).flatMap(({ rows }) => [...rows]);
const numberOf = (row: Row, column: string): number => Number(row[column]);

test("each change of a container begins where the one before ended, and the last led to what it is", () => {
  fc.assert(
    fc.property(starts, (moments) => {
      const tables = containerRows(pastOf(moments), moments);
      const changes = Map.groupBy(rowsOf(tables, "transitions"), ({ container_id: id }) => id);
      for (const container of rowsOf(tables, "containers")) {
        const own = changes.get(container["id"] ?? null) ?? [];
        for (const [index, change] of own.entries()) {
          const before = own[index - 1];
          if (before === undefined) continue;
          assert.equal(change["previous_state"], before["new_state"]);
          assert.equal(change["previous_health"], before["new_health"]);
          assert.ok(numberOf(change, "occurred_at") >= numberOf(before, "occurred_at"));
          assert.ok(numberOf(change, "occurred_at") <= moments.nowMs);
        }
        const last = own.at(-1);
        if (last !== undefined) assert.deepEqual([last["new_state"], last["new_health"]], [container["state"], container["health"]]);
      }
    }),
    RUNS,
  );
});

test("pings are numbered in the order in which they came", () => {
  fc.assert(
    fc.property(starts, (moments) => {
      const times = rowsOf(heartbeatRows(heartbeatsOf(moments), moments), "heartbeat_pings").map((row) => numberOf(row, "received_at"));
      assert.ok(times.length > 0);
      assert.deepEqual(
        times,
        times.toSorted((a, b) => a - b),
      );
    }),
    RUNS,
  );
});

test("generations follow each other, and the last is the present container", () => {
  fc.assert(
    fc.property(starts, (moments) => {
      for (const { generations } of pastOf(moments))
        for (const [index, { createdMs, endedMs }] of generations.entries()) {
          const next = generations[index + 1];
          if (next === undefined) assert.equal(endedMs, null);
          else assert.ok(endedMs !== null && createdMs < endedMs && endedMs < next.createdMs);
        }
    }),
    RUNS,
  );
});

test("an alert is resolved after it fired, at most one of a problem is active, and what is sent belongs to one", () => {
  fc.assert(
    fc.property(starts, (moments) => {
      const past = pastOf(moments);
      const sources = { past, endpoints: endpointsOf(past, moments), heartbeats: heartbeatsOf(moments), updates: [] };
      const tables = alertRows(alertsOf(sources, moments), moments);
      const alerts = new Map(rowsOf(tables, "alerts").map((row) => [row["id"], row]));
      const active = new Set<string>();
      for (const alert of alerts.values()) {
        assert.ok(numberOf(alert, "fired_at") <= moments.nowMs);
        if (alert["status"] === "resolved") {
          assert.ok(numberOf(alert, "fired_at") <= numberOf(alert, "resolved_at") && numberOf(alert, "resolved_at") <= moments.nowMs);
          continue;
        }
        const key = ["source", "event", "entity_type", "entity_id"].map((column) => alert[column]).join(" ");
        assert.ok(!active.has(key), key);
        active.add(key);
      }
      for (const delivery of rowsOf(tables, "deliveries")) {
        const alert = alerts.get(delivery["alert_id"]);
        assert.ok(alert !== undefined && numberOf(delivery, "created_at") >= numberOf(alert, "fired_at"));
        if (delivery["event"] === "alert.resolved") assert.equal(alert["status"], "resolved");
      }
    }),
    RUNS,
  );
});

test("days are as long as they were: endpoints, heartbeats, components", () => {
  fc.assert(
    fc.property(starts, (moments) => {
      const past = pastOf(moments);
      const endpoints = endpointsOf(past, moments);
      for (const row of rowsOf(endpointRows(endpoints, moments), "endpoint_days")) {
        assert.ok(numberOf(row, "up_ms") >= 0 && numberOf(row, "down_ms") >= 0);
        assert.ok(numberOf(row, "up_ms") + numberOf(row, "down_ms") <= DAY_MS);
      }
      for (const row of rowsOf(heartbeatRows(heartbeatsOf(moments), moments), "heartbeat_days"))
        assert.ok(numberOf(row, "down_ms") >= 0 && numberOf(row, "down_ms") <= numberOf(row, "counted_ms"));
      for (const row of rowsOf(statusRows(componentsOf(endpoints), moments), "status_days")) {
        const times = ["operational_ms", "degraded_ms", "maintenance_ms", "partial_outage_ms", "major_outage_ms"];
        assert.ok(times.every((column) => numberOf(row, column) >= 0));
        assert.ok(times.reduce((sum, column) => sum + numberOf(row, column), 0) <= DAY_MS);
      }
    }),
    RUNS,
  );
});
