import type { ToolCall } from "./tool.ts";

/** One resource as a list shows it. Texts are fenced by the server, see foreign-text.ts. */
export interface McpResource {
  uri: string;
  /** For a person. May hold foreign words, such as a container's name. */
  name: string;
  mimeType: "application/json" | "text/plain" | "text/markdown";
}

/** A family of resources: what stands in braces is an id. */
export interface McpResourceTemplate {
  uriTemplate: string;
  name: string;
  title: string;
  description: string;
  mimeType: McpResource["mimeType"];
}

export interface McpResourceText {
  mimeType: McpResource["mimeType"];
  /** As it is to be sent: foreign words in it are fenced already, by `foreignText` or by the fence of a schema. */
  text: string;
}

/** What can be read by its URI. */
export interface McpResources {
  /** One page in a stable order; `cursor` is one that this gave. Throws `invalid_request` for another. */
  list(cursor: string | undefined, call: ToolCall): Promise<{ resources: McpResource[]; nextCursor: string | null }>;
  templates: readonly McpResourceTemplate[];
  /** Throws `not_found` for a URI that names nothing, whatever the reason. */
  read(uri: string, call: ToolCall): Promise<McpResourceText>;
  /** Calls back with the URIs of what changed, until the answer is called. */
  onChanged?(listener: (uri: string) => void): () => void;
}

/** What a prompt takes: always text, by the protocol. */
interface McpPromptArgument {
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
  /** What the model gets in the user's name. Arguments come without fences: quote them with `foreignText`. Throws `invalid_request`. */
  write(given: Readonly<Record<string, string>>, call: ToolCall): Promise<string> | string;
}
