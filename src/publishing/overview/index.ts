import type { Route } from "../../http/route.ts";
import { attentionRoutes } from "./attention/routes.ts";
import { type AttentionDependencies, createAttentionService } from "./attention/service.ts";

/** What the overview asks of several features at once. It only reads. */
export function createOverview(dependencies: AttentionDependencies): { routes: Route[] } {
  return { routes: attentionRoutes(createAttentionService(dependencies)) };
}
