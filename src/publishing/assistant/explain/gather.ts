import { CHANGE_KINDS, type ChangeKind } from "../../../contract/change-kinds.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../contract/time.ts";
import type { ShownAlert } from "../../../alerting/alerts/answers.ts";
import type { Alert, Alerting } from "../../../alerting/index.ts";
import type { Certificates } from "../../../monitoring/certificates/index.ts";
import type { Containers } from "../../../monitoring/containers/index.ts";
import type { Endpoints } from "../../../monitoring/endpoints/index.ts";
import type { Heartbeats } from "../../../monitoring/heartbeats/index.ts";
import type { Resources } from "../../../monitoring/resources/index.ts";
import { runNameOf } from "../../../monitoring/updates/index.ts";
import type { Clock } from "../../../platform/clock.ts";
import { isServiceError } from "../../../platform/errors.ts";
import { type ChangeParts, changeSources, createChangePages } from "../changes/sources.ts";
import { type AlertFacts, isReplaced, MOST_BEFORE, momentOf, precedingOf, precedingSpan, SOON_MS } from "./facts.ts";

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

type EndpointFacts = Pick<AlertFacts, "endpoint" | "checks" | "responseTimes">;
type HeartbeatFacts = Pick<AlertFacts, "heartbeat" | "runs">;
type Span = readonly [fromMs: number, toMs: number];

const MOST = { before: MOST_BEFORE, after: 10, images: 5, related: 10, earlier: 5, checks: 20, runs: 10 } as const;

/** Changes that are looked at, of states and of all else: a crash loop makes several a minute, and must not hide what led to it. */
const MOST_LOOKED_AT = 300;
/** Generations that are looked at. */
const MOST_GENERATIONS = 4;

/** An endpoint fires after some failures: what came before them is to be seen too. */
const RESPONSES_AROUND = { beforeMs: HOUR_MS, afterMs: 15 * MINUTE_MS };

/** Joins what all features remember of an alert and of what was around it. Throws `not_found` for an alert that is not there. */
export function createGather(parts: GatherParts) {
  const { containers, resources, endpoints, heartbeats, certificates, updateComparisons, alerting, clock } = parts;
  const pageOf = createChangePages(changeSources(parts));

  function transitionsOf(id: number, span: Span, limit: number, offset = 0) {
    return containers.service.transitions(id, { ...wireSpan(span), limit, offset });
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
    const changesOf = (kinds: readonly ChangeKind[]) =>
      pageOf({ ...span, whose: alert.agent_id, kinds, ended: undefined, limit: MOST_LOOKED_AT });
    const [steps, rest, { generations }] = await Promise.all([
      changesOf(["container_changed"]),
      changesOf(CHANGE_KINDS.filter((kind) => kind !== "container_changed")),
      container === null ? { generations: [] } : containers.service.generations(container.id, { limit: MOST_GENERATIONS, offset: 0 }),
    ]);
    return precedingOf([...steps.changes, ...rest.changes], { alert, container, generations, ...span });
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

  async function endpointOf({ entity_type: type, entity_id, fired_at: firedAt }: ShownAlert, moment: Date): Promise<EndpointFacts> {
    const id = Number(entity_id);
    if (type !== "endpoint" || endpoints.find(id) === undefined) return { endpoint: null, checks: [], responseTimes: null };
    const raisedMs = Date.parse(firedAt);
    const { checks } = await endpoints.service.checks(id, {
      ...wireSpan([raisedMs - HOUR_MS, raisedMs + SOON_MS]),
      ...{ limit: MOST.checks, offset: 0 },
    });
    const responseTimes = await endpoints.service.responseTimesAround(id, { at: moment, ...RESPONSES_AROUND });
    return { endpoint: await endpoints.service.detail(id), checks, responseTimes };
  }

  async function heartbeatOf({ entity_type: type, entity_id, fired_at: firedAt }: ShownAlert): Promise<HeartbeatFacts> {
    const id = Number(entity_id);
    if (type !== "heartbeat" || heartbeats.find(id) === undefined) return { heartbeat: null, runs: [] };
    const until = new Date(Date.parse(firedAt) + SOON_MS);
    const { executions } = await heartbeats.service.executions(id, { limit: MOST.runs, offset: 0, until });
    return { heartbeat: heartbeats.service.detail(id).heartbeat, runs: executions };
  }

  async function certificateOf({ entity_type: type, entity_id }: ShownAlert): Promise<AlertFacts["certificate"]> {
    const id = Number(entity_id);
    if (type !== "certificate" || certificates.find(id) === undefined) return null;
    return (await certificates.service.detail(id)).certificate;
  }

  return async (alertId: number): Promise<{ facts: AlertFacts; refused: string[] }> => {
    const [alert, trace] = await Promise.all([alerting.alerts.detail(alertId), alerting.alerts.trace(alertId)]);
    const raisedMs = Date.parse(alert.fired_at);
    const containerId = containerIdOf({ type: alert.entity_type, id: alert.entity_id }, parts);
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
      ...(await endpointOf(alert, moment)),
      ...(await heartbeatOf(alert)),
      certificate: await certificateOf(alert),
    };
    return { facts, refused };
  };
}

/** The container that an alert is about, or what runs what it is about. */
export function containerIdOf(
  { type, id }: Alert["entity"],
  { endpoints, certificates }: { endpoints: Pick<Endpoints, "find">; certificates: Pick<Certificates, "find"> },
): number | undefined {
  const number = Number(id);
  if (type === "container") return number;
  if (type === "endpoint") return endpoints.find(number)?.container?.id ?? undefined;
  if (type === "certificate") return certificates.find(number)?.container?.id ?? undefined;
  return undefined;
}

function wireSpan([fromMs, toMs]: Span): { since: string; until: string } {
  return { since: new Date(fromMs).toISOString(), until: new Date(toMs).toISOString() };
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
