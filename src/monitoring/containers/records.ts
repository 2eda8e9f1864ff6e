import { wireTime } from "../../contract/time.ts";
import type { HealthFailure } from "../../observations.ts";
import type { LogLine } from "../../runtimes/runtime.ts";
import type { ContainerRecord } from "./api.ts";
import type { GenerationRecord, HealthFailureRecord, LogLineRecord, TransitionRecord } from "./answers.ts";
import type { Generation } from "./uptime.ts";
import type { SavedContainer, SavedTransition } from "./rows.ts";

/** A container as it goes over the wire. */
export function containerRecord(
  container: SavedContainer,
  { uptime24h, resources }: { uptime24h: number | null; resources: ContainerRecord["resources"] },
): ContainerRecord {
  return { ...containerFacts(container, uptime24h), resources };
}

/** All of it but what it uses, which changes more often than the rest. */
export function containerFacts(container: SavedContainer, uptime24h: number | null): Omit<ContainerRecord, "resources"> {
  const { settings, restartHistory } = container;
  return {
    id: container.id,
    agent_id: container.agentId,
    external_id: container.externalId,
    generation: container.generation,
    recreated_at: wireTime(container.recreatedAt),
    name: container.name,
    image: container.image,
    image_digest: container.imageDigest,
    state: container.state,
    health: container.health,
    exit_code: container.exitCode,
    oom_killed: container.oomKilled,
    stop_requested: container.stopRequested,
    error_detail: container.errorDetail,
    group: container.group,
    group_source: container.groupSource,
    unit: container.unit,
    is_ignored: settings.ignored,
    restart_count: container.restartCount,
    restart_threshold: settings.restartThreshold,
    restart_loop:
      restartHistory.loop === null
        ? null
        : {
            severity: restartHistory.loop.severity,
            restarts: restartHistory.restarts.length,
            since: restartHistory.loop.since.toISOString(),
          },
    alert_severity: settings.alertSeverity,
    alert_channels: settings.alertChannels,
    alert_tags: settings.alertTags,
    label_errors: [...container.labelErrors],
    ports: container.ports.map(({ containerPort, protocol, hostIp, hostPort }) => ({
      container_port: containerPort,
      protocol,
      host_ip: hostIp,
      host_port: hostPort,
    })),
    network_mode: container.networkMode,
    privileged: container.privileged,
    labels: { ...container.labels },
    runtime: container.runtime,
    created_at: wireTime(container.createdAt),
    started_at: wireTime(container.startedAt),
    finished_at: wireTime(container.finishedAt),
    first_seen_at: container.firstSeenAt.toISOString(),
    last_state_change_at: container.lastStateChangeAt.toISOString(),
    archived_at: wireTime(container.archivedAt),
    uptime_24h: uptime24h,
  };
}

export function transitionRecord(transition: SavedTransition): TransitionRecord {
  return {
    id: transition.id,
    container_id: transition.containerId,
    previous_state: transition.previousState,
    new_state: transition.newState,
    previous_health: transition.previousHealth,
    new_health: transition.newHealth,
    exit_code: transition.exitCode,
    oom_killed: transition.oomKilled,
    stop_requested: transition.stopRequested,
    log_snippet: transition.logSnippet,
    health_failure: healthFailureRecord(transition.healthFailure),
    replayed: transition.replayed,
    timestamp: transition.at.toISOString(),
  };
}

export function healthFailureRecord(failure: HealthFailure | null): HealthFailureRecord {
  return failure === null ? null : { exit_code: failure.exitCode, output: failure.output, ended_at: failure.endedAt.toISOString() };
}

export function generationRecord(generation: Generation, number: number): GenerationRecord {
  return {
    number,
    agent_id: generation.agentId,
    external_id: generation.externalId,
    image: generation.image,
    image_digest: generation.imageDigest,
    created_at: wireTime(generation.createdAt),
    started_at: wireTime(generation.startedAt),
    ended_at: wireTime(generation.endedAt),
    end_reason: generation.endReason,
  };
}

export function logLineRecords(lines: readonly LogLine[], withTimestamps: boolean): LogLineRecord[] {
  // Lines that were written together share their time.
  let latest: Date | null = null;
  let time: string | null = null;
  return lines.map(({ timestamp, stream, text }) => {
    if (withTimestamps && timestamp !== latest) {
      latest = timestamp;
      time = wireTime(timestamp);
    }
    return { timestamp: time, stream, text };
  });
}
