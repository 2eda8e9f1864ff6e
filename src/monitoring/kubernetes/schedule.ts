import { type CronLine, parseCron } from "../../contract/cron.ts";
import { nextFiring } from "../../contract/next-firing.ts";
import { openZone, type Zone } from "../../contract/zone.ts";
import type { CronJobState } from "../../observations/kubernetes.ts";

const CACHED = 1000;

/** When the runs of CronJobs are due. */
export interface RunTimes {
  /** The first run after an instant; null of a schedule or a time zone that is not understood. */
  next(cronJob: Pick<CronJobState, "schedule" | "timeZone">, after: Date): Date | null;
}

/** Remembers the schedules and zones that it was asked about, since opening them costs far more than reading them. */
export function createRunTimes(): RunTimes {
  const zones = new Map<string, Zone | null>();
  const lines = new Map<string, CronLine | null>();

  function remembered<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
    const known = map.get(key);
    if (known !== undefined) return known;
    if (map.size >= CACHED) map.clear();
    const made = make();
    map.set(key, made);
    return made;
  }

  return {
    next({ schedule, timeZone }, after) {
      const line = remembered(lines, schedule, () => lineOf(schedule));
      // A controller manager runs in UTC unless somebody changed its image.
      const zone = remembered(zones, timeZone ?? "UTC", () => openZone(timeZone ?? "UTC") ?? null);
      return line === null || zone === null ? null : nextFiring(line, zone, after);
    },
  };
}

/** The controller follows the clock on the wall: it leaves out what a clock leaves out, and repeats what it repeats. */
function lineOf(schedule: string): CronLine | null {
  const parsed = parseCron(schedule);
  return "fault" in parsed ? null : { ...parsed.line, isWildcard: true };
}
