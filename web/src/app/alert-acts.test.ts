import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import type { MonitorDeed } from "../api/alert-acts.ts";
import { alertRecord } from "../entities/alerts/record.fixture.ts";
import { startAlertActs } from "./alert-acts.ts";

const page = Object.assign(new EventTarget(), { visibilityState: "visible" });

test("what can still be taken back is sent when the page is left, and when it can no longer be seen", () => {
  Object.assign(globalThis, { window: new EventTarget(), document: page });
  const acts = startAlertActs(new QueryClient());
  const sent: number[] = [];
  const pause = (id: number): MonitorDeed => ({
    kind: "pause",
    monitor: { type: "endpoint", id, name: `endpoint ${id}` },
    async send() {
      sent.push(id);
    },
  });

  acts.begin(pause(1));
  page.dispatchEvent(new Event("visibilitychange"));
  assert.deepEqual(sent, [], "it can be seen again");
  page.visibilityState = "hidden";
  page.dispatchEvent(new Event("visibilitychange"));
  assert.deepEqual(sent, [1]);
  acts.begin(pause(2));
  window.dispatchEvent(new Event("pagehide"));
  assert.deepEqual(sent, [1, 2]);
});

test("alerts are read again once for several that are acknowledged together", async (t) => {
  Object.assign(globalThis, { window: new EventTarget(), document: page });
  mock.method(globalThis, "fetch", async () => Response.json(alertRecord({ id: 1 })));
  const queryClient = new QueryClient();
  let reads = 0;
  const leave = new QueryObserver(queryClient, { queryKey: ["alerts", "all"], queryFn: () => (reads += 1) }).subscribe(() => undefined);
  t.after(() => {
    leave();
    queryClient.clear();
    mock.restoreAll();
  });
  const acts = startAlertActs(queryClient);
  acts.begin(...[1, 2, 3].map((id) => ({ kind: "acknowledge", alert: alertRecord({ id }), by: "Ada", note: undefined }) as const));
  await sleep(0);
  assert.equal(reads, 1);
  acts.flush();
  await sleep(300);
  assert.deepEqual([acts.list(), reads], [[], 2]);
});
