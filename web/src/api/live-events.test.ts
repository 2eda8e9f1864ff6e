import assert from "node:assert/strict";
import { test } from "node:test";
import { QueryObserver } from "@tanstack/react-query";
import { standInForBrowser } from "./event-source.fixture.ts";
import { createLiveEvents } from "./live-events.ts";
import { PatientQueryClient } from "./query-client.ts";
import { WHOLE_LIST } from "./whole-list.ts";

const HELLO = { version: "1.0.0", server_time: "2026-01-01T00:00:00Z" };
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

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
