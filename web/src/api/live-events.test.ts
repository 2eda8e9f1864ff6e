import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { QueryObserver } from "@tanstack/react-query";
import type { ContainerList } from "../../../src/monitoring/containers/answers.ts";
import { containerRecord } from "../entities/containers/record.fixture.ts";
import { standInForBrowser } from "./event-source.fixture.ts";
import { createLiveEvents } from "./live-events.ts";
import { containersQuery } from "./queries.ts";
import { PatientQueryClient } from "./query-client.ts";
import { WHOLE_LIST } from "./whole-list.ts";

const HELLO = { version: "1.0.0", server_time: "2026-01-01T00:00:00Z" };
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

/** A list that is shown, what was asked for it, and the app's stream. */
function follow(t: TestContext, after?: string) {
  const sources = standInForBrowser(Object.assign(new EventTarget(), { visibilityState: "visible", documentElement: { dataset: {} } }));
  const queryClient = new PatientQueryClient();
  const asked = { containers: 0, endpoints: 0 };
  const shown = (Object.keys(asked) as (keyof typeof asked)[]).map((key) =>
    new QueryObserver(queryClient, { queryKey: [key, {}], queryFn: () => Promise.resolve((asked[key] += 1)) }).subscribe(() => undefined),
  );
  const live = createLiveEvents({ queryClient, after, onState: () => undefined, onHello: () => undefined });
  t.after(() => {
    live.close();
    for (const leave of shown) leave();
    queryClient.clear();
  });
  return { sources, asked };
}
const ADDRESS = "/api/v1/containers/events";
/** As long as it takes until what is to be read again is. */
const REREAD_MS = 1500;

test("a stream that begins after the first answers has nothing read again but results of checks, which it does not repeat", async (t) => {
  const { sources, asked } = follow(t, "0a1b-17");
  await turn();
  assert.equal(sources[0]?.url, `${ADDRESS}?last_event_id=0a1b-17`);
  sources[0]?.receives("open");
  sources[0]?.receives("hello", HELLO);
  await sleep(REREAD_MS);
  assert.deepEqual(asked, { containers: 1, endpoints: 2 });
  sources[0]?.receives("hello", HELLO);
  await sleep(REREAD_MS);
  assert.deepEqual(asked, { containers: 2, endpoints: 3 }, "what is opened again is after a loss");
});

test("all is read again when the stream does not know where to begin, and when it did not open at first", async (t) => {
  const unknown = follow(t);
  await turn();
  assert.equal(unknown.sources[0]?.url, ADDRESS);
  unknown.sources[0]?.receives("hello", HELLO);
  await sleep(REREAD_MS);
  assert.deepEqual(unknown.asked, { containers: 2, endpoints: 2 });

  const late = follow(t, "0a1b-17");
  await turn();
  late.sources[0]?.receives("error");
  late.sources[0]?.receives("open");
  late.sources[0]?.receives("hello", HELLO);
  await sleep(REREAD_MS);
  assert.deepEqual(late.asked, { containers: 2, endpoints: 2 });
});

test("a change of state is in the list at once, without reading it", async (t) => {
  const sources = standInForBrowser(Object.assign(new EventTarget(), { visibilityState: "visible", documentElement: { dataset: {} } }));
  const queryClient = new PatientQueryClient();
  const { queryKey } = containersQuery();
  const containers = [containerRecord({ id: 7, state: "running" })];
  // Of a list only its groups are read here.
  queryClient.setQueryData(queryKey, { groups: [{ name: "shop", source: "compose", containers }] } as unknown as ContainerList);
  const live = createLiveEvents({ queryClient, onState: () => undefined, onHello: () => undefined });
  t.after(() => {
    live.close();
    queryClient.clear();
  });
  await turn();
  sources[0]?.receives("hello", HELLO);
  sources[0]?.receives("container.state_changed", { id: 7, state: "exited", exit_code: 3, timestamp: "2099-01-01T00:00:00.000Z" });
  await sleep(150);
  assert.equal(queryClient.getQueryData(queryKey)?.groups[0]?.containers[0]?.state, "exited");
});

test("a list whose reading hangs since the connection was lost is read again with the next one", async (t) => {
  const sources = standInForBrowser(Object.assign(new EventTarget(), { visibilityState: "visible", documentElement: { dataset: {} } }));
  const queryClient = new PatientQueryClient();
  const asked: AbortSignal[] = [];
  const observer = new QueryObserver(queryClient, {
    queryKey: ["containers", { archived: false }],
    meta: WHOLE_LIST,
    // Only the first and the last are answered.
    queryFn: ({ signal }) => (asked.push(signal) === 2 ? new Promise<number>(() => undefined) : Promise.resolve(asked.length)),
  });
  t.after(observer.subscribe(() => undefined));
  t.after(() => queryClient.clear());
  const live = createLiveEvents({ queryClient, onState: () => undefined, onHello: () => undefined });
  t.after(() => live.close());
  await turn();
  sources[0]?.receives("hello", HELLO);
  while (asked.length < 2) await turn();
  assert.equal(observer.getCurrentResult().data, 1);

  sources[0]?.receives("hello", HELLO);
  assert.equal(asked[1]?.aborted, true);
  while (asked.length < 3) await turn();
  await turn();
  assert.equal(observer.getCurrentResult().data, 3);
});
