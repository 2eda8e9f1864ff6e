import { type ComponentStatus, hasNoData, type IncidentSeverity, type IncidentStatus } from "../vocabulary.ts";
import { componentsOf, type Projection, type PublicComponent } from "./projection.ts";

/** What the page shows in place of a status. */
export type ShownStatus = ComponentStatus | "unknown";

export function shownStatus(of: Pick<PublicComponent, "status" | "observed">): ShownStatus {
  return hasNoData(of) ? "unknown" : of.status;
}

export const STATUS_WORDS: Record<ShownStatus, string> = {
  operational: "Operational",
  degraded: "Degraded",
  partial_outage: "Partial outage",
  major_outage: "Major outage",
  maintenance: "Maintenance",
  unknown: "No data",
};

export const INCIDENT_WORDS: Record<IncidentStatus, string> = {
  investigating: "Investigating",
  identified: "Identified",
  monitoring: "Monitoring",
  resolved: "Resolved",
};

export const SEVERITY_WORDS: Record<IncidentSeverity, string> = { critical: "Critical", major: "Major", minor: "Minor" };

const STATES: Record<ComponentStatus, string> = {
  operational: "operational",
  degraded: "degraded",
  partial_outage: "partly down",
  major_outage: "down",
  maintenance: "under maintenance",
};

/** From the worst to the best, as the banner chooses what to name; a partial outage is named by what is out. */
const WORST_FIRST: readonly ShownStatus[] = ["major_outage", "partial_outage", "maintenance", "degraded", "unknown"];

export interface Sentence {
  message: string;
  /** The earliest time from which it was true of one of those it names; undefined when all is well. */
  since: Date | undefined;
  affected: number;
  total: number;
}

/** The state of everything in a sentence. */
export function sentenceOf(projection: Projection): Sentence {
  const components = componentsOf(projection);
  const total = components.length;
  const affected = components.filter(({ status }) => status !== "operational").length;
  if (total === 0) return { message: "Nothing is listed here yet.", since: undefined, affected, total };
  if (projection.whole !== null) {
    const { status, since } = projection.whole;
    return { message: `The whole service is ${STATES[status]}.`, since, affected, total };
  }
  const worst = WORST_FIRST.find((each) => components.some((component) => shownStatus(component) === each));
  if (worst === undefined) return { message: "All services are operational.", since: undefined, affected, total };
  const named = components.filter((component) => shownStatus(component) === worst);
  const names = named.map(({ name }) => name);
  const since = new Date(Math.min(...named.map((each) => each.since.getTime())));
  return { message: messageOf(worst, names, total), since, affected, total };
}

function messageOf(worst: ShownStatus, names: readonly string[], total: number): string {
  const which =
    total > 1 && names.length === total ? undefined : names.length > 2 ? `${names.length} of ${total} services` : names.join(" and ");
  if (worst === "unknown") return `There is no data for ${which ?? "any service"}.`;
  return `${which ?? "All services"} ${names.length === 1 ? "is" : "are"} ${STATES[worst]}.`;
}

const LONG_MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const MONTHS = LONG_MONTHS.map((month) => month.slice(0, 3));

/** `21 Nov 2026` in UTC. */
export function dayWords(date: Date): string {
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** `21 Nov` of `2026-11-21`. */
export function shortDay(date: string): string {
  return `${Number(date.slice(8))} ${MONTHS[Number(date.slice(5, 7)) - 1]}`;
}

/** `21 Nov 2026, 04:04 UTC`. */
export function timeWords(date: Date): string {
  return `${dayWords(date)}, ${date.toISOString().slice(11, 16)} UTC`;
}

/** `November 2026` of `2026-11`. */
export function monthWords(month: string): string {
  return `${LONG_MONTHS[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`;
}

/** A time for people and programs; the page's script puts it into the reader's zone. */
export function timeHtml(date: Date): string {
  return `<time datetime="${date.toISOString()}">${timeWords(date)}</time>`;
}

/** A day of UTC; the script leaves it as it is. */
export function dateHtml(day: string): string {
  return `<time datetime="${day}">${dayWords(new Date(day))}</time>`;
}

/** `1 day`, `3 days`. */
export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}

/** `8 minutes`, `1 h 20 min`, `3 d 4 h`. */
export function spanWords(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60));
  if (minutes < 60) return counted(minutes, "minute");
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60];
  if (days > 0) return `${days} d${hours > 0 ? ` ${hours} h` : ""}`;
  return `${hours} h${rest > 0 ? ` ${rest} min` : ""}`;
}

/** `99.81 %`; rounded down, so that 100 % means all of it. */
export function percentWords(share: number): string {
  const hundredths = Math.floor(share * 10_000 + 1e-6);
  return `${hundredths % 100 === 0 ? hundredths / 100 : (hundredths / 100).toFixed(2)} %`;
}
