import { startMeasured, type MeasuredServer } from "./child.ts";
import { absoluteFigure, type Bench, type Figure, median, percentile, ratioFigure } from "./figure.ts";
import { getRepeatedly } from "./load.ts";

const TICKS_AN_HOUR = 360;
/** Of the hour under way, which is not sealed. */
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
    const program = await startMeasured("series", [String(containers)]);
    const baseline = await startMeasured("rows", [String(containers)]);
    try {
      await program.ask({ write: STORED_TICKS });
      await program.ask({ repeat: EARLIER_DAYS });
      await baseline.ask({ fill: STORED_TICKS });
      const requests = quick ? 100 : 1000;
      const measure = (server: MeasuredServer, range: string): Promise<Reading> => readRepeatedly(server, { range, containers, requests });
      // Code is compiled as it runs.
      for (const range of ["24h", "30d"]) await measure(program, range);
      await measure(baseline, "24h");
      const ours = await measure(program, "24h");
      const theirs = await measure(baseline, "24h");
      const month = await measure(program, "30d");
      // A hundred requests on a busy machine say little of the slowest.
      return quick ? against(ours, theirs) : [...against(ours, theirs), slowest("24 h", ours), slowest("30 d", month)];
    } finally {
      await program.stop();
      await baseline.stop();
    }
  },
};

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
