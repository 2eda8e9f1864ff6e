import type { QueryClient } from "@tanstack/react-query";
import { thresholdListQuery } from "../../api/queries.ts";

/** Those of a group or a host are those of its containers, too. */
export function rereadThresholds(queryClient: QueryClient): void {
  void queryClient.invalidateQueries({ queryKey: thresholdListQuery.queryKey });
  void queryClient.invalidateQueries({ predicate: ({ queryKey: [what, , part] }) => what === "container" && part === "thresholds" });
}
