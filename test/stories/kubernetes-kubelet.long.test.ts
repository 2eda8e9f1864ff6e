import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { ContainerLogs } from "../../src/monitoring/containers/answers.ts";
import type { ClaimList, NodeList } from "../../src/monitoring/kubernetes/answers.ts";
import { listen } from "../support/event-source.ts";
import { BUSYBOX } from "../support/images.ts";
import { startCluster, type TestCluster } from "../support/kubernetes/cluster.ts";
import { type KubeletNode, startKubelet } from "../support/kubernetes/kubelet.ts";
import { NODE_STATS_RULE, RULES } from "../support/kubernetes/rules.ts";
import { createShop, podTemplate } from "../support/kubernetes/shop.ts";
import { SEEN, shownBy } from "../support/kubernetes/shown.ts";
import { startProgram } from "../support/program.ts";
import { until } from "../support/until.ts";

const MIB = 1024 ** 2;
/** Kubelets are read every 30 seconds, and publish in their own steps. */
const READ = { ...SEEN, withinMs: 150_000 };

describe("pods that really run, on a node with a kubelet", () => {
  let cluster: TestCluster;
  let node: KubeletNode;
  let volume: string;
  let program: Awaited<ReturnType<typeof startProgram>>;
  const shop = createShop(() => cluster);
  const shown = shownBy(() => program);

  before(async () => {
    cluster = await startCluster({ controllers: true });
    node = await startKubelet(cluster, "node-a");
    volume = join(cluster.folder, "volume");
    mkdirSync(volume);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=20m", "tmpfs", volume]);
    const account = await cluster.account({ name: "binnacle", rules: [...RULES, NODE_STATS_RULE] });
    program = await startProgram({ env: { SERVICE_RUNTIME: "kubernetes", SERVICE_KUBECONFIG: account.kubeconfig } });
    await shop.open();
  });
  after(async () => {
    await program?.stop();
    await node?.stop();
    execFileSync("umount", ["-l", volume]);
    await cluster?.stop();
  });

  /** A Deployment whose containers run a script. */
  async function run(name: string, script: string, { replicas = 1, container = {}, pod = {} }: Facts = {}): Promise<void> {
    const app = { image: BUSYBOX, imagePullPolicy: "IfNotPresent", command: ["sh", "-c", script], ...container };
    const template = podTemplate(name, { container: app, pod: { terminationGracePeriodSeconds: 1, ...pod } });
    await shop.apply("Deployment", name, { replicas, selector: { matchLabels: { app: name } }, template });
  }
  interface Facts {
    replicas?: number;
    container?: object;
    pod?: object;
  }
  const isIn = (name: string, state: string): Promise<unknown> =>
    until(async () => (await shown.workload(name))?.state === state, { ...READ, what: `${name} to be ${state}` });
  const logsOf = async (name: string, query: string): Promise<ContainerLogs> => {
    const row = await until(() => shown.row(name), SEEN);
    return program.get<ContainerLogs>(`/api/v1/containers/${row.id}/logs?${query}`);
  };

  it("run once their probe says so", async () => {
    await run("slow", "sleep 8; touch /tmp/ready; sleep 3600", {
      container: { readinessProbe: { exec: { command: ["cat", "/tmp/ready"] }, periodSeconds: 1 } },
    });
    const isStarting = async (): Promise<boolean> => {
      const [pod] = await shown.pods("slow");
      return pod?.status === "Running" && !pod.ready;
    };
    await until(isStarting, { ...READ, what: "a pod that runs and is not ready" });
    assert.equal((await shown.row("shop/slow"))?.health, "starting");
    await isIn("shop/slow", "running");
    assert.equal((await shown.row("shop/slow"))?.health, "healthy");
  });

  it("have logs: of a whole workload in the order of time, and as they are written", async () => {
    await run("talks", "n=0; while :; do n=$((n+1)); echo line $n of $(hostname); sleep 0.5; done", { replicas: 2 });
    await isIn("shop/talks", "running");
    const read = await until(
      async () => {
        const found = await logsOf("shop/talks", "lines=20");
        return found.lines.length === 20 ? found : undefined;
      },
      { ...SEEN, what: "twenty lines" },
    );
    const pods = (await shown.pods("talks")).map(({ name }) => name).toSorted();
    for (const { text } of read.lines) {
      const [, prefix, of] = /^\[(\S+)\] line \d+ of (\S+)$/.exec(text) ?? [];
      assert.ok(prefix !== undefined && prefix === of && pods.includes(prefix), text);
    }
    assert.equal(new Set(read.lines.map(({ text }) => text.split(" ")[0])).size, 2);
    const times = read.lines.map(({ timestamp }) => timestamp ?? "");
    assert.deepEqual(times, times.toSorted());

    const row = await until(() => shown.row("shop/talks"), SEEN);
    const live = await listen(`${program.url}/api/v1/containers/${row.id}/logs/stream?lines=1`);
    for (const pod of pods) await live.wait(({ type, data }) => type === "log" && String(data["text"]).startsWith(`[${pod}] line`));
    // One that comes in the place of another is followed as well.
    await shop.kubectl("delete", "pod", String(pods[0]), "--wait=false");
    const next = await until(async () => (await shown.pods("talks")).find(({ name, ready }) => ready && !pods.includes(name)), READ);
    await live.wait(({ type, data }) => type === "log" && String(data["text"]).startsWith(`[${next.name}] line`), 60_000);
    await shop.kubectl("delete", "deployment", "talks");
    await live.wait(({ type }) => type === "end", 60_000);
    live.close();
  });

  it("crash: again and again, with the log of the run before", async () => {
    await run("crashes", "echo run at $(cat /proc/uptime); sleep 1; echo it is over; exit 3");
    const raised = await shown.raised("crash_loop", "shop/crashes");
    assert.match(String(raised.cause), /3/);
    await until(async () => (await shown.pods("crashes"))[0]?.status === "CrashLoopBackOff", READ);
    assert.equal((await shown.row("shop/crashes"))?.state, "restarting");
    const [pod] = await shown.pods("crashes");
    assert.deepEqual([pod?.containers[0]?.last_end?.reason, pod?.containers[0]?.last_end?.exit_code], ["Error", 3]);
    const { lines } = await logsOf("shop/crashes", "previous=true");
    assert.match(String(lines[0]?.text), /^run at /);
    assert.equal(lines.at(-1)?.text, "it is over");
    const { id } = await until(() => shown.row("shop/crashes"), SEEN);
    const past = await listen(`${program.url}/api/v1/containers/${id}/logs/stream?previous=true`);
    await past.wait(({ type, data }) => type === "log" && data["text"] === "it is over");
    await past.wait(({ type, data }) => type === "end" && data["reason"] === "container_stopped");
    past.close();
    await shop.kubectl("delete", "deployment", "crashes");
    await shown.over("crash_loop", "shop/crashes", "removal");
  });

  it("are killed for their memory, by the limit that they have", async () => {
    await run("eats", "x=abcdefgh; while :; do x=$x$x; done", { container: { resources: { limits: { memory: "24Mi" } } } });
    const raised = await shown.raised("oom", "shop/eats");
    assert.equal(raised.cause, "its limit is 24 MiB");
    const [pod] = await shown.pods("eats");
    assert.equal(pod?.containers[0]?.limits.memory_bytes, 24 * MIB);
    await shop.kubectl("delete", "deployment", "eats");
    await shown.over("oom", "shop/eats", "removal");
  });

  it("have an image that cannot be pulled", async () => {
    await run("absent", "true", { container: { image: "registry.invalid/absent:1" } });
    const raised = await until(() => shown.alert("image_pull", "shop/absent"), READ);
    assert.equal(raised.message, "shop/absent cannot pull the image registry.invalid/absent:1.");
    await run("absent", "sleep 3600");
    await shown.over("image_pull", "shop/absent", "observation");
    await isIn("shop/absent", "running");
  });

  it("use CPU and memory, by the word of the kubelet", async () => {
    // A limit that it reaches on a busy machine too.
    await run("burns", "head -c 40000000 /dev/zero > /dev/shm/ballast; while :; do :; done", {
      container: { resources: { limits: { cpu: "50m", memory: "128Mi" } } },
    });
    const pod = await until(async () => (await shown.pods("burns")).find(({ usage }) => (usage?.cpu_cores ?? 0) > 0.025), {
      ...READ,
      what: "what the pod uses",
    });
    assert.ok((pod.usage?.cpu_cores ?? 0) < 0.2, `${pod.usage?.cpu_cores} cores`);
    assert.ok((pod.usage?.memory_bytes ?? 0) > 35 * MIB && (pod.usage?.memory_bytes ?? 0) < 128 * MIB, `${pod.usage?.memory_bytes} bytes`);
    const throttled = await until(
      async () => (await shown.pods("burns")).find(({ cpu_throttled_percent: percent }) => percent !== null)?.cpu_throttled_percent,
      { ...READ, withinMs: 300_000, what: "how often its limit stops it" },
    );
    assert.ok(throttled > 50, `a loop that never waits was throttled in ${throttled} % of periods`);
    const resources = await until(
      async () => {
        const found = (await shown.row("shop/burns"))?.resources;
        return (found?.cpu_percent ?? 0) > 50 ? found : undefined;
      },
      { ...READ, what: "that it uses its limit" },
    );
    assert.ok((resources.memory_percent ?? 0) > 25 && (resources.memory_percent ?? 0) < 100, `${resources.memory_percent} % of its limit`);
    const { nodes } = await program.get<NodeList>("/api/v1/kubernetes/nodes");
    assert.ok((nodes[0]?.usage?.memory_bytes ?? 0) > 40 * MIB, JSON.stringify(nodes[0]?.usage));
    const { missing } = await shown.runtime();
    assert.equal(
      missing.some((text) => text.includes("nodes/proxy")),
      false,
      String(missing),
    );
    await shop.kubectl("delete", "deployment", "burns");
  });

  it("fill a volume, until there is room again", async () => {
    await shop.apply("PersistentVolume", "disk", {
      ...{ capacity: { storage: "20Mi" }, accessModes: ["ReadWriteOnce"], storageClassName: "disks", local: { path: volume } },
      nodeAffinity: {
        required: { nodeSelectorTerms: [{ matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values: ["node-a"] }] }] },
      },
    });
    await shop.apply("PersistentVolumeClaim", "data", {
      ...{ accessModes: ["ReadWriteOnce"], storageClassName: "disks", resources: { requests: { storage: "20Mi" } } },
    });
    await run("keeps", "sleep 3600", {
      container: { volumeMounts: [{ name: "data", mountPath: "/data" }] },
      pod: { volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }] },
    });
    await isIn("shop/keeps", "running");
    const [pod] = await shop.scheduled("keeps");
    await shop.kubectl("exec", String(pod?.metadata.name), "--", "sh", "-c", "head -c 18500000 /dev/zero > /data/ballast");
    const raised = await until(() => shown.alert("pvc_filling", "shop/data"), READ);
    assert.equal(raised.severity, "warning");
    assert.match(String(raised.cause), /^8\d % used$/);
    const { claims } = await program.get<ClaimList>("/api/v1/kubernetes/claims");
    assert.equal(claims[0]?.size_bytes, 20 * MIB);
    await shop.kubectl("exec", String(pod?.metadata.name), "--", "rm", "/data/ballast");
    await shown.over("pvc_filling", "shop/data", "observation");
  });

  it("are on a node that is lost: its alert, and logs that cannot be read say so", async () => {
    await node.kill();
    const raised = await shown.raised("node_not_ready", "node-a");
    assert.equal(raised.severity, "critical");
    const answer = (await logsOf("shop/slow", "lines=5")) as unknown as { error?: { code: string; message: string } };
    assert.match(JSON.stringify(answer), /runtime_unavailable/);
    assert.equal((await shown.names()).includes("shop/slow"), true);
  });
});
