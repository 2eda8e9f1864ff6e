import type { Route } from "../../http/route.ts";
import type { Tool } from "../../mcp/tool.ts";
import { createCaseReader, type GatherParts } from "../assistant/index.ts";
import { attentionRoutes } from "./attention/routes.ts";
import { type AttentionDependencies, createAttentionService } from "./attention/service.ts";
import { caseRoutes } from "./case/routes.ts";
import { changeRoutes } from "./changes/routes.ts";
import { createChangeService } from "./changes/service.ts";
import { momentRoutes } from "./moment/routes.ts";
import { createMomentService, type MomentDependencies } from "./moment/service.ts";
import { stripRoutes } from "./strips/routes.ts";
import { createStripService, type StripDependencies } from "./strips/service.ts";
import { topologyRoutes } from "./topology/routes.ts";
import { createTopologyService, type TopologyDependencies } from "./topology/service.ts";

export interface Overview {
  routes: Route[];
  tools(): Promise<Tool[]>;
}

/** What the overview asks of several features at once. It only reads. */
export function createOverview(
  dependencies: AttentionDependencies & GatherParts & MomentDependencies & StripDependencies & TopologyDependencies,
): Overview {
  const moment = createMomentService(dependencies);
  const topology = createTopologyService(dependencies);
  return {
    routes: [
      ...attentionRoutes(createAttentionService(dependencies)),
      ...changeRoutes(createChangeService(dependencies)),
      ...momentRoutes(moment),
      ...stripRoutes(createStripService(dependencies)),
      ...topologyRoutes(topology),
      ...caseRoutes(createCaseReader(dependencies)),
    ],
    async tools() {
      const [{ momentTools }, { topologyTools }] = await Promise.all([import("./moment/tools.ts"), import("./topology/tools.ts")]);
      return [...momentTools(moment), ...topologyTools(topology)];
    },
  };
}
