import { z } from "zod";
import { startMeasured, type MeasuredServer } from "./child.ts";
import { absoluteFigure, type Bench, median, ratioFigure } from "./figure.ts";
import { getRepeatedly } from "./load.ts";

const HEARTBEATS = 1000;
const CONNECTIONS = 64;

export const pings: Bench = {
  name: "pings",
  isLong: true,
  about: `durable pings of ${HEARTBEATS} heartbeats, ${CONNECTIONS} connections, against bare node:http and one group commit per 5 ms`,
  async run({ quick }) {
    const rounds = quick ? 2 : 6;
    const requests = quick ? 4000 : 20_000;
    const program = await startMeasured("pings");
    const baseline = await startMeasured("group-commit");
    try {
      const { paths } = z.object({ paths: z.array(z.string()) }).parse(await program.ask({ make: HEARTBEATS }));
      const measure = (server: MeasuredServer): Promise<number> => pingRepeatedly(server, paths, requests);
      // Once to grow warm, and then by turns so that both see the same neighbours.
      await measure(program);
      await measure(baseline);
      const ours: number[] = [];
      const theirs: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        ours.push(await measure(program));
        theirs.push(await measure(baseline));
      }
      const name = "pings: kept a second";
      return [
        // What it can do: neighbours only ever take away from that.
        absoluteFigure({ name: `${name}, best round`, value: Math.max(...ours), unit: "1/s", atLeast: 5000 }),
        ratioFigure({ name, value: median(ours), baseline: median(theirs), unit: "1/s", atLeast: 0.4 }),
      ];
    } finally {
      await program.stop();
      await baseline.stop();
    }
  },
};

/** Answers how many are kept a second. */
async function pingRepeatedly({ port }: MeasuredServer, paths: readonly string[], requests: number): Promise<number> {
  let number = 0;
  const path = (): string => paths[number++ % paths.length] ?? "";
  const { seconds } = await getRepeatedly({ port, path, connections: CONNECTIONS, requests });
  return requests / seconds;
}
