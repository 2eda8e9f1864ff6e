import { ServiceError } from "../../platform/errors.ts";
import { type Containers, runs, type SavedContainer } from "../containers/index.ts";
import type { LogSearchQuery } from "./api.ts";
import type { Wanted } from "./line.ts";

/** The containers whose logs are asked for: those that run first, then by their last change. Ignored ones only by their id. */
export async function containersOf(
  { container_id: id, group, agent_id: agentId }: Pick<LogSearchQuery, "container_id" | "group" | "agent_id">,
  { present, service }: Pick<Containers, "present" | "service">,
): Promise<SavedContainer[]> {
  const named = id === undefined ? undefined : await service.find(id);
  if (named !== undefined && named.archivedAt !== null)
    throw new ServiceError("not_found", `Container ${named.id} was removed from its host, and its log with it.`);
  const hosts = agentId === undefined ? [...present.hosts()] : [agentId === "local" ? null : agentId];
  const all = named === undefined ? hosts.flatMap((host) => present.ofHost(host)).filter(({ settings }) => !settings.ignored) : [named];
  return all
    .filter((container) => (group === undefined || container.group === group) && hosts.includes(container.agentId))
    .toSorted((one, other) => Number(runs(other)) - Number(runs(one)) || Number(other.lastStateChangeAt) - Number(one.lastStateChangeAt));
}

/** Whether a container may have written anything in the time that is asked for: one that ended before has not. */
export function mayHaveWritten(container: SavedContainer, { sinceMs, untilMs }: Pick<Wanted, "sinceMs" | "untilMs">): boolean {
  const { finishedAt, startedAt, createdAt } = container;
  if (createdAt !== null && createdAt.getTime() > untilMs) return false;
  if (runs(container) || finishedAt === null) return true;
  const hasEndedLast = startedAt === null || finishedAt >= startedAt;
  return !hasEndedLast || finishedAt.getTime() >= sinceMs;
}
