import { MINUTE_MS } from "../../contract/time.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Register } from "./register.ts";

/** Agents look each minute. Some of their scans may come late. */
const UNSEEN_AFTER_MS = 5 * MINUTE_MS;

/** Judges certificates of agents that send no scans, such as those of a host that is disconnected, by the dates that are known. */
export interface UnseenWatch {
  /** Call it each minute. Throws `storage_unavailable`. */
  judge(): Promise<void>;
}

export function createUnseenWatch({ register, clock }: { register: Pick<Register, "all" | "judgeUnseen">; clock: Clock }): UnseenWatch {
  /** The last scan of each, and when it was noticed here: the clock of an agent may be behind, and after a start agents need a moment to return. */
  let noticed = new Map<number, { lastCheckMs: number; monotonicMs: number }>();

  return {
    async judge() {
      const monotonicMs = clock.monotonicMs();
      const before = noticed;
      noticed = new Map();
      const unseen: number[] = [];
      for (const { id, agentId, state } of register.all()) {
        if (agentId === null || state.lastCheckAt === null) continue;
        const lastCheckMs = state.lastCheckAt.getTime();
        const known = before.get(id);
        const kept = known?.lastCheckMs === lastCheckMs ? known : { lastCheckMs, monotonicMs };
        noticed.set(id, kept);
        if (monotonicMs - kept.monotonicMs >= UNSEEN_AFTER_MS) unseen.push(id);
      }
      for (const id of unseen) await register.judgeUnseen(id, clock.now());
    },
  };
}
