import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { HELLO, STALE_MS, startFleet, type TestFleet } from "../../../test/support/fleet.ts";
import { callTool, checkTools } from "../../../test/support/tools.ts";
import type { Tool } from "../../mcp/tool.ts";
import type { LocalHost } from "./index.ts";

const LOCAL: LocalHost = {
  label: "harbour",
  hostname: "harbour",
  os: "Debian 13",
  runtime: "docker",
  available: true,
  timestamp: "2026-03-01T12:00:00.000Z",
};

interface Answer {
  agents: { id: string; label: string; [member: string]: unknown }[];
  total: number;
  next_cursor: string | null;
  other_hosts: string;
}

onBothDatabases((databases) => {
  let clock: FakeClock;
  let fleet: TestFleet;
  let tools: Tool[];
  let local: LocalHost | undefined;
  let isGranted: boolean;

  beforeEach(async () => {
    clock = createFakeClock();
    fleet = await startFleet({ database: await databases.create(), clock });
    local = LOCAL;
    isGranted = true;
    tools = await fleet.agents.tools({ version: "1.2.3", localHost: () => local, grants: () => isGranted });
  });
  afterEach(() => fleet.stop());

  const list = async (args: Record<string, unknown> = {}): Promise<Answer> => (await callTool(tools, "list_agents", args)) as never;
  const labels = async (args?: Record<string, unknown>): Promise<string[]> => (await list(args)).agents.map(({ label }) => label);

  it("is declared as clients need it", () => checkTools(tools));

  it("list_agents shows the server's own host, then the others", async () => {
    const id = await fleet.enroll({ label: "ark" });
    fleet.agents.register.connected(id, HELLO, -1_000);
    assert.deepEqual(await list(), {
      agents: [
        {
          id: "local",
          label: "harbour",
          hostname: "harbour",
          os: "Debian 13",
          arch: null,
          version: "1.2.3",
          runtime: "docker",
          status: "active",
          connection_state: "connected",
          last_seen_at: "2026-03-01T12:00:00.000Z",
          enrolled_at: null,
          revoked_at: null,
          spool: null,
          clock_offset_ms: null,
        },
        {
          id,
          label: "ark",
          hostname: "ark",
          os: "Debian GNU/Linux 13",
          arch: "x64",
          version: "1.2.3",
          runtime: "docker",
          status: "active",
          connection_state: "connected",
          last_seen_at: "2026-03-01T12:00:00.000Z",
          enrolled_at: "2026-03-01T12:00:00.000Z",
          revoked_at: null,
          spool: { queued: 0, draining: false, dropped: 0 },
          clock_offset_ms: -1_000,
        },
      ],
      total: 2,
      next_cursor: null,
      other_hosts: "watched",
    });
  });

  it("list_agents filters, and gives every host once", async () => {
    const [lost, revoked] = [await fleet.enroll({ label: "lost" }), await fleet.enroll({ label: "revoked" })];
    await clock.advance(2 * STALE_MS);
    const here = await fleet.enroll({ label: "here" });
    await fleet.agents.service.revoke(revoked);
    assert.deepEqual(await labels(), ["harbour", "here", "lost"]);
    assert.deepEqual(await labels({ active_only: false }), ["harbour", "here", "lost", "revoked"]);
    assert.deepEqual(await labels({ connection_state: "disconnected" }), ["lost"]);
    assert.deepEqual(await labels({ connection_state: "connected" }), ["harbour", "here"]);
    const first = await list({ limit: 2 });
    assert.deepEqual([first.total, first.agents.map(({ id }) => id)], [3, ["local", here]]);
    const second = await list({ limit: 2, cursor: first.next_cursor });
    assert.deepEqual([second.next_cursor, second.agents.map(({ id }) => id)], [null, [lost]]);
    await assert.rejects(list({ cursor: "2" }), { code: "invalid_request" });
    for (const args of [{ limit: 201 }, { connection_state: "gone" }, { agent_id: "local" }])
      await assert.rejects(list(args), { name: "ZodError" });
  });

  it("list_agents shows only the own host where the edition knows no others", async () => {
    await fleet.enroll({ label: "ark" });
    isGranted = false;
    assert.partialDeepStrictEqual(await list(), { agents: [{ id: "local" }], total: 1, other_hosts: "not_in_this_edition" });
  });

  it("list_agents shows what it knows of the own host, and leaves it out where it is not watched", async () => {
    local = { ...LOCAL, hostname: null, os: null, runtime: null, available: false, timestamp: null };
    assert.partialDeepStrictEqual(await list(), {
      agents: [{ id: "local", connection_state: "disconnected", last_seen_at: null }],
      total: 1,
    });
    local = undefined;
    assert.deepEqual(await list(), { agents: [], total: 0, next_cursor: null, other_hosts: "watched" });
  });
});
