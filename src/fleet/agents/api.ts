import { z } from "zod";
import { AGENT_LABEL_LENGTH } from "../../contract/agent.ts";
import { line } from "../../http/texts.ts";

/** The display name of an agent: cleaned, not empty, at most 64 characters. */
export const agentLabel = line(AGENT_LABEL_LENGTH);

export const agentParams = z.object({ id: z.uuid().toLowerCase() });

export const agentBody = z.strictObject({ label: agentLabel });
export type AgentBody = z.infer<typeof agentBody>;
