import type { UpdateType } from "../../events.ts";
import type { SavedContainer } from "../containers/index.ts";
import type { Entry } from "./register.ts";

/** A newer image that is there for a container, and when that was found. */
export interface FoundUpdate {
  container: Pick<SavedContainer, "id" | "name" | "agentId">;
  type: UpdateType;
  at: Date;
}

/** What was found since a time for these containers, in no order. What a newer one has superseded is not remembered. */
export function foundSince(entries: Iterable<Entry>, since: Date): FoundUpdate[] {
  return [...entries].flatMap(({ container, standing: { status, type, available } }) => {
    if (status !== "available" || type === null || available === null || available.seenAt < since.getTime()) return [];
    return [{ container, type, at: new Date(available.seenAt) }];
  });
}
