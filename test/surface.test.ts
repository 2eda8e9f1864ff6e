import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { z } from "zod";
import { OPTIONS, variableOf } from "../src/config/options.ts";
import { EVENTS } from "../src/events.ts";
import { declaredByServer } from "../tools/declared.ts";

/** Every name of the specification, against what the program declares. */
const names = z.array(z.string());
const specified = z
  .object({
    routes: z.array(z.object({ method: z.string(), path: z.string() })),
    events: names,
    environment: names,
    flags: names,
    mcp_tools: names,
  })
  .parse(readJson("surface.json"));
const server = declaredByServer();

const surfaces: [kind: string, specified: string[], declared: () => Promise<string[]>][] = [
  [
    "routes",
    specified.routes.map(({ method, path }) => routeName(method, path)),
    async () => [...(await programRoutes()), ...publicFiles()],
  ],
  ["events", specified.events, async () => Object.keys(EVENTS)],
  ["environment", specified.environment, async () => Object.values(OPTIONS).map(variableOf)],
  ["flags", specified.flags, async () => Object.values(OPTIONS).map(({ flag }) => flag)],
  ["mcp_tools", specified.mcp_tools, async () => (await server).tools.map(({ name }) => name)],
];

for (const [kind, wanted, declared] of surfaces) {
  test(`the program declares all ${kind} of the specification`, async () => {
    assert.ok(wanted.length > 0);
    const offered = await declared();
    assert.deepEqual(
      wanted.filter((name) => !offered.includes(name)),
      [],
    );
  });
}

async function programRoutes(): Promise<string[]> {
  return (await server).routes.map(({ method, path }) => routeName(method, path));
}

/** Files that the web app has at fixed addresses. */
function publicFiles(): string[] {
  return readdirSync(join(import.meta.dirname, "../web/public"), { recursive: true, encoding: "utf8" }).map((path) =>
    routeName("GET", `/${path}`),
  );
}

/** How a parameter is called is no part of the interface. */
function routeName(method: string, path: string): string {
  return `${method} ${path.replace(/\{\w+\}/g, "{}")}`;
}

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(join(import.meta.dirname, name), "utf8"));
}
