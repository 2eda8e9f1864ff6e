import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/time.ts";
import type { RuntimeContainer } from "../../runtimes/runtime.ts";
import type { DemoContainer } from "./containers.ts";
import { generationsOf } from "./generations.ts";
import { createdMs, digestOf, externalIdOf, imageIdOf } from "./identity.ts";
import { exitCodeOf, type Incident, incidentsOf } from "./incidents.ts";
import { NEW_IMAGE, runAt, startMsOf } from "./story.ts";

/** Jobs ran in the night. */
const JOB_MS = 9 * MINUTE_MS;

export interface Moment {
  atMs: number;
  /** When the payments service was updated. */
  updatedMs: number;
}

/** How the present container ended last, before it was started again; undefined when it never did. */
function lastEndOf(container: DemoContainer, updatedMs: number): Incident | undefined {
  const startMs = startMsOf(updatedMs);
  const incidents = incidentsOf(container, generationsOf(container, { startMs, updatedMs }), { startMs, updatedMs });
  return incidents.findLast(({ kind, fromMs }) => kind !== "unhealthy" && fromMs > createdMs(container, updatedMs));
}

/** A container as its engine shows it at a moment. */
export function shownAt(container: DemoContainer, { atMs, updatedMs }: Moment): RuntimeContainer {
  const { fate, image } = container;
  const created = createdMs(container, updatedMs);
  const ended = lastEndOf(container, updatedMs);
  const facts: RuntimeContainer = {
    externalId: externalIdOf(container),
    name: container.name,
    image,
    imageDigest: digestOf(image),
    imageId: imageIdOf(image),
    imagePlatform: "linux/amd64",
    state: "running",
    health: container.hasHealthCheck ? "healthy" : null,
    exitCode: ended === undefined ? null : exitCodeOf(ended),
    healthFailure: null,
    oomKilled: ended?.kind === "oom",
    errorDetail: null,
    stopRequested: false,
    restartCount: 0,
    project: { name: container.project, source: "compose" },
    unit: container.unit,
    labels: { ...container.labels },
    imageLabels: [],
    ports: container.ports.map(({ containerPort, hostIp, hostPort }) => ({ containerPort, protocol: "tcp", hostIp, hostPort })),
    networkMode: container.networkMode,
    privileged: container.privileged,
    runtime: "docker",
    createdAt: new Date(created),
    startedAt: new Date(ended?.untilMs ?? created + 2_000),
    finishedAt: ended === undefined ? null : new Date(ended.fromMs),
  };
  if (fate === "unhealthy") return { ...facts, health: "unhealthy" };
  if (fate === "completed") {
    const startedMs = Math.floor((updatedMs - 4 * HOUR_MS) / DAY_MS) * DAY_MS + 3 * HOUR_MS;
    const began = Math.max(created + 2_000, startedMs);
    return { ...facts, state: "exited", exitCode: 0, startedAt: new Date(began), finishedAt: new Date(began + JOB_MS) };
  }
  if (fate !== "crashing") return facts;
  const { restarts, startedMs, endedMs } = runAt(updatedMs, atMs);
  const isRunning = atMs < endedMs;
  return {
    ...facts,
    image: NEW_IMAGE,
    restartCount: restarts,
    startedAt: new Date(startedMs),
    ...(isRunning ? {} : { state: "restarting", exitCode: 1, finishedAt: new Date(endedMs) }),
  };
}
