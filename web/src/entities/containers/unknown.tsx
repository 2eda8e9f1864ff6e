import { useQuery } from "@tanstack/react-query";
import { containersQuery, runtimeStatusQuery } from "../../api/queries.ts";
import { hostId } from "../../app/host-id.ts";
import { useChosenHost } from "../../app/hosts.ts";
import { useIsStale } from "../../app/sight.ts";
import { EmptyState } from "../../ui/empty-state.tsx";

/** Whether the engine of the chosen host, or of all, has never been seen: `unknown`. Until the server has answered: `pending`. */
export function useSight(): "pending" | "unknown" | "known" {
  const host = useChosenHost();
  const isStale = useIsStale();
  const { isPending } = useQuery(runtimeStatusQuery);
  const { data: containers, isPending: isAsked } = useQuery(containersQuery());
  if (isPending || (isStale && isAsked)) return "pending";
  const isSeen = (containers?.groups ?? []).some(({ containers: rows }) => rows.some((row) => host === undefined || hostId(row) === host));
  return isStale && !isSeen ? "unknown" : "known";
}

/** Where a list would say that it is empty, though nobody knows. */
export function UnknownContainers() {
  return (
    <EmptyState title="Container state unknown">
      <p>The container engine has not been reached yet, so there is no data about its containers.</p>
    </EmptyState>
  );
}
