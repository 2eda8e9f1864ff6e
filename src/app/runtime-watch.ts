import type { RuntimeStatus } from "../collector/containers.ts";
import type { Event } from "../events.ts";
import type { Bus } from "../platform/bus.ts";
import type { Clock, Timer } from "../platform/clock.ts";

/** An engine that restarts is away for seconds. */
const LOST_AFTER_MS = 30_000;

/** Tells when the local runtime, once reached, has been lost for a while, and when it is back. */
export interface RuntimeWatch {
  note(status: RuntimeStatus): void;
  /** The event that tells of it now. */
  announce(): Event[];
  stop(): void;
}

export function createRuntimeWatch({ bus, clock }: { bus: Bus<Event>; clock: Clock }): RuntimeWatch {
  let wasReached = false;
  let timer: Timer | undefined;
  let lost: Event<"runtime.lost"> | undefined;

  function eventOf({ runtime, error, since }: RuntimeStatus, isLost: boolean): Event<"runtime.lost"> {
    const data = { agent_id: null, runtime, lost: isLost, error, since: since.toISOString(), timestamp: clock.now().toISOString() };
    return { type: "runtime.lost", data };
  }

  return {
    note(status) {
      if (status.connected) {
        wasReached = true;
        timer?.cancel();
        timer = undefined;
        if (lost !== undefined) bus.publish(eventOf(status, false));
        lost = undefined;
      } else if (wasReached && timer === undefined) {
        timer = clock.after(LOST_AFTER_MS, () => {
          lost = eventOf(status, true);
          bus.publish(lost);
        });
      }
    },
    announce: () => (lost === undefined ? [] : [lost]),
    stop: () => timer?.cancel(),
  };
}
