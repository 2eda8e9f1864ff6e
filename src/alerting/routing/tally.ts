import { DAY_MS } from "../../contract/time.ts";
import { type GroupOf, subjectsOf } from "../scope.ts";
import type { Alert } from "../vocabulary.ts";
import { SIMULATION } from "./api.ts";
import type { Simulation } from "./answers.ts";
import { passes } from "./filters.ts";
import type { RoutedChannel } from "./routing.ts";
import type { TriggerSettings } from "./trigger.ts";

/** Counts what a trigger would have sent. */
export interface Tally {
  /** The beginning of the first day that is counted, UTC. */
  from: Date;
  add(alert: Alert): void;
  result(complete: boolean): Simulation;
}

export interface TallyParts {
  trigger: TriggerSettings;
  channels: readonly RoutedChannel[];
  groupOf: GroupOf;
  now: Date;
}

/** Of the days up to and with that of `now`, as if the trigger had been enabled and groups as they are now all the time. */
export function createTally({ trigger, channels, groupOf, now }: TallyParts): Tally {
  const firstDay = Math.floor(now.getTime() / DAY_MS) - SIMULATION.days + 1;
  const days = Array.from({ length: SIMULATION.days }, () => 0);
  const receivers = channels.filter(({ enabled }) => enabled).length;
  const examples: Simulation["examples"] = [];
  let [matched, heldBack, fired, resolved] = [0, 0, 0, 0];

  function countDay(at: Date): void {
    const index = Math.floor(at.getTime() / DAY_MS) - firstDay;
    if (index >= 0 && index < days.length) days[index] = (days[index] ?? 0) + receivers;
  }

  return {
    from: new Date(firstDay * DAY_MS),
    add(alert) {
      if (!passes(trigger.filters, alert, subjectsOf(alert, groupOf))) return;
      matched += 1;
      if (examples.length < SIMULATION.examples) {
        examples.push({ alert_id: alert.id, message: alert.message, fired_at: alert.firedAt.toISOString() });
      }
      if (alert.suppressedBy !== null) {
        heldBack += 1;
        return;
      }
      fired += 1;
      countDay(alert.firedAt);
      if (!trigger.notifyOnResolve || alert.resolvedAt === null) return;
      resolved += 1;
      countDay(alert.resolvedAt);
    },
    result: (complete) => ({
      period_days: SIMULATION.days,
      matched,
      held_back: heldBack,
      deliveries: (fired + resolved) * receivers,
      per_day: days.map((deliveries, index) => ({
        date: new Date((firstDay + index) * DAY_MS).toISOString().slice(0, 10),
        deliveries,
      })),
      by_channel: channels.map(({ id, name, enabled }) => ({
        channel_id: id,
        name,
        enabled,
        fired: enabled ? fired : 0,
        resolved: enabled ? resolved : 0,
      })),
      examples,
      complete,
    }),
  };
}
