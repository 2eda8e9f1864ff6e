import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { createNetworks } from "../../test/support/networks.ts";
import { temporaryFolder } from "../../test/support/program.ts";
import { until } from "../../test/support/until.ts";
import { LICENSES, mintLicense } from "../license.ts";
import { NODE_ENVIRONMENT, NODE_FLAGS } from "../node-flags.ts";
import { absoluteFigure, type Bench, percentile } from "./figure.ts";
import { residentBytes } from "./questions.ts";

const STRANGERS = 200;
const HONEST = "10.78.0.1";
const [HTTP, GRPC] = ["10.77.0.2:18080", "10.77.0.2:18443"];
const STARTED = { withinMs: 30_000, everyMs: 50 };
const LOOK_EVERY_MS = 50;

const answer = z.object({ status: z.number(), ms: z.number() });
const held = z.object({ http: z.number(), grpc: z.number() });

export const flood: Bench = {
  name: "flood",
  about: `strangers with ${STRANGERS} connections to the web address and ${STRANGERS} to that for agents, from one address of another network: half-sent requests, many requests, compressed and large messages; a job of another address pings meanwhile`,
  async run({ quick }) {
    const networks = createNetworks([HONEST]);
    Object.assign(process.env, NODE_ENVIRONMENT);
    const dataDir = temporaryFolder();
    try {
      const program = networks.inside(...NODE_FLAGS, "dist/main.js", ...flags(dataDir));
      program.stdout?.resume();
      const job = networks.outside("test/support/honest.ts", HTTP, HONEST, "ping");
      const pings = linesOf(job, answer);
      await until(() => pings.some(({ status }) => status === 200), STARTED);
      const strangers = linesOf(networks.outside("test/support/strangers.ts", HTTP, GRPC, String(STRANGERS)), held);
      await until(() => strangers.some(({ http, grpc }) => http > 0 && grpc > 0), STARTED);
      const before = pings.length;
      let most = 0;
      const looking = setInterval(() => (most = Math.max(most, residentBytes(program.pid ?? 0))), LOOK_EVERY_MS);
      await wait(quick ? 8000 : 120_000);
      clearInterval(looking);
      const during = pings.slice(before);
      job.kill("SIGKILL");
      program.kill("SIGKILL");
      await once(program, "exit");
      const acknowledged = pings.filter(({ status }) => status === 200).length;
      return [
        absoluteFigure({ name: "flood: resident memory", value: most / 1024 ** 2, unit: "MB", atMost: 200 }),
        absoluteFigure({
          name: "flood: others' pings, p99",
          value: percentile(
            during.map(({ ms }) => ms),
            99,
          ),
          unit: "ms",
          atMost: 100,
        }),
        absoluteFigure({ name: "flood: pings refused", value: pings.length - acknowledged, unit: "requests", atMost: 0 }),
        absoluteFigure({ name: "flood: pings lost", value: Math.max(0, acknowledged - storedPings(dataDir)), unit: "requests", atMost: 0 }),
      ];
    } finally {
      networks.remove();
    }
  },
};

function flags(dataDir: string): string[] {
  return [
    "--mode=server",
    "--embedded-agent=false",
    `--addr=${HTTP}`,
    `--grpc-listen=${GRPC}`,
    "--grpc-tls-insecure=true",
    `--data-dir=${dataDir}`,
    `--license-key=${mintLicense(LICENSES, { edition: "personal", organisation: "Bench", days: 1 })}`,
    "--log-level=error",
  ];
}

/** How many pings are in the file, after what is as good as a power cut. */
function storedPings(dataDir: string): number {
  const file = new DatabaseSync(join(dataDir, "binnacle.db"));
  const count = Number(file.prepare("SELECT count(*) AS count FROM heartbeat_pings").get()?.["count"]);
  file.close();
  return count;
}

/** What a process has printed so far, line by line. */
function linesOf<Line>({ stdout }: ChildProcess, line: z.ZodType<Line>): Line[] {
  if (stdout === null) throw new Error("the process has no output");
  const lines: Line[] = [];
  createInterface({ input: stdout }).on("line", (text) => lines.push(line.parse(JSON.parse(text))));
  return lines;
}
