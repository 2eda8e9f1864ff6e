import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { type AssistantWorld, openAssistantWorld } from "../../../test/support/assistant.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { sighting } from "../../../test/support/sightings.ts";
import { callTool } from "../../../test/support/tools.ts";
import { DAY_MS } from "../../contract/time.ts";
import type { ContainerSighting } from "../../observations.ts";
import { changesSchemas } from "../assistant/answers.ts";
import { type PastChangeList, pastChanges } from "./answers.ts";

const AGENT = "7d444840-9dc0-4000-8000-000000000001";
const WEB = "a".repeat(64);

onBothDatabases((databases) => {
  const noon = new Date("2026-03-01T12:00:00Z");
  let clock: FakeClock;
  let world: AssistantWorld;

  const at = (seconds: number): Date => new Date(noon.getTime() + seconds * 1000);
  const text = (seconds: number): string => at(seconds).toISOString();

  async function see(agentId: string | null, seconds: number, facts: Partial<ContainerSighting>): Promise<void> {
    await world.see(agentId, { kind: "container.seen", observedAt: at(seconds), container: sighting({ externalId: WEB, ...facts }) });
  }

  async function ask(query: Record<string, string>): Promise<PastChangeList> {
    return pastChanges.parse(await world.check("GET", "/api/v1/overview/changes", query));
  }

  const times = ({ changes }: PastChangeList): string[] => changes.map((change) => change.at);

  beforeEach(async () => {
    clock = createFakeClock(noon);
    world = await openAssistantWorld({ database: await databases.create(), clock });
    for (const agentId of [null, AGENT]) {
      await see(agentId, 0, { name: "web", createdAt: at(-10), startedAt: at(-5) });
      await see(agentId, 100, { name: "web", createdAt: at(-10), startedAt: at(-5), state: "exited", exitCode: 1, finishedAt: at(100) });
      await see(agentId, 200, { name: "web", createdAt: at(-10), startedAt: at(200) });
    }
    clock.jump(at(300));
  });
  afterEach(() => world.stop());

  it("lists what changed between two moments, both included, newest first", async () => {
    const all = await ask({});
    assert.deepEqual([all.from, all.to, all.next_cursor], [at(300 - 86_400).toISOString(), text(300), null]);
    assert.equal(all.changes.length, 6);
    assert.deepEqual(times(all), times(all).toSorted().toReversed());
    const during = await ask({ from: text(100), to: text(199) });
    assert.deepEqual(
      during.changes.map(({ at: when, kind, what, entity }) => [when, kind, what, entity.name]),
      [1, 2].map(() => [text(100), "container_changed", "It went from running to exited with exit code 1.", "web"]),
    );
    assert.deepEqual(times(await ask({ from: text(101), to: text(200) })), [text(200), text(200)]);
    assert.deepEqual(times(await ask({ from: text(101), to: text(199) })), []);
  });

  it("lists one host", async () => {
    const [local, remote] = [await ask({ agent_id: "local" }), await ask({ agent_id: AGENT })];
    assert.deepEqual([local.changes.length, remote.changes.length], [3, 3]);
    assert.ok(remote.changes.every(({ agent_id: agentId }) => agentId === AGENT));
  });

  it("has pages that join", async () => {
    const query = { from: text(0), to: text(150) };
    const whole = await ask(query);
    assert.equal(whole.changes.length, 4);
    const joined: PastChangeList["changes"] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const page: PastChangeList = await ask({ ...query, limit: "1", ...(cursor === "" ? {} : { cursor }) });
      joined.push(...page.changes);
      cursor = page.next_cursor;
    }
    assert.deepEqual(joined, whole.changes);
  });

  it("lists the kinds that are asked for alone, in pages that join", async () => {
    await world.see(AGENT, { kind: "container.gone", observedAt: at(250), externalId: WEB });
    const all = (await ask({})).changes;
    for (const kinds of [["container_removed"], ["container_changed", "container_removed"], ["image_changed"]]) {
      const expected = all.filter(({ kind }) => kinds.includes(kind));
      assert.equal(expected.length > 0, kinds[0] !== "image_changed");
      assert.deepEqual((await ask({ kind: kinds.toReversed().join(" , ") })).changes, expected, kinds.join());
      const joined: PastChangeList["changes"] = [];
      for (let cursor: string | null = ""; cursor !== null;) {
        const page: PastChangeList = await ask({ to: text(300), kind: kinds.join(), limit: "2", ...(cursor === "" ? {} : { cursor }) });
        joined.push(...page.changes);
        cursor = page.next_cursor;
      }
      assert.deepEqual(joined, expected, kinds.join());
    }
  });

  it("names a kind that does not exist", async () => {
    for (const kind of ["container_changed,reboot", "", "container_changed,"]) {
      const answer = await world.ask("GET", `/api/v1/overview/changes?${new URLSearchParams({ kind })}`);
      assert.equal(answer.status, 400, kind);
      assert.match(JSON.stringify(answer.body), /kind.*is not a kind of change/);
    }
  });

  it("refuses a range that ends before it begins, one too long ago, and a cursor of nobody", async () => {
    for (const query of [{ from: text(2), to: text(1) }, { from: at(-91 * (DAY_MS / 1000)).toISOString() }, { cursor: "past-1" }]) {
      const answer = await world.ask("GET", `/api/v1/overview/changes?${new URLSearchParams(query)}`);
      assert.equal(answer.status, 409, JSON.stringify(query));
    }
  });

  it("is shown to assistants in the same words", async () => {
    const listed = changesSchemas().output.parse(
      await callTool(world.assistant.tools(), "what_changed", { since: text(1), until: text(150) }),
    );
    assert.deepEqual(
      listed.changes.map((change) => change.at),
      [text(100), text(100)],
    );
    assert.deepEqual(listed.counts, [{ kind: "container_changed", count: 2, more: false }]);
    assert.deepEqual([listed.total, listed.notes.length], [2, 1]);
    const removed = await callTool(world.assistant.tools(), "what_changed", {
      since: text(1),
      until: text(150),
      kinds: ["container_removed"],
    });
    const none = changesSchemas().output.parse(removed);
    assert.deepEqual([none.total, none.counts, none.changes, none.notes], [0, [], [], []]);
    await assert.rejects(callTool(world.assistant.tools(), "what_changed", { since: text(1), until: text(0) }), {
      code: "invalid_request",
    });
  });
});
