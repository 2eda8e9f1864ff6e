import { MINUTE_MS } from "../../contract/time.ts";
import type { Event } from "../../events.ts";
import type { Bus } from "../../platform/bus.ts";
import { runEvent } from "./records.ts";
import type { Run } from "./run.ts";
import type { RunStore } from "./store.ts";

/** What happened to a run in a unit of another part, of which it is not yet known whether it is committed. */
interface Note {
  what: "escalation.started" | "escalation.stopped";
  run: Run;
  agentId: string | null;
  at: Date;
}

/** A unit that is not committed by then never will be. */
const LONGEST_UNIT_MS = MINUTE_MS;
const MOST_NOTES = 10_000;

/** Collects events of units of other parts, and publishes them once the units are saved. */
export interface Announcements {
  note(note: Note): void;
  /** Whether anything waits to be published. */
  areWaiting(): boolean;
  /** Publishes what happened to runs that are deleted together with their alerts. */
  publishOf(alertIds: ReadonlySet<number>): void;
  /** Publishes what was saved since the last call. */
  flush(now: Date): Promise<void>;
}

export function createAnnouncements({ store, bus }: { store: RunStore; bus: Bus<Event> }): Announcements {
  let notes: Note[] = [];

  async function isSaved({ what, run }: Note): Promise<boolean> {
    const saved = await store.get(run.id);
    // The id of a run that was not committed may have been given to another one.
    if (saved?.alertId !== run.alertId || saved.policyId !== run.policyId) return false;
    return what === "escalation.started" || saved.status === run.status;
  }

  return {
    note(note) {
      if (notes.length < MOST_NOTES) notes.push(note);
    },
    areWaiting: () => notes.length > 0,
    publishOf(alertIds) {
      const notified = notes.filter(({ run }) => alertIds.has(run.alertId));
      notes = notes.filter(({ run }) => !alertIds.has(run.alertId));
      for (const note of notified) bus.publish(runEvent(note.what, note.run, note));
    },
    async flush(now) {
      const taken = notes;
      notes = [];
      while (taken.length > 0) {
        const [note] = taken;
        if (note === undefined) return;
        try {
          if (await isSaved(note)) bus.publish(runEvent(note.what, note.run, note));
          else if (now.getTime() - note.at.getTime() < LONGEST_UNIT_MS) notes.push(note);
          taken.shift();
        } catch (error) {
          notes.unshift(...taken);
          throw error;
        }
      }
    },
  };
}
