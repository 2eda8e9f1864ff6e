import assert from "node:assert/strict";
import { it } from "node:test";
import { z } from "zod";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { until } from "../../../test/support/until.ts";
import { declaredByServer } from "../../../tools/declared.ts";
import { silentLog } from "../../platform/log.ts";
import { SCOPES, type Scope, type Tool, tool } from "../tool.ts";
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

function open(tools: readonly Tool[] = [setThing], clock = createFakeClock()) {
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
      return callTool(ready, { args, caller, signal }, { gate, onWrite, clock, log: silentLog });
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

for (const [outcome, conclude, isRefused] of [
  ["is made", (end: PromiseWithResolvers<Record<string, unknown>>) => end.resolve({}), false],
  ["fails", (end: PromiseWithResolvers<Record<string, unknown>>) => end.reject(new Error("no")), true],
] as const)
  it(`a change that outlasts its call and then ${outcome} is not called given up, and noted once it has ended`, async () => {
    const end = Promise.withResolvers<Record<string, unknown>>();
    const clock = createFakeClock();
    const { writes, call } = open([{ ...setThing, handle: () => end.promise }], clock);
    const called = call("set_thing", { thing_id: 7 });
    await clock.advance(30_000);
    const { content, isError } = await called;
    assert.equal(isError, true);
    assert.match(content[0]?.text ?? "", /may still be made: look whether it was/);
    assert.equal(writes.length, 0);
    conclude(end);
    assert.equal((await until(() => writes[0])).isRefused, isRefused);
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
