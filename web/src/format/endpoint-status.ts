import { isLastKnown } from "../../../src/contract/endpoint.ts";
import type { EndpointRecord } from "../../../src/monitoring/endpoints/answers.ts";
import type { ContainerStatus } from "./status-facts.ts";
import { lastKnown } from "./last-known.ts";
import { countOf } from "./number.ts";

/** What the words below are made of. */
export type EndpointFacts = Pick<
  EndpointRecord,
  | "status"
  | "status_since"
  | "status_reason"
  | "paused"
  | "active"
  | "inactive_since"
  | "consecutive_failures"
  | "last_check_at"
  | "last_observed_at"
  | "last_error"
  | "last_failure_class"
  | "last_http_status"
> & { config: Pick<EndpointRecord["config"], "failure_threshold" | "interval_seconds"> };

/** Status, word and cause of an endpoint: `Down` because of `HTTP 503` for `8 min`. */
export function endpointStatus(facts: EndpointFacts): ContainerStatus {
  const since = { at: facts.status_since, form: "for" } as const;
  if (!facts.active)
    return {
      status: "idle",
      word: "Inactive",
      cause: "label removed",
      since: { at: facts.inactive_since ?? facts.status_since, form: "ago" },
    };
  if (facts.paused) return { status: "idle", word: "Paused", cause: undefined, since };
  switch (facts.status) {
    case "up":
      return { status: "ok", word: "Up", cause: failingCause(facts), since };
    case "degraded":
      return { status: "degraded", word: "Degraded", cause: failingCause(facts) ?? reasonWords(facts.status_reason), since };
    case "down":
      return { status: "down", word: "Down", cause: failureWords(facts), since };
    case "unknown":
      return { status: "idle", word: "Unknown", cause: failingCause(facts) ?? reasonWords(facts.status_reason), since: undefined };
  }
}

/** The same, marked as last known where its host is not seen or its checks see nothing. */
export function shownEndpointStatus(facts: EndpointFacts, isHostUnseen: boolean): ContainerStatus {
  const current = endpointStatus(facts);
  if (isUnobserved(facts)) return lastKnown({ ...current, cause: facts.last_error ?? undefined });
  return isHostUnseen ? lastKnown(current) : current;
}

/** Whether its status is from before: it is still checked, and for too long no check could see it. */
export function isUnobserved(facts: Omit<SightFacts, "status_reason">): boolean {
  const { active, paused, status, last_check_at: checkedAt, last_observed_at: observedAt, config } = facts;
  if (!active || paused || status === "unknown" || checkedAt === null || observedAt === null) return false;
  return isLastKnown({ checkedMs: Date.parse(checkedAt), observedMs: Date.parse(observedAt), intervalMs: config.interval_seconds * 1000 });
}

/** Whether it should be seen and is not: unobserved, or never seen since its checks began. */
export function isEndpointUnseen(facts: SightFacts): boolean {
  return isUnobserved(facts) || (facts.status === "unknown" && facts.status_reason === "not_checked_yet");
}

type SightFacts = Pick<EndpointFacts, "active" | "paused" | "status" | "status_reason" | "last_check_at" | "last_observed_at"> & {
  config: Pick<EndpointRecord["config"], "interval_seconds">;
};

/** The last error if it is one of the endpoint: what keeps its host from looking says nothing of it. */
export function observedError(facts: Pick<EndpointRecord, "last_error" | "last_check_at" | "last_observed_at">): string | null {
  return facts.last_check_at === facts.last_observed_at ? facts.last_error : null;
}

/** Failures that are not enough yet to call it down. */
function failingCause(facts: EndpointFacts): string | undefined {
  const { consecutive_failures: failures, config } = facts;
  if (failures === 0) return undefined;
  const what = failureWords(facts) ?? "failed";
  return `${what}, ${failures} of ${countOf(config.failure_threshold, "failure")}`;
}

export function reasonWords(reason: EndpointRecord["status_reason"]): string | undefined {
  return reason === null ? undefined : REASONS[reason];
}

const REASONS: Readonly<Record<NonNullable<EndpointRecord["status_reason"]>, string>> = {
  not_checked_yet: "not checked yet",
  paused: "paused",
  container_stopped: "container not running",
  service_stopped: "service scaled to zero",
  label_removed: "label removed",
  certificate_untrusted: "certificate not trusted",
  certificate_expiring: "certificate expires within 7 days",
};

/** What kind of failure it is, in a few words; undefined when it did not fail. */
export function failureWords({
  last_failure_class: failure,
  last_http_status: http,
}: Pick<EndpointRecord, "last_failure_class" | "last_http_status">): string | undefined {
  if (failure === null) return undefined;
  return failure === "http" && http !== null ? `HTTP ${http}` : FAILURE_WORDS[failure];
}

export const FAILURE_WORDS: Readonly<Record<NonNullable<EndpointRecord["last_failure_class"]>, string>> = {
  dns: "DNS lookup failed",
  connect: "connection failed",
  timeout: "timed out",
  tls: "TLS error",
  http: "unexpected status",
  assertion: "unexpected content",
};

/** Where an endpoint comes from: `Label service.endpoint.http on web`, or `Added manually`. */
export function endpointSource({
  label_key,
  container_name,
  service_name,
}: Pick<EndpointRecord, "label_key" | "container_name" | "service_name">): string {
  const owner = service_name === null ? container_name : `service ${service_name}`;
  return owner === null ? "Added manually" : `Label ${label_key ?? ""} on ${owner}`;
}
