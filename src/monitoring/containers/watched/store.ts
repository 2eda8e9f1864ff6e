import { type Kysely, sql } from "kysely";
import { keptStatement } from "../../../storage/kept-statement.ts";
import type { ContainerTables } from "../tables.ts";
import type { Span } from "../uptime.ts";

/** As the indexes have it; the local host is the empty text. */
const AGENT = sql<string>`COALESCE(agent_id, '')`;

/** How to add a stretch: the same twice, or one that touches others, makes one of them. Each host says one every ten seconds, so the statements are kept. */
export function createSpanMerging() {
  type Tx = Kysely<ContainerTables>;
  const touching = keptStatement((tx: Tx, { agentId, to, from }: { agentId: string; to: number; from: number }) =>
    tx
      .selectFrom("watched_spans")
      .selectAll()
      .where(AGENT, "=", agentId)
      .where("started_at", "<=", to)
      .where("ended_at", ">=", from)
      .orderBy("started_at"),
  );
  const insert = keptStatement((tx: Tx, row: { agent_id: string; started_at: number; ended_at: number }) =>
    tx.insertInto("watched_spans").values(row),
  );
  const update = keptStatement((tx: Tx, { id, ...row }: { started_at: number; ended_at: number; id: number }) =>
    tx.updateTable("watched_spans").set(row).where("id", "=", id),
  );

  return async (tx: Tx, agentId: string, { from, to }: Span): Promise<void> => {
    const [first, ...others] = (await touching(tx, { agentId, to, from })).rows;
    if (first === undefined) return void (await insert(tx, { agent_id: agentId, started_at: from, ended_at: to }));
    const startedAt = Math.min(from, first.started_at);
    const endedAt = Math.max(to, first.ended_at, ...others.map((span) => span.ended_at));
    if (startedAt === first.started_at && endedAt === first.ended_at) return;
    const otherIds = others.map(({ id }) => id);
    if (otherIds.length > 0) await tx.deleteFrom("watched_spans").where("id", "in", otherIds).execute();
    await update(tx, { started_at: startedAt, ended_at: endedAt, id: first.id });
  };
}
