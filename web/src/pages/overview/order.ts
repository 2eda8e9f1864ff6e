import type { CertificateRecord } from "../../../../src/monitoring/certificates/answers.ts";
import type { EndpointRecord } from "../../../../src/monitoring/endpoints/answers.ts";
import type { HeartbeatRecord } from "../../../../src/monitoring/heartbeats/answers.ts";
import { heartbeatNeedsAttention } from "../../format/heartbeat-status.ts";

/** Those that fail, then the slowest; what is not checked comes last. */
export function bySlowest(endpoints: readonly EndpointRecord[]): EndpointRecord[] {
  return endpoints.toSorted(
    (one, other) =>
      endpointRank(one) - endpointRank(other) ||
      (other.last_response_time_ms ?? 0) - (one.last_response_time_ms ?? 0) ||
      one.name.localeCompare(other.name),
  );
}

function endpointRank({ paused, status }: EndpointRecord): number {
  if (paused) return 4;
  return { down: 0, degraded: 1, up: 2, unknown: 3 }[status];
}

/** Those that are late or failed, then those whose ping is expected next; what is not expected comes last. */
export function bySoonestExpected(heartbeats: readonly HeartbeatRecord[]): HeartbeatRecord[] {
  return heartbeats.toSorted(
    (one, other) =>
      Number(heartbeatNeedsAttention(other)) - Number(heartbeatNeedsAttention(one)) ||
      (one.next_expected_at ?? "9").localeCompare(other.next_expected_at ?? "9") ||
      one.name.localeCompare(other.name),
  );
}

/** The soonest end first; of what no certificate was seen comes last. */
export function bySoonestEnd(certificates: readonly CertificateRecord[]): CertificateRecord[] {
  return certificates.toSorted(
    (one, other) => (one.expires_at ?? "9").localeCompare(other.expires_at ?? "9") || one.domain.localeCompare(other.domain),
  );
}
