import type { Route } from "../../http/route.ts";
import type { Tool } from "../../mcp/tool.ts";
import type { Containers } from "../../monitoring/containers/index.ts";
import { createCaseReader, type GatherParts } from "../assistant/index.ts";
import { type AttentionDependencies, createAttentionReader } from "./attention.ts";
import { createChangeReader } from "./changes.ts";
import { createMomentReader, type MomentDependencies } from "./moment/service.ts";
import { overviewRoutes } from "./routes.ts";
import { createStripReader, type StripDependencies } from "./strips.ts";
import { createTopologyReader, type TopologyDependencies } from "./topology.ts";
import { createUsageReader, type UsageDependencies } from "./usage.ts";

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
  const momentAt = createMomentReader(dependencies);
  const strips = createStripReader(dependencies);
  const topology = createTopologyReader(dependencies);
  return {
    routes: overviewRoutes({
      contexts: createAttentionReader(dependencies),
      changes: createChangeReader(dependencies),
      ...{ momentAt, strips, topology },
      usageAt: createUsageReader(dependencies),
      caseOf: createCaseReader(dependencies),
    }),
    async tools() {
      const { momentTool, stripsTool, topologyTool } = await import("./tools.ts");
      return [momentTool(momentAt), stripsTool({ strips, ...dependencies }), topologyTool(topology)];
    },
  };
}
