import type { Event } from "../../events.ts";
import type { ContainerSighting, Observation } from "../../observations.ts";
import type { Bus } from "../../platform/bus.ts";
import { hold, type Serial } from "../../platform/serial.ts";
import { archivedEvent, eventsOf, restartAlertEvents } from "./changes.ts";
import { applySighting, archive, type SightingSource, type Transition } from "./container.ts";
import type { Projection } from "./projection.ts";
import { forgetRestarts } from "./restart-loop.ts";
import type { SavedContainer } from "./rows.ts";
import type { Change, ContainerStore } from "./store.ts";
import { MAX_SNIPPET_LENGTH, spansOf } from "./watched.ts";

/** Sightings decided and saved in one go; between two of them the event loop gets its turn. */
const CHUNK = 100;

/** The live door: may change state, and tells of it. */
export interface ContainerObserver {
  /** Saves what observations of one host change, then publishes it. Throws `storage_unavailable`; saying the same again is harmless. */
  observe(agentId: string | null, observations: readonly Observation[]): Promise<void>;
  /** Ends restart loops that have been quiet long enough. */
  endQuietLoops(now: Date): Promise<void>;
  /** Keeps a host as it is; answers how to let go. */
  holdHost(agentId: string): Promise<() => void>;
}

interface Sighted {
  sighting: ContainerSighting;
  observedAt: Date;
  source: SightingSource;
}

export function createObserver({
  store,
  projection,
  bus,
  serial,
}: {
  store: ContainerStore;
  projection: Projection;
  bus: Bus<Event>;
  serial: Serial;
}): ContainerObserver {
  /**
   * What observations say, in an order that may differ from theirs only where it makes no difference: all sightings between two
   * inventories first, since nothing is seen of a container once it is gone, and its last words come after its end.
   */
  async function handle(agentId: string | null, observations: readonly Observation[]): Promise<void> {
    for (const run of splitAtInventories(observations)) {
      const [first] = run;
      if (first?.kind === "container.inventory") await takeInventory(agentId, first.containers, first.observedAt);
      else await takeNews(agentId, run);
    }
  }

  async function takeInventory(agentId: string | null, sightings: readonly ContainerSighting[], observedAt: Date): Promise<void> {
    for (let from = 0; from < sightings.length; from += CHUNK) {
      await see(
        agentId,
        sightings.slice(from, from + CHUNK).map((sighting) => ({ sighting, observedAt, source: "inventory" })),
      );
      await nextTurn();
    }
    const present = new Set(sightings.map((sighting) => sighting.externalId));
    const gone = projection
      .ofHost(agentId)
      .filter((container) => !present.has(container.externalId) && container.lastObservedAt <= observedAt);
    for (let from = 0; from < gone.length; from += CHUNK) await archiveAll(gone.slice(from, from + CHUNK), observedAt);
  }

  async function takeNews(agentId: string | null, news: readonly Observation[]): Promise<void> {
    await see(
      agentId,
      news.flatMap((each): Sighted[] =>
        each.kind === "container.seen" ? [{ sighting: each.container, observedAt: each.observedAt, source: "news" }] : [],
      ),
    );
    for (const each of news) {
      const gone = each.kind === "container.gone" ? projection.find(agentId, each.externalId) : undefined;
      if (gone !== undefined) await archiveAll([gone], each.observedAt);
    }
    const spans = agentId === null ? [] : spansOf(news);
    if (agentId !== null && spans.length > 0) await store.addWatched(agentId, spans);
    await Promise.all(news.map((each) => note(agentId, each)));
  }

  async function see(agentId: string | null, sighted: readonly Sighted[]): Promise<void> {
    const unknown = sighted
      .map(({ sighting }) => sighting.externalId)
      .filter((externalId) => projection.find(agentId, externalId) === undefined);
    const archived = new Map((await store.findByExternalIds(agentId, unknown)).map((container) => [container.externalId, container]));
    const changes = new Map<string, Change & { previous: SavedContainer | undefined }>();
    for (const each of sighted) {
      const { externalId } = each.sighting;
      const previous = projection.find(agentId, externalId) ?? archived.get(externalId);
      const pending = changes.get(externalId);
      const decision = applySighting(pending?.next ?? previous, { ...each, agentId });
      if (decision === undefined) continue;
      const transitions = [...(pending?.transitions ?? []), ...decision.transitions];
      changes.set(externalId, { id: previous?.id, previous, next: decision.next, transitions });
    }
    if (changes.size === 0) return;
    const ids = await store.save([...changes.values()]);
    const isAfterCut = agentId !== null && sighted.some(({ source }) => source === "inventory");
    const events = [...changes.values()].flatMap(({ previous, next, transitions }, index) => {
      const saved = { ...next, id: ids[index] ?? 0 };
      projection.put(saved);
      return eventsOf(previous, saved, isAfterCut ? netOf(transitions) : transitions);
    });
    if (archived.size > 0) projection.setArchivedCount(await store.countArchived());
    for (const event of events) bus.publish(event);
  }

  async function archiveAll(containers: readonly SavedContainer[], at: Date): Promise<void> {
    if (containers.length === 0) return;
    const gone = containers.map((container) => ({ ...archive(container, at), id: container.id }));
    await store.save(gone.map((next) => ({ id: next.id, next, transitions: [] })));
    for (const container of gone) projection.put(container);
    projection.setArchivedCount(await store.countArchived());
    for (const container of gone) if (!container.settings.ignored) bus.publish(archivedEvent(container));
  }

  /** What is kept beside the states. */
  async function note(agentId: string | null, observation: Observation): Promise<void> {
    if (observation.kind === "host.watched" && agentId === null)
      await store.saveWatched({ from: observation.since.getTime(), to: observation.observedAt.getTime() });
    if (observation.kind !== "container.last_words") return;
    const container =
      projection.find(agentId, observation.externalId) ?? (await store.findByExternalIds(agentId, [observation.externalId]))[0];
    if (container !== undefined)
      await store.attachSnippet(container.id, observation.endedAt, observation.snippet.slice(-MAX_SNIPPET_LENGTH));
  }

  async function endLoop(id: number, now: Date): Promise<void> {
    const previous = projection.get(id);
    if (previous?.restartHistory.loop === null || previous === undefined) return;
    const next = { ...previous, restartHistory: forgetRestarts(previous.restartHistory, now) };
    if (next.restartHistory.loop !== null) return;
    await store.save([{ id, next, transitions: [] }]);
    projection.put(next);
    for (const event of restartAlertEvents(previous, next, now)) bus.publish(event);
  }

  const host = (agentId: string | null): string => agentId ?? "local";
  return {
    observe: (agentId, observations) => serial(host(agentId), () => handle(agentId, observations)),
    async endQuietLoops(now) {
      for (const { id, agentId, restartHistory } of [...projection.all()]) {
        if (restartHistory.loop !== null) await serial(host(agentId), () => endLoop(id, now));
      }
    },
    holdHost: (agentId) => hold(serial, host(agentId)),
  };
}

/** What came of several steps. Those that an agent could not tell of are its history: nobody is told of them now. */
function netOf(steps: readonly Transition[]): readonly Transition[] {
  const [first, last] = [steps[0], steps.at(-1)];
  if (first === undefined || last === undefined || first === last) return steps;
  const { previousState, previousHealth } = first;
  return last.newState === previousState && last.newHealth === previousHealth ? [] : [{ ...last, previousState, previousHealth }];
}

/** Runs of observations; an inventory is one of its own. */
function splitAtInventories(observations: readonly Observation[]): Observation[][] {
  const runs: Observation[][] = [];
  let open: Observation[] | undefined;
  for (const observation of observations) {
    if (observation.kind === "container.inventory" || open === undefined) runs.push((open = [observation]));
    else open.push(observation);
    if (observation.kind === "container.inventory") open = undefined;
  }
  return runs;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
