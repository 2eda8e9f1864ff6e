import { CONTAINER_STATES, type ContainerState } from "../../events.ts";
import type { SavedContainer } from "./rows.ts";

/** How many containers there are, without the ignored ones. */
export interface ContainerCounts {
  total: number;
  byState: Record<ContainerState, number>;
  unhealthy: number;
  inRestartLoop: number;
}

export function countsOf(containers: Iterable<SavedContainer>): ContainerCounts {
  // One entry for each state is all that the type asks for.
  const byState = Object.fromEntries(CONTAINER_STATES.map((state) => [state, 0])) as Record<ContainerState, number>;
  const counts: ContainerCounts = { total: 0, byState, unhealthy: 0, inRestartLoop: 0 };
  for (const { settings, state, health, restartHistory } of containers) {
    if (settings.ignored) continue;
    counts.total += 1;
    byState[state] += 1;
    if (health === "unhealthy") counts.unhealthy += 1;
    if (restartHistory.loop !== null) counts.inRestartLoop += 1;
  }
  return counts;
}
