import type { Severity } from "../../contract/alert.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS, utcText } from "../../contract/time.ts";
import type { FoundNewer } from "../../monitoring/updates/index.ts";
import { exitCodeOf } from "../world/incidents.ts";
import { shownAt } from "../world/shown.ts";
import { runsSince } from "../world/story.ts";
import { certificatesOf, type PastCertificate, WARNED_DAYS } from "./certificates.ts";
import { LOOP_THRESHOLD, UNHEALTHY_AFTER_MS } from "./containers.ts";
import type { PastEndpoint } from "./endpoint-store.ts";
import type { PastHeartbeat } from "./heartbeats.ts";
import { WORSE_AFTER_MS } from "./image-changes.ts";
import type { Moments, PastContainer } from "./past.ts";

/** An alert of the past, or one that is active. */
export interface PastAlert {
  agentId: string | null;
  source: string;
  event: string;
  entity: { type: string; id: number };
  entityName: string;
  severity: Severity;
  firedMs: number;
  /** null while it is active. */
  resolvedMs: number | null;
  resolution: string | null;
  message: string;
  cause: string | null;
  parents: readonly { type: string; id: string }[];
  labels: Readonly<Record<string, string>>;
  tags: readonly string[];
  details: Readonly<Record<string, unknown>>;
}

/** A container counts as down after so long: the default of SERVICE_CONTAINER_DOWN_AFTER. */
const DOWN_AFTER_MS = 30 * SECOND_MS;
const ENDPOINT_AFTER_MS = 2 * MINUTE_MS;
const RECOVERED_AFTER_MS = 2 * MINUTE_MS;
/** Of an alert that is not over; some name a cause. */
const ACTIVE = { resolvedMs: null, resolution: null, cause: null };

interface Sources {
  past: readonly PastContainer[];
  endpoints: readonly PastEndpoint[];
  heartbeats: readonly PastHeartbeat[];
  updates: readonly FoundNewer[];
}

/** All alerts of the past year, oldest first: each follows from what happened. */
export function alertsOf({ past, endpoints, heartbeats, updates }: Sources, moments: Moments): PastAlert[] {
  return [
    ...past.flatMap((each) => containerAlerts(each, moments)),
    ...past.flatMap(exposureAlerts),
    ...certificatesOf(endpoints, moments).flatMap((each) => expiryAlerts(each, moments)),
    ...endpoints.flatMap((each) => endpointAlerts(each, moments)),
    ...heartbeats.flatMap(heartbeatAlerts),
    ...updates.flatMap((each) => updateAlerts(each, past)),
  ].toSorted((a, b) => a.firedMs - b.firedMs);
}

function containerAlerts(past: PastContainer, { nowMs, updatedMs }: Moments): PastAlert[] {
  const { container, incidents } = past;
  const { name } = container;
  const about = { ...aboutContainer(past), ...containerAsEntity(past), source: "container" };
  const ofItself = { type: "container", id: String(past.id) };
  const unhealthy = {
    ...{ ...about, event: "health_unhealthy", severity: severityOf(past, "warning"), cause: null },
    ...{ message: `${name} is unhealthy: health check failing.`, parents: [ofItself, hostOf(past)] },
  };
  const image = shownAt(container, { atMs: nowMs, updatedMs }).image;
  const alerts = incidents.flatMap(({ kind, fromMs, untilMs }): PastAlert[] => {
    if (kind === "unhealthy")
      return [
        {
          ...{ ...unhealthy, firedMs: fromMs, resolvedMs: untilMs, resolution: "The health check passes again." },
          details: { state: "running", previous_health: "healthy" },
        },
      ];
    if (untilMs - fromMs <= DOWN_AFTER_MS) return [];
    const isOom = kind === "oom";
    const exitCode = exitCodeOf({ kind });
    return [
      {
        ...{ ...about, event: "down", severity: severityOf(past, "critical"), firedMs: fromMs + DOWN_AFTER_MS },
        ...{ resolvedMs: untilMs, resolution: "The container is running again.", message: `${name} is down.` },
        cause: `last exit code ${exitCode}${isOom ? " (OOM killed)" : ""} at ${utcText(fromMs)}`,
        parents: [hostOf(past)],
        details: {
          ...{ state: "exited", exit_code: exitCode, oom_killed: isOom, error_detail: null },
          since: new Date(fromMs).toISOString(),
        },
      },
    ];
  });
  if (container.fate === "unhealthy")
    alerts.push({
      ...{ ...unhealthy, ...ACTIVE, firedMs: updatedMs + UNHEALTHY_AFTER_MS },
      details: { state: "running", previous_health: "healthy", image },
    });
  if (container.fate === "crashing") {
    const [before, now] = past.generations.slice(-2).map((generation) => generation.image);
    alerts.push({
      ...{ ...about, ...ACTIVE, source: "update", event: "regression", severity: severityOf(past, "warning") },
      firedMs: updatedMs + WORSE_AFTER_MS,
      cause: `its image changed from ${before} to ${now}`,
      message: `${name} performs worse since its image changed: it restarted unexpectedly.`,
      parents: [ofItself, hostOf(past)],
      details: { image: now, previous_image: before, changed_at: new Date(updatedMs).toISOString() },
    });
    alerts.push({
      ...{ ...about, ...ACTIVE, event: "restart_loop", severity: severityOf(past, "critical"), firedMs: loopBeganMs(updatedMs) },
      message: `${name} is crash-looping: ${LOOP_THRESHOLD} restarts in 10 min.`,
      cause: `last exit code 1 at ${utcText(loopBeganMs(updatedMs) - 4 * SECOND_MS)}; image changed at ${utcText(updatedMs)}`,
      parents: [hostOf(past)],
      details: { restarts: LOOP_THRESHOLD, threshold: LOOP_THRESHOLD, window_seconds: 600, image },
    });
  }
  return alerts;
}

function loopBeganMs(updatedMs: number): number {
  for (const { restarts, startedMs } of runsSince(updatedMs)) if (restarts === LOOP_THRESHOLD) return startedMs;
  return updatedMs;
}

function endpointAlerts({ id, of, check, name, outages }: PastEndpoint, { nowMs }: Moments): PastAlert[] {
  // What does not run is not checked.
  if (of.container.fate === "crashing") return outages.slice(0, -1).flatMap((each) => endpointAlert(each));
  return outages.flatMap((each) => endpointAlert(each));

  function endpointAlert({ fromMs, untilMs }: PastEndpoint["outages"][number]): PastAlert[] {
    const firedMs = fromMs + ENDPOINT_AFTER_MS;
    if (firedMs >= Math.min(untilMs, nowMs)) return [];
    const status = of.container.fate === "unhealthy" ? 503 : 502;
    const error = `status ${status}, expected 2xx`;
    const isOver = untilMs < nowMs;
    return [
      {
        ...{ ...aboutContainer(of), source: "endpoint", event: "consecutive_failure", entity: { type: "endpoint", id }, entityName: name },
        ...{ severity: severityOf(of, "critical"), firedMs, resolvedMs: isOver ? untilMs + RECOVERED_AFTER_MS : null },
        ...{ resolution: isOver ? "Its checks succeed again." : null, message: `${name} failed 3 checks in a row: ${error}.`, cause: null },
        parents: [{ type: "container", id: String(of.id) }, hostOf(of)],
        details: {
          ...{ target: check.target, type: "http", error, failure_class: "http", http_status: status },
          ...{ failing_since: new Date(fromMs).toISOString(), container_id: of.id, container_name: of.container.name },
        },
      },
    ];
  }
}

/** As long as the present container is there. */
function exposureAlerts(past: PastContainer): PastAlert[] {
  const { container, generations } = past;
  const open = container.ports.find(({ hostIp }) => hostIp === "0.0.0.0");
  if (open === undefined && !container.privileged) return [];
  return [
    {
      ...{ ...aboutContainer(past), ...containerAsEntity(past), ...ACTIVE, source: "security", event: "dangerous_configuration" },
      ...{ severity: "critical", firedMs: (generations.at(-1)?.createdMs ?? 0) + 3 * SECOND_MS },
      message:
        open === undefined
          ? `${container.name} has risky settings: it is privileged.`
          : `${container.name} is exposed: port ${open.containerPort}/tcp is open on all interfaces.`,
      parents: [hostOf(past)],
      details: {},
    },
  ];
}

function expiryAlerts({ id, domain, of, expiresMs }: PastCertificate, { nowMs }: Moments): PastAlert[] {
  const firedMs = expiresMs - WARNED_DAYS * DAY_MS;
  if (firedMs > nowMs) return [];
  return [
    {
      ...{ ...aboutContainer(of), source: "certificate", event: "expiring", entity: { type: "certificate", id }, entityName: domain },
      ...{ ...ACTIVE, severity: "critical", firedMs, parents: [] },
      message: `The certificate of ${domain} expires in ${Math.floor((expiresMs - nowMs) / DAY_MS)} days.`,
      details: { domain, port: 443, expires_at: new Date(expiresMs).toISOString(), threshold_days: WARNED_DAYS },
    },
  ];
}

function heartbeatAlerts({ id, name, runs }: PastHeartbeat): PastAlert[] {
  return runs.flatMap(({ atMs, exitCode, overMs }): PastAlert[] => {
    if (exitCode === 0) return [];
    const isMissed = exitCode === null;
    return [
      {
        ...{ agentId: null, source: "heartbeat", event: "deadline_missed", entity: { type: "heartbeat", id }, entityName: name },
        ...{ severity: "critical", firedMs: atMs, resolvedMs: overMs, resolution: overMs === null ? null : "It reported again." },
        message: isMissed ? `${name} did not report in time.` : `${name} ended with exit code ${exitCode}.`,
        // As in a real one: a report that is the failure itself is not named as the last.
        ...{ cause: isMissed ? `last report at ${utcText(atMs - DAY_MS)}` : null, parents: [], labels: {}, tags: [] },
        details: { reason: isMissed ? "deadline" : "exit_code", exit_code: exitCode },
      },
    ];
  });
}

function updateAlerts({ containerId, type, currentTag, tag, seenMs }: FoundNewer, past: readonly PastContainer[]): PastAlert[] {
  const of = past.find(({ id }) => id === containerId);
  if (of === undefined) return [];
  const { name, image } = of.container;
  return [
    {
      ...{ ...aboutContainer(of), ...containerAsEntity(of), ...ACTIVE, source: "update", event: "available" },
      ...{ severity: "info", firedMs: seenMs },
      message:
        type === "digest"
          ? `${name} can be updated: its tag ${currentTag} has a newer digest.`
          : `${name} can be updated from ${currentTag} to ${tag} (${type}).`,
      parents: [hostOf(of)],
      details: { update_type: type, current_tag: currentTag, available_tag: tag, image },
    },
  ];
}

function aboutContainer({ container }: PastContainer): Pick<PastAlert, "agentId" | "labels" | "tags"> {
  return {
    agentId: container.host.agentId,
    labels: container.labels,
    tags: container.labels["service.alert.tags"]?.split(",") ?? [],
  };
}

function containerAsEntity({ id, container }: PastContainer): Pick<PastAlert, "entity" | "entityName"> {
  return { entity: { type: "container", id }, entityName: container.name };
}

function hostOf({ container }: PastContainer): PastAlert["parents"][number] {
  return { type: "agent", id: container.host.agentId ?? "local" };
}

/** By the label where there is one. */
function severityOf({ container }: PastContainer, usual: PastAlert["severity"]): PastAlert["severity"] {
  return container.labels["service.alert.severity"] === "critical" ? "critical" : usual;
}
