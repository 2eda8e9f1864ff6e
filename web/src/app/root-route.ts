import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, retainSearchParams } from "@tanstack/react-router";
import { momentParam, textParam } from "./search-params.ts";
import { Shell } from "./shell.tsx";

interface RouterContext {
  queryClient: QueryClient;
}

interface RootSearch {
  /** Which host the whole app looks at; absent: all of them. */
  agent_id?: string | undefined;
  /** The moment that the whole app shows; absent: the present. */
  at?: string | undefined;
}

/** The frame around every page. */
export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: Shell,
  validateSearch: (search: Record<string, unknown>): RootSearch => ({
    agent_id: textParam(search["agent_id"]),
    at: momentParam(search["at"]),
  }),
  search: { middlewares: [retainSearchParams(["agent_id", "at"])] },
});

/** Of a route that names a thing by a number. */
export const numericId = {
  parse: ({ id }: { id: string }) => ({ id: Number(id) }),
  stringify: ({ id }: { id: number }) => ({ id: String(id) }),
};
