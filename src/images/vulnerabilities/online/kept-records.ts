import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import { DAY_MS } from "../../../contract/time.ts";
import type { Clock } from "../../../platform/clock.ts";
import { messageOf } from "../../../platform/errors.ts";
import type { Log } from "../../../platform/log.ts";
import type { OsvRecord } from "../record.ts";
import type { KeptRecord, RecordStore } from "../store.ts";

const UNUSED_FOR_MS = 30 * DAY_MS;
const MOST_ROWS = 50_000;
/** Larger ones are fetched each time. */
const MOST_PACKED_BYTES = 256 * 1024;
const MOST_UNPACKED_BYTES = 16 * 1_048_576;
const SAVED_AT_ONCE = 100;
/** Of what is packed; another one is as if there were none. */
const SHAPE = 1;

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** A kept answer of the database; `record` is null when it had none. */
export interface Known {
  record: OsvRecord | null;
  modified: string;
  fetchedAt: number;
}

export type KeptRecords = ReturnType<typeof createKeptRecords>;

/** Records that were fetched before. Without a database all is fetched again: what it says is not worth a failure. */
export function createKeptRecords({ store, clock, log }: { store: RecordStore; clock: Clock; log: Log }) {
  const orNothing = async (what: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      log.debug({ what, error: messageOf(error) }, "kept vulnerability records are out of reach");
    }
  };

  return {
    async read(ids: readonly string[]): Promise<Map<string, Known>> {
      const known = new Map<string, Known>();
      await orNothing("read", async () => {
        for (const row of await store.read(ids)) {
          const record = row.record === null ? null : await unpack(row.record);
          if (record !== undefined) known.set(row.id, { record, modified: row.modified, fetchedAt: row.fetchedAt });
        }
        const now = clock.now();
        await store.touch([...known.keys()], now, new Date(now.getTime() - DAY_MS));
      });
      return known;
    },

    /** `modified` as the database stated it when it was asked which records apply: that is what it is compared with. */
    async save(records: readonly { id: string; modified: string; record: OsvRecord | null }[]): Promise<void> {
      await orNothing("save", async () => {
        const now = clock.now();
        const rows: KeptRecord[] = [];
        for (const { id, modified, record } of records) {
          const packed = record === null ? null : await pack(record);
          if (packed === null || packed.length <= MOST_PACKED_BYTES) rows.push({ id, modified, record: packed, fetchedAt: now.getTime() });
        }
        for (let at = 0; at < rows.length; at += SAVED_AT_ONCE) await store.save(rows.slice(at, at + SAVED_AT_ONCE), now);
      });
    },

    async prune(signal: AbortSignal, most = MOST_ROWS): Promise<void> {
      const since = new Date(clock.now().getTime() - UNUSED_FOR_MS);
      while (!signal.aborted && (await store.pruneUnused(since)));
      for (let left = (await store.count()) - most; left > 0 && !signal.aborted;) {
        const gone = await store.pruneOldest(left);
        if (gone === 0) return;
        left -= gone;
      }
    },
  };
}

async function pack(record: OsvRecord): Promise<Buffer> {
  // The database has already answered which versions are affected; only what fixes them is read here.
  const affected = record.affected.map((entry) => ({ ...entry, versions: [] }));
  return deflate(JSON.stringify({ shape: SHAPE, record: { ...record, affected } }));
}

async function unpack(packed: Uint8Array): Promise<OsvRecord | undefined> {
  const { shape, record }: { shape: number; record: OsvRecord } = JSON.parse(
    (await inflate(packed, { maxOutputLength: MOST_UNPACKED_BYTES })).toString(),
  );
  return shape === SHAPE ? record : undefined;
}
