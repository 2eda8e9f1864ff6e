import { type Container, isAlive } from "../container.ts";

/** How a container ended; `removed`: it was gone before anybody saw how. */
export const END_REASONS = ["stopped", "completed", "failed", "oom_killed", "dead", "removed"] as const;
export type EndReason = (typeof END_REASONS)[number];

/** One of the containers that there have been under an identity. */
export interface Generation {
  /** Where it was; null is the local host. */
  agentId: string | null;
  externalId: string;
  image: string;
  imageDigest: string | null;
  createdAt: Date | null;
  startedAt: Date | null;
  /** null while it is there and has not ended. */
  endedAt: Date | null;
  endReason: EndReason | null;
}

/** One whose place another took. */
export type PastGeneration = Generation & { endedAt: Date; endReason: EndReason };

/** The container that is there now, or was last. */
export function generationOf(container: Container): Generation {
  const { agentId, externalId, image, imageDigest, createdAt, startedAt } = container;
  return { agentId, externalId, image, imageDigest, createdAt, startedAt, endedAt: endOf(container), endReason: endReasonOf(container) };
}

/** The same once another took its place; `at` is when, for one that nobody saw ending. */
export function pastOf(container: Container, at: Date): PastGeneration {
  const generation = generationOf(container);
  return { ...generation, endedAt: generation.endedAt ?? at, endReason: generation.endReason ?? "removed" };
}

function endOf({ state, archivedAt, lastStateChangeAt }: Container): Date | null {
  return isAlive(state) || state === "restarting" ? archivedAt : lastStateChangeAt;
}

function endReasonOf({ state, oomKilled, stopRequested, exitCode, archivedAt }: Container): EndReason | null {
  if (isAlive(state) || state === "restarting") return archivedAt === null ? null : "removed";
  if (oomKilled) return "oom_killed";
  if (state === "completed" || state === "dead") return state;
  if (exitCode === null) return "removed";
  return stopRequested ? "stopped" : "failed";
}
