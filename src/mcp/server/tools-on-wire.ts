import type { ListToolsResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import { isForeignString } from "../fence.ts";
import { FOREIGN_NOTICE } from "../foreign-text.ts";
import type { Tool } from "../tool.ts";

/** A tool as clients see it. */
export type ToolOnWire = ListToolsResult["tools"][number];
type ObjectSchema = ToolOnWire["inputSchema"];

/** With the JSON Schemas of what tools take and answer, which take a tenth of a second to make. */
export function toolsOnWire(tools: readonly Tool[]): ToolOnWire[] {
  return tools.map(onWire);
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
