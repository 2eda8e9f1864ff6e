/**
 * Linux namespaces for what starts real parts: a network with its own loopback, bridge and packet filter, and its own mounts, processes and /run.
 * What runs there meets no engine, port or address of the machine or of another run, and leaves no process or mount behind.
 */
import { spawn, spawnSync } from "node:child_process";

const UNSHARE = ["unshare", "--net", "--mount", "--pid", "--ipc", "--fork", "--kill-child", "--mount-proc"];
/**
 * The first process is a shell, since somebody has to collect processes that lose their parent. Links that come with containers get no IPv6 address,
 * since a browser breaks off what it loads whenever the machine's addresses change.
 */
const FIRST_PROCESS = `
ip link set lo up
ipv6=/proc/sys/net/ipv6/conf/default/disable_ipv6
[ ! -e $ipv6 ] || echo 1 > $ipv6
mount -t tmpfs -o mode=755 tmpfs /run
mkdir /run/lock
names=$(readlink -m /etc/resolv.conf)
mkdir -p "$(dirname "$names")"
echo "nameserver 127.0.0.1" > /run/names
case "$names" in /run/*) cp /run/names "$names" ;; *) mount --bind /run/names "$names" ;; esac
"$@"
exit $?`;
const MARK = "BINNACLE_TEST_ISOLATED";

/** Whether this process runs in separate namespaces. */
export function isIsolated(): boolean {
  return process.env[MARK] === "1";
}

/** Whether this machine lets us have namespaces: Linux, root, and not a container that denies them. */
export function canIsolate(): boolean {
  const [command = "", ...args] = isolated("true");
  return process.platform === "linux" && process.getuid?.() === 0 && spawnSync(command, args).status === 0;
}

/** A command line that runs a command in new namespaces. */
export function isolated(...command: readonly string[]): string[] {
  return [...UNSHARE, "sh", "-c", FIRST_PROCESS, "sh", "env", `${MARK}=1`, ...command];
}

/** Runs this same program once more, isolated, and ends with its exit code. Returns when this process is isolated, or cannot be. */
export async function continueIsolated(): Promise<void> {
  if (isIsolated() || !canIsolate()) return;
  const [command = "", ...args] = isolated(process.execPath, ...process.execArgv, ...process.argv.slice(1));
  const child = spawn(command, args, { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  process.exit(await new Promise<number>((resolve) => child.once("exit", (code) => resolve(code ?? 1))));
}
