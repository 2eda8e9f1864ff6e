import { messageOf } from "./errors.ts";
import type { Log } from "./log.ts";

/** Announces what has already been saved. It is no queue: work that must survive a crash is a row with a due time. */
export interface Bus<Event extends { type: string }> {
  /** Notifies every listener, each isolated from the others' failures. Call after the commit. */
  publish(event: Event): void;
  /**
   * Passes events that are about to be committed to those who store them as rows of the same transaction. Rejects when they cannot; then the
   * transaction must fail too. Publish the same objects after the commit.
   */
  keep(unit: object, events: readonly Event[]): Promise<void>;
  /** Registers a function that stores events; returns how to remove it. */
  keepBy(repository: Repository<Event>): () => void;
  /** Adds a listener, with a name for the log when it throws; returns how to remove it. */
  subscribe(label: string, listener: (event: Event) => void): () => void;
}

/** Stores what it needs of events, in the transaction of their publisher. */
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
          // An async function is accepted as a listener too, and nobody else would catch its errors.
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
