import type { Containers, SavedContainer } from "./containers/index.ts";
import type { Endpoints } from "./endpoints/index.ts";

/**
 * Gives the id, settings, history and endpoints of a container to its successor on another host, whose own row is deleted; false when that is not its
 * successor. Throws `storage_unavailable`.
 */
export type MoveContainer = (before: SavedContainer, successor: SavedContainer) => Promise<boolean>;

export function createMoveContainer(containers: Pick<Containers, "move">, endpoints: Pick<Endpoints, "moved">): MoveContainer {
  return async (before, successor) => {
    if (!(await containers.move(before.id, successor.id))) return false;
    await endpoints.moved(before.id, successor.id);
    return true;
  };
}
