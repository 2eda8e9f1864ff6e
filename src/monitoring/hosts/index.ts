import { ServiceError } from "../../platform/errors.ts";
import type { Unit } from "../../storage/statements.ts";
import type { Intake } from "../intake.ts";

/** What a feature keeps of hosts. */
export interface HostData {
  /** Keeps what is known of a host as it is, where anything but its observations could change it; answers how to let go. */
  holdHost?(agentId: string): Promise<() => void>;
  /** Deletes every row that carries the agent, inside of a unit, in bounded statements. */
  purgeHost(unit: Unit, agentId: string): Promise<void>;
  /** Forgets it in memory, once that is committed; publishes only what ends alerts. */
  forgetHost(agentId: string): void;
}

/** Removes remote hosts with all that is known of them. */
export interface HostRemoval {
  /** `features` in the order in which their rows go: what refers to others first. Called once, when all are there. */
  start(features: readonly HostData[]): void;
  /**
   * Takes nothing more of an agent, then has `write` purge its rows in a separate unit with whatever else belongs to it, then forgets it.
   * Throws what `write` throws: then nothing was changed, and the agent may continue.
   */
  remove(agentId: string, write: (purge: (unit: Unit) => Promise<void>) => Promise<void>): Promise<void>;
}

export function createHostRemoval(intake: Pick<Intake, "close" | "open">): HostRemoval {
  let all: readonly HostData[] | undefined;
  return {
    start(features) {
      all = features;
    },
    async remove(agentId, write) {
      if (all === undefined) throw new ServiceError("storage_unavailable", "The service is starting; nothing was deleted.");
      const features = all;
      const held: (() => void)[] = [];
      try {
        await intake.close(agentId);
        for (const feature of features) {
          const release = await feature.holdHost?.(agentId);
          if (release !== undefined) held.push(release);
        }
        await write(async (unit) => {
          for (const feature of features) await feature.purgeHost(unit, agentId);
        });
        for (const feature of features) feature.forgetHost(agentId);
      } finally {
        for (const release of held) release();
        intake.open(agentId);
      }
    },
  };
}
