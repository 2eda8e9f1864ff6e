import { setTimeout as wait } from "node:timers/promises";
import type { Top } from "../../src/monitoring/resources/answers.ts";
import { startEngine } from "../../test/support/engine.ts";
import { type Program, startProgram } from "../../test/support/program.ts";
import { until } from "../../test/support/until.ts";
import { runContainers } from "./containers.ts";
import { absoluteFigure, type Bench } from "./figure.ts";
import { cpuMs } from "./questions.ts";

const CONTAINERS = 60;

export const collect: Bench = {
  name: "collect",
  isLong: true,
  about: `what reading ${CONTAINERS} containers of a real engine every 10 s costs the production build, with all that it does with the readings; and less what it costs with none`,
  async run({ quick }) {
    const seconds = quick ? 10 : 60;
    const containers = quick ? 10 : CONTAINERS;
    const settlesMs = quick ? 6_000 : 30_000;
    const engine = await startEngine();
    const ids: string[] = [];
    const program = await startProgram({ env: { SERVICE_DOCKER_HOST: engine.host } });
    try {
      // What a start costs is not what is asked here.
      await wait(settlesMs);
      const idle = await shareOfCore(program, seconds);
      ids.push(...(await runContainers(engine, containers)));
      await until(async () => (await readContainers(program)) >= containers, { withinMs: 60_000, everyMs: 500 });
      await wait(settlesMs);
      const loaded = await shareOfCore(program, seconds);
      const name = `collect: ${containers} containers`;
      return [
        absoluteFigure({ name: `${name}, whole program`, value: loaded, unit: "% of a core", atMost: 5 }),
        absoluteFigure({ name: `${name}, less none`, value: loaded - idle, unit: "% of a core", atMost: 5 }),
      ];
    } finally {
      await program.kill();
      if (ids.length > 0) await engine.docker("rm", "-f", ...ids);
      await engine.stop();
    }
  },
};

/** How many containers there are readings of. */
async function readContainers(program: Program): Promise<number> {
  return (await program.get<Top>("/api/v1/resources/top?sort=memory&limit=100")).consumers.length;
}

/** CPU time of the program in percent of a core, over so many seconds in which nobody asks it anything. */
async function shareOfCore({ process: { pid } }: Program, seconds: number): Promise<number> {
  const before = cpuMs(pid ?? 0);
  const startedMs = performance.now();
  await wait(seconds * 1000);
  return ((cpuMs(pid ?? 0) - before) / (performance.now() - startedMs)) * 100;
}
