import { isLastKnown } from "../../contract/endpoint.ts";
import { DAY_MS } from "../../contract/time.ts";
import type { EndpointStatus } from "../../events.ts";
import type { CheckResult, EndpointCheck, FailureClass, ContainerSettings, LabelError, Severity } from "../../observations.ts";
import { labelEndpointKey, standaloneEndpointKey } from "../../observations.ts";
import { serviceOfCheckOwner } from "../../observations/swarm.ts";
import type { Check } from "./checks/head.ts";

/** The container whose label asks for an endpoint, or the service of a swarm, as its events describe it. */
export interface EndpointContainer {
  /** Of a service it is {@link serviceCheckOwner}. */
  externalId: string;
  /** null once it is gone for good, and of a service. */
  id: number | null;
  name: string;
  /** With the values that look secret masked. */
  labels: Readonly<Record<string, string>>;
  /** null until the host has reported it since the start of the program. */
  running: boolean | null;
}

/** How an endpoint is doing, by its checks. */
export interface EndpointState {
  status: EndpointStatus;
  statusSince: Date;
  /** It went down and has not recovered. */
  alerting: boolean;
  /** When the first of the failures in a row was seen; null while there is none. */
  failingSince: Date | null;
  consecutiveFailures: number;
  consecutiveSuccesses: number;
  lastCheckAt: Date | null;
  /** Of the last check that says something of it; null: there was none. */
  lastObservedAt: Date | null;
  lastResponseTimeMs: number | null;
  lastHttpStatus: number | null;
  lastError: string | null;
  lastFailureClass: FailureClass | null;
  /** By the last check that saw one. */
  certificate: CheckResult["certificate"];
}

/** What is checked, why, and how it is doing. */
export interface Endpoint {
  agentId: string | null;
  /** null for a standalone one. */
  container: EndpointContainer | null;
  labelKey: string | null;
  name: string;
  /** What the program calls it that set it up with others; null for all else. */
  callerKey: string | null;
  /** With credentials: those of labels are never stored. */
  check: EndpointCheck;
  alerts: AlertSettings;
  paused: boolean;
  /** Since when its label is gone; null while it is there. */
  inactiveSince: Date | null;
  createdAt: Date;
  /** Of the definition. */
  updatedAt: Date;
  state: EndpointState;
}

/** An endpoint with the identifier that storage gave it. */
export type SavedEndpoint = Endpoint & { id: number };

export type Thresholds = Pick<EndpointCheck, "failureThreshold" | "recoveryThreshold">;

/** What a check changed in addition to the counters. */
export type CheckChange = "alert" | "recovery" | "status" | undefined;

const WEEK_MS = 7 * DAY_MS;

/** Nothing is known of it, or nobody looks. */
export function notChecked(now: Date): EndpointState {
  return {
    status: "unknown",
    statusSince: now,
    alerting: false,
    failingSince: null,
    consecutiveFailures: 0,
    consecutiveSuccesses: 0,
    lastCheckAt: null,
    lastObservedAt: null,
    lastResponseTimeMs: null,
    lastHttpStatus: null,
    lastError: null,
    lastFailureClass: null,
    certificate: null,
  };
}

/** Nobody looks any more: what was seen last is remembered, what follows from it is not. The same object when nothing changes. */
export function suspend(state: EndpointState, now: Date): EndpointState {
  if (state.status === "unknown" && state.consecutiveFailures === 0) return state;
  return {
    ...state,
    status: "unknown",
    statusSince: state.status === "unknown" ? state.statusSince : now,
    alerting: false,
    failingSince: null,
    consecutiveFailures: 0,
    consecutiveSuccesses: 0,
  };
}

/**
 * One check more, newer than those before. Down after as many failures in a row as the threshold; up again after as many successes;
 * a first success is believed at once. One that was not observed changes nothing but the time and the error. `certificate` is what the check saw of it,
 * undefined when that is not known. Source: contract, section 2.
 */
export function applyCheck(
  state: EndpointState,
  check: Check,
  { failureThreshold, recoveryThreshold }: Thresholds,
  certificate: CheckResult["certificate"] | undefined,
): { next: EndpointState; change: CheckChange } {
  const at = new Date(check.atMs);
  if (!check.observed) return { next: { ...state, lastCheckAt: at, lastError: check.error }, change: undefined };
  const seen = certificate === undefined || (certificate === null && !check.success) ? state.certificate : certificate;
  const next: EndpointState = {
    ...state,
    failingSince: check.success ? null : (state.failingSince ?? at),
    consecutiveFailures: check.success ? 0 : state.consecutiveFailures + 1,
    consecutiveSuccesses: check.success ? state.consecutiveSuccesses + 1 : 0,
    lastCheckAt: at,
    lastObservedAt: at,
    lastResponseTimeMs: check.responseTimeMs,
    lastHttpStatus: check.httpStatus,
    lastError: check.error,
    lastFailureClass: check.failureClass,
    certificate: seen,
  };
  if (!check.success) {
    if (next.consecutiveFailures < failureThreshold || state.status === "down") return { next, change: undefined };
    return { next: { ...next, status: "down", statusSince: at, alerting: true }, change: "alert" };
  }
  if (state.status === "down" && next.consecutiveSuccesses < recoveryThreshold) return { next, change: undefined };
  const status = isTroubled(seen, at) ? "degraded" : "up";
  if (status === state.status) return { next, change: undefined };
  return { next: { ...next, status, statusSince: at, alerting: false }, change: state.alerting ? "recovery" : "status" };
}

/** Not trusted, or over within a week. */
function isTroubled(certificate: EndpointState["certificate"], at: Date): boolean {
  return certificate !== null && (!certificate.trusted || expiresSoon(certificate, at));
}

export function expiresSoon({ expiresAt }: { expiresAt: Date | null }, at: Date): boolean {
  return expiresAt !== null && expiresAt.getTime() - at.getTime() < WEEK_MS;
}

/** Whether the journal of checks alone would not bring a state back from the one before. */
export function mustBeSaved(before: EndpointState, after: EndpointState): boolean {
  return (
    before.status !== after.status ||
    before.alerting !== after.alerting ||
    before.certificate?.trusted !== after.certificate?.trusted ||
    before.certificate?.expiresAt?.getTime() !== after.certificate?.expiresAt?.getTime()
  );
}

/** Whether a check says what was known before it. Not one that counts towards a threshold: with the next it may be reached. */
export function repeats(before: EndpointState, after: EndpointState): boolean {
  return !mustBeSaved(before, after) && after.consecutiveFailures > 0 === (before.status === "down");
}

/** The service of a swarm whose label asks for it. */
export function serviceOf({ container }: Pick<Endpoint, "container">): { id: string; name: string } | undefined {
  const id = container === null ? undefined : serviceOfCheckOwner(container.externalId);
  return container === null || id === undefined ? undefined : { id, name: container.name };
}

export function isChecked({ inactiveSince, paused, container }: Endpoint): boolean {
  return inactiveSince === null && !paused && (container === null || container.running === true);
}

/**
 * The status by which lists filter and count: what is only the last known to be up is unknown there, since what is not seen is not well. What was
 * wrong stays so. Source: contract, section 19.
 */
export function listedStatus({ state, check }: Pick<Endpoint, "state" | "check">, isHostLost: boolean): EndpointStatus {
  const { status, lastCheckAt, lastObservedAt } = state;
  if (status !== "up") return status;
  const isUnobserved =
    lastCheckAt !== null &&
    lastObservedAt !== null &&
    isLastKnown({ checkedMs: lastCheckAt.getTime(), observedMs: lastObservedAt.getTime(), intervalMs: check.intervalMs });
  return isHostLost || isUnobserved ? "unknown" : status;
}

/** What its host calls it in its results. */
export function keyOf({ id, container, labelKey }: Pick<SavedEndpoint, "id" | "container" | "labelKey">): string {
  return container === null || labelKey === null ? standaloneEndpointKey(id) : labelEndpointKey(container.externalId, labelKey);
}

/** How long one check speaks for its endpoint: until the next, which may be late. */
export function longestMs({ intervalMs, timeoutMs }: Pick<EndpointCheck, "intervalMs" | "timeoutMs">): number {
  return 1.5 * intervalMs + timeoutMs;
}

/** Who is notified of what is checked for a container, and how severe it is. */
export interface AlertSettings {
  severity: Severity;
  channels: readonly string[];
  tags: readonly string[];
}

const SEVERITY_LABEL = "service.alert.severity";

/** What its labels say; without a word on the severity it is critical, while the settings have the default of containers. */
export function alertsOf({
  labels,
  labelErrors,
  settings,
}: {
  labels: Readonly<Record<string, string>>;
  labelErrors: readonly LabelError[];
  settings: ContainerSettings;
}): AlertSettings {
  const isSet = Object.hasOwn(labels, SEVERITY_LABEL) && labelErrors.every(({ label }) => label !== SEVERITY_LABEL);
  return { severity: isSet ? settings.alertSeverity : "critical", channels: settings.alertChannels, tags: settings.alertTags };
}
