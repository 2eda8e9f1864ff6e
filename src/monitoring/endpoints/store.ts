import { type Kysely, sql } from "kysely";
import type { Database } from "../../storage/database.ts";
import type { PauseChange, Pauses } from "../pause-store.ts";
import { updateRows, keptStatement, inBatches, inTables, type Unit, keptRows } from "../../storage/statements.ts";
import type { StoredSecrets } from "../../platform/stored-secrets.ts";
import type { Check } from "./checks/head.ts";
import { createCheckWriting, type EndpointCheckAt } from "./checks/store.ts";
import { storable } from "./definition.ts";
import type { Endpoint, SavedEndpoint } from "./endpoint.ts";
import {
  type Checkpoint,
  checkFromText,
  checkpointFromRow,
  type EndpointColumns,
  endpointToRow,
  openRow,
  sealedColumns,
  type DayRow,
  ENDPOINT_TYPES,
  type EndpointTables,
} from "./rows.ts";
import type { Counts, Tally } from "./tally.ts";

/** An endpoint to save with what was counted of it; `id` undefined for a new one. */
export interface EndpointChange {
  id: number | undefined;
  endpoint: Endpoint;
  tally: Tally;
  /** A pause begins, or ends. */
  pause?: PauseChange | undefined;
}

/** Rows deleted by one statement, with what refers to them; each may have a thousand chunks. */
const REMOVE_BATCH = 10;
/** As the index has it; the local host is the empty text. */
const AGENT = sql<string>`COALESCE(agent_id, '')`;

/** For the past, of which nothing is in memory. */
export type KnownEndpoint = Pick<SavedEndpoint, "id" | "check">;

export type EndpointStore = ReturnType<typeof createEndpointStore>;

export function createEndpointStore(database: Database, { secrets, pauses }: { secrets: StoredSecrets; pauses: Pick<Pauses, "save"> }) {
  const tables = database.tables<EndpointTables>();
  const saving = createSaving(secrets);
  const checkWriting = createCheckWriting();
  const findLabelled = keptStatement((read: Kysely<EndpointTables>, { containerId, labelKey }: { containerId: number; labelKey: string }) =>
    read.selectFrom("endpoints").select(["id", "checked"]).where("container_id", "=", containerId).where("label_key", "=", labelKey),
  );

  return {
    async load(): Promise<Checkpoint[]> {
      const rows = await tables.read.selectFrom("endpoints").selectAll().orderBy("id").execute();
      return rows.map((row) => checkpointFromRow(openRow(row, secrets)));
    },

    /**
     * Saves checks and what they change together. Those of each host come by themselves, since its rows go with it. `countedId` is the last row
     * of the journal before; answers the last one now, and the endpoints' identifiers in the order given. `also` saves in the same unit what follows.
     */
    async save(
      changes: readonly EndpointChange[],
      { checks, countedId }: { checks: readonly (readonly EndpointCheckAt[])[]; countedId: number },
      also: (unit: object, ids: readonly number[]) => Promise<void>,
    ): Promise<{ ids: number[]; journalId: number }> {
      return tables.write(async (tx) => {
        let journalId = countedId;
        for (const ofHost of checks) if (ofHost.length > 0) journalId = await checkWriting.append(tx, ofHost);
        const ids = await saving.save(tx, changes, journalId);
        for (const [index, { pause }] of changes.entries()) if (pause !== undefined) await pauses.save(tx, ids[index] ?? 0, pause);
        await also(tx, ids);
        return { ids, journalId };
      });
    },

    /** Turns the checks of endpoints that are in the journal up to a row into chunks. */
    async seal(
      sealed: readonly { endpoint: SavedEndpoint; tally: Tally; checks: readonly Check[] }[],
      { journalId, daysFrom }: { journalId: number; daysFrom: number },
    ): Promise<void> {
      await tables.write(async (tx) => {
        for (const { endpoint, tally, checks } of sealed) {
          const [late, inOrder] = [checks.filter((check) => check.late), checks.filter((check) => !check.late)];
          if (inOrder.length > 0) await checkWriting.seal(tx, endpoint.id, inOrder);
          if (late.length > 0) await checkWriting.seal(tx, endpoint.id, late);
          await saving.seal(tx, { endpoint, tally, journalId });
          await saving.dropDays(tx, { endpoint_id: endpoint.id, day: daysFrom });
        }
      });
    },

    /** Adds checks to the past of endpoints of one host; answers their row of the journal. */
    async savePast(late: readonly { endpointId: number; checks: readonly Check[]; days: ReadonlyMap<number, Counts> }[]): Promise<number> {
      return tables.write(async (tx) => {
        const journalId = await checkWriting.append(
          tx,
          late.flatMap(({ endpointId, checks }) => checks.map((check) => ({ endpointId, check }))),
        );
        for (const { endpointId, days } of late) await saving.addDays(tx, endpointId, days);
        return journalId;
      });
    },

    /** The endpoint of a host by the service whose label asks for it. */
    async findOfService(agentId: string | null, owner: string, labelKey: string): Promise<KnownEndpoint | undefined> {
      const row = await tables.read
        .selectFrom("endpoints")
        .select(["id", "checked"])
        .where(AGENT, "=", agentId ?? "")
        .where("container_external_id", "=", owner)
        .where("label_key", "=", labelKey)
        .executeTakeFirst();
      return row && knownFromRow(row);
    },

    /** An endpoint of a container by its label. */
    async findLabelled(containerId: number, labelKey: string): Promise<KnownEndpoint | undefined> {
      const [row] = (await findLabelled(tables.read, { containerId, labelKey })).rows;
      return row && knownFromRow(row);
    },

    /** What was saved of the days from one on. */
    async days(endpointId: number, fromDay: number): Promise<Map<number, Counts>> {
      const rows = await tables.read
        .selectFrom("endpoint_days")
        .selectAll()
        .where("endpoint_id", "=", endpointId)
        .where("day", ">=", fromDay)
        .execute();
      return new Map(
        rows.map((row) => [
          row.day,
          { checks: row.checks, failures: row.failures, upMs: row.up_ms, downMs: row.down_ms, incidents: row.incidents },
        ]),
      );
    },

    /** Deletes endpoints with all that is known of them, a bounded number a unit, each with what `also` saves of these. */
    async remove(ids: readonly number[], also: (unit: object, removed: ReadonlySet<number>) => Promise<void>): Promise<void> {
      for (const some of inBatches(ids, REMOVE_BATCH)) {
        await tables.write(async (tx) => {
          await tx.deleteFrom("endpoints").where("id", "in", some).execute();
          await also(tx, new Set(some));
        });
      }
    },

    /** Deletes an agent's endpoints with all that is known of them, inside of a unit; answers which they were. */
    async purgeHost(unit: Unit, agentId: string): Promise<number[]> {
      const tx = inTables<EndpointTables>(unit);
      const ids = (await tx.selectFrom("endpoints").select("id").where(AGENT, "=", agentId).execute()).map(({ id }) => id);
      for (const some of inBatches(ids, REMOVE_BATCH)) await tx.deleteFrom("endpoints").where("id", "in", some).execute();
      return ids;
    },
  };
}

function knownFromRow({ id, checked }: { id: number; checked: string }): KnownEndpoint {
  return { id, check: checkFromText(checked) };
}

/** The statements that every change runs, kept for one database. */
function createSaving(secrets: StoredSecrets) {
  type Tx = Kysely<EndpointTables>;
  const insert = keptRows((tx: Tx, rows: readonly (EndpointColumns & { counted_id: number; sealed_id: number })[]) =>
    tx.insertInto("endpoints").values(rows).returning("id"),
  );
  const update = keptRows((tx: Tx, rows: readonly (EndpointColumns & { counted_id: number; id: number })[]) =>
    updateRows(tx, { table: "endpoints", types: ENDPOINT_TYPES, rows }),
  );
  const updateSealed = keptStatement((tx: Tx, { id, ...row }: EndpointColumns & { counted_id: number; sealed_id: number; id: number }) =>
    tx.updateTable("endpoints").set(row).where("id", "=", id),
  );
  const addDay = keptStatement((tx: Tx, row: DayRow) =>
    tx
      .insertInto("endpoint_days")
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(["endpoint_id", "day"]).doUpdateSet(({ ref, eb }) => ({
          checks: eb(ref("endpoint_days.checks"), "+", ref("excluded.checks")),
          failures: eb(ref("endpoint_days.failures"), "+", ref("excluded.failures")),
          up_ms: eb(ref("endpoint_days.up_ms"), "+", ref("excluded.up_ms")),
          down_ms: eb(ref("endpoint_days.down_ms"), "+", ref("excluded.down_ms")),
          incidents: eb(ref("endpoint_days.incidents"), "+", ref("excluded.incidents")),
        })),
      ),
  );
  const dropDays = keptStatement((tx: Tx, { endpoint_id, day }: { endpoint_id: number; day: number }) =>
    tx.deleteFrom("endpoint_days").where("endpoint_id", "=", endpoint_id).where("day", "<", day),
  );

  async function addDays(tx: Tx, endpointId: number, days: ReadonlyMap<number, Counts>): Promise<void> {
    for (const [day, { checks, failures, upMs, downMs, incidents }] of days) {
      await addDay(tx, {
        endpoint_id: endpointId,
        day,
        checks,
        failures,
        up_ms: Math.round(upMs),
        down_ms: Math.round(downMs),
        incidents,
      });
    }
  }

  return {
    addDays,
    dropDays,
    /** Answers the identifiers in the order given. */
    async save(tx: Tx, changes: readonly EndpointChange[], countedId: number): Promise<number[]> {
      const rowOf = ({ endpoint, tally }: EndpointChange) => ({
        ...endpointToRow(endpoint, storable(endpoint), tally),
        counted_id: countedId,
      });
      const created = changes.filter(({ id }) => id === undefined);
      const inserted = await insert(
        tx,
        // Secrets are sealed for their id, which is known only then.
        created.map((each) => ({ ...rowOf(each), ...(isSecret(each) ? { checked: "" } : {}), sealed_id: countedId })),
      );
      // The rows of a statement are numbered in their order, and may be returned in another.
      const newIds = inserted.map(({ id }) => id).sort((a, b) => a - b);
      const ids = changes.map(({ id }) => id ?? newIds.shift() ?? 0);
      await update(
        tx,
        changes.flatMap((each, index) =>
          each.id !== undefined || isSecret(each) ? [{ ...sealedColumns(rowOf(each), ids[index] ?? 0, secrets), id: ids[index] ?? 0 }] : [],
        ),
      );
      for (const [index, { tally }] of changes.entries()) await addDays(tx, ids[index] ?? 0, tally.days);
      return ids;
    },
    async seal(tx: Tx, { endpoint, tally, journalId }: { endpoint: SavedEndpoint; tally: Tally; journalId: number }): Promise<void> {
      const row = sealedColumns(endpointToRow(endpoint, storable(endpoint), tally), endpoint.id, secrets);
      await updateSealed(tx, { ...row, counted_id: journalId, sealed_id: journalId, id: endpoint.id });
      await addDays(tx, endpoint.id, tally.days);
    },
  };
}

/** Whether the check may hold credentials: that of a label holds none. */
function isSecret({ endpoint }: EndpointChange): boolean {
  return endpoint.labelKey === null;
}
