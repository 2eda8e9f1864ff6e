import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { kubernetesPrograms } from "../../../tools/on-demand.ts";
import type { Identity } from "../tls-authority.ts";
import { takePort } from "../ports.ts";
import { type Account, type Rule, createAccount } from "./accounts.ts";
import { type Api, createApi } from "./api.ts";
import { type Daemon, startDaemon } from "./control-plane.ts";
import { type ClusterPlace, apiServerFlags, controllerFlags, etcdFlags, schedulerFlags } from "./flags.ts";
import { kubeconfigOf } from "./kubeconfigs.ts";
import { type TestNode, createNode } from "./nodes.ts";
import { createTrust } from "./trust.ts";

const READY_WITHIN_MS = 60_000;

export interface ClusterOptions {
  /** Whether pods need a service account, as in a cluster of everyday life. Without it they need none. */
  accounts?: boolean;
  /** Whether the controller manager and the scheduler run: deployments make pods, and pods come to nodes. */
  controllers?: boolean;
}

/** A real control plane on loopback: etcd, the API server, and the controllers where they were asked for. */
export interface TestCluster {
  /** Files of the cluster; removed with it. */
  folder: string;
  address: string;
  /** Of a member of system:masters. */
  token: string;
  /** The authority of the API server: its PEM, and the file of it. */
  ca: string;
  caFile: string;
  /** The path of a kubeconfig of a member of system:masters. */
  kubeconfig: string;
  api: Api;
  /** Runs kubectl as a member of system:masters; resolves with what it printed, trimmed. */
  kubectl(...args: string[]): Promise<string>;
  apply(yaml: string): Promise<void>;
  /** A service account that may do what the rules say; see accounts.ts. */
  account(options: { name: string; namespace?: string; rules: readonly Rule[]; isClusterWide?: boolean }): Promise<Account>;
  /** A node that is Ready without a kubelet; see nodes.ts. */
  addNode(name: string, options?: { cpu?: string; memory?: string; pods?: string }): Promise<TestNode>;
  /** A client certificate for a user of that name. */
  certify(user: string): Promise<Identity>;
  apiServer: Daemon;
  etcd: Daemon;
  /** Starts the API server again on the same port, once it has ended. */
  restartApiServer(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a control plane in a temporary folder; ready when the API server is, and the controllers have made the default service account. */
export async function startCluster({ accounts = false, controllers = false }: ClusterOptions = {}): Promise<TestCluster> {
  const folder = await mkdtemp(join(tmpdir(), "binnacle-kubernetes-"));
  const place: ClusterPlace = { folder, accounts, port: await takePort(), etcdPort: await takePort(), etcdPeerPort: await takePort() };
  const daemons: Daemon[] = [];
  const start = (name: string, flags: readonly string[]): Daemon => {
    const daemon = startDaemon(folder, name, flags);
    daemons.push(daemon);
    return daemon;
  };
  const etcd = start("etcd", etcdFlags(place));
  const trust = await createTrust(folder);
  const address = `https://127.0.0.1:${place.port}`;
  const [kubeconfig, caFile] = [join(folder, "admin.kubeconfig"), join(folder, "ca.pem")];
  await writeFile(kubeconfig, kubeconfigOf({ address, caFile, user: { token: trust.token } }));
  const api = createApi({ address, token: trust.token, ca: trust.ca });
  const nodes: TestNode[] = [];

  async function ready({ accounted = controllers } = {}): Promise<void> {
    const deadline = performance.now() + READY_WITHIN_MS;
    for (;;) {
      const failure = daemons.map((daemon) => daemon.failure()).find(Boolean);
      if (failure !== undefined) throw new Error(failure);
      const isReady = await Promise.all([
        api.get("/readyz"),
        api.get("/api/v1/namespaces/default"),
        ...(accounted ? [api.get("/api/v1/namespaces/default/serviceaccounts/default")] : []),
      ]).then(
        () => true,
        () => false,
      );
      if (isReady) return;
      if (performance.now() > deadline)
        throw new Error(`the API server did not become ready:\n${daemons.map((each) => each.log().slice(-3000)).join("\n")}`);
      await sleep(50);
    }
  }

  const run = (args: readonly string[], input?: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const child = execFile(
        join(kubernetesPrograms().commands, "kubectl"),
        [`--kubeconfig=${kubeconfig}`, ...args],
        { env: { PATH: process.env["PATH"] ?? "", HOME: folder }, maxBuffer: 64 * 1024 * 1024, timeout: 120_000 },
        (error, stdout, stderr) => (error === null ? resolve(stdout.trim()) : reject(new Error(`kubectl ${args.join(" ")}: ${stderr}`))),
      );
      child.stdin?.end(input);
    });

  const cluster: TestCluster = {
    ...{ folder, address, token: trust.token, ca: trust.ca, caFile, kubeconfig, api, etcd },
    apiServer: start("kube-apiserver", apiServerFlags(place)),
    kubectl: (...args) => run(args),
    async apply(yaml) {
      await run(["apply", "-f", "-"], yaml);
    },
    account: (options) => createAccount({ api, folder, address, caFile, ...options }),
    async addNode(name, options) {
      const node = await createNode(api, name, options);
      nodes.push(node);
      return node;
    },
    certify: trust.certify,
    async restartApiServer() {
      daemons.splice(daemons.indexOf(cluster.apiServer), 1);
      cluster.apiServer = start("kube-apiserver", apiServerFlags(place));
      await ready();
    },
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()));
      api.close();
      // Nothing here outlives its folder, so nobody has to end in order.
      await Promise.all(daemons.map((daemon) => daemon.end("SIGKILL")));
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
  try {
    if (controllers) {
      // They wait ten seconds for an API server, which takes longer on a busy machine.
      await ready({ accounted: false });
      start("kube-controller-manager", controllerFlags(place));
      start("kube-scheduler", schedulerFlags(place));
    }
    await ready();
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}
