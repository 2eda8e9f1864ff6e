import type { Insertable, Selectable, Generated } from "kysely";
import { toDate } from "../../contract/time.ts";
import type { ContainerState } from "../../events.ts";
import {
  DEFAULT_UPDATE_SETTINGS,
  type Health,
  type HealthFailure,
  type LabelError,
  type Port,
  type RuntimeKind,
  type Severity,
  type UpdateSettings,
} from "../../observations.ts";
import type { Container, GroupSource, Transition } from "./container.ts";

/** The columns of this feature's tables; see storage/migrations/001-containers.ts for their meaning. */
export interface ContainerTables {
  containers: ContainerRow;
  container_generations: GenerationRow;
  /** What the migration joined, until that was logged. */
  container_joins: { container_id: number; into_id: number; name: string };
  transitions: TransitionRow;
  watched_spans: { id: Generated<number>; agent_id: string | null; started_at: number; ended_at: number };
}

interface ContainerRow {
  id: Generated<number>;
  agent_id: string | null;
  external_id: string;
  identity: string;
  /** Only ever counted up, one at a time. */
  generation: Generated<number>;
  recreated_at: number | null;
  name: string;
  image: string;
  image_digest: string | null;
  image_id: string | null;
  image_platform: string | null;
  /** null in rows of before 017. */
  update_settings: string | null;
  state: string;
  health: string | null;
  exit_code: number | null;
  oom_killed: number;
  error_detail: string | null;
  stop_requested: number;
  group_name: string;
  group_source: string;
  unit: string | null;
  is_ignored: number;
  restart_count: number;
  restart_threshold: number;
  /** 0: never alerted; null: after the time that the program has. */
  down_after_ms: number | null;
  restarts: string;
  loop_severity: string | null;
  loop_since: number | null;
  alert_severity: string;
  alert_channels: string;
  alert_tags: string;
  label_errors: string;
  ports: string;
  network_mode: string | null;
  privileged: number;
  labels: string;
  runtime: string;
  created_at: number | null;
  started_at: number | null;
  finished_at: number | null;
  first_seen_at: number;
  last_observed_at: number;
  last_state_change_at: number;
  archived_at: number | null;
  removed_at: number | null;
}

/** A container that was re-created since. */
export interface GenerationRow {
  container_id: number;
  agent_id: string | null;
  external_id: string;
  image: string;
  image_digest: string | null;
  created_at: number | null;
  started_at: number | null;
  ended_at: number;
  end_reason: string;
  archived_at: number | null;
}

interface TransitionRow {
  id: Generated<number>;
  container_id: number;
  previous_state: string | null;
  new_state: string;
  previous_health: string | null;
  new_health: string | null;
  exit_code: number | null;
  oom_killed: number;
  stop_requested: number;
  log_snippet: string | null;
  /** JSON of a {@link HealthFailure}. */
  health_failure: string | null;
  replayed: number;
  occurred_at: number;
}

/** New states of transitions that are ends; a policy may have made a restart of one. */
export const ENDS: readonly string[] = ["exited", "completed", "dead", "restarting"];

/** A container with the identifier that storage gave it. */
export type SavedContainer = Container & { id: number };

export interface SavedTransition extends Transition {
  id: number;
  containerId: number;
  logSnippet: string | null;
  replayed: boolean;
}

export function containerFromRow(row: Selectable<ContainerRow>): SavedContainer {
  return {
    id: row.id,
    agentId: row.agent_id,
    externalId: row.external_id,
    identity: row.identity,
    generation: row.generation,
    recreatedAt: toDate(row.recreated_at),
    name: row.name,
    image: row.image,
    imageDigest: row.image_digest,
    imageId: row.image_id,
    imagePlatform: row.image_platform,
    // These columns hold what toRow wrote, which is of these types.
    state: row.state as ContainerState,
    health: row.health as Health | null,
    exitCode: row.exit_code,
    oomKilled: row.oom_killed === 1,
    errorDetail: row.error_detail,
    stopRequested: row.stop_requested === 1,
    group: row.group_name,
    groupSource: row.group_source as GroupSource,
    unit: row.unit,
    settings: {
      ignored: row.is_ignored === 1,
      group: row.group_source === "label" ? row.group_name : null,
      alertSeverity: row.alert_severity as Severity,
      alertChannels: JSON.parse(row.alert_channels) as string[],
      alertTags: JSON.parse(row.alert_tags) as string[],
      restartThreshold: row.restart_threshold,
      downAfterMs: row.down_after_ms,
      updates: row.update_settings === null ? DEFAULT_UPDATE_SETTINGS : (JSON.parse(row.update_settings) as UpdateSettings),
    },
    labelErrors: JSON.parse(row.label_errors) as LabelError[],
    restartCount: row.restart_count,
    restartHistory: {
      restarts: (JSON.parse(row.restarts) as number[]).map((time) => new Date(time)),
      loop:
        row.loop_severity === null || row.loop_since === null
          ? null
          : { severity: row.loop_severity as Severity, since: new Date(row.loop_since) },
    },
    ports: JSON.parse(row.ports) as Port[],
    networkMode: row.network_mode,
    privileged: row.privileged === 1,
    labels: JSON.parse(row.labels) as Record<string, string>,
    runtime: row.runtime as RuntimeKind,
    createdAt: toDate(row.created_at),
    startedAt: toDate(row.started_at),
    finishedAt: toDate(row.finished_at),
    firstSeenAt: new Date(row.first_seen_at),
    lastObservedAt: new Date(row.last_observed_at),
    lastStateChangeAt: new Date(row.last_state_change_at),
    archivedAt: toDate(row.archived_at),
    removedAt: toDate(row.removed_at),
  };
}

export function containerToRow(container: Container): Insertable<ContainerRow> {
  return {
    agent_id: container.agentId,
    external_id: container.externalId,
    identity: container.identity,
    recreated_at: container.recreatedAt?.getTime() ?? null,
    name: container.name,
    image: container.image,
    image_digest: container.imageDigest,
    image_id: container.imageId,
    image_platform: container.imagePlatform,
    state: container.state,
    health: container.health,
    exit_code: container.exitCode,
    oom_killed: Number(container.oomKilled),
    error_detail: container.errorDetail,
    stop_requested: Number(container.stopRequested),
    group_name: container.group,
    group_source: container.groupSource,
    unit: container.unit,
    is_ignored: Number(container.settings.ignored),
    restart_count: container.restartCount,
    restart_threshold: container.settings.restartThreshold,
    down_after_ms: container.settings.downAfterMs,
    update_settings: JSON.stringify(container.settings.updates),
    restarts: JSON.stringify(container.restartHistory.restarts.map((time) => time.getTime())),
    loop_severity: container.restartHistory.loop?.severity ?? null,
    loop_since: container.restartHistory.loop?.since.getTime() ?? null,
    alert_severity: container.settings.alertSeverity,
    alert_channels: JSON.stringify(container.settings.alertChannels),
    alert_tags: JSON.stringify(container.settings.alertTags),
    label_errors: JSON.stringify(container.labelErrors),
    ports: JSON.stringify(container.ports),
    network_mode: container.networkMode,
    privileged: Number(container.privileged),
    labels: JSON.stringify(container.labels),
    runtime: container.runtime,
    created_at: container.createdAt?.getTime() ?? null,
    started_at: container.startedAt?.getTime() ?? null,
    finished_at: container.finishedAt?.getTime() ?? null,
    first_seen_at: container.firstSeenAt.getTime(),
    last_observed_at: container.lastObservedAt.getTime(),
    last_state_change_at: container.lastStateChangeAt.getTime(),
    archived_at: container.archivedAt?.getTime() ?? null,
    removed_at: container.removedAt?.getTime() ?? null,
  };
}

export function transitionFromRow(row: Selectable<TransitionRow>): SavedTransition {
  return {
    id: row.id,
    containerId: row.container_id,
    previousState: row.previous_state as ContainerState | null,
    newState: row.new_state as ContainerState,
    previousHealth: row.previous_health as Health | null,
    newHealth: row.new_health as Health | null,
    healthFailure: healthFailureFromText(row.health_failure),
    exitCode: row.exit_code,
    oomKilled: row.oom_killed === 1,
    stopRequested: row.stop_requested === 1,
    logSnippet: row.log_snippet,
    replayed: row.replayed === 1,
    at: new Date(row.occurred_at),
  };
}

/** The two columns of a state; null where there was none. */
export function stateFromColumns(state: string | null, health: string | null): { state: ContainerState; health: Health | null } | null {
  return state === null ? null : { state: state as ContainerState, health: health as Health | null };
}

export function transitionToRow(containerId: number, transition: Transition, replayed: boolean): Insertable<TransitionRow> {
  return {
    container_id: containerId,
    previous_state: transition.previousState,
    new_state: transition.newState,
    previous_health: transition.previousHealth,
    new_health: transition.newHealth,
    health_failure: healthFailureToText(transition.healthFailure),
    exit_code: transition.exitCode,
    oom_killed: Number(transition.oomKilled),
    stop_requested: Number(transition.stopRequested),
    log_snippet: null,
    replayed: Number(replayed),
    occurred_at: transition.at.getTime(),
  };
}

export function healthFailureFromText(text: string | null): HealthFailure | null {
  if (text === null) return null;
  // The column holds what healthFailureToText wrote.
  const { exitCode, output, endedAt } = JSON.parse(text) as { exitCode: number; output: string; endedAt: number };
  return { exitCode, output, endedAt: new Date(endedAt) };
}

function healthFailureToText(failure: HealthFailure | null): string | null {
  return failure === null ? null : JSON.stringify({ ...failure, endedAt: failure.endedAt.getTime() });
}
