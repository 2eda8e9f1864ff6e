import assert from "node:assert/strict";
import { it } from "node:test";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { swarmNode, swarmService, swarmSighting, swarmTask, swarmTopology } from "../../../test/support/swarm-topology.ts";
import { callTool } from "../../../test/support/tools.ts";
import { createRegister } from "./register.ts";
import { createSwarmService } from "./service.ts";
import { swarmTools } from "./tools.ts";

it("shows assistants all that a large swarm has", async () => {
  const numbers = Array.from({ length: 1001 }, (_, index) => index + 1);
  const topology = swarmTopology({
    services: numbers.map((number) => swarmService({ name: `web-${number}` })),
    tasks: numbers.map((number) => swarmTask({ id: `t${number}`, slot: number })),
    nodes: numbers.map((number) => swarmNode(number)),
  });
  const register = createRegister({ active: () => [] });
  const now = new Date("2026-03-01T12:00:00Z");
  register.take({ agentId: null, swarm: swarmSighting({ topology }), observedAt: now, receivedMs: 0 }, now);
  const tools = swarmTools(
    createSwarmService({
      register,
      clock: createFakeClock(now),
      present: { find: () => undefined, hosts: () => [], usage: () => null },
      containers: {
        find: () => Promise.reject(new Error("no container")),
        logs: () => Promise.reject(new Error("no logs")),
        async *followLogs() {},
      },
    }),
  );
  for (const name of ["list_swarm_services", "list_swarm_tasks", "list_swarm_nodes"])
    assert.match(JSON.stringify(await callTool(tools, name, { cursor: "after-1000" })), /"total":1001/, name);
});
