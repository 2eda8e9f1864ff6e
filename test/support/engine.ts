import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { isIsolated } from "../../tools/testing/isolation.ts";
import type { Release } from "./release.ts";

const run = promisify(execFile);
const READY_WITHIN_MS = 60_000;
const HERE = { root: "", enter: [] };

/** A real Docker Engine. */
export interface TestEngine {
  /** As in DOCKER_HOST. */
  host: string;
  /** Runs the docker command against it; resolves with what it printed, trimmed. */
  docker(...args: string[]): Promise<string>;
  /** Ends the engine's process without warning. Only for a test's own engine. */
  kill(): Promise<void>;
  /** Starts it again, ended or not; its containers are still there. Only for a test's own engine. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface EngineOptions {
  own?: boolean;
  /** An existing bridge, for a test's own engine: its containers have addresses there, and no way out. */
  bridge?: string;
  /** The release whose engine this is; this machine's by default. Only for a test's own engine. */
  release?: Pick<Release, "root" | "enter">;
  /** Flags of dockerd. */
  flags?: readonly string[];
}

/**
 * Starts an engine in a temporary folder (needs root), or uses the one that BINNACLE_TEST_ENGINE names. With `own` it is always a new one,
 * which may be killed and restarted; it has no bridge network, so that several live beside each other.
 */
export async function startEngine({ own = false, bridge = own ? "none" : "own", ...options }: EngineOptions = {}): Promise<TestEngine> {
  const shared = process.env["BINNACLE_TEST_ENGINE"];
  return shared && !own ? sharedEngine(shared) : ownEngine({ ...options, bridge });
}

function sharedEngine(host: string): TestEngine {
  const notOurs = (): Promise<never> => Promise.reject(new Error("This engine is shared: ask for startEngine({ own: true })."));
  return { host, docker: (...args) => docker(host, args), kill: notOurs, restart: notOurs, stop: async () => {} };
}

interface OwnEngine {
  /** `own`: docker0, with all that an engine makes of a network; `none`; or the name of one that is there. */
  bridge: string;
  release?: Pick<Release, "root" | "enter">;
  flags?: readonly string[];
}

async function ownEngine({ bridge, release = HERE, flags = [] }: OwnEngine): Promise<TestEngine> {
  if (bridge !== "none" && !isIsolated())
    throw new Error("An engine with a bridge would change this machine's network: run it with npm test.");
  const folder = await mkdtemp(join(release.root, release === HERE ? tmpdir() : "/tmp", "binnacle-engine-"));
  const host = `unix://${folder}/docker.sock`;
  const start = (): Promise<ChildProcess> => startDaemon(folder, { host, bridge, release, flags });
  let daemon = await start();

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (daemon.exitCode !== null || daemon.signalCode !== null) return;
    const exited = once(daemon, "exit");
    daemon.kill(signal);
    const giveUp = setTimeout(() => daemon.kill("SIGKILL"), 20_000);
    await exited;
    clearTimeout(giveUp);
  }

  const engine: TestEngine = {
    host,
    docker: (...args) => docker(host, args),
    kill: () => end("SIGKILL"),
    async restart() {
      await end("SIGTERM");
      daemon = await start();
    },
    async stop() {
      // Only a living engine takes its containers, their shims and its containerd down with it.
      if (daemon.exitCode !== null || daemon.signalCode !== null) await engine.restart();
      const ids = await engine.docker("ps", "-aq");
      if (ids !== "") await engine.docker("rm", "-f", ...ids.split("\n"));
      await end("SIGTERM");
      // A killed engine leaves the mount of its data folder behind.
      await run("umount", ["-l", join(folder, "data")]).catch(() => undefined);
      // So does a container with the network of the host.
      await run("umount", ["-l", join(folder, "exec/netns/default")]).catch(() => undefined);
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
  return engine;
}

async function startDaemon(
  folder: string,
  { host, bridge, release, flags }: Required<OwnEngine> & { host: string },
): Promise<ChildProcess> {
  // A killed engine leaves these behind, and where nobody reaps orphans its containerd seems to live on.
  await Promise.all([join(folder, "pid"), join(folder, "exec/containerd/containerd.pid")].map((path) => rm(path, { force: true })));
  const log = await open(join(folder, "engine.log"), "a");
  // As the release itself names it.
  const inside = folder.slice(release.root.length);
  const paths = ["--data-root", join(inside, "data"), "--exec-root", join(inside, "exec"), "--pidfile", join(inside, "pid")];
  const args = ["-H", `unix://${join(inside, "docker.sock")}`, ...paths, ...flags];
  const plain = [`--bridge=${bridge}`, "--iptables=false", "--ip6tables=false", "--ip-masq=false"];
  // An engine without a bridge takes docker0 away from its neighbours when it starts, so it gets a separate network.
  const own = bridge === "none" ? ["unshare", "--net", ...release.enter] : [];
  const [command, ...rest] = [...own, "dockerd", ...args, ...(bridge === "own" ? [] : plain)];
  const daemon = spawn(command ?? "dockerd", rest, { stdio: ["ignore", log.fd, log.fd] });
  await log.close();
  const endWithUs = (): void => void daemon.kill("SIGTERM");
  process.once("exit", endWithUs);
  daemon.once("exit", () => process.off("exit", endWithUs));
  const failed = new Promise<never>((_, reject) => daemon.once("error", reject));

  const deadline = Date.now() + READY_WITHIN_MS;
  for (;;) {
    const ready = await Promise.race([failed, docker(host, ["version"]).catch(() => undefined)]);
    if (ready !== undefined) return daemon;
    if (daemon.exitCode !== null || Date.now() > deadline) {
      daemon.kill("SIGKILL");
      throw new Error(`dockerd did not become ready:\n${(await readFile(join(folder, "engine.log"), "utf8")).slice(-4000)}`);
    }
    await sleep(100);
  }
}

async function docker(host: string, args: string[]): Promise<string> {
  const { stdout } = await run("docker", args, {
    env: { ...process.env, DOCKER_HOST: host },
    maxBuffer: 64 * 1024 * 1024,
    timeout: 120_000,
  });
  return stdout.trim();
}
