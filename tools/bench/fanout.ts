import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { startMeasured } from "./child.ts";
import { absoluteFigure, type Bench } from "./figure.ts";
import { address } from "./load.ts";

const CLIENTS = 1000;
const EVENTS_A_SECOND = 200;

export const fanout: Bench = {
  name: "fanout",
  about: `${CLIENTS} clients of the event stream, 300-byte events, ${EVENTS_A_SECOND} a second, one client that never reads`,
  async run({ quick }) {
    const seconds = quick ? 4 : 10;
    const server = await startMeasured("stream");
    const sockets: Socket[] = [];
    try {
      const stalled = subscribe(server.port, CLIENTS);
      stalled.pause();
      sockets.push(stalled);
      const tallies = Array.from({ length: CLIENTS }, (_, index) => {
        const socket = subscribe(server.port, index);
        sockets.push(socket);
        return tally(socket);
      });
      await Promise.all(tallies.map(({ greeted }) => greeted));
      // A second to grow warm: the code is compiled as it runs.
      await server.ask({ publish: true, perSecond: EVENTS_A_SECOND, seconds: 1 });
      await server.cpuMicroseconds();
      const startedMs = performance.now();
      await server.ask({ publish: true, perSecond: EVENTS_A_SECOND, seconds });
      const busy = (await server.cpuMicroseconds()) / 1000 / (performance.now() - startedMs);
      await wait(1500);
      const lost = tallies.reduce((sum, { received }) => sum + EVENTS_A_SECOND * (seconds + 1) - received(), 0);
      return [
        absoluteFigure({ name: "fanout: share of a core", value: busy * 100, unit: "%", atMost: 60 }),
        absoluteFigure({ name: "fanout: events lost", value: lost, unit: "events", atMost: 0 }),
        absoluteFigure({
          name: "fanout: latest arrival",
          value: Math.max(...tallies.map(({ latestMs }) => latestMs())),
          unit: "ms",
          atMost: 1000,
        }),
      ];
    } finally {
      for (const socket of sockets) socket.destroy();
      await server.stop();
    }
  },
};

function subscribe(port: number, index: number): Socket {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(
    `GET /api/v1/containers/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Forwarded-For: ${address(index % 256, index)}\r\n\r\n`,
  );
  return socket;
}

/** Counts events and the longest time one took, reading as little as it takes to know. */
function tally(socket: Socket): { greeted: Promise<void>; received(): number; latestMs(): number } {
  const greeted = Promise.withResolvers<void>();
  let count = 0;
  let latest = 0;
  let rest = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    const text = rest + chunk;
    const end = text.lastIndexOf("\n\n") + 2;
    rest = end < 2 ? text : text.slice(end);
    if (end < 2) return;
    if (text.includes("event: hello")) greeted.resolve();
    let at = text.indexOf("event: runtime.status_changed");
    for (; at !== -1 && at < end; at = text.indexOf("event: runtime.status_changed", at + 10)) {
      count += 1;
      const sent = /"timestamp":"([^"]+)"/.exec(text.slice(at, at + 400))?.[1];
      latest = Math.max(latest, Date.now() - Date.parse(sent ?? ""));
    }
  });
  return { greeted: greeted.promise, received: () => count, latestMs: () => latest };
}
