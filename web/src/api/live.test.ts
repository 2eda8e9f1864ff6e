import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { QueryClient } from "@tanstack/react-query";
import { createLive } from "./live.ts";

type Load = NonNullable<Parameters<typeof createLive>[0]["load"]>;
type Opened = Parameters<Awaited<ReturnType<Load>>["createLiveEvents"]>[0];

let queryClient: QueryClient;
let loads: number;
let opened: Opened[];
let closed: number;
let fails: boolean;

const load: Load = async () => {
  loads += 1;
  if (fails) throw new Error("not found");
  return {
    createLiveEvents(given) {
      opened.push(given);
      return { close: () => void (closed += 1) };
    },
  };
};

beforeEach(() => {
  [loads, opened, closed, fails] = [0, [], 0, false];
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, gcTime: Number.POSITIVE_INFINITY } } });
});

afterEach(() => {
  queryClient.clear();
  mock.timers.reset();
});

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};
/** Lets the query cache notify, and what follows from that happen. */
const pass = async (ms: number): Promise<void> => {
  await settle();
  mock.timers.tick(ms);
  await settle();
};

test("events are followed once all that was first asked is answered", async () => {
  const serverTimes: string[] = [];
  const live = createLive({ queryClient, onServerTime: (time) => serverTimes.push(time), load });
  live.start();
  const answers: (() => void)[] = [];
  for (const key of ["containers", "health"])
    void queryClient.prefetchQuery({ queryKey: [key], queryFn: () => new Promise((resolve) => answers.push(() => resolve(key))) });
  await pass(1);
  answers[0]?.();
  await pass(1);
  assert.equal(loads, 0, "one answer is still to come");
  answers[1]?.();
  await pass(1);
  assert.equal(loads, 0, "they are shown first");
  await pass(300);
  assert.deepEqual([loads, opened.length], [1, 1]);

  assert.equal(live.state().phase, "connecting");
  opened[0]?.onState({ phase: "live" });
  opened[0]?.onHello({ version: "1.0.0", server_time: "2026-01-01T00:00:00Z" });
  assert.equal(live.state().phase, "live");
  assert.deepEqual([serverTimes, live.newVersion()], [["2026-01-01T00:00:00Z"], undefined]);
  opened[0]?.onHello({ version: "1.0.1", server_time: "2026-01-01T00:00:05Z" });
  assert.equal(live.newVersion(), "1.0.1");
});

test("a page that was opened without the server learns from the first answer that the server is newer", async () => {
  const live = createLive({ queryClient, onServerTime: () => undefined, keptVersion: "1.0.0", load });
  live.start();
  await pass(2000);
  opened[0]?.onHello({ version: "1.0.1", server_time: "2026-01-01T00:00:00Z" });
  assert.equal(live.newVersion(), "1.0.1");
  opened[0]?.onHello({ version: "1.0.0", server_time: "2026-01-01T00:00:05Z" });
  assert.equal(live.newVersion(), undefined);
});

test("events are followed also if nothing is answered", async () => {
  createLive({ queryClient, onServerTime: () => undefined, load }).start();
  void queryClient.prefetchQuery({ queryKey: ["containers"], queryFn: () => new Promise(() => undefined) });
  await pass(1999);
  assert.equal(loads, 0);
  await pass(1);
  assert.equal(opened.length, 1);
});

test("what cannot be loaded is loaded again, and the page says meanwhile that it is not live", async () => {
  fails = true;
  const live = createLive({ queryClient, onServerTime: () => undefined, load });
  live.start();
  await pass(2000);
  assert.deepEqual([loads, live.state().phase], [1, "reconnecting"]);
  await pass(1000);
  assert.deepEqual([loads, live.state().phase], [2, "reconnecting"]);
  for (const ms of [2000, 4000, 8000]) await pass(ms);
  assert.deepEqual([loads, live.state().phase], [5, "offline"]);
  fails = false;
  await pass(16_000);
  assert.equal(opened.length, 1);
});

test("what was closed before it was loaded is never opened", async () => {
  const stop = createLive({ queryClient, onServerTime: () => undefined, load }).start();
  stop();
  await pass(5000);
  assert.equal(loads, 0);
  const live = createLive({ queryClient, onServerTime: () => undefined, load });
  const close = live.start();
  await pass(2000);
  close();
  assert.deepEqual([opened.length, closed], [1, 1]);
});
