import type { ContainerState } from "../../../events.ts";
import { isServiceError } from "../../../platform/errors.ts";
import type { ContainerService } from "../../containers/index.ts";
import type { Span } from "./comparison.ts";

const MOST_TRANSITIONS = 1000;
/** What comes before a restart. The start of a new container is none; nor is one after somebody stopped it. */
const ENDED_BY_ITSELF: ReadonlySet<ContainerState> = new Set(["exited", "dead", "restarting"]);

/** How often containers came back by themselves within a span of time. */
export async function countRestarts(
  containers: Pick<ContainerService, "transitions">,
  containerIds: readonly number[],
  span: Span,
): Promise<number> {
  let restarts = 0;
  for (const id of containerIds) {
    const steps = await transitionsOf(containers, id, span);
    restarts += steps.filter(
      ({ new_state: now, previous_state: was }) => now === "running" && was !== null && ENDED_BY_ITSELF.has(was),
    ).length;
  }
  return restarts;
}

async function transitionsOf(containers: Pick<ContainerService, "transitions">, id: number, { fromMs, toMs }: Span) {
  const page = { since: new Date(fromMs).toISOString(), until: new Date(toMs).toISOString(), limit: MOST_TRANSITIONS, offset: 0 };
  try {
    return (await containers.transitions(id, page)).transitions;
  } catch (error) {
    // It was removed long ago, and its history with it.
    if (isServiceError(error, "not_found")) return [];
    throw error;
  }
}
