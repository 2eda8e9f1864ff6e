import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { isIsolated } from "../../tools/testing/isolation.ts";
import type { Release } from "./release.ts";
import { until } from "./until.ts";

const run = promisify(execFile);

/** The image that {@link startPodman} brings: a shell and the usual commands. */
export const PODMAN_BUSYBOX = "localhost/binnacle-test/busybox:1";

/** A real Podman with its Docker-compatible service. */
export interface TestPodman {
  /** As in DOCKER_HOST. */
  host: string;
  /** Runs the podman command on its storage; resolves with what it printed, trimmed. */
  podman(...args: string[]): Promise<string>;
  /** `podman run -d --name NAME` without a network; resolves with the id. */
  run(name: string, flags: string[], ...command: string[]): Promise<string>;
  /** A request to the service; resolves with its status. */
  ask(method: string, path: string): Promise<number>;
  stop(): Promise<void>;
}

/** The defaults of Podman can be above what the machine of the test allows. */
const LIMITS = ["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=4096:4096"];

/**
 * Starts Podman's service with a separate storage in a temporary folder: this machine's, or that of another release.
 * Needs root and the namespaces of `npm test`.
 */
export async function startPodman({ root, enter }: Pick<Release, "root" | "enter"> = { root: "", enter: [] }): Promise<TestPodman> {
  if (!isIsolated()) throw new Error("Podman would change this machine's cgroups and /run: run it with npm test.");
  const made = await mkdtemp(join(root, root === "" ? tmpdir() : "/tmp", "binnacle-podman-"));
  // As the release itself names it.
  const folder = made.slice(root.length);
  const socketPath = join(made, "podman.sock");
  const [program = "", ...entering] = [...enter, "podman"];
  const place = ["--root", join(folder, "data"), "--runroot", join(folder, "run"), "--tmpdir", join(folder, "tmp")];
  // Without systemd: no journal for events and no own cgroups. Copies instead of overlays, which not every /tmp allows.
  const flags = [...place, "--runtime", "runc", "--cgroup-manager", "cgroupfs", "--events-backend", "file", "--storage-driver", "vfs"];

  async function podman(...args: string[]): Promise<string> {
    const { stdout } = await run(program, [...entering, ...flags, ...args], { maxBuffer: 16 * 1024 * 1024, timeout: 60_000 });
    return stdout.trim();
  }

  await importBusybox({ made, folder, podman });
  const serve = ["system", "service", "--time=0", `unix://${join(folder, "podman.sock")}`];
  const service: ChildProcess = spawn(program, [...entering, ...flags, ...serve], { stdio: "ignore" });
  const endWithUs = (): void => void service.kill("SIGTERM");
  process.once("exit", endWithUs);

  function ask(method: string, path: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const asked = request({ socketPath, path, method, agent: false }, (answer) => {
        answer.resume().on("end", () => resolve(answer.statusCode ?? 0));
      });
      asked.on("error", reject);
      asked.end();
    });
  }
  await until(() => ask("GET", "/_ping").catch(() => undefined), { withinMs: 20_000 });

  return {
    host: `unix://${socketPath}`,
    podman,
    run: (name, own, ...command) => podman("run", "-d", "--name", name, "--network", "none", ...LIMITS, ...own, PODMAN_BUSYBOX, ...command),
    ask,
    async stop() {
      await podman("pod", "rm", "-fa", "-t", "0");
      await podman("rm", "-fa", "-t", "0");
      const ended = once(service, "exit");
      service.kill("SIGTERM");
      await ended;
      process.off("exit", endWithUs);
      await rm(made, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

async function importBusybox({ made, folder, podman }: { made: string; folder: string; podman: TestPodman["podman"] }): Promise<void> {
  const bin = join(made, "root/bin");
  await mkdir(bin, { recursive: true });
  await copyFile("/bin/busybox", join(bin, "busybox"));
  const { stdout } = await run("/bin/busybox", ["--list"]);
  const commands = stdout.split("\n").filter((name) => name !== "" && name !== "busybox");
  await Promise.all(commands.map((name) => symlink("busybox", join(bin, name))));
  await run("tar", ["-C", join(made, "root"), "-cf", join(made, "image.tar"), "."]);
  await podman("import", "-q", join(folder, "image.tar"), PODMAN_BUSYBOX);
}
