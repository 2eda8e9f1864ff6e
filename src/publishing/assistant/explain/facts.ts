import type { ShownAlert, AlertTrace } from "../../../alerting/alerts/answers.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../contract/time.ts";
import type { CertificateRecord } from "../../../monitoring/certificates/answers.ts";
import type { ContainerDetail, GenerationRecord, TransitionRecord } from "../../../monitoring/containers/answers.ts";
import type { CheckRecord, EndpointRecord, ResponseTimesAround } from "../../../monitoring/endpoints/answers.ts";
import type { ExecutionRecord, HeartbeatRecord } from "../../../monitoring/heartbeats/answers.ts";
import type { UsageAround } from "../../../monitoring/resources/index.ts";
import type { Explanation } from "../answers.ts";
import type { ChangePage } from "../changes/sources.ts";
import { type Evidence, evidence } from "../evidence.ts";

/** Everything recorded of an alert and of what was around it. */
export interface AlertFacts {
  now: Date;
  alert: ShownAlert;
  host: string | null;
  trace: AlertTrace;
  /** What the alert is about, or what runs it; null where there is none. */
  container: ContainerDetail | null;
  /** Newest first, up to the alert; no more than {@link MOST_BEFORE}. */
  before: readonly TransitionRecord[];
  /** Newest first: the first ones after it. */
  after: readonly TransitionRecord[];
  usage: UsageAround | null;
  imageChanges: Explanation["image_changes"];
  preceding: Explanation["preceding"];
  earlier: Explanation["earlier"];
  nextEscalation: Explanation["next_escalation"];
  related: Explanation["related"];
  endpoint: EndpointRecord | null;
  /** Newest first, up to the alert. */
  checks: readonly CheckRecord[];
  /** Of the endpoint, around the moment. */
  responseTimes: ResponseTimesAround | null;
  heartbeat: HeartbeatRecord | null;
  /** Newest first, up to the alert. */
  runs: readonly ExecutionRecord[];
  certificate: CertificateRecord | null;
}

/** A sentence of ours, with the records that prove it: at least one. */
export interface Finding {
  claim: string;
  evidence: Evidence[];
}

/** What one rule makes of the facts; each looks at a part of them. */
export type Rule = (facts: AlertFacts) => readonly Finding[];

/** So many state changes up to the alert are looked at. */
export const MOST_BEFORE = 20;
/** What brings an alert about may be recorded a moment after it. */
export const SOON_MS = 5_000;
/** A host stamps what happens there by its own clock, which may be ahead of ours by so much. Source: the agent handshake's allowance. */
const AHEAD_MS = 5 * MINUTE_MS;
/** The states by which a host shows that a container has ended. */
const ENDED: ReadonlySet<TransitionRecord["new_state"]> = new Set(["exited", "dead", "restarting", "completed"]);
const LONGEST_MS = { own: DAY_MS, other: HOUR_MS };

type Steps = Pick<AlertFacts, "alert" | "before" | "after">;

/** The end of the container that can have to do with the alert: the nearest to it; undefined when there was none. */
export function endOf(facts: Steps): TransitionRecord | undefined {
  const longestMs = facts.alert.source === "container" ? LONGEST_MS.own : LONGEST_MS.other;
  const isEnd = ({ new_state: state }: TransitionRecord): boolean => ENDED.has(state);
  // An alert of a container that is down names the time of its end.
  const since = facts.alert.details["since"];
  const named = [...facts.before, ...stampedAhead(facts)].find((step) => isEnd(step) && step.timestamp === since);
  const end = named ?? nearestOf(facts, isEnd);
  return end !== undefined && Date.parse(facts.alert.fired_at) - Date.parse(end.timestamp) <= longestMs ? end : undefined;
}

/** The latest such step up to the alert; of a remote host also one stamped a little later, where that is nearer. */
export function nearestOf(facts: Steps, is: (step: TransitionRecord) => boolean): TransitionRecord | undefined {
  const raisedMs = Date.parse(facts.alert.fired_at);
  const awayMs = ({ timestamp }: TransitionRecord): number => Math.abs(raisedMs - Date.parse(timestamp));
  const earlier = facts.before.find(is);
  const later = stampedAhead(facts).findLast(is);
  if (earlier === undefined || later === undefined) return earlier ?? later;
  return awayMs(later) < awayMs(earlier) ? later : earlier;
}

/** The step at which it turned unhealthy, where that is the change of its health nearest to the alert. */
export function turnedUnhealthy(facts: Steps): TransitionRecord | undefined {
  const changed = nearestOf(facts, ({ previous_health: previous, new_health: next }) => previous !== next && next !== null);
  return changed?.new_health === "unhealthy" ? changed : undefined;
}

/** Steps that a remote host stamped after the alert and that may have come before it. */
export function stampedAhead({ alert, after }: Pick<AlertFacts, "alert" | "after">): readonly TransitionRecord[] {
  if (alert.agent_id === null) return [];
  const latestMs = Date.parse(alert.fired_at) + AHEAD_MS;
  return after.filter(({ timestamp }) => Date.parse(timestamp) <= latestMs);
}

/** What ran the endpoint when the alert was raised is gone, and another container runs it: that one's past says nothing of the alert. */
export function isReplaced({ alert, container }: Pick<AlertFacts, "alert" | "container">): boolean {
  if (container === null || alert.entity_type === "container") return false;
  const allowedMs = alert.agent_id === null ? 0 : AHEAD_MS;
  return Date.parse(container.created_at ?? container.first_seen_at) > Date.parse(alert.fired_at) + allowedMs;
}

/** When what the alert is about happened, as far as that is known; else when it was raised. */
export function momentOf(facts: Steps): Date {
  const { alert } = facts;
  const raised = new Date(alert.fired_at);
  if (alert.source === "endpoint") return timeWithin(alert.details["failing_since"], raised);
  if (alert.source !== "container") return raised;
  const unhealthy = nearestOf(facts, ({ new_health: health }) => health === "unhealthy");
  const step = alert.event === "health_unhealthy" ? unhealthy : endOf(facts);
  return timeWithin(step?.timestamp, raised);
}

function timeWithin(text: unknown, raised: Date): Date {
  const atMs = typeof text === "string" ? Date.parse(text) : Number.NaN;
  const isNear = Math.abs(raised.getTime() - atMs) <= LONGEST_MS.own;
  return isNear ? new Date(atMs) : raised;
}

type Change = Explanation["preceding"]["changes"][number];

/** So many are listed. */
const MOST_PRECEDING = 12;

/** The stretch of time in which what changed may have led to the alert. */
export function precedingSpan({ fired_at: firedAt }: Pick<ShownAlert, "fired_at">, moment: Date): { from: Date; to: Date } {
  const raisedMs = Date.parse(firedAt);
  return { from: new Date(Math.min(raisedMs, moment.getTime()) - HOUR_MS), to: new Date(raisedMs + SOON_MS) };
}

interface Around {
  alert: ShownAlert;
  container: Pick<ContainerDetail, "id" | "name"> | null;
  /** The newest, newest first. */
  generations: readonly GenerationRecord[];
  from: Date;
  to: Date;
}

/** What happened in that time, without the alert itself; what happened to one thing over and over is listed once, with how often. `changes` are newest first in each kind. */
export function precedingOf(changes: ChangePage["changes"], around: Around): Explanation["preceding"] {
  const { alert, container } = around;
  const folded = new Map<string, Change>();
  for (const { at, kind, what, entity, from, to, evidence: record } of changes) {
    if (record.kind === "alert" && record.id === alert.id) continue;
    const key = [kind, entity.type, entity.id, kind === "image_changed" ? `${from} ${to}` : ""].join("\n");
    const later = folded.get(key);
    if (later === undefined)
      folded.set(key, {
        ...{ at: at.toISOString(), kind, what, entity, from, to, count: 1 },
        is_own: isAbout(entity, { alert, container }),
        evidence: record,
      });
    else later.count += 1;
  }
  const all = [...folded.values(), ...recreationsOf(around)];
  // Of too many, those of other things are left out first.
  const kept = all
    .toSorted((one, other) => Number(other.is_own) - Number(one.is_own) || other.at.localeCompare(one.at))
    .slice(0, MOST_PRECEDING);
  return { changes: kept.toSorted((one, other) => other.at.localeCompare(one.at)), total: all.length };
}

/** A container that was re-created from the same image: what changed is how it is run. */
function recreationsOf({ container, generations, from, to }: Around): Change[] {
  if (container === null) return [];
  return generations.flatMap((generation, index): Change[] => {
    const before = generations[index + 1];
    const at = generation.created_at ?? before?.ended_at ?? null;
    if (before === undefined || at === null || Date.parse(at) < from.getTime() || Date.parse(at) > to.getTime()) return [];
    if (before.image !== generation.image || before.image_digest !== generation.image_digest) return [];
    return [
      {
        ...{ at, kind: "recreated", what: "The container was re-created from the same image.", count: 1, is_own: true },
        ...{ from: null, to: null, entity: { type: "container", id: container.id, name: container.name } },
        evidence: evidence("container", container.id, at),
      },
    ];
  });
}

function isAbout(entity: ChangePage["changes"][number]["entity"], { alert, container }: Pick<Around, "alert" | "container">): boolean {
  if (entity.id === null) return false;
  if (entity.type === alert.entity_type && String(entity.id) === alert.entity_id) return true;
  return entity.type === "container" && entity.id === container?.id;
}
