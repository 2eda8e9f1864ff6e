import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { ServiceError } from "../../platform/errors.ts";
import type { ContainerService } from "../containers/index.ts";
import type { TaskRecord } from "./answers.ts";
import { readServiceLogs, type ServiceLogsParts } from "./service-logs.ts";

const NOON = Date.UTC(2026, 2, 1, 12);
type Logs = ContainerService["logs"];

/** Every third is on a remote host. */
const task = (number: number, facts: Partial<TaskRecord> = {}): TaskRecord =>
  ({
    ...{ id: `t${number}`, name: `web.${number}`, slot: number, node_name: "node-1", agent_id: number % 3 === 0 ? "harbour" : null },
    ...{ is_current: true, external_id: `e${number}`, container_id: number, ...facts },
  }) as TaskRecord;
const tasks = (count: number): TaskRecord[] => Array.from({ length: count }, (_, index) => task(index + 1));
const line = (second: number) => ({
  timestamp: new Date(NOON + second * 1000).toISOString(),
  stream: "stdout" as const,
  text: `at ${second}`,
});
const log = (id: number, ...seconds: number[]) => ({ container_id: id, lines: seconds.map(line), truncated: false });

function read(of: readonly TaskRecord[], logs: Logs, { lines = 10, signal = new AbortController().signal } = {}) {
  const clock = createFakeClock(new Date(NOON));
  const parts: ServiceLogsParts = { containers: { logs }, query: { lines }, clock, signal };
  return { clock, answer: readServiceLogs(of, parts) };
}

describe("the logs of a service", () => {
  it("are the newest lines of all of its tasks, in the order of time", async () => {
    const { answer } = read(tasks(120), async (id) => log(id, id, id + 1000), { lines: 3 });
    const { lines, truncated, unseen } = await answer;
    assert.deepEqual(
      lines.map(({ text, task_name: name }) => `${name} ${text}`),
      ["web.118 at 1118", "web.119 at 1119", "web.120 at 1120"],
    );
    assert.deepEqual([truncated, unseen], [true, []]);
  });

  it("are read few at once, and of one host fewer", async () => {
    const open = new Map<string, number>();
    const most = new Map<string, number>();
    const count = (what: string, by: number): void => {
      open.set(what, (open.get(what) ?? 0) + by);
      most.set(what, Math.max(most.get(what) ?? 0, open.get(what) ?? 0));
    };
    const of = Array.from({ length: 90 }, (_, index) => task(index + 1, { agent_id: `host ${index % 9}` }));
    const { answer } = read(of, async (id) => {
      const host = `host ${(id - 1) % 9}`;
      for (const what of ["all", host]) count(what, 1);
      await new Promise((resolve) => setImmediate(resolve));
      for (const what of ["all", host]) count(what, -1);
      return log(id, id);
    });
    assert.equal((await answer).unseen.length, 0);
    assert.equal(most.get("all"), 16);
    assert.ok(Math.max(...[...most].flatMap(([what, at]) => (what === "all" ? [] : [at]))) <= 4);
  });

  it("say which tasks did not answer, and why", async () => {
    const of = [task(1), task(2), task(3, { container_id: null }), task(4, { external_id: null, container_id: null })];
    const { answer } = read(of, async (id) => {
      if (id === 2) throw new ServiceError("agent_offline", "Its host is away.");
      return log(id, 1);
    });
    assert.deepEqual(
      (await answer).unseen.map(({ task_name: name, reason }) => `${name}: ${reason}`),
      ["web.3: Its node is not watched, or its container is gone.", "web.4: It has no container yet.", "web.2: Its host is away."],
    );
  });

  it("are answered within 20 seconds, however long some take", async () => {
    const hangs: Logs = (id, _query, signal) =>
      id === 1
        ? Promise.resolve(log(id, 1))
        : new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted")), { once: true }));
    const { clock, answer } = read([task(1), ...tasks(9).map((each) => ({ ...each, agent_id: "harbour", container_id: 9 }))], hangs);
    await clock.advance(20_000);
    const { lines, unseen } = await answer;
    assert.equal(lines.length, 1);
    assert.deepEqual(
      [...Map.groupBy(unseen, ({ reason }) => reason)].map(([reason, { length }]) => `${length} ${reason}`),
      ["4 It did not answer in time.", "5 It was not asked: reading the others took too long."],
    );
  });

  it("leave out what is beyond a thousand tasks, and say so", async () => {
    const of = [...tasks(1_000), task(1_001), task(1_002, { is_current: false })];
    const { truncated, unseen } = await read(of, async (id) => log(id)).answer;
    assert.deepEqual([truncated, unseen.map(({ task_name: name }) => name)], [true, ["web.1001"]]);
  });

  it("end with whoever asks", async () => {
    const ending = new AbortController();
    const { answer } = read(
      tasks(3),
      (_id, _query, signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted")))),
      {
        signal: ending.signal,
      },
    );
    ending.abort(new Error("gone"));
    await assert.rejects(answer, /gone/);
  });
});
