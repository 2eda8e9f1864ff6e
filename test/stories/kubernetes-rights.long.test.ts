import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, it } from "node:test";
import type { KubernetesObjectKind } from "../../src/observations/kubernetes.ts";
import { storyOnBothDatabases } from "../support/story-databases.ts";
import type { Account } from "../support/kubernetes/accounts.ts";
import { startCluster, type TestCluster } from "../support/kubernetes/cluster.ts";
import { kubeconfigOf } from "../support/kubernetes/kubeconfigs.ts";
import { runAllPods } from "../support/kubernetes/pods.ts";
import { RULES, rulesWithout, SECRETS_RULE } from "../support/kubernetes/rules.ts";
import { createShop, deploymentOf, podTemplate } from "../support/kubernetes/shop.ts";
import { SEEN, shownBy } from "../support/kubernetes/shown.ts";
import { endedStatus } from "../support/kubernetes/statuses.ts";
import { startProgram } from "../support/program.ts";
import { createSettableClock } from "../support/set-clock.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";
import { until } from "../support/until.ts";

const ALL = [...RULES, SECRETS_RULE];

/**
 * An API server asks for rights when a watch begins, not while it lasts: between it and the program stands a proxy that ends connections, as balancers do.
 * Without one the program ends each watch itself after four to six minutes.
 */
const story = (databaseEnv: () => Promise<Record<string, string>>): void => {
  const clock = createSettableClock();
  let cluster: TestCluster;
  let kubelets: { stop(): Promise<void> };
  let account: Account;
  let proxy: TcpProxy;
  let kubeconfig: string;
  let program: Awaited<ReturnType<typeof startProgram>>;
  const shop = createShop(() => cluster);
  const shown = shownBy(() => program);

  before(async () => {
    cluster = await startCluster({ controllers: true });
    const nodes = [await cluster.addNode("node-a"), await cluster.addNode("node-b")];
    kubelets = runAllPods(cluster.api, { leaves: ({ metadata }) => metadata.name.startsWith("broken") });
    account = await cluster.account({ name: "binnacle", rules: ALL });
    proxy = await startTcpProxy({ port: Number(new URL(cluster.address).port) });
    kubeconfig = join(cluster.folder, "by-proxy.kubeconfig");
    await giveToken(account.token);
    await shop.open();
    await shop.apply("Deployment", "web", deploymentOf("web", { replicas: 2 }));
    await shop.apply("StatefulSet", "store", {
      ...{ replicas: 1, serviceName: "store", selector: { matchLabels: { app: "store" } } },
      template: podTemplate("store"),
    });
    await shop.apply("Job", "broken-import", {
      ...{ backoffLimit: 0, template: podTemplate("broken-import", { pod: { restartPolicy: "Never" } }) },
    });
    await shop.say("broken-import", () => ({ phase: "Failed", containerStatuses: [endedStatus(3, "Error")] }));
    await nodes[0]?.condition("DiskPressure", "True");
    program = await startProgram({
      env: { ...(await databaseEnv()), SERVICE_RUNTIME: "kubernetes", SERVICE_KUBECONFIG: kubeconfig, ...clock.env },
    });
    await until(async () => String(await shown.alerted()) === String(ALERTED), SEEN);
    await until(async () => (await shown.rows()).filter(({ state }) => state === "running").length === 2, SEEN);
  });
  after(async () => {
    await program?.stop();
    await proxy?.stop();
    await kubelets?.stop();
    await cluster?.stop();
  });

  const NAMES = ["shop/broken-import", "shop/store", "shop/web"];
  const ALERTED = ["job_failed shop/broken-import", "node_pressure node-a"];

  async function giveToken(token: string): Promise<void> {
    const address = `https://127.0.0.1:${proxy.port}`;
    await writeFile(kubeconfig, kubeconfigOf({ address, caFile: cluster.caFile, user: { token } }));
  }
  const unseen = async (): Promise<ReadonlyMap<KubernetesObjectKind, string>> =>
    new Map((await shown.cluster())?.unseen.map(({ kind, reason }) => [kind, reason]));
  async function nothingIsGone(): Promise<void> {
    // Long enough for what would be taken for gone or well.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    assert.deepEqual(await shown.names(), NAMES);
    assert.deepEqual((await shown.rows()).map(({ name, state }) => `${name} ${state}`).toSorted(), [
      "shop/broken-import exited",
      "shop/store running",
      "shop/web running",
    ]);
    assert.deepEqual(
      (await shown.alerted()).filter((each) => !each.startsWith("api_unreachable")),
      ALERTED,
    );
  }
  const comesBack = (): Promise<unknown> => until(async () => (await unseen()).size === 0, { ...SEEN, what: "that all is seen again" });

  for (const [kind, name] of [
    ["workloads", "deployments.apps"],
    ["workloads", "jobs.batch"],
    ["pods", "pods"],
    ["nodes", "nodes"],
    ["namespaces", "namespaces"],
    ["services", "services"],
    ["events", "events"],
    ["certificates", "secrets"],
  ] as const)
    it(`${name}: not seen any more, reported with the rule that is missing, and nothing of them is gone`, async () => {
      await account.allow(rulesWithout(ALL, name.replace(/\..*/, "")));
      await isRefused(name);
      proxy.breakOff();
      const why = await until(async () => (await unseen()).get(kind), { ...SEEN, what: `${kind} as unseen` });
      assert.equal(
        why,
        `This account may not list and watch ${name}. Allow list and watch of ${name} with a ClusterRole and a ClusterRoleBinding.`,
      );
      await until(async () => (await shown.runtime()).missing.includes(why), { ...SEEN, what: "the right in the state of the runtime" });
      assert.equal((await shown.runtime()).connected, true);
      await nothingIsGone();
      await account.allow(ALL);
      await comesBack();
      await nothingIsGone();
    });

  /** The API server takes rules from its own watch. */
  async function isRefused(name: string): Promise<void> {
    const [plural, group] = name.split(/\.(.*)/);
    const asked = [
      "auth",
      "can-i",
      "watch",
      group === undefined ? String(plural) : `${plural}.${group}`,
      "--as=system:serviceaccount:default:binnacle",
    ];
    await until(async () => (await cluster.kubectl(...asked).catch((error: unknown) => String(error))) !== "yes", SEEN);
  }

  it("what changes of the rest is seen meanwhile, and what was removed unseen is gone afterwards", async () => {
    await account.allow(rulesWithout(ALL, "statefulsets"));
    await isRefused("statefulsets.apps");
    proxy.breakOff();
    await until(async () => (await unseen()).has("workloads"), SEEN);
    await shop.kubectl("scale", "deployment/web", "--replicas=3");
    await until(async () => (await shown.workload("shop/web"))?.ready === 3, SEEN);
    await shop.kubectl("delete", "statefulset", "store");
    await until(async () => (await shown.pods("store")).length === 0, SEEN);
    assert.ok(await shown.workload("shop/store"));
    await account.allow(ALL);
    await comesBack();
    await until(async () => (await shown.row("shop/store")) === undefined, SEEN);
    await shop.kubectl("scale", "deployment/web", "--replicas=2");
    await shop.apply("StatefulSet", "store", {
      ...{ replicas: 1, serviceName: "store", selector: { matchLabels: { app: "store" } } },
      template: podTemplate("store"),
    });
    await until(async () => (await shown.row("shop/store"))?.state === "running", SEEN);
  });

  it("a cluster that is cut off for a while: nothing is gone, and it is seen again by itself", async () => {
    const { port } = proxy;
    await proxy.stop();
    await until(async () => (await shown.cluster())?.observed === false, SEEN);
    await until(async () => !(await shown.runtime()).connected, SEEN);
    await nothingIsGone();
    proxy = await startTcpProxy({ port: Number(new URL(cluster.address).port) }, port);
    await until(async () => (await shown.cluster())?.observed === true, SEEN);
    await until(async () => (await shown.runtime()).connected, SEEN);
    await nothingIsGone();
  });

  it("a token that was revoked: denied, alerted as such, and nothing is gone; with a new one all is seen again", async () => {
    await account.remove();
    // The API server remembers for ten seconds that it took a token.
    await until(
      async () => {
        proxy.breakOff();
        return (await shown.cluster())?.hosts[0]?.standing === "denied";
      },
      { ...SEEN, everyMs: 1_000, what: "that it is denied" },
    );
    // The connection that was broken off last may be what it says first.
    const isDenied = async (): Promise<boolean> => {
      const { connected, error } = await shown.runtime();
      return !connected && /does not accept the credentials|renew them/.test(String(error));
    };
    await until(isDenied, { ...SEEN, what: "that the runtime is not connected, for want of credentials" });
    await nothingIsGone();
    await clock.set(61);
    const raised = await shown.raised("api_unreachable", "Kubernetes");
    assert.match(String(raised.cause), /credentials/);
    const next = await cluster.account({ name: "successor", rules: ALL });
    await giveToken(next.token);
    await shown.over("api_unreachable", "Kubernetes", "observation");
    await until(async () => (await shown.runtime()).connected, SEEN);
    await nothingIsGone();
  });
};

storyOnBothDatabases("an account whose rights change while it watches a cluster", story);
