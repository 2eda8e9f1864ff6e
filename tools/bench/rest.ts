import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { makeToken } from "../../test/support/agent-program.ts";
import { type EngineOptions, startEngine, type TestEngine } from "../../test/support/engine.ts";
import { sparePort } from "../../test/support/postgres.ts";
import { temporaryFolder } from "../../test/support/program.ts";
import { until } from "../../test/support/until.ts";
import { LICENSES, mintLicense } from "../license.ts";
import { runContainers } from "./containers.ts";
import { absoluteFigure, type Bench, type Figure } from "./figure.ts";
import { type AnsweringProgram, type BuiltProgram, memoryOf, runBuilt, startBuilt, untilShown } from "./programs.ts";
import { cpuMs } from "./questions.ts";

const CONTAINERS = 30;
/** After a start, until its memory is what it stays at. */
const SETTLES_MS = 300_000;
const MEGABYTE = 1024 ** 2;

type Resting = Pick<BuiltProgram, "pid" | "stop">;

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
    const begin = async <Begun extends Resting>(start: Begun | Promise<Begun>): Promise<Begun> => {
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
      const empty = await begin(startBuilt([], { SERVICE_DOCKER_HOST: (await beginEngine({ own: true })).host }));
      if (quick) {
        await wait(5_000);
        return [...(await measure("bare node:http and SQLite", bare, 5, {})), ...(await measure("nothing to watch", empty, 5, GATE))];
      }

      const engine = await beginEngine({ own: true });
      await runContainers(engine, CONTAINERS);
      const server = await begin(startBuilt([], { SERVICE_DOCKER_HOST: engine.host }));
      const central = await begin(startCentral());
      const agent = await begin(await startAgent(central, engine.host));
      await untilShown(server, CONTAINERS);
      await untilShown(central, CONTAINERS);
      await wait(SETTLES_MS);
      const figures = await Promise.all([
        measure("bare node:http and SQLite", bare, 60, {}),
        measure("nothing to watch", empty, 60, { cpuPercent: 0.1, wakeUps: 5 }),
        measure(`${CONTAINERS} containers`, server, 60, { cpuPercent: 0.5, wakeUps: 15, residentMb: 84, anonymousMb: 30 }),
        measure("agent", agent, 60, { cpuPercent: 0.12, residentMb: 68, anonymousMb: 22 }),
      ]);
      return figures.flat();
    } finally {
      await Promise.all(running.map((each) => each.stop()));
      for (const engine of engines) await engine.stop();
    }
  },
};

interface Central extends AnsweringProgram {
  agentsPort: number;
}

/** A server of agents, with TLS. */
async function startCentral(): Promise<Central> {
  const agentsPort = await sparePort();
  const program = await startBuilt(["--mode=server"], {
    ...{ SERVICE_GRPC_LISTEN: `127.0.0.1:${agentsPort}`, SERVICE_EMBEDDED_AGENT: "false" },
    SERVICE_LICENSE_KEY: mintLicense(LICENSES, { edition: "pro", organisation: "Harbour", days: 30 }),
  });
  return { ...program, agentsPort };
}

async function startAgent(central: Central, dockerHost: string): Promise<BuiltProgram> {
  const { token } = await makeToken(central);
  return runBuilt(["--mode=agent"], {
    ...{ SERVICE_SERVER: `grpcs://127.0.0.1:${central.agentsPort}`, SERVICE_GRPC_INSECURE_SKIP_TLS_VERIFY: "true" },
    ...{ SERVICE_ENROLLMENT_TOKEN: token, SERVICE_DOCKER_HOST: dockerHost, SERVICE_LOG_LEVEL: "error" },
  });
}

async function startBare(): Promise<Resting> {
  const port = await sparePort();
  const args = ["tools/bench/servers/baseline-start.js", String(port), join(temporaryFolder(), "x.db")];
  const child = spawn(process.execPath, args, { stdio: "ignore" });
  const exited = once(child, "exit");
  await until(async () => (await fetch(`http://127.0.0.1:${port}`).catch(() => undefined))?.ok === true, { withinMs: 20_000, everyMs: 50 });
  return {
    pid: child.pid ?? 0,
    async stop() {
      child.kill();
      await exited;
    },
  };
}

async function measure(name: string, { pid }: Resting, seconds: number, { margin, ...bars }: Bars): Promise<Figure[]> {
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
