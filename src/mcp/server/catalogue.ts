import { built } from "../../platform/built.ts";
import { once } from "../../platform/queues.ts";
import { fenceBy, type Fenced } from "../fence.ts";
import type { Tool } from "../tool.ts";
import type { ToolOnWire } from "./tools-on-wire.ts";

/** A tool made ready: what never changes between two calls. */
export interface ReadyTool {
  tool: Tool;
  fence: (value: unknown) => Fenced;
}

export interface Catalogue {
  /** In the order in which they were given; made when it is first asked for. */
  onWire(): Promise<readonly ToolOnWire[]>;
  find(name: string): ReadyTool | undefined;
}

/** Makes tools ready to be listed and called, each when it first is. Throws for two of one name. */
export function createCatalogue(tools: readonly Tool[], foreign: (text: string) => string): Catalogue {
  const ready = new Map(tools.map((tool) => [tool.name, makeReady(tool, foreign)]));
  if (ready.size < tools.length) throw new TypeError("Two tools have the same name.");
  return { onWire: once(() => readToolsOnWire(tools)), find: (name) => ready.get(name) };
}

function makeReady(tool: Tool, foreign: (text: string) => string): ReadyTool {
  let fence: ReadyTool["fence"] | undefined;
  return { tool, fence: (value) => (fence ??= fenceBy(tool.output, foreign))(value) };
}

/** The build has all that there are, in their order. */
async function readToolsOnWire(tools: readonly Tool[]): Promise<ToolOnWire[]> {
  const names = new Set(tools.map(({ name }) => name));
  const all = await built("tools-on-wire", async () => (await import("./tools-on-wire.ts")).toolsOnWire(tools));
  return all.filter(({ name }) => names.has(name));
}
