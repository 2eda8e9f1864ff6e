import type { QueryClient } from "@tanstack/react-query";
import type { ContainerDetail } from "../../../src/monitoring/containers/answers.ts";
import { patchInList, type Patch } from "./apply-event.ts";
import { coalesce } from "./coalesce.ts";
import { containerQuery, containersQuery } from "./queries.ts";

/** Applies what events contain about containers. Those within a few frames of each other are one rendering, so that hundreds a second leave time for keys. */
export function createContainerPatches(queryClient: QueryClient): { add(id: number, patch: Patch): void; cancel(): void } {
  let waiting: { id: number; patch: Patch }[] = [];

  function apply(): void {
    const all = waiting;
    waiting = [];
    queryClient.setQueryData(
      containersQuery().queryKey,
      (list) => list && all.reduce((patched, { id, patch }) => patchInList(patched, id, patch), list),
    );
    for (const { id, patch } of all)
      queryClient.setQueryData(
        containerQuery(id).queryKey,
        (detail): ContainerDetail | undefined => detail && { ...detail, ...patch(detail) },
      );
  }

  const soon = coalesce(apply, { quietMs: 16, longestMs: 100 });
  return {
    add(id, patch) {
      waiting.push({ id, patch });
      soon.call();
    },
    cancel: () => soon.cancel(),
  };
}
