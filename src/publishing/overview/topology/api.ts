import { z } from "zod";
import { agentFilter } from "../../../http/schemas.ts";
import { text } from "../../../http/texts.ts";

export const topologyQuery = z.strictObject({ agent_id: agentFilter, group: text(255).optional() });
export type TopologyQuery = z.output<typeof topologyQuery>;
