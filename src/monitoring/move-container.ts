import type { Containers, SavedContainer } from "./containers/index.ts";
import type { Endpoints } from "./endpoints/index.ts";

/**
 * Lets a container on another host take the place of one, with its id, settings, history and endpoints; false when it may not. `successor` has no row of its
 * own after that. Throws `storage_unavailable`.
 */
export type MoveContainer = (before: SavedContainer, successor: SavedContainer) => Promise<boolean>;

export function createMoveContainer(containers: Pick<Containers, "move">, endpoints: Pick<Endpoints, "moved">): MoveContainer {
  return async (before, successor) => {
    if (!(await containers.move(before.id, successor.id))) return false;
    await endpoints.moved(before.id, successor.id);
    return true;
  };
}
