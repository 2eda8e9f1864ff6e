import type { Observation } from "../../../observations.ts";
import type { Span } from "../uptime.ts";

/** The end of a log that is kept. Source: contract, section 1. */
export const MAX_SNIPPET_LENGTH = 10_240;

/**
 * For how long before it a report of an agent speaks: it makes one every ten seconds, and some may be lost. That its runtime was watched since
 * yesterday is true while the agent is cut off too, but what it saw then is known only as far as it came in: each report that did says so for itself.
 */
const REPORT_REACH_MS = 30_000;

/** When an agent's host was watched, by the reports among these; joined where they touch. */
export function spansOf(observations: readonly Observation[]): Span[] {
  const spans: Span[] = [];
  for (const each of observations) {
    if (each.kind !== "host.watched") continue;
    const to = each.observedAt.getTime();
    const from = Math.max(each.since.getTime(), to - REPORT_REACH_MS);
    if (!(to >= from)) continue;
    const last = spans.at(-1);
    if (last !== undefined && from >= last.from && from <= last.to) last.to = Math.max(last.to, to);
    else spans.push({ from, to });
  }
  return spans;
}

/** Where a container was until a time. */
export interface Stay {
  agentId: string | null;
  until: number;
}

/** When one was watched that is on a host now, and was elsewhere before: each host speaks for the time in which it was there. `stays` are in order. */
export function spansWhereItWas(
  watched: ReadonlyMap<string | null, readonly Span[]>,
  { agentId, stays }: { agentId: string | null; stays: readonly Stay[] },
): readonly Span[] {
  if (stays.every((stay) => stay.agentId === agentId)) return watched.get(agentId) ?? [];
  let since = -Infinity;
  return [...stays, { agentId, until: Infinity }].flatMap((stay) => {
    const from = since;
    since = stay.until;
    return (watched.get(stay.agentId) ?? []).flatMap((span) => {
      const part = { from: Math.max(span.from, from), to: Math.min(span.to, stay.until) };
      return part.from < part.to ? [part] : [];
    });
  });
}
