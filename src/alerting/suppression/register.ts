import type { Alert, Entity } from "../vocabulary.ts";
import { type GroupOf, subjectsOf } from "../scope.ts";
import { expendable, isPurgeDue, nextChangeMs, type Period } from "./period.ts";

/** How many changes are published in one unit. */
const BATCH = 500;

/** A silence or a maintenance window; `published` is the status that was last published. */
interface Planned<Status> extends Period {
  id: number;
  published: Status;
}

/** A change of status to publish. */
export interface StatusTransition<Status> {
  id: number;
  from: Status;
  to: Status;
}

interface RegisterParts<Item, Status, Answer> {
  store: { claim(transitions: readonly StatusTransition<Status>[]): Promise<Set<number>>; remove(ids: readonly number[]): Promise<void> };
  statusOf(item: Item, now: Date): Status;
  isOver(status: Status): boolean;
  /** Since when one that is over is. */
  overSince(item: Item): Date;
  /** Whether it is for an alert that is about these subjects. */
  holds(item: Item, alert: Alert, subjects: readonly Entity[]): boolean;
  answer(item: Item): Answer;
  /** Publishes a change of status that no other program has published. */
  publish(item: Item, from: Status, now: Date): void;
  changed(): void;
  groupOf: GroupOf;
}

/** All silences, or all maintenance windows, in memory. They change after a commit. */
export function createRegister<Status extends string, Item extends Planned<Status>, Answer>(parts: RegisterParts<Item, Status, Answer>) {
  const { store, statusOf, isOver, overSince, holds, answer, publish, changed, groupOf } = parts;
  const known = new Map<number, Item>();
  /** Every alert is matched against these few. */
  const standing = new Map<number, Item>();
  let purgedAt: Date | undefined;

  function put(item: Item): void {
    known.set(item.id, item);
    if (isOver(item.published)) standing.delete(item.id);
    else standing.set(item.id, item);
  }

  async function publishChanges(now: Date): Promise<void> {
    const transitions = [...standing.values()]
      .map((item) => ({ id: item.id, from: item.published, to: statusOf(item, now) }))
      .filter(({ from, to }) => from !== to)
      .slice(0, BATCH);
    if (transitions.length === 0) return;
    const ours = await store.claim(transitions);
    for (const { id, from, to } of transitions) {
      const item = known.get(id);
      if (item === undefined) continue;
      const next = { ...item, published: to };
      put(next);
      if (ours.has(id)) publish(next, from, now);
    }
    changed();
  }

  async function purge(now: Date): Promise<void> {
    const count = known.size - standing.size;
    if (!isPurgeDue(count, purgedAt, now)) return;
    purgedAt = now;
    const over = [...known.values()].filter(({ id }) => !standing.has(id)).map((item) => ({ id: item.id, since: overSince(item) }));
    const ids = expendable(over, now);
    if (ids.length > 0) await store.remove(ids);
    for (const id of ids) known.delete(id);
  }

  return {
    all: () => [...known.values()],
    get: (id: number) => known.get(id),
    /** Those that are not over by their published status. */
    standing: () => [...standing.values()],
    put,
    /** Answers whether it stood. */
    remove(id: number): boolean {
      known.delete(id);
      return standing.delete(id);
    },
    /** The one in force that holds an alert back; of several, the one that lasts longest. */
    holding(alert: Alert, now: Date): Answer | undefined {
      if (standing.size === 0) return undefined;
      const subjects = subjectsOf(alert, groupOf);
      let longest: Item | undefined;
      for (const item of standing.values()) {
        if (longest !== undefined && item.endsAt <= longest.endsAt) continue;
        if (statusOf(item, now) === "active" && holds(item, alert, subjects)) longest = item;
      }
      return longest && answer(longest);
    },
    /**
     * Publishes those that have begun or ended, and deletes those past their retention. Answers in how many milliseconds the next one begins or ends.
     * Throws `storage_unavailable`.
     */
    async advance(now: Date): Promise<number> {
      await publishChanges(now);
      await purge(now);
      return nextChangeMs(standing.values(), now);
    },
  };
}
