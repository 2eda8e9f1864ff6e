import type { Alerting } from "../../../alerting/index.ts";
import { CHANGE_KINDS } from "../../../contract/change-kinds.ts";
import { CERTIFICATE_STATUSES } from "../../../contract/certificate.ts";
import type { StripState } from "../../../contract/strip.ts";
import { SECOND_MS, wireTime } from "../../../contract/time.ts";
import { compareNames } from "../../../contract/words.ts";
import { type CertificateAt, type Certificates, endpointTroubles, type EndpointTrouble } from "../../../monitoring/certificates/index.ts";
import { type ContainerAt, type Containers, stripStateOf } from "../../../monitoring/containers/index.ts";
import type { EndpointAt, Endpoints } from "../../../monitoring/endpoints/index.ts";
import type { HeartbeatAt, Heartbeats } from "../../../monitoring/heartbeats/index.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Whose } from "../../../platform/look-back.ts";
import { type ChangeParts, changeSources, createChangePages } from "../../assistant/index.ts";
import { LONGEST_MS, MOST_ALERTS, unusable } from "../limits.ts";
import type { MomentQuery } from "../api.ts";
import type { Moment, MomentAlert, MomentContainer, MomentCertificate, MomentEndpoint, MomentHeartbeat } from "./answers.ts";

export type MomentDependencies = ChangeParts &
  CheckedParts & {
    containers: Pick<Containers, "moment">;
    alerting: Pick<Alerting, "past">;
    clock: Clock;
  };

/** A host is watched up to its last report, and makes one every ten seconds. */
const REPORT_REACH_MS = 30 * SECOND_MS;
/** Whoever asks for the last day has sent its question a moment ago. */
const LATE_MS = 60 * SECOND_MS;

/** How everything was at a moment. Throws `unusable_values` for one in the future, or longer ago than anything is kept. */
export function createMomentReader({ clock, ...parts }: MomentDependencies) {
  const { containers, alerting } = parts;
  const sources = changeSources(parts);
  const pageOf = createChangePages(sources);

  async function previousChange(at: Date, from: Date, whose: Whose): Promise<Date | undefined> {
    const { changes } = await pageOf({ from, to: new Date(at.getTime() - 1), whose, ended: undefined, limit: 1 });
    return changes[0]?.at;
  }

  async function nextChange(after: Date, now: Date, whose: Whose): Promise<Date | undefined> {
    const found = await Promise.all(CHANGE_KINDS.map((kind) => sources[kind]?.nextAt({ after, whose })));
    const first = Math.min(...found.map((at) => at?.getTime() ?? Infinity));
    return first <= now.getTime() ? new Date(first) : undefined;
  }

  return async ({ at: text, agent_id: agentId, limit }: MomentQuery, mostAlerts = MOST_ALERTS): Promise<Moment> => {
    const now = clock.now();
    const at = new Date(text);
    if (at > now) throw unusable("at", "Must not be in the future");
    if (now.getTime() - at.getTime() > LONGEST_MS + LATE_MS) throw unusable("at", "Must not be longer ago than 90 days");
    const whose = agentId === "local" ? null : agentId;
    const oldest = new Date(now.getTime() - LONGEST_MS);
    const [found, watched, first, alerts, previous, next, checked] = await Promise.all([
      containers.moment.containers(at, whose),
      containers.moment.watchedUntil(at),
      containers.moment.knownSince(),
      alerting.past.activeAt(at, { whose, most: MOST_ALERTS }),
      previousChange(at, oldest, whose),
      nextChange(at, now, whose),
      readChecked(parts, at, whose),
    ]);
    const active = alerts.alerts.map(alertRecord);
    const isWatched = (host: string | null): boolean => at.getTime() - (watched.get(host)?.getTime() ?? -Infinity) <= REPORT_REACH_MS;
    const records = found.map((each) => containerRecord(each, isWatched(each.agentId))).toSorted(byStatus);
    const knownSince = first === undefined || first > oldest ? first : oldest;
    return {
      at: at.toISOString(),
      known_since: wireTime(knownSince ?? null),
      is_known: knownSince !== undefined && at >= knownSince,
      previous_change_at: wireTime(previous ?? null),
      next_change_at: wireTime(next ?? null),
      hosts: Array.from(watched, ([host, until]) => ({
        agent_id: host,
        is_watched: isWatched(host),
        last_watched_at: until.toISOString(),
      })).filter(({ agent_id: host }) => whose === undefined || host === whose),
      counts: countsOf(WORST_FIRST, records),
      containers: records.slice(0, limit),
      left_out: Math.max(0, records.length - limit),
      ...checkedRecords(checked, { at, limit, alerts: active }),
      alerts: active.slice(0, mostAlerts),
      alert_total: alerts.total,
    };
  };
}

function containerRecord(container: ContainerAt, isWatched: boolean): MomentContainer {
  const { id, agentId: agent_id, name, group, image, state, health, since, exitCode: exit_code } = container;
  return {
    ...{ id, agent_id, name, group, image },
    status: isWatched ? stripStateOf(container) : "unknown",
    ...{ state, health, since: wireTime(since), exit_code },
    oom_killed: container.oomKilled,
    stop_requested: container.stopRequested,
    removed_at: wireTime(container.removedAt),
  };
}

function alertRecord(alert: Awaited<ReturnType<Alerting["past"]["activeAt"]>>["alerts"][number]): MomentAlert {
  const { id, agentId: agent_id, source, event, severity, entityType: entity_type, entityId: entity_id, entityName: entity_name } = alert;
  return {
    ...{ id, agent_id, source, event, severity, entity_type, entity_id, entity_name },
    message: alert.message,
    cause: alert.cause,
    fired_at: alert.at.toISOString(),
    acknowledged_at: wireTime(alert.acknowledgedAt),
    resolved_at: wireTime(alert.resolvedAt),
  };
}

function byStatus(a: MomentContainer, b: MomentContainer): number {
  return (
    WORST_FIRST.indexOf(a.status) - WORST_FIRST.indexOf(b.status) ||
    compareNames(a.group, b.group) ||
    compareNames(a.name, b.name) ||
    a.id - b.id
  );
}

interface CheckedParts {
  endpoints: Pick<Endpoints, "at">;
  heartbeats: Pick<Heartbeats, "at">;
  certificates: Pick<Certificates, "at">;
}

interface Checked {
  endpoints: readonly EndpointAt[];
  heartbeats: readonly HeartbeatAt[];
  certificates: readonly CertificateAt[];
}

/** How what is checked was at a moment, by its checks and pings. */
async function readChecked({ endpoints, heartbeats, certificates }: CheckedParts, at: Date, whose: Whose): Promise<Checked> {
  const [ofEndpoints, ofHeartbeats, ofCertificates] = await Promise.all([
    endpoints.at(at, whose),
    // They belong to no host.
    whose === undefined ? heartbeats.at(at) : [],
    certificates.at(at, whose),
  ]);
  return { endpoints: ofEndpoints, heartbeats: ofHeartbeats, certificates: ofCertificates };
}

/** In lists: what was not seen may have been down. A strip differs, since there a step knows what was seen in a part of it. */
const WORST_FIRST: readonly StripState[] = ["down", "degraded", "unknown", "up", "stopped"];

/** The worst first. An active alert means `down` where checks and pings are missing. */
function checkedRecords(
  { endpoints, heartbeats, certificates }: Checked,
  { at, limit, alerts }: { at: Date; limit: number; alerts: readonly Pick<MomentAlert, "source" | "entity_id">[] },
): Pick<Moment, "endpoints" | "heartbeats" | "certificates"> {
  const alerting = new Set(alerts.map(({ source, entity_id: id }) => `${source} ${id}`));
  const troubleOf = endpointTroubles(certificates, at);
  return {
    endpoints: listOf(
      endpoints.map((each) => endpointRecord(each, { isAlerting: alerting.has(`endpoint ${each.id}`), trouble: troubleOf(each) })),
      { states: WORST_FIRST, limit },
    ),
    heartbeats: listOf(
      heartbeats.map((each) => heartbeatRecord(each, alerting.has(`heartbeat ${each.id}`))),
      { states: WORST_FIRST, limit },
    ),
    certificates: listOf(certificates.map(certificateRecord), { states: CERTIFICATE_STATUSES, limit }),
  };
}

function listOf<State extends string, Item extends { id: number; name: string; status: State }>(
  items: readonly Item[],
  { states, limit }: { states: readonly State[]; limit: number },
): { items: Item[]; counts: Record<State, number>; left_out: number } {
  const rank = (item: Item): number => states.indexOf(item.status);
  const sorted = items.toSorted((a, b) => rank(a) - rank(b) || compareNames(a.name, b.name) || a.id - b.id);
  return { items: sorted.slice(0, limit), counts: countsOf(states, items), left_out: Math.max(0, items.length - limit) };
}

function countsOf<State extends string>(states: readonly State[], items: readonly { status: State }[]): Record<State, number> {
  // Every state has its count.
  const counts = Object.fromEntries(states.map((state) => [state, 0])) as Record<State, number>;
  for (const { status } of items) counts[status] += 1;
  return counts;
}

function endpointRecord(
  { id, agentId, name, target, status, lastCheck, knownSince, pausedSince }: EndpointAt,
  { isAlerting, trouble }: { isAlerting: boolean; trouble: EndpointTrouble | null },
): MomentEndpoint {
  const reason = status === "up" ? trouble : null;
  return {
    ...{ id, agent_id: agentId, name, target },
    status: status === "unknown" && isAlerting ? "down" : reason === null ? status : "degraded",
    status_reason: reason,
    paused_since: wireTime(pausedSince),
    last_check_at: lastCheck === null ? null : new Date(lastCheck.atMs).toISOString(),
    response_time_ms: lastCheck?.responseTimeMs ?? null,
    error: lastCheck?.error ?? null,
    known_since: wireTime(knownSince),
  };
}

function heartbeatRecord({ id, name, status, pausedSince, lastPingAt, knownSince }: HeartbeatAt, isAlerting: boolean): MomentHeartbeat {
  // A ping in time says nothing of a run that lasted too long.
  const isDown = isAlerting && status !== "stopped";
  return {
    ...{ id, name, status: isDown ? "down" : status },
    paused_since: wireTime(pausedSince),
    last_ping_at: wireTime(lastPingAt),
    known_since: wireTime(knownSince),
  };
}

function certificateRecord({
  id,
  agentId,
  name,
  status,
  lastCheckAt,
  message,
  error,
  expiresAt,
  knownSince,
}: CertificateAt): MomentCertificate {
  return {
    ...{ id, agent_id: agentId, name, status },
    last_check_at: wireTime(lastCheckAt),
    ...{ message, error },
    expires_at: wireTime(expiresAt),
    known_since: wireTime(knownSince),
  };
}
