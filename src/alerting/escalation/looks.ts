import type { Log } from "../../platform/log.ts";
import { isServiceError } from "../../platform/errors.ts";

/** What is looked at: runs that are due, or all that are not over. */
export type Scope = "due" | "all";

/** Looks one after another; those that are asked for meanwhile become one. */
export interface Looks {
  /** Resolves when everything has been looked at as of this call; never rejects. */
  ask(scope: Scope): Promise<void>;
  /** Ends what is under way; no other begins. */
  stop(): Promise<void>;
}

export function createLooks(look: (scope: Scope, signal: AbortSignal) => Promise<void>, log: Log): Looks {
  const stopping = new AbortController();
  let wanted: Scope | undefined;
  let underWay: Promise<void> | undefined;

  async function work(): Promise<void> {
    while (wanted !== undefined && !stopping.signal.aborted) {
      const scope: Scope = wanted;
      wanted = undefined;
      try {
        await look(scope, stopping.signal);
      } catch (error) {
        // What was not looked at is found again; that the database is gone is told elsewhere.
        if (isServiceError(error, "storage_unavailable")) log.debug({}, "escalations put off: no database");
        else log.error({ err: error }, "escalations could not be looked at");
        break;
      }
    }
    // In the turn in which nothing is wanted any more, so that what is asked for next begins anew.
    underWay = undefined;
  }

  return {
    ask(scope) {
      if (wanted !== "all") wanted = scope;
      underWay ??= work();
      return underWay;
    },
    async stop() {
      stopping.abort();
      await underWay;
    },
  };
}
