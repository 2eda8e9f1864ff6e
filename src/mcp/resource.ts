import type { ToolCall } from "./tool.ts";

/** One resource as a list tells it. Texts are fenced by the server, see foreign-text.ts. */
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
