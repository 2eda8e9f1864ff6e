import { startMeasured } from "./child.ts";
import { absoluteFigure, type Bench, type Figure, ratioFigure } from "./figure.ts";

const TICKS_AN_HOUR = 360;

export const seriesWrite: Bench = {
  name: "series-write",
  about:
    "1,000 containers read every 10 s for 24 hours on a clock that jumps, from the intake through series, sealing and retention to the file, less what making " +
    "the readings costs; against a table with a row a sample",
  async run({ quick }) {
    const containers = 1000;
    const ticks = (quick ? 3 : 24) * TICKS_AN_HOUR;
    const program = await startMeasured("series", [String(containers)]);
    const baseline = await startMeasured("rows", [String(containers)]);
    try {
      // Code is compiled as it runs: in a day of the program that is nothing, so it shall not count here.
      await program.ask({ make: TICKS_AN_HOUR });
      await program.ask({ write: TICKS_AN_HOUR });
      const { cpu: makingAHour } = await program.ask({ make: TICKS_AN_HOUR });
      const written = await program.ask({ write: ticks - TICKS_AN_HOUR });
      await program.ask({ seal: true });
      const samples = containers * (ticks - TICKS_AN_HOUR);
      const made = (Number(makingAHour) / TICKS_AN_HOUR) * (ticks - TICKS_AN_HOUR);
      const { bytes } = await program.ask({ close: true });
      const rows = await writeRows(baseline, containers, quick ? 60 : TICKS_AN_HOUR);
      const all = figures({
        cpu: (Number(written["cpu"]) - made) / samples,
        rowCpu: rows.cpu,
        bytes: Number(bytes) / (containers * ticks),
        rowBytes: rows.bytes,
        written,
      });
      // A few containers for a few hours say little of the absolute ones.
      return quick ? all.filter(({ ratio }) => ratio !== null) : all;
    } finally {
      await program.stop();
      await baseline.stop();
    }
  },
};

type Server = Awaited<ReturnType<typeof startMeasured>>;

/** Microseconds and bytes a row. */
async function writeRows(baseline: Server, containers: number, ticks: number): Promise<{ cpu: number; bytes: number }> {
  await baseline.ask({ write: 30 });
  const { cpu } = await baseline.ask({ write: ticks });
  const { bytes } = await baseline.ask({ close: true });
  return { cpu: Number(cpu) / (containers * ticks), bytes: Number(bytes) / (containers * (ticks + 30)) };
}

function figures({
  cpu,
  rowCpu,
  bytes,
  rowBytes,
  written,
}: {
  cpu: number;
  rowCpu: number;
  bytes: number;
  rowBytes: number;
  written: Record<string, unknown>;
}): Figure[] {
  const name = (what: string): string => `series-write: ${what}`;
  return [
    absoluteFigure({ name: name("CPU a sample"), value: cpu, unit: "us", atMost: 1.5 }),
    ratioFigure({ name: name("CPU a sample"), value: cpu, unit: "us", baseline: rowCpu, atMost: 0.5 }),
    absoluteFigure({ name: name("bytes a sample"), value: bytes, unit: "bytes", atMost: 10 }),
    ratioFigure({ name: name("bytes a sample"), value: bytes, unit: "bytes", baseline: rowBytes, atMost: 0.2 }),
    absoluteFigure({ name: name("event loop delay, p99"), value: Number(written["delayP99Ms"]), unit: "ms", atMost: 20 }),
    absoluteFigure({ name: name("longest hold-up"), value: Number(written["delayMaxMs"]), unit: "ms", atMost: 20 }),
    absoluteFigure({ name: name("resident memory"), value: Number(written["residentBytes"]) / 1024 ** 2, unit: "MB", atMost: 200 }),
  ];
}
