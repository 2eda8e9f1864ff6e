import { KEPT_DAYS } from "../../../contract/retention.ts";
import { DAY_MS } from "../../../contract/time.ts";
import { COMPONENT_STATUSES, type ComponentStatus, type Day } from "../vocabulary.ts";

/** Milliseconds of one UTC day by status; what is missing is unknown. */
export type Times = Record<ComponentStatus, number>;

/** How a component's time was spent, by the beginning of each UTC day in milliseconds. */
export type Account = Map<number, Times>;

/** Today among them. Source: contract, section 8. */
export const ACCOUNT_DAYS = KEPT_DAYS.componentDays;

/** Maintenance is neither. */
const OUT = ["major_outage", "partial_outage"] as const;

export function dayOf(atMs: number): number {
  return Math.floor(atMs / DAY_MS) * DAY_MS;
}

/** Of the oldest day that counts when it is `now`. */
export function oldestDay(now: Date): number {
  return dayOf(now.getTime()) - (ACCOUNT_DAYS - 1) * DAY_MS;
}

/** Adds the time between, in all of which it had this status; answers the days that changed. A clock that was set back makes no day longer than it is. */
export function count(account: Account, status: ComponentStatus, { fromMs, untilMs }: { fromMs: number; untilMs: number }): number[] {
  const days: number[] = [];
  for (let startMs = fromMs; startMs < untilMs;) {
    const day = dayOf(startMs);
    const endMs = Math.min(untilMs, day + DAY_MS);
    const times = account.get(day) ?? noTimes();
    const lengthMs = Math.min(endMs - startMs, DAY_MS - knownMs(times));
    if (lengthMs > 0) {
      account.set(day, { ...times, [status]: times[status] + lengthMs });
      days.push(day);
    }
    startMs = endMs;
  }
  return days;
}

/** Forgets the days before one. */
export function forgetBefore(account: Account, oldest: number): void {
  for (const day of account.keys()) if (day < oldest) account.delete(day);
}

/** The days that the page shows, oldest first, today last, and the share of their time that it was not out. `status` is what it is now; null: not known. */
export function historyOf(
  account: Account,
  status: ComponentStatus | null,
  now: Date,
): { days: Day[]; uptime: number | null; knownMs: number } {
  const today = dayOf(now.getTime());
  const all = noTimes();
  const days = Array.from({ length: ACCOUNT_DAYS }, (_, index) => {
    const startMs = oldestDay(now) + index * DAY_MS;
    const times = account.get(startMs);
    if (times !== undefined) for (const each of COMPONENT_STATUSES) all[each] += times[each];
    return shownDay(startMs, times, startMs === today ? status : undefined);
  });
  return { days, uptime: uptimeOf(all), knownMs: judgedMs(all) };
}

/** A day as the page shows it; `current` is what the component is now, when it is today. A day is not called well while that is not known. */
export function shownDay(startMs: number, times: Times | undefined, current: ComponentStatus | null | undefined): Day {
  const date = new Date(startMs).toISOString().slice(0, 10);
  const worst = COMPONENT_STATUSES.find((status) => status === current || (times?.[status] ?? 0) > 0) ?? null;
  if (current === null && worst === "operational") return { date, worst: null, uptime: null, outageSeconds: 0 };
  return {
    date,
    worst,
    uptime: times === undefined ? null : uptimeOf(times),
    // A short outage is one too.
    outageSeconds: times === undefined ? 0 : Math.ceil(outMs(times) / 1000),
  };
}

function uptimeOf(times: Times): number | null {
  const judged = judgedMs(times);
  return judged === 0 ? null : 1 - outMs(times) / judged;
}

function judgedMs(times: Times): number {
  return knownMs(times) - times.maintenance;
}

function outMs(times: Times): number {
  return OUT.reduce((sum, status) => sum + times[status], 0);
}

function knownMs(times: Times): number {
  return COMPONENT_STATUSES.reduce((sum, status) => sum + times[status], 0);
}

function noTimes(): Times {
  return { major_outage: 0, partial_outage: 0, maintenance: 0, degraded: 0, operational: 0 };
}
