import { MOST_LABEL_ENDPOINTS } from "../../observations.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { createLimitLog, type LimitLog } from "../limit-log.ts";
import type { Step } from "./definition.ts";
import type { SavedEndpoint } from "./endpoint.ts";
import type { Projection } from "./projection.ts";

export interface Fitting {
  steps: readonly Step[];
  /** No label asks for them any more: these go before new ones come. */
  makingRoom: readonly SavedEndpoint[];
}

/** Of steps those for which their hosts have room. */
export type FitHosts = (steps: readonly Step[]) => Fitting;

type KnownEndpoints = Pick<Projection, "get" | "labelledOf">;

/** So many make room at once, so that not every new one has to look for the next. */
const ROOM_AT_ONCE = 500;

/** Keeps so many endpoints of labels in memory for a host: an agent is not trusted to ask for no more. */
export function createHostLimit({ projection, clock, log }: { projection: KnownEndpoints; clock: Clock; log: Log }): FitHosts {
  const limitLog = createLimitLog({ clock, log, message: "endpoints of an agent left out: labels on its host ask for too many" });
  return (steps) => {
    // One that made room before its turn came is as if it had never been: the next sighting asks for it again.
    const present = steps.filter(({ previous }) => previous === undefined || projection.get(previous.id) !== undefined);
    const hosts = new Set(present.flatMap((step) => (isNewOfAgent(step) ? [step.next.agentId] : [])));
    let fitting: Fitting = { steps: present, makingRoom: [] };
    for (const agentId of hosts) if (agentId !== null) fitting = fit(fitting, { agentId, projection, limitLog });
    return fitting;
  };
}

function isNewOfAgent({ previous, next }: Step): boolean {
  return previous === undefined && next.agentId !== null && next.labelKey !== null;
}

/** Fits the steps of one host. */
function fit({ steps, makingRoom }: Fitting, host: { agentId: string; projection: KnownEndpoints; limitLog: LimitLog }): Fitting {
  const { agentId, projection, limitLog } = host;
  const known = projection.labelledOf(agentId);
  const added = steps.filter((step) => isNewOfAgent(step) && step.next.agentId === agentId);
  const over = known.size + added.length - MOST_LABEL_ENDPOINTS;
  if (over <= 0) return { steps, makingRoom };
  const concerned = new Set(steps.map(({ previous }) => previous?.id));
  const inactive = [...known].flatMap((id) => {
    const endpoint = concerned.has(id) ? undefined : projection.get(id);
    return endpoint === undefined || endpoint.inactiveSince === null ? [] : [{ endpoint, sinceMs: endpoint.inactiveSince.getTime() }];
  });
  const leaving = inactive.sort((a, b) => a.sinceMs - b.sinceMs).slice(0, Math.max(over, ROOM_AT_ONCE));
  const left = new Set(added.slice(added.length - Math.max(over - leaving.length, 0)));
  if (left.size > 0) limitLog(agentId, { leftOut: left.size, most: MOST_LABEL_ENDPOINTS });
  return { steps: steps.filter((step) => !left.has(step)), makingRoom: [...makingRoom, ...leaving.map(({ endpoint }) => endpoint)] };
}
