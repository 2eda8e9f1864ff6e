import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { sparePort } from "../../test/support/postgres.ts";
import { until } from "../../test/support/until.ts";
import { startMeasured } from "./child.ts";
import { absoluteFigure, type Bench, percentile } from "./figure.ts";

const ALERTS = 10_000;
const SECONDS = 10;
const CALM_ALERTS = 200;
const SLOW_MS = 200;
/** By then the living one has everything, or never will. */
const PATIENCE_MS = 60_000;

const payload = z.object({ alert: z.object({ id: z.number(), details: z.object({ raised_ms: z.number() }) }) });

export const storm: Bench = {
  name: "storm",
  about: `${ALERTS} alerts in ${SECONDS} s into three channels, one living, one that refuses connections, one that takes ${SLOW_MS} ms; the quick form has a tenth, at the same rate`,
  async run({ quick }) {
    const shorter = quick ? 10 : 1;
    const count = ALERTS / shorter;
    const calm = quick ? CALM_ALERTS / 4 : CALM_ALERTS;
    /** How long each alert took to its first attempt. */
    const latencies = new Map<number, number>();
    let repeated = 0;
    const living = await listen((body) => {
      const { alert } = payload.parse(JSON.parse(body));
      if (latencies.has(alert.id)) repeated += 1;
      else latencies.set(alert.id, Date.now() - alert.details.raised_ms);
      return 0;
    });
    const slow = await listen(() => SLOW_MS);
    const urls = [living.port, await sparePort(), slow.port].map((port) => `http://127.0.0.1:${port}/in`);
    const program = await startMeasured("storm", urls);
    try {
      await program.ask({ calmly: calm });
      await until(() => latencies.size >= calm, { withinMs: PATIENCE_MS, what: "all alerts of calm times arrived" });
      const calmLatencies = [...latencies.values()];
      const before = Number((await program.ask({ memory: true }))["now"]);
      await program.cpuMicroseconds();
      const startedMs = performance.now();
      await program.ask({ storm: count, seconds: SECONDS / shorter });
      await until(() => latencies.size >= calm + count, { withinMs: PATIENCE_MS, everyMs: 50 }).catch(() => undefined);
      const seconds = (performance.now() - startedMs) / 1000;
      const busy = (await program.cpuMicroseconds()) / 1_000_000;
      // The dead one's first attempts may still run.
      await wait(2000);
      const most = Number((await program.ask({ memory: true }))["most"]);
      const stormLatencies = [...latencies.values()].slice(calm);
      return [
        absoluteFigure({ name: "storm: not delivered", value: calm + count - latencies.size, unit: "alerts", atMost: 0 }),
        absoluteFigure({ name: "storm: delivered twice", value: repeated, unit: "alerts", atMost: 0 }),
        absoluteFigure({ name: "storm: raise to attempt, p99", value: percentile(stormLatencies, 99), unit: "ms", atMost: 2000 }),
        absoluteFigure({ name: "storm: the same, unloaded", value: percentile(calmLatencies, 99), unit: "ms", atMost: 500 }),
        absoluteFigure({ name: "storm: memory it took", value: (most - before) / 1e6, unit: "MB", atMost: 100 }),
        absoluteFigure({ name: "storm: CPU an alert", value: (busy / count) * 1e6, unit: "us", atMost: 2000 }),
        absoluteFigure({ name: "storm: until all was delivered", value: seconds, unit: "s", atMost: (SECONDS / shorter) * 1.5 + 1 }),
      ];
    } finally {
      await program.stop();
      for (const { server } of [living, slow]) {
        server.closeAllConnections();
        server.close();
      }
    }
  },
};

/** A receiver that answers after the given number of milliseconds. */
async function listen(receive: (body: string) => number): Promise<{ server: Server; port: number }> {
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      const delayMs = receive(body);
      if (delayMs === 0) response.end();
      else setTimeout(() => response.end(), delayMs);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return { server, port: typeof address === "object" ? (address?.port ?? 0) : 0 };
}
