import assert from "node:assert/strict";
import { test } from "node:test";
import { QueryClient } from "@tanstack/react-query";
import type { MonitorDeed } from "../api/alert-acts.ts";
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
