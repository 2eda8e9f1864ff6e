import type { ToolCall } from "./tool.ts";

/** What a prompt takes: always text, by the protocol. */
export interface McpPromptArgument {
  name: string;
  description: string;
  required: boolean;
}

/** A question that a person picks from a list, as data. */
export interface McpPrompt {
  name: string;
  /** For a person, in a list. */
  title: string;
  description: string;
  arguments: readonly McpPromptArgument[];
  /**
   * What is said to the model in the person's name: our words alone. An argument is given without fences and shortened; quote it with `foreignText`.
   * Throws `invalid_request` for an argument that makes no sense.
   */
  write(given: Readonly<Record<string, string>>, call: ToolCall): Promise<string> | string;
}
