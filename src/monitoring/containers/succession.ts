import { MINUTE_MS } from "../../contract/time.ts";
import type { ContainerSighting } from "../../observations.ts";
import {
  type Container,
  type Decision,
  hasEnded,
  joinRestarts,
  NO_RESTARTS,
  identityOf,
  besideIdentity,
  ownIdentity,
} from "./container.ts";
import { pastOf } from "./uptime.ts";
import type { SavedContainer } from "./rows.ts";
import { identityOfSighting, latest, transition } from "./sightings.ts";
import type { Change } from "./saving-store.ts";

/** What a sighting is compared with, and what else saving it changes. */
export interface Place extends Pick<Change, "id" | "past"> {
  current: Container | undefined;
  identity: string;
}

/**
 * Where a container belongs that is new, or has another name now. A known one keeps its identity, unless it was made to replace another; a new one takes the
 * place of one that is gone and had its identity. Beside one that is there it has its own identity until that one makes way.
 */
export function placeOf(
  known: SavedContainer | undefined,
  { sighting, observedAt }: { sighting: ContainerSighting; observedAt: Date },
  holderOf: (identity: string) => SavedContainer | undefined,
): Place {
  const identity = identityOfSighting(sighting);
  const holder = holderOf(identity);
  if (known !== undefined) {
    // It got the name of one that is still there, and was made to replace it.
    const replaces = holder !== undefined && holder.archivedAt === null && isNewer(known, holder) && wasMadeFor(known, observedAt);
    return { id: known.id, current: known, identity: replaces ? besideIdentity(identity, known.externalId) : known.identity };
  }
  if (holder === undefined) return { id: undefined, current: undefined, identity };
  if (holder.archivedAt === null) return { id: undefined, current: undefined, identity: besideIdentity(identity, sighting.externalId) };
  return { id: holder.id, current: succeeded(holder, sighting, observedAt), identity, past: pastOf(holder, observedAt) };
}

/** When those were gone that a listing misses: when another was made in their place, else when they were missed. */
export function endsBy(sightings: readonly ContainerSighting[], missedAt: Date): (gone: SavedContainer) => Date {
  const madeAt = new Map(sightings.map((each) => [identityOfSighting(each), each.createdAt]));
  return (gone) => {
    const at = madeAt.get(ownIdentity(gone)) ?? missedAt;
    return at >= gone.lastObservedAt && at <= missedAt ? at : missedAt;
  };
}

/** So long before the end of a container its successor may be made under another name. */
const MADE_AHEAD_MS = 10 * MINUTE_MS;

/** One container that takes the place of another. */
export interface TakeOver {
  before: SavedContainer;
  /** Its row goes. */
  beside: SavedContainer;
  /** What the place becomes; and the one that had it, as long as it is there. */
  changes: [taken: Change] | [taken: Change, left: Change];
}

type HolderOf = (identity: string) => SavedContainer | undefined;

/** Who makes way now for one that is there beside it: who is gone, or has ended while a newer one runs. */
export function takeOvers(beside: readonly SavedContainer[], holderOf: HolderOf): TakeOver[] {
  const byIdentity = Map.groupBy(beside, ownIdentity);
  return [...byIdentity].flatMap(([identity, candidates]) => {
    const before = holderOf(identity);
    if (before === undefined) return [];
    const newest = candidates.filter((each) => isNewer(each, before)).sort((a, b) => (isNewer(a, b) ? -1 : 1))[0];
    const makesWay = before.archivedAt !== null || (hasEnded(before.state) && newest?.state === "running");
    return newest === undefined || !makesWay ? [] : [takeOverOf(before, newest)];
  });
}

/** Tools that replace a container may make the new one under another name, and rename it once the old one is gone. */
export function takeOversByName(renamed: readonly SavedContainer[], holderOf: HolderOf): TakeOver[] {
  return renamed.flatMap((each) => {
    const before = holderOf(identityOf(each));
    const isSuccessor = before?.archivedAt != null && isNewer(each, before) && wasMadeFor(each, before.archivedAt);
    return isSuccessor ? [takeOverOf(before, each)] : [];
  });
}

/** A new container that takes the place of one with the same identity on another host, or is the same one shown by another host; undefined for others. */
export function moveOf(before: SavedContainer, successor: SavedContainer): TakeOver | undefined {
  const isElsewhere = before.agentId !== successor.agentId && before.identity === successor.identity;
  // One that already has a history keeps it.
  const isNew = successor.lastObservedAt.getTime() - successor.firstSeenAt.getTime() <= MADE_AHEAD_MS;
  return isElsewhere && isNew && successor.archivedAt === null ? takeOverOf(before, successor) : undefined;
}

/**
 * Containers that were renamed while another one took their old name, and that have existed side by side for long: each gets the identity of its present
 * name. Answers them as they are to be saved.
 */
export function partings(beside: readonly SavedContainer[], holderOf: HolderOf, now: Date): SavedContainer[] {
  return beside.flatMap((each) => {
    const identity = ownIdentity(each);
    const renamed = holderOf(identity);
    if (renamed?.archivedAt !== null || identityOf(renamed) === identity || wasMadeFor({ ...each, generation: 1 }, now)) return [];
    if (holderOf(identityOf(renamed)) !== undefined) return [];
    return [
      { ...renamed, identity: identityOf(renamed) },
      { ...each, identity },
    ];
  });
}

/** Whether a first generation was made so shortly before that it was made to replace another container. */
function wasMadeFor({ generation, createdAt, firstSeenAt }: SavedContainer, at: Date): boolean {
  return generation === 1 && at.getTime() - (createdAt ?? firstSeenAt).getTime() <= MADE_AHEAD_MS;
}

function takeOverOf(before: SavedContainer, beside: SavedContainer): TakeOver {
  if (before.externalId === beside.externalId)
    return { before, beside, changes: [{ id: before.id, ...continueElsewhere(before, beside), absorbs: beside.id }] };
  const { next, transitions } = takeOver(before, beside);
  const taken: Change = { id: before.id, next, transitions, past: pastOf(before, next.lastStateChangeAt), absorbs: beside.id };
  if (before.archivedAt !== null) return { before, beside, changes: [taken] };
  const left = { ...before, identity: besideIdentity(before.identity, before.externalId), generation: 1, recreatedAt: null };
  return { before, beside, changes: [taken, { id: undefined, next: left, transitions: [] }] };
}

function isNewer(a: SavedContainer, b: SavedContainer): boolean {
  return (a.createdAt ?? a.firstSeenAt) > (b.createdAt ?? b.firstSeenAt);
}

/** The container before, as the one that takes its place begins with it: identity and history continue, the end of that one does not. */
export function succeeded<Known extends Container>(before: Known, { externalId, createdAt }: ContainerSighting, at: Date): Known {
  return {
    ...before,
    externalId,
    generation: before.generation + 1,
    recreatedAt: createdAt ?? at,
    exitCode: null,
    oomKilled: false,
    restartCount: 0,
    // One that was given up for removed is another story.
    ...(before.removedAt !== null && { restartHistory: NO_RESTARTS }),
  };
}

/** What becomes of two containers of one identity when the second takes the place of the first. */
function takeOver(before: Container, beside: Container): Decision {
  const at = latest([before.lastStateChangeAt, beside.lastStateChangeAt]);
  const next: Container = {
    ...beside,
    identity: before.identity,
    generation: before.generation + 1,
    recreatedAt: beside.createdAt ?? beside.firstSeenAt,
    firstSeenAt: before.firstSeenAt,
    lastStateChangeAt: at,
    restartHistory: joinRestarts(before.restartHistory, beside.restartHistory),
  };
  return { next, transitions: next.settings.ignored ? [] : [transition(before, next, at)] };
}

/** The container as another host shows it from now on. */
function continueElsewhere(before: Container, elsewhere: Container): Pick<Decision, "next" | "transitions"> {
  const isSame = before.state === elsewhere.state && before.health === elsewhere.health;
  const at = isSame ? before.lastStateChangeAt : latest([before.lastStateChangeAt, elsewhere.lastStateChangeAt]);
  const { generation, recreatedAt, firstSeenAt } = before;
  const restartHistory = joinRestarts(before.restartHistory, elsewhere.restartHistory);
  const next: Container = { ...elsewhere, generation, recreatedAt, firstSeenAt, lastStateChangeAt: at, restartHistory };
  return { next, transitions: isSame || next.settings.ignored ? [] : [transition(before, next, at)] };
}
