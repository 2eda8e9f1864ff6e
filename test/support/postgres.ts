// oxlint-disable-next-line no-restricted-imports -- which port it is changes nothing
import { randomInt } from "node:crypto";
import { execFile } from "node:child_process";
import { createSocket } from "node:dgram";
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { fastFolder } from "./fast-folder.ts";

const run = promisify(execFile);
/** All files of a run share one server, and a file keeps its databases open until its end. */
const MAX_CONNECTIONS = 500;

export interface TestPostgres {
  /** A superuser's URL to its database `postgres`. */
  url: string;
  port: number;
  /** Immediate shutdown, as after a crash. */
  kill(): Promise<void>;
  /** Starts again on the same port and data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Debian's PostgreSQL in a temporary folder on a spare loopback port. Must run as root, since the server refuses to. */
export async function startPostgres(): Promise<TestPostgres> {
  const folder = mkdtempSync(join(fastFolder(), "binnacle-postgres-"));
  const { uid, gid } = await postgresUser();
  chownSync(folder, uid, gid);
  chmodSync(folder, 0o700);
  const data = join(folder, "data");
  const port = await sparePort();
  const binary = (name: string): string => join(binaries(), name);
  const as = (file: string, args: string[]): Promise<unknown> =>
    run(file, args, { uid, gid, cwd: folder, env: { PATH: "/usr/bin:/bin", LC_ALL: "C.UTF-8" } });
  const start = (): Promise<unknown> =>
    as(binary("pg_ctl"), [
      "-D",
      data,
      "-w",
      "-t",
      "30",
      "-l",
      join(folder, "log"),
      "-o",
      `-p ${port} -c listen_addresses=127.0.0.1 -k ${folder} -c fsync=off -c max_connections=${MAX_CONNECTIONS}`,
      "start",
    ]);
  const shutDown = (mode: string): Promise<unknown> => as(binary("pg_ctl"), ["-D", data, "-m", mode, "-w", "stop"]);

  await as(binary("initdb"), ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"]);
  await start();
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    port,
    async kill() {
      await shutDown("immediate");
    },
    async restart() {
      await start();
    },
    async stop() {
      await shutDown("immediate").catch(() => undefined);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function binaries(): string {
  const [newest] = readdirSync("/usr/lib/postgresql").sort((a, b) => Number(b) - Number(a));
  if (newest === undefined) throw new Error("PostgreSQL is not installed");
  return join("/usr/lib/postgresql", newest, "bin");
}

async function postgresUser(): Promise<{ uid: number; gid: number }> {
  const id = async (flag: string): Promise<number> => Number((await run("id", [flag, "postgres"])).stdout);
  return { uid: await id("-u"), gid: await id("-g") };
}

/**
 * A port that was free a moment ago, and that the kernel gives to nobody by itself: below those of outgoing connections. No other test is
 * given it as long as this process lives.
 */
export async function sparePort(): Promise<number> {
  for (let tries = 0; tries < 50; tries += 1) {
    const port = randomInt(10_240, 32_000);
    if ((await isOurs(port)) && (await isFree(port))) return port;
  }
  throw new Error("found no spare port");
}

/** Takes the UDP port of that number, which nobody else uses, for a sign to other tests; it goes with the process, however that ends. */
function isOurs(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const sign = createSocket("udp4").unref();
    sign.once("error", () => sign.close(() => resolve(false)));
    sign.bind({ port, address: "127.0.0.1", exclusive: true }, () => resolve(true));
  });
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "0.0.0.0", () => server.close(() => resolve(true)));
  });
}
