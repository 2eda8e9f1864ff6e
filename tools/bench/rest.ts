import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { makeToken } from "../../test/support/agent-program.ts";
import { type EngineOptions, startEngine, type TestEngine } from "../../test/support/engine.ts";
import { sparePort } from "../../test/support/postgres.ts";
import { temporaryFolder } from "../../test/support/program.ts";
import { LICENSES, mintLicense } from "../license.ts";
import { runContainers } from "./containers.ts";
import { absoluteFigure, type Bench, type Figure } from "./figure.ts";
import { cpuMs } from "./questions.ts";
import { answering, memoryOf, type Resting, spawnProgram, startProgram, stop, untilShown } from "./resting.ts";

const CONTAINERS = 30;
/** After a start, until its memory is what it stays at. */
const SETTLES_MS = 300_000;
const MEGABYTE = 1024 ** 2;

/** What is asked of a program that nobody asks anything. */
interface Bars {
  cpuPercent?: number;
  wakeUps?: number;
  residentMb?: number;
  anonymousMb?: number;
  /** How far they may be missed in the gate. */
  margin?: number;
}

/** What a program with nothing to watch takes seconds after its start; what is more by a seventh is noticed in the gate. */
const GATE: Bars = { wakeUps: 7, residentMb: 102, anonymousMb: 50, margin: 1.15 };

export const rest: Bench = {
  name: "rest",
  about: `what the production build costs while nobody asks it anything, without containers and with ${CONTAINERS} that idle, and an agent beside it`,
  async run({ quick }) {
    const running: Resting[] = [];
    const engines: TestEngine[] = [];
    const begin = async (start: Promise<Resting>): Promise<Resting> => {
      const made = await start;
      running.push(made);
      return made;
    };
    const beginEngine = async (options?: EngineOptions): Promise<TestEngine> => {
      const engine = await startEngine(options);
      engines.push(engine);
      return engine;
    };
    try {
      const bare = await begin(startBare());
      const empty = await begin(startProgram([], { SERVICE_DOCKER_HOST: (await beginEngine({ own: true })).host }));
      if (quick) {
        await wait(5_000);
        return [...(await measure("bare node:http and SQLite", bare, 5, {})), ...(await measure("nothing to watch", empty, 5, GATE))];
      }

      const engine = await beginEngine({ own: true });
      await runContainers(engine, CONTAINERS);
      const server = await begin(startProgram([], { SERVICE_DOCKER_HOST: engine.host }));
      const agent = await begin(startAgent(engine.host, begin));
      await untilShown(server, CONTAINERS);
      await untilShown(agent, CONTAINERS);
      await wait(SETTLES_MS);
      const figures = await Promise.all([
        measure("bare node:http and SQLite", bare, 60, {}),
        measure("nothing to watch", empty, 60, { cpuPercent: 0.1, wakeUps: 5 }),
        measure(`${CONTAINERS} containers`, server, 60, { cpuPercent: 0.5, wakeUps: 15, residentMb: 84, anonymousMb: 30 }),
        measure("agent", agent, 60, { cpuPercent: 0.12, residentMb: 68, anonymousMb: 22 }),
      ]);
      return figures.flat();
    } finally {
      await Promise.all(running.map(stop));
      for (const engine of engines) await engine.stop();
    }
  },
};

/** An agent, asked through its server, which is begun with it. */
async function startAgent(dockerHost: string, begin: (start: Promise<Resting>) => Promise<Resting>): Promise<Resting> {
  const agentsPort = await sparePort();
  const central = await begin(
    startProgram(["--mode=server"], {
      ...{ SERVICE_GRPC_LISTEN: `127.0.0.1:${agentsPort}`, SERVICE_EMBEDDED_AGENT: "false" },
      SERVICE_LICENSE_KEY: mintLicense(LICENSES, { edition: "pro", organisation: "Harbour", days: 30 }),
    }),
  );
  const { token } = await makeToken(central);
  const agent = spawnProgram(["--mode=agent"], {
    ...{ SERVICE_SERVER: `grpcs://127.0.0.1:${agentsPort}`, SERVICE_GRPC_INSECURE_SKIP_TLS_VERIFY: "true" },
    ...{ SERVICE_ENROLLMENT_TOKEN: token, SERVICE_DOCKER_HOST: dockerHost },
  });
  return { ...central, process: agent };
}

async function startBare(): Promise<Resting> {
  const port = await sparePort();
  const args = ["tools/bench/servers/baseline-start.js", String(port), join(temporaryFolder(), "x.db")];
  return answering(port, spawn(process.execPath, args, { stdio: "ignore" }));
}

async function measure(
  name: string,
  { process: { pid = 0 } }: Pick<Resting, "process">,
  seconds: number,
  { margin, ...bars }: Bars,
): Promise<Figure[]> {
  const before = { cpuMs: cpuMs(pid), wakeUps: wakeUps(pid) };
  const startedMs = performance.now();
  await wait(seconds * 1000);
  const passedMs = performance.now() - startedMs;
  const { resident, anonymous } = memoryOf(pid);
  const figure = (what: string, value: number, unit: string, atMost: number | undefined): Figure => {
    const facts = { name: `rest: ${name}, ${what}`, value, unit };
    return atMost === undefined
      ? { ...facts, baseline: null, ratio: null, bar: "", ok: true }
      : absoluteFigure({ ...facts, atMost, ...(margin !== undefined && { margin }) });
  };
  return [
    figure("share of a core", ((cpuMs(pid) - before.cpuMs) / passedMs) * 100, "%", bars.cpuPercent),
    figure("wake-ups", ((wakeUps(pid) - before.wakeUps) / passedMs) * 1000, "wake-ups/s", bars.wakeUps),
    figure("resident memory", resident / MEGABYTE, "MB", bars.residentMb),
    figure("anonymous memory", anonymous / MEGABYTE, "MB", bars.anonymousMb),
  ];
}

/** How often its threads have waited and been woken so far. Source: proc(5), voluntary_ctxt_switches. */
function wakeUps(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const switches = threads.map((thread) => {
    const [, count] = /^voluntary_ctxt_switches:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/task/${thread}/status`, "utf8")) ?? [];
    return Number(count);
  });
  return switches.reduce((sum, each) => sum + each, 0);
}
