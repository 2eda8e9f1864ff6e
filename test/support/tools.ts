import assert from "node:assert/strict";
import { z } from "zod";
import type { Tool } from "../../src/mcp/tool.ts";

/** The tool of this name. */
export function toolOf(tools: readonly Tool[], name: string): Tool {
  const found = tools.find((tool) => tool.name === name);
  assert.ok(found !== undefined, `there is no tool ${name} among ${tools.map((tool) => tool.name).join(", ")}`);
  return found;
}

/**
 * Calls a tool as the server does: arguments and result pass its own schemas as JSON, and nothing undeclared may be in the result at any depth.
 * Throws a ZodError for arguments that the schema refuses, and whatever the tool throws.
 */
export async function callTool(
  tools: readonly Tool[] | Promise<readonly Tool[]>,
  name: string,
  args: Record<string, unknown> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Record<string, unknown>> {
  const { input, output, handle } = toolOf(await tools, name);
  const answer: unknown = await handle(input.parse(JSON.parse(JSON.stringify(args))), { signal });
  const result: unknown = JSON.parse(JSON.stringify(answer));
  // Nested objects drop what they do not declare, so a difference is something undeclared.
  assert.deepEqual(output.strict().parse(result), result, `${name} answers what it does not declare`);
  return z.record(z.string(), z.unknown()).parse(result);
}

/**
 * What a client gets of tools must be JSON Schema of objects: every argument described, nothing else accepted, and each finder among the tools or
 * among `elsewhere`.
 */
export async function checkTools(
  declared: readonly Tool[] | Promise<readonly Tool[]>,
  { elsewhere = [] }: { elsewhere?: readonly string[] } = {},
): Promise<void> {
  const tools = await declared;
  const names = [...tools.map(({ name }) => name), ...elsewhere];
  assert.equal(new Set(names).size, names.length, `a name is there twice: ${names.join(", ")}`);
  for (const { name, title, description, input, output, finder } of tools) {
    assert.match(name, /^[a-z]+(_[a-z]+)*$/);
    assert.ok(title.length > 0 && description.length > 0, name);
    const taken = z.toJSONSchema(input, { io: "input" });
    assert.equal(taken.additionalProperties, false, `${name} takes arguments that it does not know`);
    for (const [argument, schema] of Object.entries(taken.properties ?? {}))
      assert.ok(typeof schema === "object" && schema.description !== undefined, `${name}: argument ${argument} has no description`);
    assert.equal(z.toJSONSchema(output, { io: "output" }).type, "object", name);
    if (finder !== undefined) assert.ok(names.includes(finder), `${name}: there is no ${finder} to find ids with`);
  }
}
