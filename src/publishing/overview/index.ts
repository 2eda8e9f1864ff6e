import type { Route } from "../../http/route.ts";
import type { Tool } from "../../mcp/tool.ts";
import type { Containers } from "../../monitoring/containers/index.ts";
import { createCaseReader, type GatherParts } from "../assistant/index.ts";
import { type AttentionDependencies, createAttentionService } from "./attention.ts";
import { createChangeService } from "./changes.ts";
import { createMomentService, type MomentDependencies } from "./moment/service.ts";
import { overviewRoutes } from "./routes.ts";
import { createStripService, type StripDependencies } from "./strips.ts";
import { createTopologyService, type TopologyDependencies } from "./topology.ts";
import { createUsageService, type UsageDependencies } from "./usage.ts";

export interface Overview {
  routes: Route[];
  tools(): Promise<Tool[]>;
}

/** What the overview asks of several features at once. It only reads. */
export function createOverview(
  dependencies: AttentionDependencies &
    GatherParts &
    MomentDependencies &
    StripDependencies &
    TopologyDependencies &
    UsageDependencies & { containers: Pick<Containers, "present"> },
): Overview {
  const moment = createMomentService(dependencies);
  const strips = createStripService(dependencies);
  const topology = createTopologyService(dependencies);
  return {
    routes: overviewRoutes({
      attention: createAttentionService(dependencies),
      changes: createChangeService(dependencies),
      ...{ moment, strips, topology },
      usageAt: createUsageService(dependencies),
      caseOf: createCaseReader(dependencies),
    }),
    async tools() {
      const { momentTool, stripsTool, topologyTool } = await import("./tools.ts");
      return [momentTool(moment), stripsTool({ strips, ...dependencies }), topologyTool(topology)];
    },
  };
}
