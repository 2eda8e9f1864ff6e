import type { Simulation } from "../../../../../src/alerting/routing/answers.ts";
import { countOf, formatCount } from "../../../format/number.ts";

/** What would have been sent, in one or two sentences. */
export function simulationWords({ period_days: days, matched, held_back, deliveries, complete }: Simulation): string {
  const period = `the last ${countOf(days, "day")}`;
  const part = complete ? "" : " Too many alerts to check them all: counts cover part of them.";
  if (matched === 0) return `No alert from ${period} matches. Nothing would have been sent.${part}`;
  const held = held_back === 0 ? "" : `, ${formatCount(held_back)} suppressed`;
  return `${countOf(matched, "alert")} from ${period} ${matched === 1 ? "matches" : "match"}${held}: ${countOf(deliveries, "message")} would have been sent.${part}`;
}

/** What one channel would have got: `42 alerts, 40 ends`. */
export function channelWords({ enabled, fired, resolved }: Simulation["by_channel"][number]): string {
  if (!enabled) return "nothing: it is disabled";
  const ends = resolved === 0 ? "" : `, ${resolved} resolved`;
  return `${countOf(fired, "alert")}${ends}`;
}

/** The days with the most alerts, for users who cannot see the bars. */
export function daysSummary(days: Simulation["per_day"]): string {
  const most = days.reduce((max, { deliveries }) => Math.max(max, deliveries), 0);
  const busiest = days.find(({ deliveries }) => deliveries === most);
  if (most === 0 || busiest === undefined) return "No messages on any day";
  const quiet = days.filter(({ deliveries }) => deliveries === 0).length;
  return `At most ${countOf(most, "message")} a day, on ${busiest.date}; none on ${countOf(quiet, "day")}`;
}
