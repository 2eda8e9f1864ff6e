import type { Route } from "../../http/route.ts";
import type { ChangeParts } from "../assistant/index.ts";
import { attentionRoutes } from "./attention/routes.ts";
import { type AttentionDependencies, createAttentionService } from "./attention/service.ts";
import { changeRoutes } from "./changes/routes.ts";
import { createChangeService } from "./changes/service.ts";
import { stripRoutes } from "./strips/routes.ts";
import { createStripService, type StripDependencies } from "./strips/service.ts";

/** What the overview asks of several features at once. It only reads. */
export function createOverview(dependencies: AttentionDependencies & ChangeParts & StripDependencies): { routes: Route[] } {
  return {
    routes: [
      ...attentionRoutes(createAttentionService(dependencies)),
      ...changeRoutes(createChangeService(dependencies)),
      ...stripRoutes(createStripService(dependencies)),
    ],
  };
}
