import { isServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { BUNDLE_SIZE } from "./bundle.ts";
import type { Computer } from "./computer.ts";
import type { SealResult } from "./compute.ts";
import { type Generation, gridsOf, type Head, idsByBundle } from "./head.ts";
import type { SeriesTablesStore } from "./store.ts";

/** Bundles saved in one unit of writing. */
const BUNDLES_AT_ONCE = 4;
const JOURNAL_BATCH = 50;

export interface Sealing {
  /** Seals every hour of the head that began before this moment; one run at a time. A crash anywhere in between repeats work, and loses none. */
  sealBefore(beforeMs: number): Promise<void>;
  /** Waits for a run under way, which ends early. */
  stop(): Promise<void>;
}

export interface SealingParts {
  head: Head;
  store: SeriesTablesStore;
  computer: Computer;
  columnCount: number;
  log: Log;
}

/** Turns what the head holds of past hours into chunks and rollups, then forgets it in the journal and the head. */
export function createSealing({ head, store, computer, columnCount, log }: SealingParts): Sealing {
  let running: Promise<void> | undefined;
  let stopped = false;

  async function run(beforeMs: number): Promise<void> {
    try {
      for (const hourMs of head.hours().toSorted((a, b) => a - b)) if (hourMs < beforeMs && !stopped) await sealHour(hourMs);
    } catch (error) {
      // The head keeps what was not sealed, and the next run takes it up.
      if (!isServiceError(error, "storage_unavailable")) throw error;
      log.debug({}, "sealing put off: no database");
    }
  }

  async function sealHour(hourMs: number): Promise<void> {
    const generations = head.close(hourMs);
    const bundles = [...idsByBundle(generations)];
    for (let from = 0; from < bundles.length; from += BUNDLES_AT_ONCE) {
      if (stopped) return;
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
    const gathered = generations.map((generation) => gridsOf(generation, ids, columnCount));
    const grids = ids.map((id) => ({
      place: id % BUNDLE_SIZE,
      grids: gathered.map((ofGeneration) => ofGeneration.get(id)).filter((grid) => grid !== undefined),
    }));
    const result = await computer.run({ kind: "seal", hourMs, kept, grids });
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
    async sealBefore(beforeMs) {
      running ??= run(beforeMs).finally(() => (running = undefined));
      await running;
    },
    async stop() {
      stopped = true;
      await running?.catch(() => undefined);
    },
  };
}
