import { setTimeout as wait } from "node:timers/promises";
import { newToken } from "./agents/enroll.ts";
import { type BuiltServer, startBuiltServer } from "./programs.ts";
import { type MeasuredServer, startMeasured } from "./child.ts";
import { absoluteFigure, type Figure, percentile } from "./figure.ts";

const OTHERS = 199;
const CONTAINERS = 50;
const DEFAULT_RATE = 1000;
const UNLIMITED = { SERVICE_AGENT_RATE_LIMIT_PER_SECOND: "1000000" };
/** What the agent may keep: memory and disk, by default. */
const BUDGET_MB = (16_777_216 + 134_217_728) / 1e6;
/** A little more than a tick: all hosts have shown what they run. */
const SETTLES_MS = 12_000;
/** A day is sent in a few seconds: neighbours of the machine may take one of them, but never add to it. */
const ROUNDS = 3;

interface Replay {
  events: number;
  seconds: number;
  askedToWait: number;
  /** Of what others showed meanwhile, until it was saved. */
  lagsMs: number[];
}

/** What the agent kept while it could not reach the server; CPU in microseconds. */
type Spooled = Record<"events" | "largest" | "dropped" | "cpu", number>;

/** One agent returns after a day and sends what it kept, while others continue; by the real spool and uplink. At the rate that is the default only in a whole run. */
export async function replays(quick: boolean): Promise<Figure[]> {
  const others = await startMeasured("agents", [String(CONTAINERS)]);
  const agent = await startMeasured("uplink", [String(CONTAINERS)]);
  let server = await startBuiltServer(quick ? UNLIMITED : {});
  try {
    await others.ask({ enroll: OTHERS, url: server.url, grpcPort: server.grpcPort });
    await begin(others, server);
    const paced: Replay[] = [];
    if (!quick) {
      paced.push(await replay({ others, agent, server, hours: 8 }));
      await others.ask({ rest: true });
      await others.ask({ disconnect: true });
      await server.stop();
      server = await startBuiltServer(UNLIMITED, server);
      await begin(others, server);
    }
    const days = [];
    for (let round = 1; round <= (quick ? 1 : ROUNDS); round += 1)
      days.push(await replay({ others, agent, server, hours: quick ? 1 : 24, round }));
    return [...spoolFigures(days.map(({ spooled }) => spooled)), ...fastFigures(days), ...paced.flatMap(pacedFigures)];
  } finally {
    await agent.stop();
    await others.stop();
    await server.stop();
  }
}

async function begin(others: MeasuredServer, { grpcPort }: BuiltServer): Promise<void> {
  await others.ask({ connect: grpcPort, withinMs: 2_000 });
  await others.ask({ inventory: Date.now() });
  await others.ask({ live: true });
  await wait(SETTLES_MS);
}

async function replay({
  others,
  agent,
  server,
  hours,
  round = 0,
}: {
  others: MeasuredServer;
  agent: MeasuredServer;
  server: BuiltServer;
  hours: number;
  round?: number;
}): Promise<Replay & { spooled: Spooled }> {
  const token = await newToken(server.url, 60_000 + hours + round);
  const { events: filled, largest, dropped, cpu } = await agent.ask({ fill: hours, grpcPort: server.grpcPort, token });
  const spooled = { events: Number(filled), largest: Number(largest), dropped: Number(dropped), cpu: Number(cpu) };
  await others.ask({ lags: true });
  const { events, seconds, askedToWait } = await agent.ask({ replay: true });
  const { lagsMs, lost } = await others.ask({ lags: true });
  if (!Array.isArray(lagsMs) || !Array.isArray(lost)) throw new Error("the load generator says nothing");
  if (lost.length > 0) throw new Error(`streams were lost: ${String(lost[0])}`);
  return { events: Number(events), seconds: Number(seconds), askedToWait: Number(askedToWait), lagsMs: lagsMs.map(Number), spooled };
}

function spoolFigures(days: readonly Spooled[]): Figure[] {
  const most = (of: (day: Spooled) => number): number => Math.max(...days.map(of));
  const median = percentile(
    days.map(({ cpu, events }) => cpu / events),
    50,
  );
  return [
    absoluteFigure({ name: "ingest: spool of a day", value: most(({ largest }) => largest) / 1e6, unit: "MB", atMost: BUDGET_MB }),
    absoluteFigure({ name: "ingest: spool of a day, dropped", value: most(({ dropped }) => dropped), unit: "events", atMost: 0 }),
    absoluteFigure({ name: "ingest: spool, CPU an event", value: median, unit: "us", atMost: 100 }),
  ];
}

/** The fastest of the rounds; of the lags, all of them. */
function fastFigures(days: readonly Replay[]): Figure[] {
  const fastest = Math.max(...days.map(({ events, seconds }) => events / seconds));
  const lagsMs = days.flatMap((day) => day.lagsMs);
  return [
    absoluteFigure({ name: "ingest: replay without a limit", value: fastest, unit: "1/s", atLeast: 20_000 }),
    absoluteFigure({ name: "ingest: others meanwhile, lag p99", value: percentile(lagsMs, 99), unit: "ms", atMost: 1000 }),
  ];
}

function pacedFigures({ events, seconds, askedToWait, lagsMs }: Replay): Figure[] {
  const name = `ingest: replay at ${DEFAULT_RATE}/s`;
  return [
    absoluteFigure({ name, value: events / seconds, unit: "1/s", atLeast: 0.85 * DEFAULT_RATE }),
    absoluteFigure({ name: `${name}, asked to wait`, value: askedToWait, unit: "times", atMost: 3 }),
    absoluteFigure({ name: `${name}, others, lag p99`, value: percentile(lagsMs, 99), unit: "ms", atMost: 1000 }),
  ];
}
