import { setTimeout as wait } from "node:timers/promises";
import { TICK_MS } from "../../src/observations.ts";
import { startBuiltServer } from "./programs.ts";
import { type MeasuredServer, startMeasured } from "./child.ts";
import { absoluteFigure, type Bench, type Figure, ratioFigure } from "./figure.ts";
import { idleAgent } from "./ingest-idle.ts";
import { replays } from "./ingest-replay.ts";
import { returnOfMany } from "./ingest-return.ts";

const AGENTS = 200;
const CONTAINERS = 50;
const BATCH = 200;
/** Times lie ahead of now as far as they may, so that little of them is in an hour that is over. */
const AHEAD_MS = 500_000;
const UNLIMITED = { SERVICE_AGENT_RATE_LIMIT_PER_SECOND: "1000000" };

export const ingest: Bench = {
  name: "ingest",
  about:
    `${AGENTS} agents with ${CONTAINERS} containers each, live, as fast as the production build takes their ticks, against bare grpc-js with batches of ${BATCH} ` +
    "events and a row an event; one agent that replays a day while the others live, the fastest of three; many that return after a restart; an agent that idles",
  async run({ quick }) {
    const inQuick = [...(await live(quick)), ...(await replays(quick)), ...(await returnOfMany(quick))];
    return quick ? inQuick : [...inQuick, ...(await idleAgent())];
  },
};

interface Rate {
  things: number;
  seconds: number;
  cpuMs: number;
}

/** What is counted: a reading of a container, a check, whatever else a host shows: what would be a row. */
async function live(quick: boolean): Promise<Figure[]> {
  const agents = await startMeasured("agents", [String(CONTAINERS)]);
  const baseline = await startMeasured("event-rows");
  const server = await startBuiltServer(UNLIMITED);
  try {
    const { url, grpcPort } = server;
    await agents.ask({ enroll: AGENTS, url, grpcPort });
    await agents.ask({ connect: grpcPort, withinMs: 2_000 });
    const rounds = quick ? 10 : 60;
    const warmUp = quick ? 3 : 10;
    const fromMs = Math.floor(Date.now() / TICK_MS) * TICK_MS + AHEAD_MS - (rounds + warmUp) * TICK_MS;
    await agents.ask({ inventory: fromMs });
    await agents.ask({ saturate: warmUp, fromMs });
    await rows(agents, baseline, 50_000);
    const before = await rows(agents, baseline, quick ? 100_000 : 300_000);
    const cpuMs = server.cpuMs();
    const made = await agents.ask({ saturate: rounds, fromMs: fromMs + warmUp * TICK_MS });
    const ours = { things: Number(made["records"]), seconds: Number(made["seconds"]), cpuMs: server.cpuMs() - cpuMs };
    const after = await rows(agents, baseline, quick ? 100_000 : 300_000);
    const theirs = sum(before, after);
    const { lost } = await agents.ask({ lags: true });
    const name = (what: string): string => `ingest: ${what}`;
    return [
      ratioFigure({ name: name("things a CPU second"), value: aCpuSecond(ours), baseline: aCpuSecond(theirs), unit: "1/s", atLeast: 0.5 }),
      ratioFigure({ name: name("things a second"), value: aSecond(ours), baseline: aSecond(theirs), unit: "1/s", atLeast: 0.5 }),
      absoluteFigure({ name: name("streams lost"), value: Array.isArray(lost) ? lost.length : Number.NaN, unit: "streams", atMost: 0 }),
    ];
  } finally {
    await agents.stop();
    await baseline.stop();
    await server.stop();
  }
}

async function rows(agents: MeasuredServer, baseline: MeasuredServer, events: number): Promise<Rate> {
  await wait(500);
  await baseline.cpuMicroseconds();
  const sent = await agents.ask({ rows: events, port: baseline.port, batch: BATCH });
  return { things: Number(sent["events"]), seconds: Number(sent["seconds"]), cpuMs: (await baseline.cpuMicroseconds()) / 1000 };
}

function sum(...rates: Rate[]): Rate {
  return rates.reduce((a, b) => ({ things: a.things + b.things, seconds: a.seconds + b.seconds, cpuMs: a.cpuMs + b.cpuMs }));
}

function aCpuSecond({ things, cpuMs }: Rate): number {
  return (things / cpuMs) * 1000;
}

function aSecond({ things, seconds }: Rate): number {
  return things / seconds;
}
