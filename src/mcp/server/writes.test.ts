import assert from "node:assert/strict";
import { it } from "node:test";
import { z } from "zod";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { declaredByServer } from "../../../tools/declared.ts";
import { silentLog } from "../../platform/log.ts";
import { SCOPES, type Scope, tool } from "../tool.ts";
import { callTool, type ToolWrite } from "./call.ts";
import { createCatalogue } from "./catalogue.ts";

const setThing = tool({
  name: "set_thing",
  title: "Set",
  description: "Sets it.",
  writes: true,
  input: z.strictObject({ thing_id: z.number().describe("which") }),
  output: z.object({}),
  handle: () => ({}),
});

function open(tools = [setThing]) {
  const writes: ToolWrite[] = [];
  const catalogue = createCatalogue(tools, (text) => text);
  const onWrite = async (write: ToolWrite): Promise<void> => void writes.push(write);
  return {
    writes,
    call(name: string, args: unknown, scopes: readonly Scope[] = SCOPES) {
      const ready = catalogue.find(name);
      assert.ok(ready !== undefined);
      const caller = { scopes, name: "Desk assistant" };
      const gate = (): void => undefined;
      const { signal } = new AbortController();
      return callTool(ready, { args, caller, signal }, { gate, onWrite, clock: createFakeClock(), log: silentLog });
    },
  };
}

it("what an assistant changes, or may not change, is noted with who it is", async () => {
  const { writes, call } = open();
  await call("set_thing", { thing_id: 7 });
  await call("set_thing", { thing: 7 });
  await call("set_thing", { thing_id: 8 }, ["monitor:read"]);
  const write = { tool: "set_thing", clientName: "Desk assistant" };
  assert.deepEqual(writes, [
    { ...write, args: { thing_id: 7 }, isRefused: false },
    { ...write, args: null, isRefused: true },
    { ...write, args: { thing_id: 8 }, isRefused: true },
  ]);
});

it("every tool that writes is noted, and none that only reads", async () => {
  const { tools: declared } = await declaredByServer();
  const tools = declared.map((each) => ({ ...each, handle: () => ({}) }));
  const { writes, call } = open(tools);
  for (const { name } of tools) await call(name, {});
  const writing = tools.filter((each) => each.writes === true).map(({ name }) => name);
  assert.ok(writing.length > 0);
  assert.deepEqual(
    writes.map((write) => write.tool),
    writing,
  );
});
