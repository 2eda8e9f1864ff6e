import type { z } from "zod";

/** What a caller may do: look, or act on alerts. The second includes nothing of the first. */
export const SCOPES = ["monitor:read", "alerts:write"] as const;
export type Scope = (typeof SCOPES)[number];

/** What a tool is given in addition to its arguments. */
export interface ToolCall {
  /** Aborted when the caller is gone or has waited too long. */
  signal: AbortSignal;
}

/** One tool as data, beside the feature whose questions it answers. Texts of a result are fenced unless their schema says they are ours. */
export interface ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject> {
  name: string;
  /** For a person, in a list. */
  title: string;
  /** For a model: what it answers, and when to prefer another tool. */
  description: string;
  input: Input;
  output: Output;
  /** Changes something, and needs the scope `alerts:write`; the others only look and need `monitor:read`. */
  writes?: true;
  /** Only with an edition that grants this; see editions/edition.ts. */
  capability?: string;
  /** The tool that finds the ids this one takes: named to a caller whose id does not exist. */
  finder?: string;
  handle(input: z.output<Input>, call: ToolCall): Promise<z.input<Output>> | z.input<Output>;
}

/** A tool whose arguments are known to its handler alone. */
export type Tool = ToolDefinition<z.ZodObject, z.ZodObject>;

/** Infers a handler's types from its schemas. */
export function tool<Input extends z.ZodObject, Output extends z.ZodObject>(definition: ToolDefinition<Input, Output>): Tool {
  return definition as unknown as Tool;
}
