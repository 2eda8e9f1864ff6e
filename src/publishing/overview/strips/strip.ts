import { STRIP_STATES, type StateSpan, type StripState } from "../../../contract/strip.ts";

/** The steps that a strip is made of: so many of one length, from a moment on. */
export interface StripScale {
  fromMs: number;
  stepMs: number;
  steps: number;
}

/** Neighbouring steps in the same state. */
export interface StripRun {
  state: StripState;
  steps: number;
}

interface Outage {
  from: number;
  to: number;
}

const UNKNOWN = STRIP_STATES.indexOf("unknown");

/** The worst state of each step, joined into runs: what lasted seconds is seen too. `unknown` where nothing was seen all step long. */
export function stripOf(spans: readonly StateSpan[], { fromMs, stepMs, steps }: StripScale): StripRun[] {
  const ranks = new Uint8Array(steps).fill(UNKNOWN);
  for (const { from, to, state } of spans) {
    if (to <= from) continue;
    const rank = STRIP_STATES.indexOf(state);
    const last = Math.min(steps - 1, Math.ceil((to - fromMs) / stepMs) - 1);
    for (let step = Math.max(0, Math.floor((from - fromMs) / stepMs)); step <= last; step += 1)
      if (rank < (ranks[step] ?? UNKNOWN)) ranks[step] = rank;
  }
  const runs: StripRun[] = [];
  for (const rank of ranks) {
    const state = STRIP_STATES[rank] ?? "unknown";
    const last = runs.at(-1);
    if (last?.state === state) last.steps += 1;
    else runs.push({ state, steps: 1 });
  }
  return runs;
}

/** The same spans with outages in them, as far as something is known of that time. */
export function withOutages(spans: readonly StateSpan[], outages: readonly Outage[]): StateSpan[] {
  if (outages.length === 0) return [...spans];
  const down = spans.flatMap((span) =>
    outages.flatMap((outage): StateSpan[] => {
      const [from, to] = [Math.max(span.from, outage.from), Math.min(span.to, outage.to)];
      return from < to && span.state !== "stopped" ? [{ from, to, state: "down" }] : [];
    }),
  );
  return [...spans.flatMap((span) => without(span, outages)), ...down];
}

/** What is left of a span beside outages. */
function without(span: StateSpan, outages: readonly Outage[]): StateSpan[] {
  if (span.state === "stopped") return [span];
  return outages.reduce<StateSpan[]>(
    (parts, { from, to }) =>
      parts.flatMap((part) =>
        to <= part.from || from >= part.to
          ? [part]
          : [
              { ...part, to: Math.max(part.from, from) },
              { ...part, from: Math.min(part.to, to) },
            ].filter((left) => left.to > left.from),
      ),
    [span],
  );
}

/** What somebody looks for comes first: the longest outages, then what was degraded, then by how long nothing is known. */
export function compareStrips(a: readonly StripRun[], b: readonly StripRun[]): number {
  for (const state of ["down", "degraded", "unknown"] as const) {
    const difference = stepsIn(b, state) - stepsIn(a, state);
    if (difference !== 0) return difference;
  }
  return 0;
}

function stepsIn(runs: readonly StripRun[], state: StripState): number {
  return runs.reduce((sum, run) => sum + (run.state === state ? run.steps : 0), 0);
}
