import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { z } from "zod";
import { OPTIONS, variableOf } from "../src/config/options.ts";
import { EVENTS } from "../src/events.ts";
import { declaredByServer } from "../tools/declared.ts";

/**
 * Every name of the specification, against what the program declares. What is not built yet is on the list in not-built.json,
 * and nothing else is: whoever builds a thing takes it off.
 */
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
const notBuilt = z
  .strictObject({ routes: names, events: names, environment: names, flags: names, mcp_tools: names })
  .parse(readJson("not-built.json"));

const surfaces: [kind: keyof typeof notBuilt, specified: string[], declared: string[]][] = [
  ["routes", specified.routes.map(({ method, path }) => routeName(method, path)), [...programRoutes(), ...publicFiles()]],
  ["events", specified.events, Object.keys(EVENTS)],
  ["environment", specified.environment, Object.values(OPTIONS).map(variableOf)],
  ["flags", specified.flags, Object.values(OPTIONS).map(({ flag }) => flag)],
  // The program has no MCP server yet, hence no tool.
  ["mcp_tools", specified.mcp_tools, []],
];

for (const [kind, wanted, declared] of surfaces) {
  const listed = notBuilt[kind].map((name) => (kind === "routes" ? routeName(...splitRoute(name)) : name));

  test(`the program declares all ${kind} of the specification but those listed as not built`, () => {
    assert.ok(wanted.length > 0);
    const missing = wanted.filter((name) => !declared.includes(name));
    assert.deepEqual(
      missing.filter((name) => !listed.includes(name)),
      [],
    );
  });

  test(`no ${kind} listed as not built exist, and all are the specification's`, () => {
    assert.deepEqual(
      listed.filter((name) => declared.includes(name)),
      [],
    );
    assert.deepEqual(
      listed.filter((name) => !wanted.includes(name)),
      [],
    );
  });
}

function programRoutes(): string[] {
  return declaredByServer().map(({ method, path }) => routeName(method, path));
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

function splitRoute(name: string): [method: string, path: string] {
  const [method = "", path = ""] = name.split(" ");
  return [method, path];
}

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(join(import.meta.dirname, name), "utf8"));
}
