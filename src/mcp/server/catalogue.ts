import type { ListToolsResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import { fenceBy, isForeignString } from "../fence.ts";
import type { Fenced } from "../fence.ts";
import { FOREIGN_NOTICE } from "../foreign-text.ts";
import type { Tool } from "../tool.ts";

/** A tool as a client is told of it. */
export type ToolOnWire = ListToolsResult["tools"][number];
type ObjectSchema = ToolOnWire["inputSchema"];

/** A tool made ready: what never changes between two calls. */
export interface ReadyTool {
  tool: Tool;
  fence: (value: unknown) => Fenced;
}

export interface Catalogue {
  /** In the order in which they were given. */
  onWire: readonly ToolOnWire[];
  find(name: string): ReadyTool | undefined;
}

/** Makes tools ready to be listed and called. Throws for two of one name. */
export function createCatalogue(tools: readonly Tool[], foreign: (text: string) => string): Catalogue {
  const ready = new Map(tools.map((tool) => [tool.name, { tool, fence: fenceBy(tool.output, foreign) }]));
  if (ready.size < tools.length) throw new TypeError("Two tools have the same name.");
  return { onWire: tools.map(onWire), find: (name) => ready.get(name) };
}

function onWire({ name, title, description, input, output, writes }: Tool): ToolOnWire {
  return {
    name,
    title,
    description,
    inputSchema: schemaOf(input, "input"),
    outputSchema: withNotice(schemaOf(output, "output")),
    annotations: { title, readOnlyHint: writes !== true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  };
}

/** What a fence adds to a text breaks what its schema says of its length and form, so a client must not check it. */
const NOT_OF_FOREIGN = ["minLength", "maxLength", "pattern", "format"];

function schemaOf(schema: z.ZodObject, io: "input" | "output"): ObjectSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      delete jsonSchema["ours"];
      // The format says it in fewer words, and a model reads every one.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      const isForeign = io === "output" && isForeignString(zodSchema);
      if (isForeign) for (const keyword of NOT_OF_FOREIGN) delete jsonSchema[keyword];
    },
  });
  // Of an object both say the same, zod with its own names of the types.
  return { ...json, type: "object" } as ObjectSchema;
}

function withNotice({ properties, ...schema }: ObjectSchema): ObjectSchema {
  return { ...schema, properties: { notice: { type: "string", description: FOREIGN_NOTICE }, ...properties } };
}
