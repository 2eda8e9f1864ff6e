import { startMeasured, type MeasuredServer } from "./child.ts";
import { absoluteFigure, type Bench, type Figure, median, percentile, ratioFigure } from "./figure.ts";
import { getRepeatedly } from "./load.ts";

const TICKS_AN_HOUR = 360;
/** Of the present hour, which is not sealed. */
const OPEN_TICKS = 180;
const STORED_TICKS = 24 * TICKS_AN_HOUR + OPEN_TICKS;
const EARLIER_DAYS = 29;

export const seriesRead: Bench = {
  name: "series-read",
  about:
    "history of 24 hours and of 30 days over HTTP, one client, 1,000 containers stored (a day and a half hour of readings; the rollups of the 29 days before repeat that day); " +
    "against a table with a row a sample over bare node:http",
  async run({ quick }) {
    const containers = quick ? 20 : 1000;
    const requests = quick ? 100 : 1000;
    const measure = (server: MeasuredServer, range: string): Promise<Reading> => readRepeatedly(server, { range, containers, requests });
    // One after the other: what one has filled is still being written to the disk while it is read.
    const [ours, month] = await withServer("series", containers, async (program) => {
      await program.ask({ write: STORED_TICKS });
      await program.ask({ repeat: EARLIER_DAYS });
      // Code is compiled as it runs.
      for (const range of ["24h", "30d"]) await measure(program, range);
      return [await measure(program, "24h"), await measure(program, "30d")];
    });
    const theirs = await withServer("rows", containers, async (baseline) => {
      await baseline.ask({ fill: STORED_TICKS });
      await measure(baseline, "24h");
      return measure(baseline, "24h");
    });
    // A hundred requests on a busy machine say little of the slowest.
    return quick ? against(ours, theirs) : [...against(ours, theirs), slowest("24 h", ours), slowest("30 d", month)];
  },
};

async function withServer<Result>(name: string, containers: number, use: (server: MeasuredServer) => Promise<Result>): Promise<Result> {
  const server = await startMeasured(name, [String(containers)]);
  try {
    return await use(server);
  } finally {
    await server.stop();
  }
}

interface Reading {
  latenciesMs: number[];
  cpuMicroseconds: number;
}

/** Asks for one container after another, over one connection. */
async function readRepeatedly(
  server: MeasuredServer,
  { range, containers, requests }: { range: string; containers: number; requests: number },
): Promise<Reading> {
  await server.cpuMicroseconds();
  const { latenciesMs } = await getRepeatedly({
    port: server.port,
    path: (request) => `/api/v1/containers/${1 + ((request * 37) % containers)}/resources/history?range=${range}`,
    connections: 1,
    requests,
  });
  return { latenciesMs, cpuMicroseconds: (await server.cpuMicroseconds()) / requests };
}

function against(ours: Reading, theirs: Reading): Figure[] {
  return [
    ratioFigure({
      name: "series-read: 24 h, median",
      value: median(ours.latenciesMs),
      baseline: median(theirs.latenciesMs),
      unit: "ms",
      atMost: 0.166,
    }),
    ratioFigure({
      name: "series-read: 24 h, CPU",
      value: ours.cpuMicroseconds / 1000,
      baseline: theirs.cpuMicroseconds / 1000,
      unit: "ms",
      atMost: 0.166,
    }),
  ];
}

function slowest(range: string, { latenciesMs }: Reading): Figure {
  return absoluteFigure({ name: `series-read: ${range}, p99`, value: percentile(latenciesMs, 99), unit: "ms", atMost: 5 });
}
