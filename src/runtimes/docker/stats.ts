import { cpus, totalmem } from "node:os";
import type { Clock } from "../../platform/clock.ts";
import { isServiceError } from "../../platform/errors.ts";
import { createLimiter } from "../../platform/queues.ts";
import type { ContainerUsage } from "../runtime.ts";
import type { CgroupReader } from "./cgroups.ts";
import type { EngineClient } from "./client.ts";
import type { InspectedContainer } from "./container.ts";
import { unavailable } from "./failures.ts";
import { type Capacity, allocatedCpus, memoryLimit } from "./limits.ts";
import { type Figures, hasOwnNetwork, readStatsAnswer, statsAnswer } from "./usage.ts";

const QUESTIONS_AT_ONCE = 16;
/** Reading files holds up everything else, so it pauses after this long. */
const READ_AT_MOST_MS = 4;

export interface StatsParts {
  client: EngineClient;
  clock: Clock;
  /** Undefined: the engine is asked for everything. */
  cgroups: CgroupReader | undefined;
}

export interface Stats {
  /** What these containers use now: by the kernel's files where they run on this host, else by asking the engine. */
  read(containers: InspectedContainer[], capacity: Capacity, signal: AbortSignal): Promise<ContainerUsage[]>;
}

export function createStats({ client, clock, cgroups }: StatsParts): Stats {
  const limit = createLimiter(QUESTIONS_AT_ONCE);
  /** When the engine last answered for a container. */
  let answeredAt = new Map<string, number>();

  /** Adds what the files say, and returns who is not on this host. */
  async function readFiles(reader: CgroupReader, containers: InspectedContainer[], add: Add): Promise<InspectedContainer[]> {
    const elsewhere: InspectedContainer[] = [];
    reader.keep(new Set(containers.map(({ container }) => container.externalId)));
    let beganMs = clock.monotonicMs();
    for (const each of containers) {
      const read = reader.read(each);
      if (read === "elsewhere") elsewhere.push(each);
      else if (read !== "gone") add(each, read, null);
      if (clock.monotonicMs() - beganMs < READ_AT_MOST_MS) continue;
      await new Promise((resolve) => setImmediate(resolve));
      beganMs = clock.monotonicMs();
    }
    return elsewhere;
  }

  /** Asks for those first who have waited longest, so that everyone has a turn where there is not enough time for all. */
  async function ask(containers: InspectedContainer[], add: Add, signal: AbortSignal): Promise<{ answers: number; failure: unknown }> {
    const turn = ({ container }: InspectedContainer): number => answeredAt.get(container.externalId) ?? -1;
    let answers = 0;
    let failure: unknown;
    const asked = containers
      .toSorted((a, b) => turn(a) - turn(b))
      .map((each) =>
        limit(async () => {
          if (signal.aborted) return;
          const askedMs = clock.monotonicMs();
          const id = each.container.externalId;
          try {
            const answer = await client.json(statsAnswer, { route: "stats", id, query: { stream: "false", "one-shot": "true" } }, signal);
            answers += 1;
            answeredAt.set(id, askedMs);
            const usage = readStatsAnswer(answer);
            if (usage === undefined) return;
            // Engines may answer a second after they read. Their clock may be set otherwise than ours, but they did not read before they were asked.
            const answeredMs = clock.monotonicMs();
            const ageMs = Math.min(Math.max(clock.now().getTime() - usage.readAt.getTime(), 0), answeredMs - askedMs);
            const network = hasOwnNetwork(each.container.networkMode) ? {} : NO_NETWORK;
            add(each, { ...usage.figures, ...network, readAtMs: answeredMs - ageMs }, usage);
          } catch (error) {
            if (isServiceError(error, "not_found") || isServiceError(error, "conflict")) answers += 1;
            else failure = error;
          }
        }),
      );
    await Promise.all(asked);
    return { answers, failure };
  }

  return {
    async read(containers, capacity, signal) {
      const usages = new Map<string, ContainerUsage>();
      const here: Capacity = { cpus: capacity.cpus ?? cpus().length, memoryBytes: capacity.memoryBytes ?? totalmem() };
      const add: Add = ({ container, limits }, figures, reported) => {
        const { externalId } = container;
        const host = reported === null ? here : { ...capacity, cpus: capacity.cpus ?? reported.onlineCpus };
        usages.set(externalId, {
          externalId,
          ...figures,
          allocatedCpus: allocatedCpus(limits, host),
          memoryLimitBytes: memoryLimit(limits, host, reported?.memoryLimitBytes),
        });
      };

      const toAsk = cgroups === undefined ? containers : await readFiles(cgroups, containers, add);
      const { answers, failure } = await ask(toAsk, add, signal);
      const present = new Set(toAsk.map(({ container }) => container.externalId));
      answeredAt = new Map([...answeredAt].filter(([id]) => present.has(id)));
      // Silence about one container is its own matter; silence about all is the engine's.
      if (toAsk.length > 0 && answers === 0 && usages.size === 0) {
        throw isServiceError(failure) && !signal.aborted ? failure : unavailable(client.address, SILENT);
      }
      return containers.flatMap(({ container }) => usages.get(container.externalId) ?? []);
    },
  };
}

const NO_NETWORK = { networkRxBytes: null, networkTxBytes: null };

const SILENT =
  "it did not answer any question for the resource figures of containers in time. It may be overloaded or hanging; it is tried again.";

type Add = (
  container: InspectedContainer,
  figures: Figures,
  reported: { onlineCpus: number | null; memoryLimitBytes: number | null } | null,
) => void;
