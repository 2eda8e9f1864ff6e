import type { Database } from "../../src/storage/database.ts";

/** Heartbeats and certificates of agents, with all that hangs on them: the program makes none of the kind by itself. */
export async function insertRemoteRows(database: Database, agents: readonly string[], at: Date): Promise<void> {
  const atMs = at.getTime();
  await database.tables<Record<string, Record<string, unknown>>>().write(async (tx) => {
    for (const [index, agent] of agents.entries()) {
      const own = { id: 900 + index, agent_id: agent, created_at: 1, updated_at: 1 };
      const counted = { day: 0, day_counted_until: 0, day_counted_ms: 0, day_down_ms: 0, day_checks: 0, day_incidents: 0 };
      const schedule = { schedule: "interval", interval_seconds: 60, timezone: "UTC", grace_seconds: 60 };
      const state = { status: "down", status_changed_at: 1, reason: "deadline", failing_since: 1, recent_outcomes: "[]" };
      await tx
        .insertInto("heartbeats")
        .values({ ...own, ...counted, ...schedule, ...state, uuid: agent, name: `job ${agent.slice(-1)}`, tags: "[]" })
        .execute();
      await tx
        .insertInto("heartbeat_pings")
        .values({ heartbeat_id: own.id, kind: "success", source_ip: "::1", method: "GET", received_at: atMs })
        .execute();
      await tx
        .insertInto("heartbeat_days")
        .values({ heartbeat_id: own.id, day: atMs - 86_400_000, counted_ms: 1, down_ms: 0, checks: 1, incidents: 0 })
        .execute();
      await tx
        .insertInto("heartbeat_pauses")
        .values({ heartbeat_id: own.id, paused_at: atMs - 2, resumed_at: atMs - 1 })
        .execute();
      const target = { domain: "web.test", port: 443, server_name: "web.test", source: "standalone" };
      const settings = {
        alerts: '{"severity":"critical","channels":[],"tags":[]}',
        alert_thresholds_days: "[30]",
        check_interval_ms: 60_000,
      };
      const standing = {
        status: "unknown",
        status_since: 1,
        raised: '{"expired":false,"chainInvalid":false,"announcedDays":null}',
        next_check_at: 1,
      };
      await tx
        .insertInto("certificates")
        .values({ ...own, ...target, ...settings, ...standing })
        .execute();
      await tx.insertInto("certificate_facts").values({ id: own.id, certificate_id: own.id, digest: "d", facts: "{}" }).execute();
      await tx
        .insertInto("certificate_checks")
        .values({ certificate_id: own.id, facts_id: own.id, status: "unknown", checked_at: atMs })
        .execute();
    }
  });
}

/** Agents as they are saved, with the tokens by which they came. */
export async function insertAgentRows(database: Database, agents: readonly string[], at: Date): Promise<void> {
  const atMs = at.getTime();
  await database.tables<Record<string, Record<string, unknown>>>().write(async (tx) => {
    for (const agent of agents) {
      const hello = { hostname: "ark", os: "Debian", arch: "x64", version: "1", runtime: "docker", capabilities: "[]" };
      const state = { status: "active", enrolled_at: atMs, last_seen_at: atMs, spool_dropped: 0 };
      await tx
        .insertInto("agents")
        .values({ id: agent, label: `host ${agent.slice(-1)}`, public_key: "k", ...hello, ...state })
        .execute();
      const token = {
        id: agent.slice(-4),
        token_hash: `hash ${agent.slice(-4)}`,
        prefix: "svc_enr_",
        created_at: atMs,
        expires_at: atMs,
        consumed_at: atMs,
      };
      await tx
        .insertInto("enrollment_tokens")
        .values({ ...token, agent_id: agent })
        .execute();
    }
  });
}
