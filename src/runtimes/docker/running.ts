import type { EngineClient } from "./client.ts";
import { type InspectedContainer, isAlive, isWatched } from "./container.ts";
import type { Inspection } from "./inspection.ts";
import type { KnownContainers } from "./known.ts";
import { containerList } from "./schemas.ts";

/**
 * Which containers run now. While events are followed and everything was listed since they are, that is known, and no request is made;
 * else the engine is asked.
 */
export interface RunningContainers {
  /** Says that events flow; call what it returns when they no longer do. */
  eventsFlow(): () => void;
  /** Says that everything is about to be listed; call what it returns once it was. */
  listingBegins(): () => void;
  list(signal: AbortSignal): Promise<InspectedContainer[]>;
}

interface RunningParts {
  client: EngineClient;
  inspection: Inspection;
  known: KnownContainers;
}

export function createRunningContainers({ client, inspection, known }: RunningParts): RunningContainers {
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
