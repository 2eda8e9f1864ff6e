import { toSighting } from "../../collector/labels.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../contract/time.ts";
import { HOSTS } from "../world/containers.ts";
import { exitCodeOf, type Incident } from "../world/incidents.ts";
import { digestOf } from "../world/identity.ts";
import { shownAt } from "../world/shown.ts";
import { runsSince } from "../world/story.ts";
import { linesOf } from "../world/lines.ts";
import type { Moments, PastContainer } from "./past.ts";
import type { Row, Rows } from "./store.ts";

/** As long as the program keeps what changed. */
const KEPT_MS = 89 * DAY_MS;
const LOOP_WINDOW_MS = 10 * MINUTE_MS;
export const LOOP_THRESHOLD = 3;
/** Until a health check has spoken. */
const STARTING_MS = 18 * SECOND_MS;
/** Until checkout is found unhealthy without payments. */
export const UNHEALTHY_AFTER_MS = 70 * SECOND_MS;
/** The end of a log that is kept with an end. */
const SNIPPET_LINES = 5;

/** Containers, where they came from, and what changed of them. */
export function containerRows(past: readonly PastContainer[], moments: Moments): Rows[] {
  return [
    { table: "containers", rows: past.map((each) => containerRow(each, moments)) },
    { table: "container_generations", rows: past.flatMap(generationRows) },
    { table: "transitions", rows: past.flatMap((each) => transitionRows(each, moments)) },
    {
      table: "watched_spans",
      rows: HOSTS.map(({ agentId }, index) => ({
        id: index + 1,
        agent_id: agentId,
        started_at: moments.startMs,
        ended_at: moments.nowMs - 500,
      })),
    },
  ];
}

function containerRow({ id, container, generations, incidents }: PastContainer, { startMs, nowMs, updatedMs }: Moments): Row {
  const shown = toSighting(shownAt(container, { atMs: nowMs, updatedMs }));
  const { settings } = shown;
  const isCrashing = container.fate === "crashing";
  const restarts = isCrashing ? startsOf(updatedMs, nowMs).slice(1) : [];
  const lastChangeMs = isCrashing
    ? Math.max(updatedMs, shown.finishedAt?.getTime() ?? 0, shown.startedAt?.getTime() ?? 0)
    : container.fate === "unhealthy"
      ? updatedMs + UNHEALTHY_AFTER_MS
      : Math.max(shown.finishedAt?.getTime() ?? 0, shown.startedAt?.getTime() ?? 0, incidents.at(-1)?.untilMs ?? 0);
  return {
    id,
    agent_id: container.host.agentId,
    external_id: shown.externalId,
    identity: `name:${container.name}`,
    generation: generations.length,
    recreated_at: generations.length > 1 ? (generations.at(-1)?.createdMs ?? null) : null,
    name: container.name,
    image: shown.image,
    image_digest: shown.imageDigest,
    image_id: shown.imageId,
    image_platform: shown.imagePlatform,
    update_settings: JSON.stringify(settings.updates),
    state: container.fate === "completed" ? "completed" : shown.state,
    health: shown.health,
    exit_code: shown.exitCode,
    oom_killed: Number(shown.oomKilled),
    error_detail: null,
    stop_requested: 0,
    group_name: container.project,
    group_source: "compose",
    unit: container.unit,
    is_ignored: 0,
    restart_count: shown.restartCount,
    restart_threshold: settings.restartThreshold,
    down_after_ms: settings.downAfterMs,
    restarts: JSON.stringify(restarts.filter((atMs) => nowMs - atMs < LOOP_WINDOW_MS)),
    loop_severity: isCrashing ? "critical" : null,
    loop_since: isCrashing ? (restarts[LOOP_THRESHOLD - 1] ?? null) : null,
    alert_severity: settings.alertSeverity,
    alert_channels: JSON.stringify(settings.alertChannels),
    alert_tags: JSON.stringify(settings.alertTags),
    label_errors: "[]",
    ports: JSON.stringify(shown.ports),
    network_mode: shown.networkMode,
    privileged: Number(shown.privileged),
    labels: JSON.stringify(shown.labels),
    runtime: "docker",
    created_at: shown.createdAt?.getTime() ?? null,
    started_at: shown.startedAt?.getTime() ?? null,
    finished_at: shown.finishedAt?.getTime() ?? null,
    first_seen_at: startMs,
    last_observed_at: nowMs - 500,
    last_state_change_at: lastChangeMs,
    archived_at: null,
    removed_at: null,
  };
}

function generationRows({ id, container, generations }: PastContainer): Row[] {
  return generations.flatMap(({ externalId, image, createdMs, endedMs }) =>
    endedMs === null
      ? []
      : [
          {
            container_id: id,
            agent_id: container.host.agentId,
            external_id: externalId,
            image,
            image_digest: digestOf(image),
            created_at: createdMs,
            started_at: createdMs + 2 * SECOND_MS,
            ended_at: endedMs,
            end_reason: "stopped",
            archived_at: endedMs,
          },
        ],
  );
}

interface Change {
  state: string;
  health: string | null;
  exitCode: number | null;
  oomKilled: boolean;
  asked: boolean;
  snippet: string | null;
  /** Of one that turns unhealthy: what its check printed. */
  checkOutput: string | null;
  atMs: number;
}

/** One change after the other, each from what the one before led to. */
function transitionRows(past: PastContainer, moments: Moments): Row[] {
  const changes = changesOf(past, moments).toSorted((a, b) => a.atMs - b.atMs);
  let before: Change | undefined;
  const rows: Row[] = [];
  for (const change of changes) {
    if (change.atMs > moments.nowMs) break;
    if (change.atMs >= moments.nowMs - KEPT_MS)
      rows.push({
        container_id: past.id,
        previous_state: before?.state ?? null,
        new_state: change.state,
        previous_health: before?.health ?? null,
        new_health: change.health,
        exit_code: change.exitCode,
        oom_killed: Number(change.oomKilled),
        log_snippet: change.snippet,
        health_failure:
          change.checkOutput === null ? null : JSON.stringify({ exitCode: 1, output: change.checkOutput, endedAt: change.atMs - 20 }),
        replayed: 0,
        stop_requested: Number(change.asked),
        occurred_at: change.atMs,
      });
    before = change;
  }
  return rows;
}

function changesOf(past: PastContainer, moments: Moments): Change[] {
  const { container, generations, incidents } = past;
  const { hasHealthCheck, fate } = container;
  if (fate === "completed") return jobChanges(past, moments);
  const well = (atMs: number): Change[] => [
    changeOf({ state: "running", health: hasHealthCheck ? "starting" : null, atMs }),
    ...(hasHealthCheck ? [changeOf({ state: "running", health: "healthy", atMs: atMs + STARTING_MS })] : []),
  ];
  const changes = generations.flatMap(({ createdMs, endedMs }, index) => [
    ...(fate === "crashing" && endedMs === null ? [] : well(createdMs + (index === 0 ? 0 : 2 * SECOND_MS))),
    ...(endedMs === null ? [] : [changeOf({ state: "exited", exitCode: 0, asked: true, atMs: endedMs })]),
  ]);
  changes.push(...incidents.flatMap((incident) => incidentChanges(incident, { container, updatedMs: moments.updatedMs, well })));
  if (fate === "unhealthy") changes.push(unhealthyFrom(moments.updatedMs + UNHEALTHY_AFTER_MS));
  if (fate === "crashing") changes.push(...crashChanges(past, moments));
  return changes;
}

function incidentChanges(
  { kind, fromMs, untilMs }: Incident,
  { container, updatedMs, well }: { container: PastContainer["container"]; updatedMs: number; well: (atMs: number) => Change[] },
): Change[] {
  if (kind === "unhealthy") {
    return [unhealthyFrom(fromMs), changeOf({ state: "running", health: "healthy", atMs: untilMs })];
  }
  const isOom = kind === "oom";
  const lines = linesOf(container, updatedMs).last(SNIPPET_LINES - 1, fromMs);
  const snippet = [...lines.map(({ text }) => text), ...(isOom ? [] : ["fatal: unexpected end of stream"])].join("\n");
  return [changeOf({ state: "exited", exitCode: exitCodeOf({ kind }), oomKilled: isOom, snippet, atMs: fromMs }), ...well(untilMs)];
}

function unhealthyFrom(atMs: number): Change {
  const checkOutput = "wget: server returned error: HTTP/1.1 503 Service Unavailable";
  return changeOf({ state: "running", health: "unhealthy", checkOutput, atMs });
}

function crashChanges({ container }: PastContainer, { nowMs, updatedMs }: Moments): Change[] {
  const lines = linesOf(container, updatedMs);
  const changes: Change[] = [];
  for (const { startedMs, endedMs } of runsSince(updatedMs)) {
    if (startedMs > nowMs) return changes;
    changes.push(changeOf({ state: "running", atMs: startedMs }));
    const snippet = lines
      .last(SNIPPET_LINES, endedMs)
      .map(({ text }) => text)
      .join("\n");
    if (endedMs <= nowMs) changes.push(changeOf({ state: "restarting", exitCode: 1, snippet, atMs: endedMs }));
  }
  return changes;
}

/** Ran once for each generation, and ended well. */
function jobChanges({ generations, container }: PastContainer, { nowMs, updatedMs }: Moments): Change[] {
  const last = shownAt(container, { atMs: nowMs, updatedMs });
  return generations.flatMap(({ createdMs, endedMs }) => {
    const startedMs = endedMs === null ? (last.startedAt?.getTime() ?? createdMs) : createdMs + 2 * SECOND_MS;
    const finishedMs = endedMs === null ? (last.finishedAt?.getTime() ?? createdMs) : startedMs + 90 * SECOND_MS;
    return [changeOf({ state: "running", atMs: startedMs }), changeOf({ state: "completed", exitCode: 0, atMs: finishedMs })];
  });
}

function changeOf(facts: Partial<Change> & Pick<Change, "state" | "atMs">): Change {
  return { health: null, exitCode: null, oomKilled: false, asked: false, snippet: null, checkOutput: null, ...facts };
}

/** When a container that crashes was started, the first start with it. */
function startsOf(createdMs: number, untilMs: number): number[] {
  const starts: number[] = [];
  for (const { startedMs } of runsSince(createdMs)) {
    if (startedMs > untilMs) break;
    starts.push(startedMs);
  }
  return starts;
}
