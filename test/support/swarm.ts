import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { importBusybox } from "./images.ts";
import { type SecondHost, startSecondHost } from "./two-hosts.ts";
import { until } from "./until.ts";

const run = promisify(execFile);

/** Real engines on separate hosts that are one swarm: managers, then workers. Needs root. */
export interface TestSwarm {
  /** The first one began the swarm, so it leads until it is gone. */
  hosts: readonly SecondHost[];
  /** The cluster's id. */
  id: string;
  stop(): Promise<void>;
}

/** Starts so many engines and joins them. The kernel here has no IPVS: publish ports with mode=host. */
export async function startSwarm(managers: number, workers = 0): Promise<TestSwarm> {
  const count = managers + workers;
  const bridge = `sw${process.pid}`.slice(0, 15);
  const prefix = `10.79.${process.pid % 256}`;
  const hosts: SecondHost[] = [];
  const forwarding = ["FORWARD", "-i", bridge, "-o", bridge, "-j", "ACCEPT"];
  const stop = async (): Promise<void> => {
    // A manager that leaves waits for the others: they all go at once.
    await Promise.all(hosts.map((host) => host.stop()));
    await run("iptables", ["-D", ...forwarding]).catch(() => undefined);
    await run("ip", ["link", "del", bridge]).catch(() => undefined);
  };
  await run("ip", ["link", "add", bridge, "type", "bridge"]);
  await run("ip", ["addr", "add", `${prefix}.1/24`, "dev", bridge]);
  await run("ip", ["link", "set", bridge, "up"]);
  // An engine beside them that has its own bridge drops what others forward.
  await run("iptables", ["-I", ...forwarding]).catch(() => undefined);
  try {
    for (let number = 1; number <= count; number += 1)
      hosts.push(await startSecondHost(`node-${number}`, { bridge, here: `${prefix}.1`, there: `${prefix}.${number + 1}` }));
    await Promise.all(hosts.map(({ engine }) => importBusybox(engine)));
    const [first, ...others] = hosts;
    if (first === undefined) throw new Error("a swarm has one engine at least");
    await first.engine.docker("swarm", "init", "--advertise-addr", first.address.there);
    const tokenOf = (role: "manager" | "worker"): Promise<string> => first.engine.docker("swarm", "join-token", "-q", role);
    const tokens = { manager: await tokenOf("manager"), worker: await tokenOf("worker") };
    for (const [index, { engine, address }] of others.entries()) {
      const token = tokens[index + 1 < managers ? "manager" : "worker"];
      await engine.docker("swarm", "join", "--token", token, "--advertise-addr", address.there, `${first.address.there}:2377`);
    }
    await until(async () => (await first.engine.docker("node", "ls", "-q")).split("\n").length === count, { withinMs: 30_000 });
    return { hosts, id: await first.engine.docker("info", "-f", "{{.Swarm.Cluster.ID}}"), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
