import type { Alerting } from "../../alerting/index.ts";
import { STRIP_STEPS, type StateSpan, STRIP_STATES, type StripState } from "../../contract/strip.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../contract/time.ts";
import type { Containers } from "../../monitoring/containers/index.ts";
import type { Endpoints } from "../../monitoring/endpoints/index.ts";
import type { Heartbeats } from "../../monitoring/heartbeats/index.ts";
import type { Clock } from "../../platform/clock.ts";
import type { StripQuery } from "./api.ts";
import type { Strip, StripList } from "./answers.ts";
import { unusable } from "./limits.ts";

export interface StripDependencies {
  containers: Pick<Containers, "stateSpans">;
  endpoints: Pick<Endpoints, "stateSpans">;
  heartbeats: Pick<Heartbeats, "stateSpans" | "present">;
  alerting: Pick<Alerting, "past">;
  clock: Clock;
}

/** Outages of one kind that are read: of more the latest are enough to see that there were many. */
const MOST_OUTAGES = 5000;
const SHORTEST_MS = MINUTE_MS;

/** How everything was within the last day, in steps. Throws `unusable_values` for a stretch of time that makes no sense. */
export function createStripReader({ containers, endpoints, heartbeats, alerting, clock }: StripDependencies) {
  async function outagesOf(source: "endpoint" | "heartbeat", from: Date, to: Date): Promise<Map<number, { from: number; to: number }[]>> {
    const alerts = await alerting.past.active({ from, to, source, most: MOST_OUTAGES });
    const outages = alerts.map(({ entityId, at, resolvedAt }) => ({
      id: Number(entityId),
      from: at.getTime(),
      to: resolvedAt?.getTime() ?? Infinity,
    }));
    return Map.groupBy(outages, ({ id }) => id);
  }

  return async ({ from: fromText, to: toText, agent_id: agentId, limit }: StripQuery): Promise<StripList> => {
    const now = clock.now();
    const scale = scaleOf({ fromText, toText, nowMs: now.getTime() });
    const window = { from: scale.fromMs, to: scale.toMs };
    const [from, to] = [new Date(window.from), new Date(window.to)];
    const whose = agentId === "local" ? null : agentId;
    const [ofContainers, waited, endpointOutages, heartbeatOutages] = await Promise.all([
      containers.stateSpans(window, whose),
      agentId === undefined ? heartbeats.stateSpans(window) : new Map<number, StateSpan[]>(),
      outagesOf("endpoint", from, to),
      outagesOf("heartbeat", from, to),
    ]);
    const ofHeartbeats =
      agentId === undefined ? new Map(heartbeats.present().map(({ id }) => [id, waited.get(id) ?? []])) : new Map<number, StateSpan[]>();
    const strips = [
      ...stripsOf("container", ofContainers, new Map(), scale),
      ...stripsOf("endpoint", endpoints.stateSpans(window, whose), endpointOutages, scale),
      ...stripsOf("heartbeat", ofHeartbeats, heartbeatOutages, scale),
    ].toSorted((a, b) => compareStrips(a.runs, b.runs));
    return {
      from: from.toISOString(),
      to: to.toISOString(),
      step_seconds: scale.stepMs / SECOND_MS,
      strips: strips.slice(0, limit),
      left_out: Math.max(0, strips.length - limit),
    };
  };
}

function stripsOf(
  type: Strip["type"],
  spans: ReadonlyMap<number, readonly StateSpan[]>,
  outages: ReadonlyMap<number, readonly { from: number; to: number }[]>,
  scale: StripScale,
): Strip[] {
  return Array.from(spans, ([id, known]) => ({ type, id, runs: stripOf(withOutages(known, outages.get(id) ?? []), scale) }));
}

/** A whole day ends with the present step, unless that has just begun and nothing can have been seen in it. */
function scaleOf({ fromText, toText, nowMs }: { fromText: string | undefined; toText: string | undefined; nowMs: number }) {
  if (fromText === undefined && toText === undefined) {
    const stepMs = DAY_MS / STRIP_STEPS;
    return { fromMs: (Math.floor((nowMs - SHORTEST_MS) / stepMs) + 1 - STRIP_STEPS) * stepMs, toMs: nowMs, stepMs, steps: STRIP_STEPS };
  }
  const fromMs = fromText === undefined ? nowMs - DAY_MS : Date.parse(fromText);
  const toMs = toText === undefined ? nowMs : Date.parse(toText);
  if (toMs > nowMs) throw unusable("to", "Must not be in the future");
  // Whoever asks for a day has sent its question a moment ago.
  if (nowMs - fromMs > DAY_MS + SHORTEST_MS) throw unusable("from", "Must not be longer ago than 24 hours");
  if (toMs - fromMs < SHORTEST_MS) throw unusable("from", "Must be at least a minute before to");
  const stepMs = Math.ceil((toMs - fromMs) / STRIP_STEPS / SECOND_MS) * SECOND_MS;
  return { fromMs, toMs, stepMs, steps: Math.ceil((toMs - fromMs) / stepMs) };
}

/** The steps that a strip is made of: so many of one length, from a moment on. */
interface StripScale {
  fromMs: number;
  stepMs: number;
  steps: number;
}

/** Neighbouring steps in the same state. */
interface StripRun {
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
  return runsOf(ranks);
}

function runsOf(ranks: Iterable<number>): StripRun[] {
  const runs: StripRun[] = [];
  for (const rank of ranks) {
    const state = STRIP_STATES[rank] ?? "unknown";
    const last = runs.at(-1);
    if (last?.state === state) last.steps += 1;
    else runs.push({ state, steps: 1 });
  }
  return runs;
}

/** The same in steps that are so many times as long, each as bad as the worst of those in it. */
export function coarser(runs: readonly StripRun[], factor: number): StripRun[] {
  const ranks = runs.flatMap(({ state, steps }) => Array<number>(steps).fill(STRIP_STATES.indexOf(state)));
  const steps = Array.from({ length: Math.ceil(ranks.length / factor) }, (_, step) => ranks.slice(step * factor, (step + 1) * factor));
  return runsOf(steps.map((step) => Math.min(...step)));
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
