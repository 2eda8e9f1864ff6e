import { execFile } from "node:child_process";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { startEngine, type TestEngine } from "../engine.ts";
import { BUSYBOX, importBusybox } from "../images.ts";
import { takePort } from "../ports.ts";
import { until } from "../until.ts";
import type { TestCluster } from "./cluster.ts";
import { startDaemon } from "./control-plane.ts";

const run = promisify(execFile);
const READY = { withinMs: 120_000, everyMs: 250 };

/** A node with a real kubelet and its own engine. Its pods run {@link BUSYBOX}, and reach each other alone. */
export interface KubeletNode {
  name: string;
  engine: TestEngine;
  /** What it logged so far. */
  log(): string;
  /** Its kubelet falls silent; its pods run on. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Where processes may not be protected from the kernel's choice of whom to kill, no pod could start: the kubelet asks for that. The runtime leaves it out.
 */
const RUNTIME = `#!/bin/sh
bundle=
before=
for word; do
  [ "$before" = --bundle ] && bundle=$word
  before=$word
done
[ -z "$bundle" ] || sed -i -E 's/"oomScoreAdj": ?-[0-9]+/"oomScoreAdj":0/' "$bundle/config.json"
exec runc "$@"
`;

/** Starts a kubelet that joins the cluster as a node, ready for pods. Needs root, and separate namespaces for its address; run it with npm test. */
export async function startKubelet(cluster: TestCluster, name: string, { number = 1 }: { number?: number } = {}): Promise<KubeletNode> {
  const folder = join(cluster.folder, name);
  const runtime = join(folder, "runtime.sh");
  await mkdir(folder);
  await writeFile(runtime, RUNTIME);
  await chmod(runtime, 0o755);
  const link = `kubelet${number}`;
  const address = `172.29.${80 + number}.1`;
  // A kubelet does not take a loopback address for that of its node, and re-creates a pod that has no address.
  await run("ip", ["link", "add", link, "type", "bridge"]);
  await run("ip", ["addr", "add", `${address}/24`, "dev", link]);
  await run("ip", ["link", "set", link, "up"]);
  const engine = await startEngine({
    ...{ own: true, bridge: link },
    flags: [`--add-runtime=tested=${runtime}`, "--default-runtime=tested"],
  });
  await importBusybox(engine);
  const [port, healthPort] = [await takePort(), await takePort()];
  const rootFolder = join(folder, "pods");
  const kubelet = startDaemon(folder, "kubelet", [
    ...[`--kubeconfig=${cluster.kubeconfig}`, `--hostname-override=${name}`, `--node-ip=${address}`, `--address=${address}`],
    ...[
      `--port=${port}`,
      "--read-only-port=0",
      `--healthz-port=${healthPort}`,
      "--anonymous-auth=true",
      "--authorization-mode=AlwaysAllow",
    ],
    ...[`--root-dir=${rootFolder}`, `--cert-dir=${join(folder, "certificates")}`, `--log-dir=${folder}`],
    ...[
      "--container-runtime=docker",
      `--docker-endpoint=${engine.host}`,
      `--docker=${engine.host}`,
      `--pod-infra-container-image=${BUSYBOX}`,
    ],
    ...["--cgroup-driver=cgroupfs", "--cgroups-per-qos=false", "--enforce-node-allocatable=", "--fail-swap-on=false"],
    ...["--eviction-hard=", "--image-gc-high-threshold=100", "--housekeeping-interval=5s", "--node-status-update-frequency=2s"],
    ...["--resolv-conf=", "--hairpin-mode=none", "--volume-stats-agg-period=5s", "--sync-frequency=5s"],
  ]);

  async function isReady(): Promise<boolean> {
    const failure = kubelet.failure();
    if (failure !== undefined) throw new Error(failure);
    interface Node {
      status: { conditions?: { type: string; status: string }[] };
    }
    const node = await cluster.api.get<Node>(`/api/v1/nodes/${name}`).catch(() => undefined);
    return node?.status.conditions?.some(({ type, status }) => type === "Ready" && status === "True") === true;
  }

  async function stop(): Promise<void> {
    await kubelet.end();
    await engine.stop();
    // Volumes of pods that the kubelet did not come to remove.
    const mounts = (await readFile("/proc/mounts", "utf8")).split("\n").map((line) => line.split(" ")[1] ?? "");
    for (const mount of mounts.filter((each) => each.startsWith(folder)).toReversed()) await run("umount", ["-l", mount]);
    await run("ip", ["link", "del", link]);
  }

  try {
    await until(isReady, { ...READY, what: `the node ${name}` });
    return { name, engine, log: kubelet.log, kill: () => kubelet.end("SIGKILL"), stop };
  } catch (error) {
    const log = kubelet.log().slice(-4000);
    await stop();
    throw new Error(`the kubelet did not become ready:\n${log}`, { cause: error });
  }
}
