import type { EngineClient } from "./client.ts";
import { hasEnded, healthWhile, type InspectedContainer, isAlive, isWatched, readContainer, stateNamed } from "./container.ts";
import { isOfOneQuestion } from "./failures.ts";
import type { Images } from "./images.ts";
import type { Inspection } from "./inspection.ts";
import type { KnownContainers } from "./known.ts";
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
    // Whether it comes back by itself is not said.
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
  const said = /\((?:health: )?(healthy|unhealthy|starting)\)/.exec(Status)?.[1];
  const health = said === undefined && isAlive(state) && isAlive(container.state) ? container.health : healthWhile(state, said ?? "");
  const code = hasEnded(state) ? /^(?:Exited|Restarting) \((\d+)\)/.exec(Status)?.[1] : undefined;
  if (state === container.state) return { health, exitCode: container.exitCode ?? (code === undefined ? null : Number(code)) };
  return { state, health, exitCode: code === undefined ? null : Number(code), oomKilled: false, stopRequested: false, finishedAt: null };
}
