import type { Event } from "../../events.ts";
import type { ContainerSighting, Observation } from "../../observations.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Serial } from "../../platform/serial.ts";
import { archivedEvent, eventsOf, restartAlertEvents } from "./changes.ts";
import { applySighting, archive, type SightingSource } from "./container.ts";
import type { Projection } from "./projection.ts";
import { forgetRestarts } from "./restart-loop.ts";
import type { SavedContainer } from "./rows.ts";
import type { Change, ContainerStore } from "./store.ts";

/** Sightings decided and saved in one go; between two of them the event loop gets its turn. */
const CHUNK = 100;
const MAX_SNIPPET_LENGTH = 10_240;

/** The live door: may change state, and tells of it. */
export interface Observer {
  /** Saves what an observation changes, then publishes it. Throws `storage_unavailable`; saying the same again is harmless. */
  observe(agentId: string | null, observation: Observation): Promise<void>;
  /** Ends restart loops that have been quiet long enough. */
  endQuietLoops(now: Date): Promise<void>;
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
}): Observer {
  async function inventory(agentId: string | null, sightings: readonly ContainerSighting[], observedAt: Date): Promise<void> {
    for (let from = 0; from < sightings.length; from += CHUNK) {
      await see(agentId, sightings.slice(from, from + CHUNK), observedAt, "inventory");
      await nextTurn();
    }
    const present = new Set(sightings.map((sighting) => sighting.externalId));
    const gone = projection
      .ofHost(agentId)
      .filter((container) => !present.has(container.externalId) && container.lastObservedAt <= observedAt);
    for (let from = 0; from < gone.length; from += CHUNK) await archiveAll(gone.slice(from, from + CHUNK), observedAt);
  }

  async function see(
    agentId: string | null,
    sightings: readonly ContainerSighting[],
    observedAt: Date,
    source: SightingSource,
  ): Promise<void> {
    const unknown = sightings
      .map((sighting) => sighting.externalId)
      .filter((externalId) => projection.find(agentId, externalId) === undefined);
    const archived = new Map((await store.findByExternalIds(agentId, unknown)).map((container) => [container.externalId, container]));
    const changes: (Change & { previous: SavedContainer | undefined })[] = [];
    for (const sighting of sightings) {
      const previous = projection.find(agentId, sighting.externalId) ?? archived.get(sighting.externalId);
      const decision = applySighting(previous, { sighting, observedAt, source, agentId });
      if (decision !== undefined) changes.push({ ...decision, id: previous?.id, previous });
    }
    if (changes.length === 0) return;
    const ids = await store.save(changes);
    const events = changes.flatMap(({ previous, next, transitions }, index) => {
      const saved = { ...next, id: ids[index] ?? 0 };
      projection.put(saved);
      return eventsOf(previous, saved, transitions);
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

  async function handle(agentId: string | null, observation: Observation): Promise<void> {
    switch (observation.kind) {
      case "container.inventory":
        return inventory(agentId, observation.containers, observation.observedAt);
      case "container.seen":
        return see(agentId, [observation.container], observation.observedAt, "news");
      case "container.gone": {
        const container = projection.find(agentId, observation.externalId);
        return container === undefined ? undefined : archiveAll([container], observation.observedAt);
      }
      case "container.last_words": {
        const container =
          projection.find(agentId, observation.externalId) ?? (await store.findByExternalIds(agentId, [observation.externalId]))[0];
        return container === undefined
          ? undefined
          : store.attachSnippet(container.id, observation.endedAt, observation.snippet.slice(-MAX_SNIPPET_LENGTH));
      }
      case "host.watched":
        return store.saveWatched(agentId, { from: observation.since.getTime(), to: observation.observedAt.getTime() });
    }
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
    observe: (agentId, observation) => serial(host(agentId), () => handle(agentId, observation)),
    async endQuietLoops(now) {
      for (const { id, agentId, restartHistory } of [...projection.all()]) {
        if (restartHistory.loop !== null) await serial(host(agentId), () => endLoop(id, now));
      }
    },
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
