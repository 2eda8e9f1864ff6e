import assert from "node:assert/strict";
import { it } from "node:test";
import { z } from "zod";
import { listen } from "../../../test/support/event-source.ts";
import { createTestServer } from "../../../test/support/http-server.ts";
import type { Event } from "../../events.ts";
import { route } from "../../http/route.ts";
import { createBus } from "../../platform/bus.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import { createLive } from "./index.ts";

const shape = { method: "GET", tag: "Test", responses: { 200: z.looseObject({}) }, handle: () => ({}) } as const;
const LIST = route({ ...shape, path: "/api/v1/list", summary: "a list", access: "admin" });
const OPEN = route({ ...shape, path: "/api/v1/open", summary: "for everybody", access: "open" });
const TOKEN = "a-token-of-at-least-thirty-two-characters";
const allowed = { authorization: `Bearer ${TOKEN}` };
const change = (error: string): Event => ({
  type: "runtime.status_changed",
  data: { agent_id: null, runtime: "docker", connected: false, error, timestamp: "2026-03-01T12:00:00.000Z" },
});

it("resumes after the event that an answer names, with all that came since", async (t) => {
  const bus = createBus<Event>(silentLog);
  const live = createLive({ bus, clock: systemClock, log: silentLog, version: "1.2.3" });
  const server = createTestServer({ routes: [...live.routes, LIST, OPEN], newestEventId: live.newestId, config: { adminToken: TOKEN } });
  live.start();
  const { url } = await server.start();
  t.after(() => server.stop());
  const newest = async (path: string, headers: Record<string, string> = allowed): Promise<string | null> =>
    (await fetch(url + path, { headers })).headers.get("x-last-event-id");

  const atFirst = await newest("/api/v1/list");
  bus.publish(change("first"));
  const next = await newest("/api/v1/list");
  bus.publish(change("second"));
  for (const [id, expected] of [
    [atFirst, ["first", "second"]],
    [next, ["second"]],
  ] as const) {
    const listener = await listen(`${url}/api/v1/containers/events?last_event_id=${id}`, allowed);
    await listener.wait(({ data }) => data["error"] === "second");
    listener.close();
    assert.deepEqual(
      listener.events.slice(1).map(({ data }) => data["error"]),
      expected,
    );
  }
  assert.equal(await newest("/api/v1/open"), null, "what is open to everybody does not say how much happens");
  assert.equal(await newest("/api/v1/list", {}), null, "nor does a refusal");
});
