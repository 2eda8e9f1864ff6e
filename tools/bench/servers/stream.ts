/** The event stream alone, with a bus that the bench fills. */
import { setTimeout as wait } from "node:timers/promises";
import { sparePort } from "../../../test/support/postgres.ts";
import { parseConfig } from "../../../src/config/config.ts";
import type { Event } from "../../../src/events.ts";
import { createHttpServer } from "../../../src/http/server.ts";
import { createBus } from "../../../src/platform/bus.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import { silentLog } from "../../../src/platform/log.ts";
import { createLive } from "../../../src/publishing/live/index.ts";
import { serveQuestions } from "../questions.ts";

const port = await sparePort();
const start = parseConfig({ argv: [], env: { SERVICE_ADDR: `127.0.0.1:${port}`, SERVICE_TRUSTED_PROXIES: "127.0.0.0/8" } });
if (!("config" in start)) throw new Error("no configuration");
const bus = createBus<Event>(silentLog);
const live = createLive({ bus, clock: systemClock, log: silentLog, version: "0.0.0" });
const http = createHttpServer({
  routes: live.routes,
  config: start.config,
  clock: systemClock,
  log: silentLog,
  version: "0.0.0",
});
live.start();
await http.start();

serveQuestions(port, {
  /** Publishes so many events a second for so many seconds; each says when. */
  async publish({ perSecond, seconds }) {
    const rate = Number(perSecond);
    const total = rate * Number(seconds);
    const startedMs = Date.now();
    for (let sent = 0; sent < total;) {
      const due = Math.min(total, Math.floor(((Date.now() - startedMs) / 1000) * rate));
      for (; sent < due; sent += 1) bus.publish(event(sent));
      await wait(5);
    }
    return { published: total };
  },
});

/** About 300 bytes on the wire. */
function event(number: number): Event {
  return {
    type: "runtime.status_changed",
    data: {
      agent_id: null,
      runtime: "docker",
      connected: true,
      error: `${String(number).padStart(8, "0")} ${"x".repeat(120)}`,
      timestamp: new Date().toISOString(),
    },
  };
}
