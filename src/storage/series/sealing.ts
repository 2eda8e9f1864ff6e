import { isServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { BUNDLE_SIZE } from "./bundle.ts";
import type { Computer } from "./computer.ts";
import type { SealResult } from "./compute.ts";
import { byBundle, type Generation, type Head } from "./head.ts";
import type { Samples } from "./samples.ts";
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

/** Turns what the head holds of past hours into chunks and rollups, then forgets it in the journal and the head. */
export function createSealing({
  head,
  store,
  computer,
  log,
}: {
  head: Head;
  store: SeriesTablesStore;
  computer: Computer;
  log: Log;
}): Sealing {
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
    const bundles = [...byBundle(generations)];
    for (let from = 0; from < bundles.length; from += BUNDLES_AT_ONCE) {
      if (stopped) return;
      const sealed = await Promise.all(
        bundles
          .slice(from, from + BUNDLES_AT_ONCE)
          .map(async ([bundle, series]) => ({ bundle, rows: await sealBundle(hourMs, bundle, series) })),
      );
      await store.saveSealed(hourMs, sealed);
    }
    await forget(generations);
  }

  async function sealBundle(hourMs: number, bundle: number, series: ReadonlyMap<number, Samples[]>): Promise<SealResult> {
    const kept = await store.kept(bundle, hourMs);
    const result = await computer.run({
      kind: "seal",
      hourMs,
      kept,
      grids: [...series].map(([id, samples]) => ({ place: id % BUNDLE_SIZE, grids: samples.map((each) => each.grid()) })),
    });
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
