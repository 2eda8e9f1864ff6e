import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import type { z } from "zod";
import type { EngineAnswer } from "./client.ts";
import { silence, unavailable } from "./failures.ts";
import { ENGINE_ROUTES, type EngineRequest } from "./routes.ts";
import { createSwarmSource } from "./swarm.ts";

const address = { kind: "tcp", host: "192.0.2.1", port: 2375, tls: false, display: "tcp://192.0.2.1:2375" } as const;
const NO_LEADER = "rpc error: code = Unknown desc = The swarm does not have a leader.";
const signal = new AbortController().signal;

/** A manager that answers for its nodes as `nodes` does, given how long it is waited for. */
function manager(nodes: (timeoutMs: number) => unknown) {
  const clock = createFakeClock();
  const source = createSwarmSource(
    {
      address,
      async answer<Schema extends z.ZodType>(schema: Schema, { route }: EngineRequest): Promise<EngineAnswer<z.infer<Schema>>> {
        const { path, timeoutMs } = ENGINE_ROUTES[route];
        if (path === "/info")
          return {
            data: schema.parse({ Swarm: { NodeID: "n1", LocalNodeState: "active", ControlAvailable: true, Cluster: { ID: "c1" } } }),
          };
        if (path !== "/nodes") return { data: schema.parse([]) };
        const answer = nodes(timeoutMs);
        if (answer instanceof Error) throw answer;
        if (typeof answer === "string") return { refused: { status: 500, message: answer } };
        return { data: schema.parse(answer) };
      },
      list: async () => ({ data: [] }),
      probe: async () => ({ status: 200, headers: {} }),
      stream: () => Promise.reject(new Error("no events")),
    },
    clock,
    async () => undefined,
  );
  return { clock, read: () => source.read(signal) };
}

describe("a manager that does not answer for its nodes in time", () => {
  const quiet = silence(address, 4000);

  it("is slow where it answers when it is waited for", async () => {
    const { clock, read } = manager((timeoutMs) => (timeoutMs < 20_000 ? quiet : []));
    await assert.rejects(read(), /has no leader at the moment/);
    await clock.advance(21_000);
    assert.equal((await read()).standing, "manager");
    assert.equal((await read()).standing, "manager");
  });

  it("has lost its quorum where it says so in the end", async () => {
    const { clock, read } = manager((timeoutMs) => (timeoutMs < 20_000 ? quiet : NO_LEADER));
    await assert.rejects(read(), /has no leader at the moment/);
    await clock.advance(21_000);
    assert.equal((await read()).standing, "no_quorum");
  });

  it("is not known to be anything while it is silent", async () => {
    const { clock, read } = manager(() => quiet);
    await assert.rejects(read());
    await clock.advance(21_000);
    await assert.rejects(read(), /no answer came/);
  });

  it("has not lost its quorum where its answer cannot be used", async () => {
    const { clock, read } = manager(() => unavailable(address, "the answer to GET /nodes is larger than 16777216 bytes."));
    await assert.rejects(read(), /is larger than/);
    await clock.advance(21_000);
    await assert.rejects(read(), /is larger than/);
  });
});
