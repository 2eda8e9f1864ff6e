import type { EngineClient } from "./client.ts";
import { hasEnded, healthWhile, type InspectedContainer, isAlive, isWatched, readContainer, stateNamed } from "./container.ts";
import { isOfOneQuestion } from "./failures.ts";
import type { Images } from "./images.ts";
import type { KnownContainers, Inspection } from "./known.ts";
import { containerAnswer, containerList, type ListedContainer } from "./schemas.ts";

/** So many that were not shown are named. */
const MOST_NAMED = 3;

/** Lists all containers and looks at each. */
export interface Listing {
  read(signal: AbortSignal): Promise<InspectedContainer[]>;
  /** Of those that the engine did not show when they were last listed: a sentence, or none. */
  missing(): string[];
}

interface ListingParts {
  client: EngineClient;
  inspection: Inspection;
  images: Images;
  known: KnownContainers;
}

export function createListing({ client, inspection, images, known }: ListingParts): Listing {
  /** Names of those that the last listing did not show. */
  let missing: string[] = [];

  /** One that hangs must not take all others with it: what was known of it then holds, and what the list says. */
  async function look(listed: ListedContainer, signal: AbortSignal, unshown: string[]): Promise<InspectedContainer | undefined> {
    try {
      return await inspection.inspect(listed.Id, signal, "listedContainer");
    } catch (error) {
      if (!isOfOneQuestion(error) || signal.aborted) throw error;
      const before = known.get(listed.Id) ?? (await fromList(listed, signal));
      const seen = { ...before, container: { ...before.container, ...lifeOf(listed, before) } };
      if (isWatched(seen)) unshown.push(seen.container.name);
      return seen;
    }
  }

  async function fromList(listed: ListedContainer, signal: AbortSignal): Promise<InspectedContainer> {
    const answer = containerAnswer.parse({
      Id: listed.Id,
      Name: listed.Names[0],
      Created: typeof listed.Created === "number" ? new Date(listed.Created * 1000).toISOString() : listed.Created,
      Image: listed.ImageID,
      State: { Status: listed.State },
      Config: { Image: listed.Image, Labels: listed.Labels },
      HostConfig: listed.HostConfig,
    });
    // Whether it comes back by itself is not shown.
    return { ...readContainer(answer, await images.traitsOf(answer, signal)), restarts: true };
  }

  return {
    async read(signal) {
      const listed = await client.json(containerList, { route: "containers", query: { all: "1" } }, signal);
      const unshown: string[] = [];
      const seen = await Promise.all(listed.map((each) => look(each, signal, unshown)));
      missing = unshown.toSorted();
      return seen.filter((each) => each !== undefined);
    },
    missing() {
      if (missing.length === 0) return [];
      const more = missing.length > MOST_NAMED ? ` and ${missing.length - MOST_NAMED} more` : "";
      const names = `${missing.slice(0, MOST_NAMED).join(", ")}${more}`;
      return [
        `The engine lists ${names}, and does not answer when it is asked for more: what is shown may be old. Try "docker inspect" on the host.`,
      ];
    },
  };
}

/** What the list says of a container's state, where that is another than what was known. */
function lifeOf({ State, Status }: ListedContainer, { container }: InspectedContainer): Partial<InspectedContainer["container"]> {
  const state = stateNamed(State) ?? container.state;
  const named = /\((?:health: )?(healthy|unhealthy|starting)\)/.exec(Status)?.[1];
  const health = named === undefined && isAlive(state) && isAlive(container.state) ? container.health : healthWhile(state, named ?? "");
  const code = hasEnded(state) ? /^(?:Exited|Restarting) \((\d+)\)/.exec(Status)?.[1] : undefined;
  if (state === container.state) return { health, exitCode: container.exitCode ?? (code === undefined ? null : Number(code)) };
  return { state, health, exitCode: code === undefined ? null : Number(code), oomKilled: false, stopRequested: false, finishedAt: null };
}

/**
 * Which containers run now. While events are followed and everything was listed since they are, that is known, and no request is made;
 * else the engine is asked.
 */
interface RunningContainers {
  /** Says that events flow; call what it returns when they no longer do. */
  eventsFlow(): () => void;
  /** Says that everything is about to be listed; call what it returns once it was. */
  listingBegins(): () => void;
  list(signal: AbortSignal): Promise<InspectedContainer[]>;
}

export function createRunningContainers({ client, inspection, known }: Omit<ListingParts, "images">): RunningContainers {
  let stream: symbol | undefined;
  /** The stream of events that has carried on from a listing. */
  let listedIn: symbol | undefined;

  async function ask(signal: AbortSignal): Promise<InspectedContainer[]> {
    const listed = await client.json(containerList, { route: "containers" }, signal);
    const seen = await Promise.all(
      listed.map(async ({ Id }) => {
        const before = known.get(Id);
        return before !== undefined && isAlive(before.container.state) ? before : inspection.inspect(Id, signal);
      }),
    );
    return seen.filter((each) => each !== undefined).filter((each) => isAlive(each.container.state) && isWatched(each));
  }

  return {
    eventsFlow() {
      const opened = Symbol("stream");
      stream = opened;
      return () => {
        if (stream === opened) stream = undefined;
      };
    },
    listingBegins() {
      const during = stream;
      return () => {
        listedIn = during;
      };
    },
    list: async (signal) => (stream !== undefined && stream === listedIn ? known.alive() : ask(signal)),
  };
}
