import { messageOf } from "./errors.ts";
import type { Log } from "./log.ts";

/** A notice board for what has already been saved. Not a queue: what must survive a crash is a row with a due time. */
export interface Bus<Event extends { type: string }> {
  /** Notifies every listener, each isolated from the others' failures. Call after the commit. */
  publish(event: Event): void;
  /**
   * Gives events that are about to be committed to those who keep them as rows, in the transaction that makes them true; rejects when they cannot, and
   * with that the transaction must. Publish the same objects after the commit.
   */
  keep(unit: object, events: readonly Event[]): Promise<void>;
  /** Registers who keeps events; returns how to stop. */
  keepBy(repository: Repository<Event>): () => void;
  /** Listens under a name that shows up in the log when the listener throws; returns how to stop. */
  subscribe(label: string, listener: (event: Event) => void): () => void;
}

/** Writes what it needs of events, in the transaction of their publisher. */
export type Repository<Event> = (unit: object, events: readonly Event[]) => Promise<void>;

export function createBus<Event extends { type: string }>(log: Log): Bus<Event> {
  const listeners = new Set<{ label: string; listener: (event: Event) => void }>();
  const keepers = new Set<Repository<Event>>();
  return {
    async keep(unit, events) {
      if (events.length > 0) for (const repository of keepers) await repository(unit, events);
    },
    keepBy(repository) {
      keepers.add(repository);
      return () => keepers.delete(repository);
    },
    publish(event) {
      for (const { label, listener } of listeners) {
        const failed = (error: unknown): void =>
          log.error({ listener: label, event: event.type, err: error, reason: messageOf(error) }, "event listener failed");
        try {
          const outcome: unknown = listener(event);
          // An async function passes for a listener too; nobody else would catch what it throws.
          if (outcome instanceof Promise) outcome.catch(failed);
        } catch (error) {
          failed(error);
        }
      }
    },
    subscribe(label, listener) {
      const entry = { label, listener };
      listeners.add(entry);
      return () => listeners.delete(entry);
    },
  };
}
