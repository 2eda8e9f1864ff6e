import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, it } from "node:test";
import { type RawBuilder, sql } from "kysely";
import { DAY_MS, HOUR_MS } from "../../contract/time.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { createLogCapture } from "../../../test/support/log-capture.ts";
import { until } from "../../../test/support/until.ts";
import { createScheduler } from "../../platform/scheduler.ts";
import type { Database } from "../database.ts";
import { createSeriesStore, type KindOfBytes } from "../series/index.ts";
import { createBudget, leastMissed } from "./index.ts";
import { RECORD_KINDS } from "./kinds.ts";
import { createBudgetStore } from "./store.ts";

const NOW = Date.UTC(2026, 2, 1, 12);
const ago = (days: number): number => NOW - days * DAY_MS;

it("takes what is the most times as old as its worth, and nothing younger than a day", () => {
  const old = { worthMs: 300 * DAY_MS, oldestMs: ago(299) };
  const young = { worthMs: HOUR_MS, oldestMs: ago(0.9) };
  const middle = { worthMs: 2 * DAY_MS, oldestMs: ago(3) };
  assert.equal(leastMissed([old, young, middle, { worthMs: 1, oldestMs: null }], NOW), middle);
  assert.equal(leastMissed([old, young, { ...middle, oldestMs: ago(1.5) }], NOW), old);
  assert.equal(leastMissed([young], NOW), undefined);
  assert.equal(leastMissed([], NOW), undefined);
});

onBothDatabases((databases) => {
  const stops: (() => Promise<void>)[] = [];
  after(async () => {
    for (const stop of stops) await stop();
  });

  function open(database: Database, limitBytes?: number) {
    const clock = createFakeClock(new Date(NOW));
    const log = createLogCapture();
    const scheduler = createScheduler(clock, log.log);
    const retention = { detailMs: 2 * DAY_MS, minutesMs: 30 * DAY_MS, hoursMs: 400 * DAY_MS };
    const series = createSeriesStore({ database, family: { number: 1, columns: [] }, clock, scheduler, log: log.log, retention });
    const budget = createBudget({ database, series, limitBytes, clock, scheduler, log: log.log });
    const dropped = new Set<string>();
    budget.onDropped((kind) => dropped.add(kind));
    stops.push(() => scheduler.stop());
    return {
      budget,
      clock,
      dropped,
      log,
      bytes: async () => new Map((await budget.use()).kinds.map((each): [KindOfBytes["kind"], KindOfBytes] => [each.kind, each])),
      async run() {
        budget.start();
        await clock.advance(160_000);
        await until(() => /reached its limit/.test(log.text()));
        budget.stop();
      },
    };
  }

  const write = (database: Database, ...statements: RawBuilder<unknown>[]): Promise<void> =>
    database.tables<object>().write(async (tx) => {
      for (const statement of statements) await statement.execute(tx);
    });

  async function values(database: Database, query: RawBuilder<{ value: number | string }>): Promise<(number | string)[]> {
    return (await query.execute(database.tables<object>().read)).rows.map(({ value }) => value);
  }

  /** Rows of many kinds, each half a day apart from now back to so many days. */
  async function fill(database: Database, days: number): Promise<void> {
    const times = Array.from({ length: days * 2 }, (_, index) => ago(0.5 + index / 2)).toReversed();
    // Of which PostgreSQL compresses nothing.
    const text = randomBytes(3000).toString("base64");
    await write(
      database,
      sql`INSERT INTO containers (id, external_id, name, image, state, oom_killed, stop_requested, group_name, group_source, is_ignored, restart_count,
          restart_threshold, restarts, alert_severity, alert_channels, alert_tags, label_errors, ports, privileged, labels, runtime, first_seen_at,
          last_observed_at, last_state_change_at)
        VALUES (1, 'a', 'a', 'a', 'running', 0, 0, '', '', 0, 0, 0, '[]', '', '[]', '[]', '[]', '[]', 0, '{}', 'docker', 0, 0, 0)`,
      sql`INSERT INTO heartbeats (id, uuid, name, tags, schedule, timezone, grace_seconds, status, status_changed_at, recent_outcomes, day,
          day_counted_until, day_counted_ms, day_down_ms, day_checks, day_incidents, created_at, updated_at)
        VALUES (1, 'u', 'h', '[]', 'interval', 'UTC', 0, 'up', 0, '[]', 0, 0, 0, 0, 0, 0, 0, 0)`,
      sql`INSERT INTO certificates (id, domain, port, server_name, source, alerts, alert_thresholds_days, check_interval_ms, created_at, updated_at, status,
          status_since, raised, next_check_at)
        VALUES (1, 'a', 443, 'a', 'manual', '{}', '[]', 1, 0, 0, 'valid', 0, '[]', 0), (2, 'b', 443, 'b', 'manual', '{}', '[]', 1, 0, 0, 'valid', 0, '[]', 0)`,
      ...(["completed", "completed", "failed"] as const).map(
        (status, index) =>
          sql`INSERT INTO update_scans (id, scan_id, started_by, status, started_at, completed_at, total, scanned, updates_found, errors)
            VALUES (${index + 1}, ${String(index)}, 'schedule', ${status}, ${ago(40 - index)}, ${ago(40 - index)}, 0, 0, 0, 0)`,
      ),
      sql`INSERT INTO certificate_facts (id, certificate_id, digest, facts) VALUES (1, 1, 'a', ${text}), (2, 2, 'b', ${text}), (3, 1, 'c', ${text})`,
      sql`INSERT INTO certificate_checks (certificate_id, facts_id, status, checked_at) VALUES (2, 2, 'valid', ${ago(50)})`,
      sql`INSERT INTO certificate_checks (certificate_id, facts_id, status, checked_at) VALUES (1, 3, 'valid', ${ago(39.7)})`,
      sql`INSERT INTO alerts (id, source, event, entity_type, entity_id, severity, status, fired_at, last_raised_at, notified, evaluations, persists, entity_name,
          message, parents, labels, channels, tags, details)
        VALUES (9999, 'container', 'down', 'container', '1', 'critical', 'active', ${ago(300)}, 0, 1, 1, 0, 'a', ${text}, '[]', '{}', '[]', '[]', '{}')`,
      sql`INSERT INTO deliveries (notification_id, alert_id, channel_id, event, notify_on_resolve, because, status, attempts, created_at)
        VALUES (1, 9999, 1, 'e', 0, ${text}, 'sent', 1, ${ago(80)})`,
      sql`INSERT INTO heartbeat_pings (heartbeat_id, kind, source_ip, method, body, received_at, outcome) VALUES (1, 'start', '', 'GET', ${text}, ${ago(29)}, 'running')`,
      sql`INSERT INTO webhook_deliveries (webhook_id, event_id, type, body, status, attempts, created_at) VALUES (1, 'e', 't', ${text}, 'pending', 0, ${ago(7)})`,
    );
    for (const [index, at] of times.entries())
      await write(
        database,
        sql`INSERT INTO transitions (container_id, new_state, oom_killed, log_snippet, replayed, occurred_at) VALUES (1, 'exited', 0, ${text}, 0, ${at})`,
        sql`INSERT INTO audit_entries (at, actor_kind, operation, outcome, before) VALUES (${at}, 'admin', 'x', 'done', ${text})`,
        sql`INSERT INTO heartbeat_pings (heartbeat_id, kind, source_ip, method, body, received_at) VALUES (1, 'success', '', 'GET', ${text}, ${at})`,
        sql`INSERT INTO certificate_checks (certificate_id, status, error, checked_at) VALUES (1, 'valid', ${text}, ${at})`,
        sql`INSERT INTO webhook_deliveries (webhook_id, event_id, type, body, status, attempts, created_at) VALUES (1, 'e', 't', ${text}, 'sent', 1, ${at})`,
        sql`INSERT INTO delivery_notifications (id, body, created_at) VALUES (${index + 1}, ${text}, ${at})`,
        sql`INSERT INTO deliveries (notification_id, alert_id, channel_id, event, notify_on_resolve, because, status, attempts, created_at)
          VALUES (${index + 1}, 1, 1, 'e', 0, ${text}, 'sent', 1, ${at})`,
        sql`INSERT INTO alerts (source, event, entity_type, entity_id, severity, status, fired_at, resolved_at, last_raised_at, notified, evaluations, persists,
            entity_name, message, parents, labels, channels, tags, details)
          VALUES ('container', 'down', 'container', '1', 'critical', 'resolved', ${at}, ${at}, 0, 1, 1, 0, 'a', ${text}, '[]', '{}', '[]', '[]', '{}')`,
        ...[0, 1].map(
          (level) =>
            sql`INSERT INTO series_chunks (family, level, bundle, start_at, bytes, size) VALUES (1, ${level}, 1, ${at}, ${Buffer.from(text)}, 4000)`,
        ),
      );
  }

  const AGES = {
    pings: sql<{ value: number }>`SELECT MIN(received_at) AS value FROM heartbeat_pings WHERE outcome IS NULL`,
    webhook_deliveries: sql<{ value: number }>`SELECT MIN(created_at) AS value FROM webhook_deliveries WHERE status <> 'pending'`,
    deliveries: sql<{ value: number }>`SELECT MIN(created_at) AS value FROM deliveries WHERE alert_id <> 9999`,
    notifications: sql<{ value: number }>`SELECT MIN(created_at) AS value FROM delivery_notifications WHERE id > 1`,
    snippets: sql<{ value: number }>`SELECT MIN(occurred_at) AS value FROM transitions WHERE log_snippet IS NOT NULL`,
    history: sql<{ value: number }>`SELECT MIN(occurred_at) AS value FROM transitions`,
    certificate_checks: sql<{ value: number }>`SELECT MIN(checked_at) AS value FROM certificate_checks WHERE certificate_id = 1`,
    alerts: sql<{ value: number }>`SELECT MIN(resolved_at) AS value FROM alerts`,
    audit: sql<{ value: number }>`SELECT MIN(at) AS value FROM audit_entries`,
    detail: sql<{ value: number }>`SELECT MIN(start_at) AS value FROM series_chunks WHERE level = 0`,
    minutes: sql<{ value: number }>`SELECT MIN(start_at) AS value FROM series_chunks WHERE level = 1`,
  };

  /** How old the oldest of each is, in days. */
  async function ages(database: Database): Promise<Record<keyof typeof AGES, number>> {
    const found: Partial<Record<keyof typeof AGES, number>> = {};
    for (const name of Object.keys(AGES) as (keyof typeof AGES)[])
      found[name] = (NOW - Number((await values(database, AGES[name]))[0])) / DAY_MS;
    return found as Record<keyof typeof AGES, number>;
  }

  it("shows the bytes of each kind, their oldest and how they grow", async () => {
    const database = await databases.create();
    await fill(database, 40);
    const { budget } = open(database);
    const { kinds, isEstimated } = await budget.use();
    assert.equal(isEstimated, databases.name === "postgresql");
    const byKind = new Map(kinds.map((each) => [each.kind, each]));
    assert.deepEqual(
      [...byKind.keys()].toSorted(),
      [...new Set([...RECORD_KINDS.map(({ kind }) => kind), "journal", "detail", "minutes", "hours", "other"])].toSorted(),
    );
    for (const kind of ["pings", "history", "alerts", "deliveries", "webhook_deliveries", "certificate_checks", "audit"] as const) {
      const { bytes = 0, oldest, bytesPerDay, keptMs } = byKind.get(kind) ?? {};
      assert.ok(bytes > 80 * 4000 && bytes < 3 * 80 * 4000, `${kind}: ${bytes}`);
      assert.ok((NOW - (oldest?.getTime() ?? 0)) / DAY_MS >= 40, kind);
      assert.ok((bytesPerDay ?? 0) > 0 && (bytesPerDay ?? 0) <= bytes / Math.min(30, (keptMs ?? 0) / DAY_MS));
    }
    const store = createBudgetStore(database);
    const total = kinds.reduce((sum, { bytes }) => sum + bytes, 0);
    if (databases.name === "sqlite") {
      const [pages] = await values(database, sql`SELECT page_count * 4096 AS value FROM pragma_page_count()`);
      assert.equal(total, pages);
      const exact = await store.measure(["transitions", "alerts"], { exactly: true });
      const estimated = await store.measure(["transitions", "alerts"], { exactly: false });
      for (const [table, { bytes }] of exact) {
        const ratio = (estimated.get(table)?.bytes ?? 0) / bytes;
        assert.ok(ratio > 0.5 && ratio < 2, `${table}: ${ratio}`);
      }
    }
  });

  if (databases.name === "sqlite") {
    it("counts the pages of records that take 256 MB at most, and estimates what takes more", async () => {
      const database = await databases.create();
      const isEstimatedAt = async (bytes: number): Promise<boolean> => {
        const capabilities = { ...database.capabilities, otherBytes: `SELECT ${bytes} AS bytes` };
        return (await open({ ...database, capabilities }).budget.use()).isEstimated;
      };
      assert.equal(await isEstimatedAt(256 * 1024 * 1024), false);
      assert.equal(await isEstimatedAt(256 * 1024 * 1024 + 1), true);
    });
  }

  if (databases.name === "postgresql") {
    it("counts nothing of another schema in the database, such as what a restore replaced", async () => {
      const database = await databases.create();
      const total = async (): Promise<number> => {
        const { budget } = open(database);
        return (await budget.use()).kinds.reduce((sum, { bytes }) => sum + bytes, 0);
      };
      const before = await total();
      await write(
        database,
        sql`CREATE SCHEMA public_before_restore_20260301t120000z`,
        sql`CREATE TABLE public_before_restore_20260301t120000z.alerts AS
          SELECT gen_random_uuid() AS a, gen_random_uuid() AS b FROM generate_series(1, 20000)`,
        sql`CREATE SCHEMA "Staging"`,
        sql`CREATE TABLE "Staging".series_chunks AS SELECT gen_random_uuid() AS a FROM generate_series(1, 20000)`,
      );
      assert.equal(await total(), before);
      await write(database, sql`CREATE TABLE ours AS SELECT gen_random_uuid() AS a FROM generate_series(1, 20000)`);
      assert.ok((await total()) > before + 500_000);
    });
  }

  it("drops the oldest of what is missed least, over all kinds, until the rest fits", async () => {
    const database = await databases.create();
    await fill(database, 40);
    const before = await open(database).bytes();
    const total = [...before.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    const records = total - (before.get("other")?.bytes ?? 0);
    const { run, bytes, log, dropped } = open(database, total - records / 4);
    await run();
    assert.ok(dropped.has("detail") && dropped.has("webhook_deliveries") && !dropped.has("alerts"), [...dropped].join());
    const left = await ages(database);
    // By how many times their worth they are old: 40 days are 20 times that of detail, but less than that of alerts.
    for (const name of ["detail", "webhook_deliveries"] as const) assert.ok(left[name] < 20, `${name}: ${left[name]}`);
    for (const name of ["history", "alerts", "audit", "certificate_checks"] as const) assert.equal(left[name], 40, name);
    assert.ok(Math.abs(left.detail - left.webhook_deliveries) <= 1, "what is worth the same goes together");
    const leftBytes = [...(await bytes()).values()].reduce((sum, each) => sum + each.bytes, 0);
    assert.ok(leftBytes < total - records / 6, `${leftBytes} of ${total}`);
    assert.match(log.text(), /"still_over_bytes":0/);
  });

  it("leaves what is younger than a day and what is current, however small the limit", async () => {
    const database = await databases.create();
    await fill(database, 40);
    const { run, dropped } = open(database, 1);
    await run();
    assert.ok(dropped.has("alerts"));
    const { history, ...others } = await ages(database);
    for (const [name, age] of Object.entries(others)) assert.ok(age >= 0.5 && age <= 1, `${name}: ${age}`);
    assert.equal(history, 40, "a history with gaps would show a container in states that it was not in");
    const left = async (query: RawBuilder<{ value: number }>): Promise<number> => Number((await values(database, query))[0]);
    assert.equal(await left(sql`SELECT COUNT(*) AS value FROM alerts WHERE status = 'active'`), 1);
    assert.equal(await left(sql`SELECT COUNT(*) AS value FROM deliveries WHERE alert_id = 9999`), 1);
    assert.equal(await left(sql`SELECT COUNT(*) AS value FROM heartbeat_pings WHERE outcome = 'running'`), 1);
    assert.equal(await left(sql`SELECT COUNT(*) AS value FROM webhook_deliveries WHERE status = 'pending'`), 1);
    assert.equal(await left(sql`SELECT COUNT(*) AS value FROM certificate_checks WHERE certificate_id = 2`), 1);
    assert.deepEqual((await values(database, sql`SELECT id AS value FROM update_scans ORDER BY id`)).map(Number), [2, 3]);
    // What no check refers to goes before its last check, and with it.
    assert.deepEqual((await values(database, sql`SELECT id AS value FROM certificate_facts`)).map(Number), [2]);
    assert.equal(await left(sql`SELECT COUNT(*) AS value FROM containers`), 1);
    assert.equal(await left(sql`SELECT COUNT(*) AS value FROM transitions`), 80);
  });

  it("drops rows from a clock that was ahead, and what came after them", async () => {
    const database = await databases.create();
    await fill(database, 5);
    const ahead = NOW + 400 * DAY_MS;
    const late = Object.entries({
      webhook_deliveries: ["created_at", "status <> 'pending'"],
      deliveries: ["created_at", "alert_id <> 9999"],
      heartbeat_pings: ["received_at", "outcome IS NULL"],
    }).map(
      ([table, [at = "", where = ""]]) =>
        sql`UPDATE ${sql.table(table)} SET ${sql.ref(at)} = ${ahead} WHERE id = (SELECT MIN(id) FROM ${sql.table(table)} WHERE ${sql.raw(where)})`,
    );
    await write(database, ...late);
    const { run, budget } = open(database, 1);
    const oldest = async (): Promise<number[]> => {
      const { kinds } = await budget.use();
      return ["webhook_deliveries", "deliveries", "pings"].map(
        (kind) => (NOW - (kinds.find((each) => each.kind === kind)?.oldest?.getTime() ?? 0)) / DAY_MS,
      );
    };
    assert.deepEqual(await oldest(), [4.5, 4.5, 4.5]);
    await run();
    assert.deepEqual(await oldest(), [0.5, 0.5, 0.5]);
    for (const table of ["webhook_deliveries", "deliveries", "heartbeat_pings"])
      assert.deepEqual(await values(database, sql`SELECT id AS value FROM ${sql.table(table)} WHERE id = 2`), [], table);
  });

  it("says that it dropped something only if it did", async () => {
    const { budget, clock, log } = open(await databases.create(), 1);
    budget.start();
    await clock.advance(160_000);
    await until(() => /nothing in it may be dropped/.test(log.text()));
    budget.stop();
    assert.doesNotMatch(log.text(), /was dropped/);
  });

  it("names tables and columns that there are", async () => {
    const database = await databases.create();
    const store = createBudgetStore(database);
    for (const { tables, parts } of RECORD_KINDS) {
      for (const use of (await store.measure(tables, { exactly: false })).values()) assert.ok(use.bytes >= 0);
      for (const part of parts) {
        assert.ok(tables.includes(part.table));
        assert.equal(await store.oldest(part, NOW), null);
        assert.deepEqual(await store.dropOldest(part, { beforeMs: NOW, nowMs: NOW, most: 10 }), { rows: 0, clearedBytes: 0 });
      }
    }
  });
});
