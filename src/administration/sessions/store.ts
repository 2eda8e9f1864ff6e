import { ALL_SESSIONS } from "../../http/session.ts";
import type { EndedSession } from "../../http/session.ts";
import type { Database } from "../../storage/database.ts";

export function createEndedSessionStore(database: Database) {
  const tables = database.tables<SessionTables>();
  return {
    async save({ id, endedAt, expiresAt }: EndedSession): Promise<void> {
      const times = { ended_at: endedAt.getTime(), expires_at: expiresAt.getTime() };
      await tables.write((tx) =>
        tx
          .insertInto("ended_sessions")
          .values({ id, ...times })
          .onConflict((conflict) => conflict.column("id").doUpdateSet(times))
          .execute(),
      );
    },

    async list(): Promise<EndedSession[]> {
      const rows = await tables.read.selectFrom("ended_sessions").selectAll().execute();
      return rows.map((row) => ({ id: row.id, endedAt: new Date(row.ended_at), expiresAt: new Date(row.expires_at) }));
    },

    async purge(now: Date): Promise<void> {
      await tables.write((tx) =>
        tx.deleteFrom("ended_sessions").where("expires_at", "<=", now.getTime()).where("id", "!=", ALL_SESSIONS).execute(),
      );
    },
  };
}

/** The columns of this feature's table; see storage/migrations/033-ended-sessions.ts for their meaning. */
interface SessionTables {
  ended_sessions: EndedSessionRow;
}

interface EndedSessionRow {
  id: string;
  ended_at: number;
  expires_at: number;
}
