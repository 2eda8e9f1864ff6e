import type { CertificateRecord } from "../../../../src/monitoring/certificates/answers.ts";
import type { EndpointRecord } from "../../../../src/monitoring/endpoints/answers.ts";
import type { HeartbeatRecord } from "../../../../src/monitoring/heartbeats/answers.ts";
import { CERTIFICATE_WORDS, daysWords } from "../../format/certificate-status.ts";
import { endpointStatus, FAILURE_WORDS, observedError } from "../../format/endpoint-status.ts";
import { explainExitCode } from "../../format/exit-code.ts";
import { impactOf } from "../../format/impact.ts";
import { heartbeatNeedsAttention } from "../../format/heartbeat-status.ts";
import { scheduleWords, secondsWords } from "../../format/schedule.ts";
import { asSentence } from "../../format/sentence.ts";
import { withLocalTimes } from "../../format/time.ts";
import { addressOf } from "../certificates/address.ts";
import type { Attention } from "./attention.ts";

/** The endpoints that fail. One that answers with a bad certificate is left to that certificate, where it is watched. */
export function endpointAttention(endpoints: readonly EndpointRecord[], certificates: readonly CertificateRecord[]): Attention[] {
  const coveredByCertificate = new Set(certificates.filter(isBad).map(({ endpoint_id }) => endpoint_id));
  return endpoints
    .filter(({ active, paused, status }) => active && !paused && (status === "down" || status === "degraded"))
    .filter(({ id, status, consecutive_failures }) => status === "down" || consecutive_failures > 0 || !coveredByCertificate.has(id))
    .map((endpoint) => ({
      type: "endpoint",
      id: String(endpoint.id),
      name: endpoint.name,
      status: endpoint.status === "down" ? "down" : "degraded",
      impact: endpoint.status === "down" ? "outage" : "degraded",
      what: `is ${endpoint.status}`,
      why: asSentence(endpointWhy(endpoint)),
      where: endpoint.name === endpoint.target ? "" : endpoint.target,
      agentId: endpoint.agent_id,
      since: endpoint.status_since,
      isSettled: false,
    }));
}

function endpointWhy(endpoint: EndpointRecord): string {
  const { last_failure_class: failure } = endpoint;
  if (endpoint.status === "degraded" && endpoint.consecutive_failures === 0) return endpointStatus(endpoint).cause ?? "";
  return observedError(endpoint) ?? (failure === null ? "" : FAILURE_WORDS[failure]);
}

/** The heartbeats that are late, or whose job failed. */
export function heartbeatAttention(heartbeats: readonly HeartbeatRecord[]): Attention[] {
  return heartbeats.filter(heartbeatNeedsAttention).map((record) => ({
    type: "heartbeat",
    id: String(record.id),
    name: record.name,
    status: record.status === "down" ? "down" : "degraded",
    impact: record.status === "down" ? "outage" : "degraded",
    ...heartbeatWords(record),
    where: scheduleWords(record),
    agentId: record.agent_id,
    since: record.failing_since ?? record.status_changed_at,
    isSettled: false,
  }));
}

function heartbeatWords(record: HeartbeatRecord): { what: string; why: string } {
  const { reason, status, last_exit_code: code, max_runtime_seconds: limit } = record;
  const again = status === "started" ? "The next run is in progress." : "";
  switch (reason) {
    case "exit_code": {
      const meaning = code === null ? undefined : explainExitCode(code);
      return { what: code === null ? "failed" : `failed with exit code ${code}`, why: joined(asSentence(meaning ?? ""), again) };
    }
    case "fail":
      return { what: "failed", why: joined("The job reported a failure.", again) };
    case "timeout":
      return { what: "exceeded max runtime", why: joined(limit === null ? "" : `Max runtime is ${secondsWords(limit)}.`, again) };
    default:
      return {
        what: status === "started" ? "was late" : "is late",
        why: joined(record.last_ping_at === null ? "No ping received yet." : "No ping received in time.", again),
      };
  }
}

/** The certificates that are bad or soon will be. What is not reached is left to its endpoint, where that fails too. */
export function certificateAttention(certificates: readonly CertificateRecord[], failing: ReadonlySet<string>): Attention[] {
  return certificates
    .filter(isBad)
    .filter(({ status, endpoint_id }) => status !== "unreachable" || endpoint_id === null || !failing.has(String(endpoint_id)))
    .map((certificate) => ({
      type: "certificate",
      id: String(certificate.id),
      name: addressOf(certificate),
      status: CERTIFICATE_WORDS[certificate.status].status,
      impact: impactOf(CERTIFICATE_WORDS[certificate.status].status),
      what: certificateWhat(certificate),
      why: (certificate.message === null ? null : withLocalTimes(certificate.message)) ?? asSentence(certificate.last_error ?? ""),
      where: certificate.issuer_org ?? "",
      agentId: certificate.agent_id,
      since: certificate.status_since,
      isSettled: false,
    }));
}

function isBad({ status }: CertificateRecord): boolean {
  return status !== "valid" && status !== "unknown";
}

function certificateWhat({ status, days_until_expiry: days }: CertificateRecord): string {
  switch (status) {
    case "expiring":
      return `has a certificate with ${daysWords(days) ?? "few days left"}`;
    case "expired":
      return "has an expired certificate";
    case "chain_invalid":
      return "has an untrusted certificate";
    default:
      return "presents no certificate";
  }
}

function joined(...sentences: string[]): string {
  return sentences.filter((sentence) => sentence !== "").join(" ");
}
