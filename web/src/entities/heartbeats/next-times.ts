import { type CronLine, nextFiring } from "../../../../src/contract/cron.ts";
import { openZone } from "../../../../src/contract/zone.ts";

/** The next instants at which a line fires in a zone; none when this browser does not know the zone. */
export function nextTimes(line: CronLine, timezone: string, fromMs: number, count: number): number[] {
  const zone = openZone(timezone);
  if (zone === undefined) return [];
  const times: number[] = [];
  while (times.length < count) times.push(nextFiring(line, zone, new Date(times.at(-1) ?? fromMs)).getTime());
  return times;
}
