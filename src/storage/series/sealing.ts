import { isServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { BUNDLE_SIZE } from "./bundle.ts";
import type { Computer } from "./computer.ts";
import type { SealResult } from "./compute.ts";
import { gather, type Generation, type Head, idsByBundle, roomFor } from "./head.ts";
import type { SeriesTablesStore } from "./store.ts";

/** How many bundles are saved in one unit of writing. */
const BUNDLES_AT_ONCE = 4;
const JOURNAL_BATCH = 50;

export interface Sealing {
  /**
   * Seals every hour of the head that began before this moment, after a current run, which does not include later samples. Answers whether it did so,
   * or was put off. A crash repeats work, but loses none.
   */
  sealBefore(beforeMs: number, options?: { ifStill?: () => boolean }): Promise<boolean>;
  /** Waits for a current run, which ends early; no other run starts until the answer is called. */
  hold(): Promise<() => void>;
  /** Waits for a current run, which ends early. */
  stop(): Promise<void>;
}

export interface SealingParts {
  head: Head;
  store: SeriesTablesStore;
  computer: Computer;
  columnCount: number;
  log: Log;
}

/** Makes chunks and rollups of the past hours in the head, then removes these from the journal and the head. */
export function createSealing({ head, store, computer, columnCount, log }: SealingParts): Sealing {
  let running: Promise<boolean> | undefined;
  let stopped = false;
  let holders = 0;
  /**
   * The grids of a bundle, in memory shared with the thread and used again during a run, since allocating 160 kB each time would be expensive for
   * both.
   */
  const rooms: Float64Array[] = [];
  const makeRoom = (): Float64Array =>
    new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT * roomFor(BUNDLE_SIZE, columnCount)));

  const isToEnd = (): boolean => stopped || holders > 0;

  async function run(beforeMs: number): Promise<boolean> {
    try {
      for (const hourMs of head.hours().toSorted((a, b) => a - b)) if (hourMs < beforeMs && !isToEnd()) await sealHour(hourMs);
      return !isToEnd();
    } catch (error) {
      // The head keeps what was not sealed for the next run.
      if (!isServiceError(error, "storage_unavailable")) throw error;
      log.debug({}, "sealing put off: no database");
      return false;
    } finally {
      rooms.length = 0;
    }
  }

  async function sealHour(hourMs: number): Promise<void> {
    const generations = head.close(hourMs);
    const bundles = [...idsByBundle(generations)];
    for (let from = 0; from < bundles.length; from += BUNDLES_AT_ONCE) {
      if (isToEnd()) return;
      const sealed = await Promise.all(
        bundles
          .slice(from, from + BUNDLES_AT_ONCE)
          .map(async ([bundle, ids]) => ({ bundle, rows: await sealBundle(bundle, ids, generations) })),
      );
      await store.saveSealed(hourMs, sealed);
    }
    await forget(generations);
  }

  async function sealBundle(bundle: number, ids: readonly number[], generations: readonly Generation[]): Promise<SealResult> {
    const hourMs = generations[0]?.hourMs ?? 0;
    const kept = await store.kept(bundle, hourMs);
    const taken = generations.map(() => rooms.pop() ?? makeRoom());
    const gathered = taken.map((room) => room.subarray(0, roomFor(ids.length, columnCount)));
    const places = ids.map((id) => id % BUNDLE_SIZE);
    const filled = gathered.filter((values, index) => {
      const generation = generations[index];
      return generation !== undefined && gather(generation, ids, columnCount, values);
    });
    const result = await computer.run({ kind: "seal", hourMs, kept, columnCount, places, generations: filled });
    rooms.push(...taken);
    for (const reason of result.corrupt)
      log.warn({ bundle, hour: new Date(hourMs).toISOString(), reason }, "corrupt series replaced by what is known");
    return result;
  }

  async function forget(generations: readonly Generation[]): Promise<void> {
    const ids = generations.flatMap(({ journalIds }) => journalIds);
    for (let from = 0; from < ids.length; from += JOURNAL_BATCH) await store.removeFromJournal(ids.slice(from, from + JOURNAL_BATCH));
    head.drop(generations);
  }

  return {
    async sealBefore(beforeMs, { ifStill = () => true } = {}) {
      while (running !== undefined) await running;
      if (!ifStill()) return true;
      running = run(beforeMs).finally(() => (running = undefined));
      return running;
    },
    async hold() {
      holders += 1;
      await running?.catch(() => undefined);
      return () => void (holders -= 1);
    },
    async stop() {
      stopped = true;
      await running?.catch(() => undefined);
    },
  };
}
