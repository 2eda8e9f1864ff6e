import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { type MeasuredServer, startMeasured } from "./child.ts";
import { absoluteFigure, type Bench, type Figure, ratioFigure } from "./figure.ts";
import { address, getRepeatedly } from "./load.ts";

const CONNECTIONS = 32;
const VIEWERS = 2000;
const PATH = "/status/";

export const status: Bench = {
  name: "status",
  about: `the public status page with 25 components of 90 days, against a cached Buffer over bare node:http; ${VIEWERS} open pages while a component flips every second`,
  async run({ quick }) {
    const program = await startMeasured("status");
    const bytes = (await (await fetch(`http://127.0.0.1:${program.port}${PATH}`)).arrayBuffer()).byteLength;
    const baseline = await startMeasured("buffer", [String(bytes)]);
    try {
      return [
        absoluteFigure({ name: "status: size of the page", value: bytes / 1000, unit: "kB", atMost: 50 }),
        await throughput(program, baseline, quick),
        ...(await viewers(program, quick)),
      ];
    } finally {
      await program.stop();
      await baseline.stop();
    }
  },
};

/** Requests in each CPU second of the server, measured by turns so that both see the same neighbours. */
async function throughput(program: MeasuredServer, baseline: MeasuredServer, quick: boolean): Promise<Figure> {
  const rounds = quick ? 3 : 8;
  const requests = quick ? 2000 : 8000;
  const measure = async (server: MeasuredServer): Promise<number> => {
    await server.cpuMicroseconds();
    await getRepeatedly({ port: server.port, path: PATH, connections: CONNECTIONS, requests });
    return requests / ((await server.cpuMicroseconds()) / 1e6);
  };
  // Until both are warm.
  for (const server of [program, baseline, program, baseline]) await measure(server);
  let [ours, theirs] = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    ours += (await measure(program)) / rounds;
    theirs += (await measure(baseline)) / rounds;
  }
  return ratioFigure({ name: "status: requests a CPU second", value: ours, baseline: theirs, unit: "1/s", atLeast: 0.7 });
}

/** What open pages cost and lose while a component goes down and up. */
async function viewers(program: MeasuredServer, quick: boolean): Promise<Figure[]> {
  const flips = quick ? 4 : 15;
  const tallies = Array.from({ length: VIEWERS }, (_, index) => follow(program.port, index));
  try {
    await Promise.all(tallies.map(({ greeted }) => greeted));
    const flip = async (times: number): Promise<number[]> => {
      const at: number[] = [];
      for (let time = 0; time < times; time += 1) {
        const startedMs = performance.now();
        at.push(Number((await program.ask({ flip: true }))["at"]));
        await wait(Math.max(0, 1000 - (performance.now() - startedMs)));
      }
      return at;
    };
    await flip(1);
    await program.cpuMicroseconds();
    const startedMs = performance.now();
    const flippedAt = await flip(flips);
    const busy = (await program.cpuMicroseconds()) / 1000 / (performance.now() - startedMs);
    await wait(1000);
    const lost = tallies.reduce((sum, { receivedAt }) => sum + Math.abs(flips + 1 - receivedAt.length), 0);
    const latest = Math.max(...tallies.flatMap(({ receivedAt }) => flippedAt.map((at, index) => (receivedAt[index + 1] ?? Infinity) - at)));
    return [
      absoluteFigure({ name: "status: share of a core", value: busy * 100, unit: "%", atMost: 60 }),
      absoluteFigure({ name: "status: changes lost", value: lost, unit: "changes", atMost: 0 }),
      absoluteFigure({ name: "status: change to the last open page", value: latest, unit: "ms", atMost: 1000 }),
    ];
  } finally {
    for (const { socket } of tallies) socket.destroy();
  }
}

/** Counts changes of the page, reading as little as it takes to know. */
function follow(port: number, index: number): { socket: Socket; greeted: Promise<void>; receivedAt: number[] } {
  const socket = connect(port, "127.0.0.1");
  const greeted = Promise.withResolvers<void>();
  const receivedAt: number[] = [];
  let rest = "";
  socket.on("error", greeted.reject);
  socket.write(`GET /status/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Forwarded-For: ${address(index % 256, index)}\r\n\r\n`);
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    const text = rest + chunk;
    const end = text.lastIndexOf("\n\n") + 2;
    rest = end < 2 ? text : text.slice(end);
    if (end < 2) return;
    const whole = text.slice(0, end);
    if (whole.includes("event: hello")) greeted.resolve();
    for (let at = whole.indexOf("event: page.changed"); at !== -1; at = whole.indexOf("event: page.changed", at + 10))
      receivedAt.push(Date.now());
  });
  return { socket, greeted: greeted.promise, receivedAt };
}
