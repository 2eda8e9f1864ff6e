import { DAY_MS } from "../../contract/time.ts";
import { type Clock, pause } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Serial } from "../../platform/queues.ts";
import type { Head } from "./checks/head.ts";
import { type CheckStore, CorruptBytes } from "./checks/store.ts";
import { applyCheck, longestMs } from "./endpoint.ts";
import type { Projection } from "./projection.ts";
import { ONE_BY_ONE } from "./register.ts";
import type { Checkpoint } from "./rows.ts";
import type { EndpointStore } from "./store.ts";
import { countCheck, takeBackPast } from "./tally.ts";

/** Endpoints sealed in one unit, and the pause after it: ten thousand take a quarter of a minute, and nobody waits for them. */
const AT_ONCE = 25;
const PAUSE_MS = 20;
const DAYS_KEPT = 400;

/** Turns the journal of checks into chunks, and reads it back after a start. */
export interface Sealing {
  /** Puts the endpoints as they were saved last into memory, and goes through the checks that came after. */
  load(): Promise<void>;
  /** Seals all that is in the journal. A crash in between repeats work, and loses none. Throws `storage_unavailable`. */
  run(signal: AbortSignal): Promise<void>;
}

export interface SealingParts {
  store: EndpointStore;
  checkStore: CheckStore;
  projection: Projection;
  head: Head;
  serial: Serial;
  clock: Clock;
  log: Log;
}

export function createSealing({ store, checkStore, projection, head, serial, clock, log }: SealingParts): Sealing {
  async function readJournal(checkpoints: ReadonlyMap<number, Checkpoint>): Promise<void> {
    for (let afterId = 0; ;) {
      const rows = await checkStore.journal(afterId);
      const last = rows.at(-1);
      if (last === undefined) return;
      for (const row of rows) {
        head.reach(row.id);
        for (const { endpointId, check } of readable(row)) takeBack(checkpoints.get(endpointId), row.id, check);
      }
      afterId = last.id;
    }
  }

  function readable({ id, checks }: Awaited<ReturnType<CheckStore["journal"]>>[number]): ReturnType<typeof checks> {
    try {
      return checks();
    } catch (error) {
      if (!(error instanceof CorruptBytes)) throw error;
      log.warn({ row: id, reason: error.message }, "corrupt checks of the journal left out");
      return [];
    }
  }

  /** What followed the last saving changed nothing but counters, so that the checks alone bring it back. */
  function takeBack(checkpoint: Checkpoint | undefined, journalId: number, check: ReturnType<Head["of"]>[number]): void {
    if (checkpoint === undefined) return;
    const { id } = checkpoint.endpoint;
    if (journalId > checkpoint.sealedId) head.add(id, check);
    const endpoint = projection.get(id);
    if (journalId <= checkpoint.countedId || endpoint === undefined) return;
    if (check.late) return takeBackPast(checkpoint.tally, check, longestMs(endpoint.check));
    const { next: state } = applyCheck(endpoint.state, check, endpoint.check, undefined);
    countCheck(checkpoint.tally, check, longestMs(endpoint.check));
    projection.put({ ...endpoint, state }, checkpoint.tally);
  }

  async function sealSome(ids: readonly number[]): Promise<void> {
    const sealed = ids.flatMap((id) => {
      const endpoint = projection.get(id);
      const checks = head.of(id);
      return endpoint === undefined || checks.length === 0 ? [] : [{ endpoint, tally: projection.tally(id), checks }];
    });
    if (sealed.length === 0) return;
    const daysFrom = Math.floor(clock.now().getTime() / DAY_MS) - DAYS_KEPT;
    await store.seal(sealed, { journalId: head.journalId(), daysFrom });
    for (const { endpoint, tally, checks } of sealed) {
      head.drop(endpoint.id, checks.length);
      tally.days.clear();
    }
  }

  return {
    async load() {
      const checkpoints = new Map((await store.load()).map((checkpoint) => [checkpoint.endpoint.id, checkpoint]));
      for (const { endpoint, tally, countedId } of checkpoints.values()) {
        projection.put(endpoint, tally);
        head.reach(countedId);
      }
      await readJournal(checkpoints);
    },
    async run(signal) {
      const upToId = head.journalId();
      const ids = head.ids();
      for (let from = 0; from < ids.length; from += AT_ONCE) {
        if (from > 0) await pause(clock, PAUSE_MS, signal);
        if (signal.aborted) return;
        await serial(ONE_BY_ONE, () => sealSome(ids.slice(from, from + AT_ONCE)));
      }
      while (!signal.aborted && (await checkStore.dropJournal(upToId)));
    },
  };
}
