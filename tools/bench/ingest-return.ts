import { setTimeout as wait } from "node:timers/promises";
import { startBuiltServer } from "./programs.ts";
import { startMeasured } from "./child.ts";
import { absoluteFigure, type Figure } from "./figure.ts";

const AGENTS = 500;
const CONTAINERS = 10;
const WITHIN_MS = 10_000;
/** Until what a start costs is over. */
const SETTLES_MS = 3_000;

/** All agents lose their server, and come back to it within ten seconds of its start. */
export async function returnOfMany(quick: boolean): Promise<Figure[]> {
  const [count, withinMs] = quick ? [AGENTS / 5, WITHIN_MS / 5] : [AGENTS, WITHIN_MS];
  const agents = await startMeasured("agents", [String(CONTAINERS)]);
  let server = await startBuiltServer();
  try {
    await agents.ask({ enroll: count, url: server.url, grpcPort: server.grpcPort });
    await agents.ask({ connect: server.grpcPort, withinMs });
    await agents.ask({ inventory: Date.now() });
    await server.stop();
    server = await startBuiltServer({}, server);
    await wait(SETTLES_MS);
    const before = server.residentBytes();
    server.mostResidentBytes();
    const { seconds } = await agents.ask({ connect: server.grpcPort, withinMs });
    await agents.ask({ inventory: Date.now() });
    await wait(SETTLES_MS);
    const grown = (server.mostResidentBytes() - before) / 1024 ** 2;
    return [
      absoluteFigure({ name: `ingest: return of ${count}, all in`, value: Number(seconds), unit: "s", atMost: 30 }),
      absoluteFigure({ name: `ingest: return of ${count}, memory`, value: grown, unit: "MB", atMost: 150 }),
    ];
  } finally {
    await agents.stop();
    await server.stop();
  }
}
