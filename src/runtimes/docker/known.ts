import { isServiceError } from "../../platform/errors.ts";
import { type Limiter, createLimiter } from "../../platform/queues.ts";
import type { EngineClient } from "./client.ts";
import { type InspectedContainer, hasEnded, isAlive, readContainer } from "./container.ts";
import type { Images } from "./images.ts";
import { createPodmanReader } from "./podman.ts";
import { containerAnswer } from "./schemas.ts";

/** The containers of the engine as they were last reported: what an inspection of a later moment, or of nothing, cannot show. */
export interface KnownContainers {
  get(id: string): InspectedContainer | undefined;
  alive(): InspectedContainer[];
  /** Remembers a container as it was at `at` of the engine's clock. */
  set(known: InspectedContainer, at: Date): void;
  delete(id: string): void;
  /** Completes a listing with what only events reported, remembers it, and forgets who is missing. Events newer than the listing win. */
  reconcile(listed: InspectedContainer[], at: Date): InspectedContainer[];
}

export function createKnownContainers(): KnownContainers {
  const entries = new Map<string, { known: InspectedContainer; atMs: number }>();

  return {
    get: (id) => entries.get(id)?.known,
    alive: () => [...entries.values()].map(({ known }) => known).filter(({ container }) => isAlive(container.state)),
    set: (known, at) => void entries.set(known.container.externalId, { known, atMs: at.getTime() }),
    delete: (id) => void entries.delete(id),
    reconcile(listed, at) {
      const completed = listed.map((known) => withMemory(known, entries.get(known.container.externalId)?.known));
      const present = new Set(listed.map(({ container }) => container.externalId));
      for (const [id, { atMs }] of entries) if (!present.has(id) && atMs <= at.getTime()) entries.delete(id);
      for (const known of completed) {
        const id = known.container.externalId;
        if ((entries.get(id)?.atMs ?? 0) <= at.getTime()) entries.set(id, { known, atMs: at.getTime() });
      }
      return completed;
    },
  };
}

/** Most engines do not keep who asked for an end; it is still true as long as that end is the last one. */
function withMemory(now: InspectedContainer, before: InspectedContainer | undefined): InspectedContainer {
  if (before === undefined || !isSameEnd(now.container, before.container)) return now;
  const { stopRequested, oomKilled } = before.container;
  const container = {
    ...now.container,
    stopRequested: now.container.stopRequested || stopRequested,
    oomKilled: now.container.oomKilled || oomKilled,
  };
  return { ...now, container };
}

function isSameEnd(now: InspectedContainer["container"], before: InspectedContainer["container"]): boolean {
  return hasEnded(now.state) && hasEnded(before.state) && now.startedAt?.getTime() === before.startedAt?.getTime();
}

const INSPECTIONS_AT_ONCE = 8;

/** Looks at single containers, a few at a time. */
export interface Inspection {
  /** Undefined once the container is gone. */
  inspect(id: string, signal: AbortSignal, route?: "container" | "listedContainer"): Promise<InspectedContainer | undefined>;
}

export function createInspection(client: EngineClient, images: Images): Inspection {
  const limit: Limiter = createLimiter(INSPECTIONS_AT_ONCE);
  const readPodman = createPodmanReader(client);
  return {
    inspect: (id, signal, route = "container") =>
      limit(async () => {
        try {
          const answer = await client.json(containerAnswer, { route, id }, signal);
          return readContainer(answer, await images.traitsOf(answer, signal), await readPodman(answer.Id, signal));
        } catch (error) {
          if (isServiceError(error, "not_found")) return undefined;
          throw error;
        }
      }),
  };
}
