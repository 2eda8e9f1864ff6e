import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../contract/time.ts";
import type { ShownAlert } from "../../../alerting/alerts/answers.ts";
import type { Alert, Alerting } from "../../../alerting/index.ts";
import type { Certificates } from "../../../monitoring/certificates/index.ts";
import type { ContainerDetail, GenerationRecord } from "../../../monitoring/containers/answers.ts";
import type { Containers } from "../../../monitoring/containers/index.ts";
import type { Endpoints } from "../../../monitoring/endpoints/index.ts";
import type { Heartbeats } from "../../../monitoring/heartbeats/index.ts";
import type { Resources } from "../../../monitoring/resources/index.ts";
import { runNameOf } from "../../../monitoring/updates/index.ts";
import type { Clock } from "../../../platform/clock.ts";
import { isServiceError } from "../../../platform/errors.ts";
import type { Explanation } from "../answers.ts";
import { type ChangeParts, changeSources, createChangePages, type ChangePage } from "../changes/sources.ts";
import { evidence } from "../evidence.ts";
import { type AlertFacts, isReplaced, MOST_BEFORE, momentOf, SOON_MS } from "./facts.ts";

export interface GatherParts extends Omit<ChangeParts, "containers" | "endpoints" | "heartbeats" | "certificates" | "alerting"> {
  containers: Pick<Containers, "service" | "past">;
  resources: Pick<Resources, "service">;
  endpoints: Pick<Endpoints, "find" | "service" | "present">;
  heartbeats: Pick<Heartbeats, "find" | "service" | "present">;
  certificates: Pick<Certificates, "find" | "service" | "past">;
  alerting: Pick<Alerting, "alerts" | "active" | "nextLevel" | "past">;
  hostName(agentId: string | null): string | null;
  clock: Clock;
}

type Span = readonly [fromMs: number, toMs: number];

const MOST = { before: MOST_BEFORE, after: 10, images: 5, related: 10, earlier: 5, checks: 20, runs: 10 } as const;

/** An endpoint fires after some failures: what came before them is to be seen too. */
const RESPONSES_AROUND = { beforeMs: HOUR_MS, afterMs: 15 * MINUTE_MS };

/** Joins what all features remember of an alert and of what was around it. Throws `not_found` for an alert that is not there. */
export function createGather(parts: GatherParts) {
  const { containers, resources, endpoints, heartbeats, certificates, updateComparisons, alerting, clock } = parts;
  const pageOf = createChangePages(changeSources(parts));

  async function transitionsOf(id: number, [from, to]: Span, limit: number, offset = 0) {
    const page = { since: new Date(from).toISOString(), until: new Date(to).toISOString(), limit, offset };
    return containers.service.transitions(id, page);
  }

  /** The first ones: they have the most to do with the alert, and pages begin with the last. */
  async function transitionsAfter(id: number, span: Span) {
    const last = await transitionsOf(id, span, MOST.after);
    if (!last.has_more) return last.transitions;
    return (await transitionsOf(id, span, MOST.after, last.total - MOST.after)).transitions;
  }

  /** With a note where the edition does not show it. */
  async function usageOf(id: number, at: Date): Promise<{ usage: AlertFacts["usage"]; refused: string[] }> {
    try {
      return { usage: await resources.service.around(id, { at, beforeMs: 15 * MINUTE_MS, afterMs: 5 * MINUTE_MS }), refused: [] };
    } catch (error) {
      if (isServiceError(error, "EDITION_REQUIRED"))
        return { usage: null, refused: ["Metrics of so long ago are not shown by the edition in force."] };
      throw error;
    }
  }

  async function imageChangesOf(containerId: number, moment: Date): Promise<AlertFacts["imageChanges"]> {
    const container = await containers.service.find(containerId);
    const name = runNameOf(container);
    if (name === undefined) return [];
    const from = new Date(moment.getTime() - DAY_MS);
    const changes = await updateComparisons.past.ofName({ agentId: container.agentId, name, from, to: moment, limit: MOST.images });
    return changes.map(({ id, at, image, imageDigest, previousImage, previousDigest }) => ({
      id,
      at: at.toISOString(),
      image,
      image_digest: imageDigest,
      previous_image: previousImage,
      previous_digest: previousDigest,
    }));
  }

  async function precedingChanges(alert: ShownAlert, container: AlertFacts["container"], moment: Date): Promise<AlertFacts["preceding"]> {
    const span = precedingSpan(alert, moment);
    const [{ changes }, { generations }] = await Promise.all([
      pageOf({ ...span, whose: alert.agent_id, ended: undefined, limit: MOST_LOOKED_AT }),
      container === null ? { generations: [] } : containers.service.generations(container.id, { limit: MOST_GENERATIONS, offset: 0 }),
    ]);
    return precedingOf(changes, { alert, container, generations, ...span });
  }

  async function earlierTimesOf(alertId: number): Promise<AlertFacts["earlier"]> {
    const { alerts, total } = await alerting.alerts.earlier(alertId, MOST.earlier);
    return {
      alerts: alerts.map(({ id, severity, fired_at, resolved_at, acknowledged_at, acknowledged_by }) => {
        return { id, severity, fired_at, resolved_at, acknowledged_at, acknowledged_by };
      }),
      total,
    };
  }

  async function nextEscalationOf(alert: ShownAlert): Promise<AlertFacts["nextEscalation"]> {
    const next = alert.status === "active" ? await alerting.nextLevel(alert.id) : undefined;
    if (next === undefined) return null;
    const { runId, policy, level, levels, at, channels } = next;
    return { run_id: runId, policy, level, levels, at: at.toISOString(), channels };
  }

  return async (alertId: number): Promise<{ facts: AlertFacts; refused: string[] }> => {
    const [alert, trace] = await Promise.all([alerting.alerts.detail(alertId), alerting.alerts.trace(alertId)]);
    const raisedMs = Date.parse(alert.fired_at);
    const entityId = Number(alert.entity_id);
    const endpointId = alert.entity_type === "endpoint" && endpoints.find(entityId) !== undefined ? entityId : undefined;
    const heartbeatId = alert.entity_type === "heartbeat" && heartbeats.find(entityId) !== undefined ? entityId : undefined;
    const isWatched = alert.entity_type === "certificate" && certificates.find(entityId) !== undefined;
    const containerId = containerIdOf(alert);
    const container = containerId === undefined ? null : await unlessGone(containers.service.detail(containerId));
    const before =
      container === null ? [] : (await transitionsOf(container.id, [raisedMs - DAY_MS, raisedMs + SOON_MS], MOST.before)).transitions;
    const after = container === null ? [] : await transitionsAfter(container.id, [raisedMs + SOON_MS + 1, raisedMs + 15 * MINUTE_MS]);
    const moment = momentOf({ alert, before, after });
    const isOther = container === null || isReplaced({ alert, container });
    const { usage, refused } = isOther ? { usage: null, refused: [] } : await usageOf(container.id, moment);
    const facts: AlertFacts = {
      now: clock.now(),
      alert,
      host: parts.hostName(alert.agent_id),
      trace,
      container,
      before,
      after,
      usage,
      imageChanges: container === null ? [] : await imageChangesOf(container.id, moment),
      preceding: await precedingChanges(alert, isOther ? null : container, moment),
      earlier: await earlierTimesOf(alert.id),
      nextEscalation: await nextEscalationOf(alert),
      related: relatedTo(alert, alerting.active()),
      endpoint: endpointId === undefined ? null : await endpoints.service.detail(endpointId),
      checks:
        endpointId === undefined
          ? []
          : (
              await endpoints.service.checks(endpointId, {
                since: new Date(raisedMs - HOUR_MS).toISOString(),
                until: new Date(raisedMs + SOON_MS).toISOString(),
                limit: MOST.checks,
                offset: 0,
              })
            ).checks,
      responseTimes:
        endpointId === undefined ? null : await endpoints.service.responseTimesAround(endpointId, { at: moment, ...RESPONSES_AROUND }),
      heartbeat: heartbeatId === undefined ? null : heartbeats.service.detail(heartbeatId).heartbeat,
      runs:
        heartbeatId === undefined
          ? []
          : (await heartbeats.service.executions(heartbeatId, { limit: MOST.runs, offset: 0, until: new Date(raisedMs + SOON_MS) }))
              .executions,
      certificate: isWatched ? (await certificates.service.detail(entityId)).certificate : null,
    };
    return { facts, refused };
  };

  /** What the alert is about, or what runs it. */
  function containerIdOf({ entity_type: type, entity_id: id }: ShownAlert): number | undefined {
    const number = Number(id);
    if (type === "container") return number;
    if (type === "endpoint") return endpoints.find(number)?.container?.id ?? undefined;
    if (type === "certificate") return certificates.find(number)?.container?.id ?? undefined;
    return undefined;
  }
}

async function unlessGone<Record>(asked: Promise<Record>): Promise<Record | null> {
  try {
    return await asked;
  } catch (error) {
    if (isServiceError(error, "not_found")) return null;
    throw error;
  }
}

/** Active alerts of the same thing first, then of what it depends on, then of its host; in each the latest first. */
function relatedTo(alert: ShownAlert, active: readonly Alert[]): AlertFacts["related"] {
  const own = active.find(({ id }) => id === alert.id);
  const parents = own?.parents ?? [];
  const nearness = ({ entity, agentId }: Alert): number => {
    if (entity.type === alert.entity_type && entity.id === alert.entity_id) return 0;
    if (parents.some(({ type, id }) => type === entity.type && id === entity.id)) return 1;
    return agentId === alert.agent_id ? 2 : 3;
  };
  const near = active
    .filter((each) => each.id !== alert.id && nearness(each) < 3)
    .toSorted((a, b) => nearness(a) - nearness(b) || b.firedAt.getTime() - a.firedAt.getTime());
  return {
    total: near.length,
    alerts: near.slice(0, MOST.related).map(({ id, source, event, severity, message, entity, firedAt }) => ({
      id,
      source,
      event,
      severity,
      message,
      entity_type: entity.type,
      entity_id: entity.id,
      fired_at: firedAt.toISOString(),
    })),
  };
}

type Change = Explanation["preceding"]["changes"][number];

/** So many are listed. */
const MOST_PRECEDING = 12;
/** Changes that are looked at: a crash loop makes several a minute. */
const MOST_LOOKED_AT = 300;
/** Generations that are looked at. */
const MOST_GENERATIONS = 4;

/** The stretch of time in which what changed may have led to the alert. */
function precedingSpan({ fired_at: firedAt }: Pick<ShownAlert, "fired_at">, moment: Date): { from: Date; to: Date } {
  const raisedMs = Date.parse(firedAt);
  return { from: new Date(Math.min(raisedMs, moment.getTime()) - HOUR_MS), to: new Date(raisedMs + SOON_MS) };
}

interface Around {
  alert: ShownAlert;
  container: Pick<ContainerDetail, "id" | "name" | "agent_id"> | null;
  /** The newest, newest first. */
  generations: readonly GenerationRecord[];
  from: Date;
  to: Date;
}

/** What happened in that time, without the alert itself; what happened to one thing over and over is listed once, with how often. */
function precedingOf(changes: ChangePage["changes"], around: Around): Explanation["preceding"] {
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
