import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, retainSearchParams } from "@tanstack/react-router";
import { textParam } from "./search-params.ts";
import { Shell } from "./shell.tsx";

interface RouterContext {
  queryClient: QueryClient;
}

/** The frame around every page. */
export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: Shell,
  // Which host the whole app looks at; absent: all of them.
  validateSearch: (search: Record<string, unknown>): { agent_id?: string | undefined } => ({ agent_id: textParam(search["agent_id"]) }),
  search: { middlewares: [retainSearchParams(["agent_id"])] },
});
