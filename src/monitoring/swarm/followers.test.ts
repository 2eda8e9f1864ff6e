import assert from "node:assert/strict";
import { test } from "node:test";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { until } from "../../../test/support/until.ts";
import { ServiceError } from "../../platform/errors.ts";
import type { LogLine } from "../../runtimes/runtime.ts";
import type { SavedContainer } from "../containers/rows.ts";
import type { TaskRecord } from "./answers.ts";
import { createFollowers } from "./followers.ts";

const NOON = Date.UTC(2026, 2, 1, 12);
const line = (second: number): LogLine => ({ timestamp: new Date(NOON + second * 1000), stream: "stdout", text: `at ${second}` });
const task = (number: number, facts: Partial<TaskRecord> = {}): TaskRecord =>
  ({
    ...{ id: `t${number}`, name: `web.${number}`, slot: number, node_name: `node-${number}` },
    ...{ is_current: true, external_id: `e${number}`, container_id: number, ...facts },
  }) as TaskRecord;

/** Logs in memory: each reading gives what is there, then what is written, until it is cut. */
function createWorld(tasks: TaskRecord[]) {
  const clock = createFakeClock(new Date(NOON));
  const logs = new Map<number, LogLine[]>();
  const asked: string[] = [];
  const cuts = new Map<number, (error?: Error) => void>();
  const received: string[] = [];
  const stopping = new AbortController();
  let find: () => readonly TaskRecord[] = () => tasks;

  const followers = createFollowers({
    clock,
    containers: {
      find: async (id) => ({ id, externalId: `e${id}` }) as SavedContainer,
      async *followLogs({ id }, { lines, since }, signal) {
        asked.push(`${id}: ${lines} since ${since ?? "ever"}`);
        const end = Promise.withResolvers<undefined>();
        cuts.set(id, (error) => (error === undefined ? end.resolve(undefined) : end.reject(error)));
        signal.addEventListener("abort", () => end.resolve(undefined));
        yield { items: logs.get(id) ?? [], dropped: 0 };
        await end.promise;
      },
    },
  });
  const ended = followers.follow(() => find(), {
    query: { lines: 10 },
    signal: stopping.signal,
    async send({ event, data }) {
      if (event === "log") received.push(`${data.task_name} on ${data.node_name}: ${data.text}`);
      else if (event === "omitted") received.push(`${data.lines} lines omitted`);
      else received.push(`unseen: ${data.tasks.map(({ task_name: name, reason }) => `${name} ${reason}`).join()}`);
    },
  });
  return {
    ...{ clock, logs, asked, cuts, received, ended, tasks },
    stop: () => stopping.abort(),
    remove: () => {
      find = () => {
        throw new ServiceError("not_found", "gone");
      };
    },
    become: async (expected: string[]): Promise<void> => {
      await until(() => received.length >= expected.length, { withinMs: 2_000, everyMs: 1 }).catch(() => undefined);
      assert.deepEqual(received.splice(0), expected);
    },
  };
}

test("tasks that come are followed from their beginning, those that are over before are not", async () => {
  const w = createWorld([task(1), task(9, { is_current: false })]);
  w.logs
    .set(1, [line(1)])
    .set(2, [line(2)])
    .set(3, [line(3)]);
  await w.become(["web.1 on node-1: at 1"]);
  // One that ended before anybody looked has a log too.
  w.tasks.push(task(2), task(3, { is_current: false }));
  await w.clock.advance(1000);
  await w.become(["web.2 on node-2: at 2", "web.3 on node-3: at 3"]);
  assert.deepEqual(w.asked, ["1: 10 since ever", "2: 1000 since ever", "3: 1000 since ever"]);
  w.remove();
  await w.clock.advance(1000);
  assert.deepEqual(await w.ended, { reason: "service_removed", message: "gone" });
});

test("a log that is lost continues where it was, and is reported as unseen meanwhile", async () => {
  const w = createWorld([task(1), task(2, { container_id: null })]);
  w.logs.set(1, [line(1), line(2), line(2)]);
  await w.become([
    "unseen: web.2 Its node is not watched, or its container is gone.",
    ...["at 1", "at 2", "at 2"].map((text) => `web.1 on node-1: ${text}`),
  ]);
  w.cuts.get(1)?.(new ServiceError("agent_offline", "away"));
  await new Promise((resolve) => setImmediate(resolve));
  await w.clock.advance(1000);
  await w.become(["unseen: web.1 away,web.2 Its node is not watched, or its container is gone."]);
  w.logs.set(1, [line(1), line(2), line(2), line(2), line(3)]);
  await w.clock.advance(5000);
  await until(() => w.received.length >= 2, { withinMs: 2_000, everyMs: 1 });
  assert.deepEqual(
    w.received.filter((text) => text.startsWith("web")),
    ["web.1 on node-1: at 2", "web.1 on node-1: at 3"],
  );
  assert.equal(w.asked[1], `1: 1000 since ${line(2).timestamp?.toISOString()}`);
  w.stop();
  await w.ended;
});

test("no more tasks are followed than the engines can bear", async () => {
  const w = createWorld(Array.from({ length: 27 }, (_, index) => task(index + 1)));
  await w.become(["unseen: web.26 Too many tasks are followed at once.,web.27 Too many tasks are followed at once."]);
  await until(() => w.asked.length === 25, { withinMs: 2_000, everyMs: 1 });
  w.cuts.get(1)?.();
  w.tasks.splice(0, 1);
  await new Promise((resolve) => setImmediate(resolve));
  await w.clock.advance(1000);
  await w.become(["unseen: web.27 Too many tasks are followed at once."]);
  w.stop();
  await w.ended;
});
