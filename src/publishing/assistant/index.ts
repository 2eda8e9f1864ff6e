import type { Alerting } from "../../alerting/index.ts";
import type { Event } from "../../events.ts";
import type { McpResources, McpPrompt } from "../../mcp/resource.ts";
import type { Tool } from "../../mcp/tool.ts";
import type { Containers } from "../../monitoring/containers/index.ts";
import type { Bus } from "../../platform/bus.ts";
import type { GatherParts } from "./explain/gather.ts";
import { createExplain } from "./explain/explain.ts";
import { type ChangeParts, changeSources } from "./changes/sources.ts";
import { createWhatChanged } from "./changes/what-changed.ts";

export { cursorOf, positionOf } from "./changes/change.ts";
export { type ChangeParts, changeSources, createChangePages } from "./changes/sources.ts";
export { type AlertCase, createCaseReader } from "./explain/explain.ts";
export { containerIdOf, type GatherParts } from "./explain/gather.ts";
export { aroundFields, findingsSchema } from "./explain/schemas.ts";
export { ENTITY_TYPES, EVIDENCE_KINDS } from "./evidence.ts";

/** All features are started before this is asked. */
export type AssistantDependencies = GatherParts &
  ChangeParts & {
    containers: Pick<Containers, "present">;
    alerting: Pick<Alerting, "active">;
    /** Without it nobody can be notified of resources that change. */
    bus: Pick<Bus<Event>, "subscribe">;
  };

export interface Assistant {
  tools(): Promise<Tool[]>;
  resources(): Promise<McpResources>;
  prompts(): Promise<McpPrompt[]>;
}

/** What an assistant gets that no single feature knows: why an alert was raised, and what changed. It only reads. */
export function createAssistant(dependencies: AssistantDependencies): Assistant {
  return {
    tools: async () =>
      (await import("./tools.ts")).assistantTools({
        explain: createExplain(dependencies),
        whatChanged: createWhatChanged({ sources: changeSources(dependencies), clock: dependencies.clock }),
      }),
    resources: async () => (await import("./resources.ts")).assistantResources(dependencies),
    prompts: async () => (await import("./prompts.ts")).assistantPrompts(),
  };
}
