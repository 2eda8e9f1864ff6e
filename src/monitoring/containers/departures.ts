import { MINUTE_MS } from "../../contract/time.ts";
import type { Event } from "../../events.ts";
import type { Bus } from "../../platform/bus.ts";
import { archivedEvent, eventsOf, removedEvent } from "./changes.ts";
import type { Projection } from "./projection.ts";
import type { SavedContainer } from "./rows.ts";
import { archive } from "./sightings.ts";
import type { ContainerStore } from "./store.ts";
import { moveOf, partings, type TakeOver, takeOvers, takeOversByName } from "./succession.ts";
import { identityOf, isBeside, ownIdentity } from "./container.ts";

/** Saved in one go; between two of them the event loop gets its turn. */
const CHUNK = 100;
/** So long a container that is gone may be re-created. Source: contract, section 19, Ends of problems. */
const AWAITED_MS = 10 * MINUTE_MS;

/** Containers that go, and those that take their place: decided, saved, kept in memory, and then published. */
export interface Departures {
  /** They are not on their host any more. */
  archiveAll(containers: readonly SavedContainer[], endOf: (container: SavedContainer) => Date): Promise<void>;
  /** Lets those that were started beside others of the same identity, or were given their name, take their place. */
  handOver(agentId: string | null, renamed: readonly SavedContainer[]): Promise<void>;
  /** Gives the place of a container to its successor on another host; false when that is not its successor. */
  move(id: number, successorId: number): Promise<boolean>;
  /** Gives those that stay beside each other for long an identity each. */
  separate(agentId: string | null, observedAt: Date): Promise<void>;
  /** Those whose place nothing took, as a whole listing shows, are removed for good. */
  confirmRemovals(agentId: string | null, observedAt: Date): Promise<void>;
}

export function createDepartures({
  store,
  projection,
  bus,
}: {
  store: ContainerStore;
  projection: Projection;
  bus: Bus<Event>;
}): Departures {
  async function archiveAll(containers: readonly SavedContainer[], endOf: (container: SavedContainer) => Date): Promise<void> {
    for (let from = 0; from < containers.length; from += CHUNK) await archiveSome(containers.slice(from, from + CHUNK), endOf);
  }

  async function archiveSome(containers: readonly SavedContainer[], endOf: (container: SavedContainer) => Date): Promise<void> {
    const gone = containers.map((previous) => {
      const { next, transitions } = archive(previous, endOf(previous));
      return { previous, next: { ...next, identity: identityAfter(previous), id: previous.id }, transitions };
    });
    const events = gone.flatMap(({ previous, next, transitions }) =>
      next.settings.ignored ? [] : [...eventsOf(previous, next, transitions), archivedEvent(next)],
    );
    await store.save(
      gone.map(({ next, transitions }) => ({ id: next.id, next, transitions })),
      (unit) => bus.keep(unit, events),
    );
    for (const { next } of gone) projection.put(next);
    projection.setArchivedCount(await store.countArchived());
    for (const event of events) bus.publish(event);
  }

  /** One that was renamed is re-created under its new name, unless another has its identity by then, or waits for it. */
  function identityAfter(gone: SavedContainer): string {
    const identity = isBeside(gone) ? gone.identity : identityOf(gone);
    const isWaitedFor = projection.beside(gone.agentId).some((each) => ownIdentity(each) === gone.identity);
    return isWaitedFor || projection.holder(gone.agentId, identity) !== undefined ? gone.identity : identity;
  }

  async function handOver(agentId: string | null, renamed: readonly SavedContainer[]): Promise<void> {
    const holder = (identity: string): SavedContainer | undefined => projection.holder(agentId, identity);
    const all = [...takeOvers(projection.beside(agentId), holder), ...takeOversByName(renamed, holder)];
    for (const each of all) await carryOut(each);
    if (all.length > 0) projection.setArchivedCount(await store.countArchived());
  }

  async function carryOut({ before, beside, changes }: TakeOver): Promise<void> {
    const [taken, left] = changes;
    const at = taken.next.lastObservedAt;
    const events: Event[] = beside.settings.ignored ? [] : [archivedEvent({ ...beside, archivedAt: at }), removedEvent(beside, at)];
    const [id = 0, leftId] = await store.save(changes, async (unit, [savedId = 0]) => {
      events.push(...eventsOf(before, { ...taken.next, id: savedId }, taken.transitions));
      await bus.keep(unit, events);
    });
    projection.put({ ...beside, archivedAt: at, removedAt: at });
    projection.put({ ...taken.next, id });
    if (left !== undefined && leftId !== undefined) projection.put({ ...left.next, id: leftId });
    for (const event of events) bus.publish(event);
  }

  async function move(id: number, successorId: number): Promise<boolean> {
    const [before, successor] = [projection.get(id), projection.get(successorId)];
    const found = before && successor && moveOf(before, successor);
    if (found === undefined) return false;
    await carryOut(found);
    projection.setArchivedCount(await store.countArchived());
    return true;
  }

  async function separate(agentId: string | null, observedAt: Date): Promise<void> {
    const apart = partings(projection.beside(agentId), (identity) => projection.holder(agentId, identity), observedAt);
    if (apart.length === 0) return;
    await store.save(apart.map((next) => ({ id: next.id, next, transitions: [] })));
    for (const container of apart) projection.put(container);
  }

  async function confirmRemovals(agentId: string | null, observedAt: Date): Promise<void> {
    const isOver = ({ archivedAt }: SavedContainer): boolean =>
      archivedAt !== null && observedAt.getTime() - archivedAt.getTime() >= AWAITED_MS;
    const over = projection.awaited(agentId).filter(isOver);
    for (let from = 0; from < over.length; from += CHUNK) {
      const some = over.slice(from, from + CHUNK);
      const events = some.flatMap((container) => (container.settings.ignored ? [] : [removedEvent(container, observedAt)]));
      await store.confirmRemovals(
        some.map(({ id }) => id),
        observedAt,
        (unit) => bus.keep(unit, events),
      );
      for (const container of some) projection.put({ ...container, removedAt: observedAt });
      for (const event of events) bus.publish(event);
    }
  }

  return { archiveAll, handOver, move, separate, confirmRemovals };
}
