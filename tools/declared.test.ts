import assert from "node:assert/strict";
import { it } from "node:test";
import { operationId } from "../src/http/route.ts";
import { declaredByServer, declaredWith } from "./declared.ts";

const SETTINGS: readonly Record<string, string>[] = [
  {},
  { SERVICE_MODE: "server" },
  { SERVICE_MCP: "true", SERVICE_MCP_ALLOW_UNAUTHENTICATED: "true" },
];

it("has every route and tool that there can be, for what the build makes of them", async () => {
  const all = await declaredByServer();
  const operations = new Set(all.routes.map(operationId));
  const names = new Set(all.tools.map(({ name }) => name));
  for (const settings of SETTINGS) {
    const { routes, tools } = await declaredWith(settings);
    assert.deepEqual(
      [...routes.map(operationId).filter((id) => !operations.has(id)), ...tools.filter(({ name }) => !names.has(name))],
      [],
      JSON.stringify(settings),
    );
  }
});
