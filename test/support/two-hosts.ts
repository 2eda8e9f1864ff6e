import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestEngine } from "./engine.ts";
import { until } from "./until.ts";

const run = promisify(execFile);
const NAMESPACES = ["--mount", "--uts", "--net", "--pid"];

const engineOf = (folder: string): string =>
  `dockerd -H unix:///run/docker.sock -H unix://${folder}/docker.sock --data-root ${folder}/data --exec-root /run/docker --pidfile /run/docker.pid`;

/**
 * The first process of the host: ends with what it runs when its input ends, so also when whoever started it is killed. It is a shell that
 * waits, since somebody has to collect the processes that lose their parent.
 */
const FIRST_PROCESS = `
hostname "$1"
mount -t tmpfs tmpfs /run
ip link set lo up
${engineOf('"$2"')} > "$2/engine.log" 2>&1 &
cat > /dev/null
kill $!
wait
`;

/** Another host beside this one, connected by a cable: its own network, name, processes and Docker Engine at the usual socket. Needs root. */
export interface SecondHost {
  hostname: string;
  /** This machine, as the other host reaches it, and that host, as this machine does. */
  address: { here: string; there: string };
  /** Its engine, as this machine reaches it. */
  engine: TestEngine;
  /** Runs shell text on it, in a folder; resolves with what it printed. */
  shell(text: string, folder?: string): Promise<string>;
  /** Ends the first process of a container from outside of it: nobody asks the engine for that. */
  endContainer(id: string): Promise<void>;
  /** Kills its engine, with all that it has in memory; its containers run on. */
  killEngine(): Promise<void>;
  startEngine(): Promise<void>;
  /** Pulls the cable: nobody is notified, packets just do not arrive. */
  unplug(): Promise<void>;
  plug(): Promise<void>;
  /** Ends all that runs on it and removes it. */
  stop(): Promise<void>;
}

/** A network that several hosts are on: each has a port of the bridge, and an address in its /24. */
export interface SharedNetwork {
  /** A bridge of this machine, which is up and has the address `here`. */
  bridge: string;
  here: string;
  there: string;
}

/** By default the host has a cable to this machine alone. */
export async function startSecondHost(hostname = "harbour", shared?: SharedNetwork): Promise<SecondHost> {
  const folder = await mkdtemp(join(tmpdir(), "binnacle-host-"));
  const first = spawn(
    "unshare",
    [...NAMESPACES, "--mount-proc", "--fork", "--kill-child", "sh", "-c", FIRST_PROCESS, "sh", hostname, folder],
    {
      stdio: ["pipe", "ignore", "inherit"],
    },
  );
  const cable = `bt${first.pid}`;
  const address = shared ?? addressesOf(first.pid ?? 0);
  const socket = `unix://${folder}/docker.sock`;
  // The classic builder: the newer one is not everywhere.
  const docker = async (...args: string[]): Promise<string> =>
    (
      await run("docker", args, {
        env: { ...process.env, DOCKER_HOST: socket, DOCKER_BUILDKIT: "0" },
        maxBuffer: 64 * 1024 * 1024,
        timeout: 300_000,
      })
    ).stdout.trim();

  const hostNotEngine = (): Promise<never> => Promise.reject(new Error("The engine of a second host lives as long as the host."));
  async function stop(): Promise<void> {
    // Only a living engine takes away what its containers leave in the machine's control groups.
    const ids = await docker("ps", "-aq").catch(() => "");
    if (ids !== "") await docker("rm", "-f", ...ids.split("\n")).catch(() => undefined);
    await end(first);
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  try {
    const pid = await until(() => childOf(first), { everyMs: 20, what: "the first process of the second host" });
    const inside = ["--target", pid, ...NAMESPACES, "--"];
    const ip = (...args: string[]): Promise<unknown> => run("ip", args);
    const ipThere = (...args: string[]): Promise<unknown> => run("nsenter", [...inside, "ip", ...args]);
    await ip("link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", pid);
    if (shared === undefined) await ip("addr", "add", `${address.here}/30`, "dev", cable);
    else await ip("link", "set", cable, "master", shared.bridge);
    await ip("link", "set", cable, "up");
    await ipThere("addr", "add", `${address.there}/${shared === undefined ? 30 : 24}`, "dev", "eth0");
    await ipThere("link", "set", "eth0", "up");
    await until(() => docker("version").catch(() => undefined), { withinMs: 60_000, everyMs: 100, what: "the engine of the second host" });
    // As somebody would who logged in there: nothing of this machine's environment.
    const env = { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", HOME: "/root" };
    const shell = async (text: string, at = "/"): Promise<string> =>
      (await run("nsenter", [...inside, "sh", "-euc", `cd '${at}'\n${text}`], { env, timeout: 120_000 })).stdout.trim();
    return {
      hostname,
      address: { here: address.here, there: address.there },
      engine: { host: socket, docker, kill: hostNotEngine, restart: hostNotEngine, stop },
      shell,
      async endContainer(id) {
        // It is 0 while a policy restarts it, and to kill 0 is to kill ourselves.
        const running = async (): Promise<number> => Number(await docker("inspect", "-f", "{{.State.Pid}}", id));
        const process = await until(running, { everyMs: 100, what: `a process of ${id}` });
        await shell(`kill -9 ${process}`);
      },
      async killEngine() {
        // It leaves word of itself, and of its containerd, which would live on.
        await shell(
          "kill -9 $(cat /run/docker.pid); kill -9 $(cat /run/docker/containerd/containerd.pid) || true; rm -f /run/docker.pid /run/docker/containerd/*.pid",
        );
      },
      async startEngine() {
        await shell(`nohup ${engineOf(folder)} >> '${folder}/engine.log' 2>&1 < /dev/null &`);
        await until(() => docker("version").catch(() => undefined), {
          withinMs: 60_000,
          everyMs: 100,
          what: "the engine that was started again",
        });
      },
      unplug: async () => void (await ip("link", "set", cable, "down")),
      plug: async () => void (await ip("link", "set", cable, "up")),
      stop,
    };
  } catch (error) {
    const log = await readFile(join(folder, "engine.log"), "utf8").catch(() => "");
    await stop();
    throw new Error(`the second host did not start:\n${log.slice(-4000)}`, { cause: error });
  }
}

/** Four addresses that no other second host of this machine has, but by a rare accident. */
function addressesOf(pid: number): SecondHost["address"] {
  const block = pid % 16_384;
  const prefix = `10.78.${block >> 6}`;
  const first = (block & 63) * 4;
  return { here: `${prefix}.${first + 1}`, there: `${prefix}.${first + 2}` };
}

/** The shell that has the namespaces, which `unshare` starts. */
async function childOf({ pid }: ChildProcess): Promise<string | undefined> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  return children
    .trim()
    .split(" ")
    .find((child) => child !== "");
}

/** Ends the first process gently, then by force; with it go its processes, mounts and networks. */
async function end(first: ChildProcess): Promise<void> {
  if (first.exitCode !== null || first.signalCode !== null) return;
  const exited = once(first, "exit");
  first.stdin?.end();
  const giveUp = setTimeout(() => first.kill("SIGKILL"), 20_000);
  await exited;
  clearTimeout(giveUp);
}
