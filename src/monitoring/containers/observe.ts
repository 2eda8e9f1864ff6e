import type { Event } from "../../events.ts";
import type { ContainerSighting, Observation } from "../../observations.ts";
import type { Bus } from "../../platform/bus.ts";
import { hold, type Serial } from "../../platform/queues.ts";
import type { Scheduler } from "../../platform/scheduler.ts";
import { eventsOf, restartAlertEvents } from "./changes.ts";
import { createDepartures } from "./departures.ts";
import { type Transition, identityOf, isLoopOver, NO_RESTARTS, ownIdentity } from "./container.ts";
import type { GenerationStore } from "./generations-store.ts";
import type { HostLimit } from "./host-limit.ts";
import type { HostTimes } from "./host-times.ts";
import type { Projection } from "./projection.ts";
import type { SavedContainer } from "./rows.ts";
import { applySighting, identityOfSighting, type SightingSource } from "./sightings.ts";
import type { Change } from "./saving-store.ts";
import type { ContainerStore } from "./store.ts";
import { endsBy, type Place, placeOf } from "./succession.ts";
import { MAX_SNIPPET_LENGTH, spansOf } from "./uptime.ts";

/** Sightings decided and saved in one go; between two of them the event loop gets its turn. */
const CHUNK = 128;

/** While there are restart loops: how often it is looked whether one is over. */
const LOOPS_EVERY_MS = 5000;

/** The live door: may change state, and publishes the change. */
export interface ContainerObserver {
  /** Saves what observations of one host change, then publishes it. Throws `storage_unavailable`; idempotent. */
  observe(agentId: string | null, observations: readonly Observation[]): Promise<void>;
  /**
   * Gives the id, settings and history of a container to its successor on another host: the next task of the same Swarm slot, or the same workload shown by
   * another agent. False when the successor already has a history, or one of them is gone. Throws `storage_unavailable`.
   */
  move(id: number, successorId: number): Promise<boolean>;
  /** Keeps a host as it is; answers how to let go. */
  holdHost(agentId: string): Promise<() => void>;
}

type Inventory = Extract<Observation, { kind: "container.inventory" }>;

interface Sighted {
  sighting: ContainerSighting;
  observedAt: Date;
  source: SightingSource;
}

/** What is decided of one container, before it is saved. */
interface Pending extends Place, Pick<Change, "next" | "transitions" | "corrected"> {
  previous: SavedContainer | undefined;
}

interface Stored {
  byExternalId: ReadonlyMap<string, SavedContainer>;
  byIdentity: ReadonlyMap<string, SavedContainer>;
  /** Of those that were re-created since. */
  past: ReadonlyMap<string, number>;
}

export function createObserver({
  store,
  generations,
  projection,
  hostLimit,
  bus,
  serial,
  scheduler,
  hosts,
}: {
  store: ContainerStore;
  generations: GenerationStore;
  projection: Projection;
  hostLimit: HostLimit;
  bus: Bus<Event>;
  serial: Serial;
  scheduler: Pick<Scheduler, "whenDue">;
  hosts: HostTimes;
}): ContainerObserver & { start(): void } {
  const departures = createDepartures({ store, projection, bus });

  /**
   * What observations say, in an order that may differ from theirs only where it makes no difference: all sightings of a run first, since nothing is
   * seen of a container once it is gone, and its last words come after its end.
   */
  async function handle(agentId: string | null, observations: readonly Observation[]): Promise<void> {
    for (const run of splitIntoRuns(observations)) {
      const [first] = run;
      if (first?.kind === "container.inventory") await takeInventory(agentId, first);
      else await takeNews(agentId, run);
    }
  }

  async function takeInventory(agentId: string | null, { containers: sightings, unread = [], observedAt }: Inventory): Promise<void> {
    const listed = new Set([...unread, ...sightings.map((sighting) => sighting.externalId)]);
    const isGone = ({ externalId, lastObservedAt }: SavedContainer): boolean => !listed.has(externalId) && lastObservedAt <= observedAt;
    const gone = projection.ofHost(agentId).filter(isGone);
    // First, so that those that took their place find it free.
    const endOf = endsBy(gone.length === 0 ? [] : sightings, observedAt);
    await departures.archiveAll(gone, endOf);
    const renamed: SavedContainer[] = [];
    for (let from = 0; from < sightings.length; from += CHUNK) {
      const some = sightings.slice(from, from + CHUNK);
      renamed.push(
        ...(await see(
          agentId,
          some.map((sighting) => ({ sighting, observedAt, source: "inventory" })),
        )),
      );
      await nextTurn();
    }
    await departures.handOver(agentId, renamed);
    await departures.separate(agentId, observedAt);
    await departures.confirmRemovals(agentId, observedAt);
  }

  async function takeNews(agentId: string | null, news: readonly Observation[]): Promise<void> {
    const renamed = await see(
      agentId,
      news.flatMap((each): Sighted[] =>
        each.kind === "container.seen" ? [{ sighting: each.container, observedAt: each.observedAt, source: "news" }] : [],
      ),
    );
    for (const each of news) {
      const gone = each.kind === "container.gone" ? projection.find(agentId, each.externalId) : undefined;
      if (gone !== undefined && gone.archivedAt === null) await departures.archiveAll([gone], () => each.observedAt);
    }
    if (renamed.length > 0 || projection.beside(agentId).length > 0) await departures.handOver(agentId, renamed);
    const watched = news.filter(({ kind }) => kind === "host.watched");
    if (watched.length > 0) await store.addWatched(agentId, spansOf(agentId, watched));
    await Promise.all(news.map((each) => note(agentId, each)));
  }

  /** Answers those that have the name of another now. */
  async function see(agentId: string | null, sighted: readonly Sighted[]): Promise<SavedContainer[]> {
    const stored = await readStored(agentId, sighted);
    const changes = new Map<string, Pending>();
    const admits = agentId === null ? undefined : hostLimit(agentId);
    for (const each of sighted) {
      const { externalId } = each.sighting;
      // Another took its place since: what is reported of it now is the past.
      if (stored.past.has(externalId)) continue;
      const pending = changes.get(externalId);
      const known = projection.find(agentId, externalId) ?? stored.byExternalId.get(externalId);
      const holder = (identity: string): SavedContainer | undefined =>
        holderAmong(changes, identity) ?? holderOf(agentId, stored, identity);
      const place = pending ?? ownPlace(known, each.sighting) ?? placeOf(known, each, holder);
      const decision = applySighting(place.current, { ...each, agentId, identity: place.identity });
      if (decision === undefined) continue;
      if (pending === undefined && admits?.(place) === false) continue;
      const transitions = [...(pending?.transitions ?? []), ...decision.transitions];
      const corrected = decision.corrected ?? pending?.corrected;
      const previous = pending?.previous ?? (place.past === undefined ? known : holderOf(agentId, stored, place.identity));
      const { next } = decision;
      changes.set(externalId, {
        ...place,
        previous,
        next,
        current: next,
        identity: next.identity,
        transitions,
        ...(corrected && { corrected }),
      });
    }
    if (changes.size === 0) return [];
    const made = [...changes.values()];
    const isAfterCut = agentId !== null && sighted.some(({ source }) => source === "inventory");
    const events: Event[] = [];
    const ids = await store.save(made, async (unit, saved) => {
      for (const [index, { previous, next, transitions, corrected }] of made.entries()) {
        const steps = corrected === undefined ? transitions : [corrected, ...transitions];
        events.push(...eventsOf(previous, { ...next, id: saved[index] ?? 0 }, isAfterCut ? netOf(steps) : steps));
      }
      await bus.keep(unit, events);
    });
    for (const [index, { next }] of made.entries()) projection.put({ ...next, id: ids[index] ?? 0 });
    if (made.some(({ previous }) => previous !== undefined && previous.archivedAt !== null))
      projection.setArchivedCount(await store.countArchived());
    for (const event of events) bus.publish(event);
    return made.flatMap(({ next }) => {
      const saved = projection.find(agentId, next.externalId);
      return saved !== undefined && identityOf(saved) !== ownIdentity(saved) ? [saved] : [];
    });
  }

  /** What the database has of those that are not in memory. */
  async function readStored(agentId: string | null, sighted: readonly Sighted[]): Promise<Stored> {
    const unknown = sighted.filter(({ sighting }) => projection.find(agentId, sighting.externalId) === undefined);
    if (unknown.length === 0) return { byExternalId: new Map(), byIdentity: new Map(), past: new Map() };
    const externalIds = unknown.map(({ sighting }) => sighting.externalId);
    const identities = unknown.map(({ sighting }) => identityOfSighting(sighting));
    const [found, holders, past] = await Promise.all([
      store.findByExternalIds(agentId, externalIds),
      store.findByIdentities(
        agentId,
        identities.filter((identity) => projection.holder(agentId, identity)?.archivedAt !== null),
      ),
      generations.containersOf(agentId, externalIds),
    ]);
    for (const { externalId } of found) past.delete(externalId);
    return {
      byExternalId: new Map(found.map((container) => [container.externalId, container])),
      byIdentity: new Map(holders.map((container) => [container.identity, container])),
      past,
    };
  }

  /** A replay may have stored more of a container that is gone than memory holds. */
  const holderOf = (agentId: string | null, stored: Stored, identity: string): SavedContainer | undefined =>
    stored.byIdentity.get(identity) ?? projection.holder(agentId, identity);

  /** What is kept beside the states. */
  async function note(agentId: string | null, observation: Observation): Promise<void> {
    if (observation.kind === "runtime.changed") hosts.note(agentId, observation.status);
    if (observation.kind !== "container.last_words") return;
    const { externalId, endedAt, snippet } = observation;
    const id =
      projection.find(agentId, externalId)?.id ??
      (await store.findByExternalIds(agentId, [externalId]))[0]?.id ??
      (await generations.containersOf(agentId, [externalId])).get(externalId);
    if (id !== undefined) await store.attachSnippet(id, endedAt, snippet.slice(-MAX_SNIPPET_LENGTH));
  }

  function isQuiet({ agentId, restartHistory, recreatedAt }: SavedContainer): boolean {
    return isLoopOver(restartHistory, { now: hosts.nowOf(agentId), recreatedAt, watchedMs: hosts.watchedMs(agentId) });
  }

  async function endLoop(id: number): Promise<void> {
    const previous = projection.get(id);
    if (previous === undefined || !isQuiet(previous)) return;
    const next = { ...previous, restartHistory: NO_RESTARTS };
    const events = restartAlertEvents(previous, next, hosts.nowOf(previous.agentId));
    await store.save([{ id, next, transitions: [] }], (unit) => bus.keep(unit, events));
    projection.put(next);
    for (const event of events) bus.publish(event);
  }

  /** Ends restart loops that were watched and quiet long enough. Answers in how many milliseconds to look again; Infinity while there are none. */
  async function endQuietLoops(): Promise<number> {
    const looping = [...projection.all()].filter(({ restartHistory }) => restartHistory.loop !== null);
    for (const { id, agentId } of looping.filter(isQuiet)) await serial(host(agentId), () => endLoop(id));
    return looping.length > 0 ? LOOPS_EVERY_MS : Infinity;
  }

  const host = (agentId: string | null): string => agentId ?? "local";
  return {
    /** To be called once those that are known are in memory. */
    start() {
      hosts.start();
      const loops = scheduler.whenDue({ name: "restart loops", run: endQuietLoops });
      projection.onPut(({ restartHistory }) => {
        if (restartHistory.loop !== null) loops.within(LOOPS_EVERY_MS);
      });
    },
    observe: (agentId, observations) => serial(host(agentId), () => handle(agentId, observations)),
    async move(id, successorId) {
      // In one order, so that two who need two hosts do not wait for each other.
      const [first, second] = [id, successorId].map((each) => host(projection.get(each)?.agentId ?? null)).sort();
      if (first === undefined || second === undefined || first === second) return false;
      return serial(first, () => serial(second, () => departures.move(id, successorId)));
    },
    holdHost: (agentId) => hold(serial, host(agentId)),
  };
}

/** The place of a known container that keeps its name. */
function ownPlace(known: SavedContainer | undefined, sighting: ContainerSighting): Place | undefined {
  if (known === undefined || ownIdentity(known) !== identityOfSighting(sighting)) return undefined;
  return { id: known.id, current: known, identity: known.identity };
}

/** One that gets an identity in the same go. */
function holderAmong(changes: ReadonlyMap<string, Pending>, identity: string): SavedContainer | undefined {
  for (const { next, id } of changes.values()) if (next.identity === identity) return { ...next, id: id ?? 0 };
  return undefined;
}

/** The net change of several steps. Steps that an agent could not report in time are history: nobody is notified of them now. */
function netOf(steps: readonly Transition[]): readonly Transition[] {
  const [first, last] = [steps[0], steps.at(-1)];
  if (first === undefined || last === undefined || first === last) return steps;
  const { previousState, previousHealth } = first;
  return last.newState === previousState && last.newHealth === previousHealth ? [] : [{ ...last, previousState, previousHealth }];
}

/** Runs of observations; an inventory is a run alone, and what is seen after a removal may have taken a place that is free by then. */
function splitIntoRuns(observations: readonly Observation[]): Observation[][] {
  const runs: Observation[][] = [];
  let open: Observation[] | undefined;
  for (const observation of observations) {
    const takesPlace = observation.kind === "container.seen" && open?.at(-1)?.kind === "container.gone";
    if (observation.kind === "container.inventory" || open === undefined || takesPlace) runs.push((open = [observation]));
    else open.push(observation);
    if (observation.kind === "container.inventory") open = undefined;
  }
  return runs;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
