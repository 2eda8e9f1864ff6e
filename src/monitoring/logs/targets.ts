import { isServiceError, ServiceError } from "../../platform/errors.ts";
import { type Containers, runs, type SavedContainer } from "../containers/index.ts";
import type { LogSearchQuery } from "./api.ts";
import type { Wanted } from "./line.ts";
import type { LogStore } from "./stored/index.ts";

/** Containers that are gone: each is looked up in the database, and more than are searched, so that some of the others can be named. */
const MOST_GONE = 600;

export interface Targets {
  /** Those that run first, then by their last change. */
  containers: SavedContainer[];
  /** How many more are gone of which a log is stored, and were not looked up. */
  leftOut: number;
}

type Sources = Pick<Containers, "present" | "service"> & { store: LogStore | undefined };

/** The containers whose logs are asked for, those that are gone and have a stored log too. Ignored ones only by their id. */
export async function targetsOf(
  { container_id: id, group, agent_id: agentId }: Pick<LogSearchQuery, "container_id" | "group" | "agent_id">,
  wanted: Pick<Wanted, "sinceMs" | "untilMs">,
  { present, service, store }: Sources,
): Promise<Targets> {
  const named = id === undefined ? undefined : await service.find(id);
  if (named !== undefined && named.archivedAt !== null && store?.span(named) === undefined)
    throw new ServiceError("not_found", `Container ${named.id} was removed from its host, and its log with it.`);
  const host = agentId === "local" ? null : agentId;
  const hosts = host === undefined ? [...present.hosts()] : [host];
  const shown = hosts.flatMap((each) => present.ofHost(each)).filter(({ settings }) => !settings.ignored);
  const gone = named === undefined ? await goneOnes(wanted, { present, service, store }) : { containers: [], leftOut: 0 };
  const all = named === undefined ? [...shown, ...gone.containers] : [named];
  const containers = all
    .filter((container) => (group === undefined || container.group === group) && (host === undefined || host === container.agentId))
    .toSorted((one, other) => Number(runs(other)) - Number(runs(one)) || Number(other.lastStateChangeAt) - Number(one.lastStateChangeAt));
  return { containers, leftOut: gone.leftOut };
}

/** Those of which only a stored log is left, the newest logs first. */
async function goneOnes(wanted: Pick<Wanted, "sinceMs" | "untilMs">, { present, service, store }: Sources): Promise<Targets> {
  const ids = (store?.ids(wanted) ?? []).filter((id) => present.get(id)?.archivedAt !== null);
  const found = await Promise.all(ids.slice(0, MOST_GONE).map((id) => service.find(id).catch(nothingWhenMissing)));
  const containers = found.flatMap((container) => {
    const isLeft = container !== undefined && container.archivedAt !== null && store?.span(container) !== undefined;
    return isLeft ? [container] : [];
  });
  return { containers, leftOut: Math.max(ids.length - MOST_GONE, 0) };
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
