import type { StripState } from "../../../contract/strip.ts";
import { wireTime } from "../../../contract/time.ts";
import { CERTIFICATE_STATUSES } from "../../../contract/certificate.ts";
import { compareNames } from "../../../contract/names.ts";
import type { CertificateAt, Certificates } from "../../../monitoring/certificates/index.ts";
import type { EndpointAt, Endpoints } from "../../../monitoring/endpoints/index.ts";
import type { HeartbeatAt, Heartbeats } from "../../../monitoring/heartbeats/index.ts";
import type { Whose } from "../../../platform/look-back.ts";
import type { Moment, MomentAlert, MomentCertificate, MomentEndpoint, MomentHeartbeat } from "./answers.ts";

export interface CheckedParts {
  endpoints: Pick<Endpoints, "at">;
  heartbeats: Pick<Heartbeats, "at">;
  certificates: Pick<Certificates, "at">;
}

export interface Checked {
  endpoints: readonly EndpointAt[];
  heartbeats: readonly HeartbeatAt[];
  certificates: readonly CertificateAt[];
}

/** How what is checked was at a moment, by its checks and pings. */
export async function readChecked({ endpoints, heartbeats, certificates }: CheckedParts, at: Date, whose: Whose): Promise<Checked> {
  const [ofEndpoints, ofHeartbeats, ofCertificates] = await Promise.all([
    endpoints.at(at, whose),
    // They belong to no host.
    whose === undefined ? heartbeats.at(at) : [],
    certificates.at(at, whose),
  ]);
  return { endpoints: ofEndpoints, heartbeats: ofHeartbeats, certificates: ofCertificates };
}

/** In lists: what was not seen may have been down. A strip says otherwise, since there a step knows what was seen in a part of it. */
export const WORST_FIRST: readonly StripState[] = ["down", "degraded", "unknown", "up", "stopped"];

/** The worst first. An active alert says `down` where checks and pings say nothing. */
export function checkedRecords(
  { endpoints, heartbeats, certificates }: Checked,
  { limit, alerts }: { limit: number; alerts: readonly Pick<MomentAlert, "source" | "entity_id">[] },
): Pick<Moment, "endpoints" | "heartbeats" | "certificates"> {
  const alerting = new Set(alerts.map(({ source, entity_id: id }) => `${source} ${id}`));
  return {
    endpoints: listOf(
      endpoints.map((each) => endpointRecord(each, alerting.has(`endpoint ${each.id}`))),
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

export function countsOf<State extends string>(states: readonly State[], items: readonly { status: State }[]): Record<State, number> {
  // Every state has its count.
  const counts = Object.fromEntries(states.map((state) => [state, 0])) as Record<State, number>;
  for (const { status } of items) counts[status] += 1;
  return counts;
}

function endpointRecord({ id, agentId, name, target, status, lastCheck, knownSince }: EndpointAt, isAlerting: boolean): MomentEndpoint {
  return {
    ...{ id, agent_id: agentId, name, target },
    status: status === "unknown" && isAlerting ? "down" : status,
    last_check_at: lastCheck === null ? null : new Date(lastCheck.atMs).toISOString(),
    response_time_ms: lastCheck?.responseTimeMs ?? null,
    error: lastCheck?.error ?? null,
    known_since: wireTime(knownSince),
  };
}

function heartbeatRecord({ id, name, status, lastPingAt, knownSince }: HeartbeatAt, isAlerting: boolean): MomentHeartbeat {
  // A ping in time says nothing of a run that lasted too long.
  const isDown = isAlerting && status !== "stopped";
  return { id, name, status: isDown ? "down" : status, last_ping_at: wireTime(lastPingAt), known_since: wireTime(knownSince) };
}

function certificateRecord({ id, agentId, name, status, lastCheckAt, error, expiresAt, knownSince }: CertificateAt): MomentCertificate {
  return {
    ...{ id, agent_id: agentId, name, status },
    last_check_at: wireTime(lastCheckAt),
    error,
    expires_at: wireTime(expiresAt),
    known_since: wireTime(knownSince),
  };
}
