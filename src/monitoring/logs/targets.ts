import { isServiceError, ServiceError } from "../../platform/errors.ts";
import { type Containers, runs, type SavedContainer } from "../containers/index.ts";
import type { LogSearchQuery } from "./api.ts";
import type { Wanted } from "./line.ts";
import type { LogStore } from "./stored/index.ts";

/** Each is looked up in the database. */
const MOST_GONE = 500;

/**
 * The containers whose logs are asked for, those that are gone and have a stored log too: those that run first, then by their last change. Ignored ones only
 * by their id.
 */
export async function containersOf(
  { container_id: id, group, agent_id: agentId }: Pick<LogSearchQuery, "container_id" | "group" | "agent_id">,
  { present, service, store }: Pick<Containers, "present" | "service"> & { store: LogStore | undefined },
): Promise<SavedContainer[]> {
  const named = id === undefined ? undefined : await service.find(id);
  if (named !== undefined && named.archivedAt !== null && store?.span(named) === undefined)
    throw new ServiceError("not_found", `Container ${named.id} was removed from its host, and its log with it.`);
  const host = agentId === "local" ? null : agentId;
  const hosts = host === undefined ? [...present.hosts()] : [host];
  const shown = hosts.flatMap((each) => present.ofHost(each)).filter(({ settings }) => !settings.ignored);
  const all = named === undefined ? [...shown, ...(await goneOnes(shown, service, store))] : [named];
  return all
    .filter((container) => (group === undefined || container.group === group) && (host === undefined || host === container.agentId))
    .toSorted((one, other) => Number(runs(other)) - Number(runs(one)) || Number(other.lastStateChangeAt) - Number(one.lastStateChangeAt));
}

/** Those of which only a stored log is left. */
async function goneOnes(
  shown: readonly SavedContainer[],
  service: Pick<Containers["service"], "find">,
  store: LogStore | undefined,
): Promise<SavedContainer[]> {
  const there = new Set(shown.map(({ id }) => id));
  const ids = (store?.ids() ?? []).filter((id) => !there.has(id)).slice(0, MOST_GONE);
  const found = await Promise.all(ids.map((id) => service.find(id).catch(nothingWhenMissing)));
  return found.flatMap((container) => {
    const isLeft = container !== undefined && container.archivedAt !== null && store?.span(container) !== undefined;
    return isLeft ? [container] : [];
  });
}

function nothingWhenMissing(error: unknown): undefined {
  if (!isServiceError(error, "not_found")) throw error;
}

/** Whether a container may have written anything in the time that is asked for: one that ended before has not. */
export function mayHaveWritten(container: SavedContainer, { sinceMs, untilMs }: Pick<Wanted, "sinceMs" | "untilMs">): boolean {
  const { finishedAt, startedAt, createdAt } = container;
  if (createdAt !== null && createdAt.getTime() > untilMs) return false;
  if (runs(container) || finishedAt === null) return true;
  const hasEndedLast = startedAt === null || finishedAt >= startedAt;
  return !hasEndedLast || finishedAt.getTime() >= sinceMs;
}
