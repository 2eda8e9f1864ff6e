import type { Kysely } from "kysely";
import type { Event } from "../../events.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Resolution } from "../vocabulary.ts";
import { keyText } from "./alert.ts";
import { decide, type Order, type Step } from "./decide.ts";
import type { Intake } from "./intake.ts";
import type { Repository } from "./repository.ts";
import type { Register, Totals } from "./register.ts";
import type { AlertStore } from "./store.ts";

/** Removes the alerts of a host that is deleted. */
export interface HostRemoval {
  holdHost(agentId: string): Promise<() => void>;
  purgeHost(unit: Kysely<object>, agentId: string): Promise<void>;
  forgetHost(agentId: string): void;
}

export interface HostRemovalParts {
  store: Pick<AlertStore, "inUnit" | "ofHost" | "remove">;
  register: Register;
  intake: Pick<Intake, "pause" | "context" | "forgetHost">;
  repository: Pick<Repository, "notifyLast" | "eventsOf" | "purgeAlerts" | "forgetAlerts">;
  totals: Pick<Totals, "forget">;
  notified(alertId: number): Promise<readonly number[]>;
  bus: Bus<Event>;
  clock: Clock;
}

const REMOVED: Resolution = { by: "removal", reason: "The host was deleted." };

/**
 * Channels that were notified of an alert of the host are notified of its end. Those messages are written with the deletion of all rows of the host,
 * and are deleted once they are settled.
 */
export function createHostRemoval(parts: HostRemovalParts): HostRemoval {
  const { store, register, intake, repository, totals, notified, bus, clock } = parts;
  /** Of hosts whose rows may be deleted by now, by id. */
  const leaving = new Map<string, { events: readonly Event[]; ids: readonly number[] }>();

  async function endingsOf(agentId: string, now: Date): Promise<Step[]> {
    const steps = await Promise.all(
      register.ofHost(agentId).map(async (alert) => {
        const shared = { key: keyText(alert), at: now };
        const order: Order =
          alert.status === "active"
            ? { ...shared, kind: "clear", about: alert, resolution: REMOVED }
            : { ...shared, kind: "rejudge", id: alert.id };
        const notifiedChannels = alert.routedAt === null ? [] : await notified(alert.id);
        // A last notification, which does not wait for flapping to end.
        return decide(order, { alert, persisting: undefined }, { ...intake.context(now), flap: undefined, notified: notifiedChannels });
      }),
    );
    return steps.filter((step) => step !== undefined);
  }

  return {
    holdHost: () => intake.pause(),
    async purgeHost(unit, agentId) {
      const now = clock.now();
      const endings = await endingsOf(agentId, now);
      await repository.notifyLast(store.inUnit(unit), endings, now);
      const batches = await store.ofHost(unit, agentId);
      for (const some of batches) {
        await repository.purgeAlerts(unit, some);
        await store.remove(unit, some);
      }
      const events = endings.flatMap((step) => repository.eventsOf(step, step.after, now));
      await bus.keep(unit, events);
      leaving.set(agentId, { ids: batches.flat(), events });
    },
    forgetHost(agentId) {
      const { events = [], ids = [] } = leaving.get(agentId) ?? {};
      leaving.delete(agentId);
      intake.forgetHost(agentId);
      totals.forget();
      for (const event of events) bus.publish(event);
      repository.forgetAlerts(ids);
    },
  };
}
