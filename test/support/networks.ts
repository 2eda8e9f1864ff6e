import { type ChildProcess, execFileSync, spawn } from "node:child_process";

/** Two hosts that are connected by a cable, as Linux network namespaces. Needs root and iproute2. */
export interface Networks {
  /** Runs Node in the host whose way out is the other one; its own address is 10.77.0.2. */
  inside(...args: string[]): ChildProcess;
  /** Runs Node in the other host, which has 10.77.0.1 and the addresses given. */
  outside(...args: string[]): ChildProcess;
  unplug(): void;
  plug(): void;
  /** Ends what runs in them, and them. */
  remove(): void;
}

export function createNetworks(addresses: readonly string[]): Networks {
  const name = `bn${process.pid}`;
  const [here, there] = [`${name}a`, `${name}b`];
  const processes: ChildProcess[] = [];
  const ip = (...args: string[]): void => void execFileSync("ip", args, { stdio: ["ignore", "ignore", "inherit"] });
  const node =
    (namespace: string) =>
    (...args: string[]): ChildProcess => {
      const child = spawn("ip", ["netns", "exec", namespace, process.execPath, ...args], { stdio: ["pipe", "pipe", "inherit"] });
      processes.push(child);
      return child;
    };
  const route = (): void => ip("-n", here, "route", "add", "default", "via", "10.77.0.1");

  ip("netns", "add", here);
  ip("netns", "add", there);
  ip("link", "add", here, "netns", here, "type", "veth", "peer", "name", there, "netns", there);
  ip("-n", here, "addr", "add", "10.77.0.2/24", "dev", here);
  ip("-n", there, "addr", "add", "10.77.0.1/24", "dev", there);
  for (const address of addresses) ip("-n", there, "addr", "add", `${address}/32`, "dev", "lo");
  for (const namespace of [here, there]) {
    ip("-n", namespace, "link", "set", "lo", "up");
    ip("-n", namespace, "link", "set", namespace, "up");
  }
  route();
  return {
    inside: node(here),
    outside: node(there),
    unplug: () => ip("-n", here, "link", "set", here, "down"),
    plug() {
      ip("-n", here, "link", "set", here, "up");
      route();
    },
    remove() {
      for (const child of processes) child.kill("SIGKILL");
      ip("netns", "del", here);
      ip("netns", "del", there);
    },
  };
}
