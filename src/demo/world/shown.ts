import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/time.ts";
import type { RuntimeContainer } from "../../runtimes/runtime.ts";
import type { DemoContainer } from "./containers.ts";
import { hexOf, seedOf } from "./noise.ts";
import { NEW_IMAGE, runAt } from "./story.ts";

/** Jobs ran in the night. */
const JOB_MS = 9 * MINUTE_MS;

export interface Moment {
  atMs: number;
  /** When the payments service was updated. */
  updatedMs: number;
}

/** Moments of the past lie on whole days before the start of the demo, at an hour that belongs to the container. */
export function createdMs(container: DemoContainer, updatedMs: number): number {
  if (container.fate === "crashing") return updatedMs;
  return Math.floor(updatedMs / HOUR_MS) * HOUR_MS - container.ageDays * DAY_MS - (seedOf(container.name) % 9) * HOUR_MS - 7 * MINUTE_MS;
}

export function externalIdOf({ name, image }: DemoContainer): string {
  return hexOf(`container ${name} ${image}`);
}

/** A container as its engine shows it at a moment. */
export function shownAt(container: DemoContainer, { atMs, updatedMs }: Moment): RuntimeContainer {
  const { fate, image } = container;
  const created = createdMs(container, updatedMs);
  const facts: RuntimeContainer = {
    externalId: externalIdOf(container),
    name: container.name,
    image,
    imageDigest: `sha256:${hexOf(`digest ${image}`)}`,
    imageId: `sha256:${hexOf(`image ${image}`)}`,
    imagePlatform: "linux/amd64",
    state: "running",
    health: container.hasHealthCheck ? "healthy" : null,
    exitCode: null,
    healthFailure: null,
    oomKilled: false,
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
    startedAt: new Date(created + 2_000),
    finishedAt: null,
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
