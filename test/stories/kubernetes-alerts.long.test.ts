import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { DAY_MS } from "../../src/contract/time.ts";
import { storyOnBothDatabases } from "../support/story-databases.ts";
import { startCluster, type TestCluster } from "../support/kubernetes/cluster.ts";
import type { TestNode } from "../support/kubernetes/nodes.ts";
import { runAllPods, runningStatus } from "../support/kubernetes/pods.ts";
import { RULES, SECRETS_RULE } from "../support/kubernetes/rules.ts";
import { createShop, deploymentOf, podTemplate } from "../support/kubernetes/shop.ts";
import { SEEN, shownBy } from "../support/kubernetes/shown.ts";
import { endedStatus, endOf, waitingStatus } from "../support/kubernetes/statuses.ts";
import { startProgram } from "../support/program.ts";
import { createSettableClock } from "../support/set-clock.ts";
import { createAuthority } from "../support/tls-authority.ts";
import { until } from "../support/until.ts";

const MINUTE = 60;

/**
 * Each alert, raised and resolved by objects of a real cluster and its controllers. What must last for minutes does so by the clock of the program, which is
 * set ahead; the cluster has the machine's.
 */
const story = (databaseEnv: () => Promise<Record<string, string>>): void => {
  const clock = createSettableClock();
  let aheadSeconds = 0;
  let cluster: TestCluster;
  let kubelets: { stop(): Promise<void> };
  let nodes: TestNode[];
  let program: Awaited<ReturnType<typeof startProgram>>;
  const shop = createShop(() => cluster);
  const nightly = createShop(() => cluster, "nightly");
  const shown = shownBy(() => program);

  before(async () => {
    cluster = await startCluster({ controllers: true });
    nodes = [await cluster.addNode("node-a"), await cluster.addNode("node-b")];
    kubelets = runAllPods(cluster.api, { leaves: ({ metadata }) => metadata.name.startsWith("broken") });
    const account = await cluster.account({ name: "binnacle", rules: [...RULES, SECRETS_RULE] });
    const env = { ...(await databaseEnv()), SERVICE_RUNTIME: "kubernetes", SERVICE_KUBECONFIG: account.kubeconfig, ...clock.env };
    program = await startProgram({ env });
    await shop.open();
    await nightly.open();
    // A controller that may not make jobs misses the runs of its CronJobs.
    await nightly.apply("ResourceQuota", "no-jobs", { hard: { "count/jobs.batch": "0" } });
    await nightly.apply("CronJob", "report", {
      schedule: inAMinute(),
      jobTemplate: { spec: { template: podTemplate("report", { pod: { restartPolicy: "Never" } }) } },
    });
    await until(async () => (await shown.runtime()).connected, SEEN);
  });
  after(async () => {
    await program?.stop();
    await kubelets?.stop();
    await cluster?.stop();
  });

  async function pass(seconds: number): Promise<void> {
    aheadSeconds += seconds;
    await clock.set(aheadSeconds);
  }
  const isShown = (name: string, word: string): Promise<unknown> =>
    until(async () => (await shown.workload(name))?.message?.includes(word), { ...SEEN, what: `${word} of ${name}` });
  const runs = (name: string): Promise<unknown> =>
    until(async () => (await shown.workload(name))?.state === "running", { ...SEEN, what: `${name} to run` });
  const stays = async (event: string, entity: string): Promise<void> => {
    // Time is judged every second.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    assert.equal(await shown.alert(event, entity), undefined);
  };

  it("crash_loop, oom and evicted: at once, and over after ten minutes without another", async () => {
    await shop.apply("Deployment", "loop", deploymentOf("loop"));
    await shop.apply("Deployment", "cache", deploymentOf("cache", { replicas: 2 }));
    await Promise.all([runs("shop/loop"), runs("shop/cache")]);
    const last = endOf(137, "OOMKilled");
    await shop.say("loop", () => ({
      phase: "Running",
      conditions: [{ type: "Ready", status: "False" }],
      containerStatuses: [waitingStatus("CrashLoopBackOff", { message: "back-off 40s restarting failed container", restarts: 4, last })],
    }));
    const loop = await shown.raised("crash_loop", "shop/loop");
    assert.equal(loop.severity, "critical");
    assert.match(loop.message, /^shop\/loop is crash-looping: app of loop-.* was restarted 4 times\.$/);
    await shown.raised("oom", "shop/loop");
    assert.equal((await shown.row("shop/loop"))?.state, "restarting");

    const [victim] = await shop.scheduled("cache");
    assert.ok(victim);
    const message = "The node was low on resource: memory.";
    await cluster.api.patch(`/api/v1/namespaces/shop/pods/${victim.metadata.name}/status`, {
      status: { phase: "Failed", reason: "Evicted", message, containerStatuses: null, conditions: null },
    });
    const evicted = await shown.raised("evicted", "shop/cache");
    assert.deepEqual([evicted.severity, evicted.message, evicted.cause], ["warning", "shop/cache: a pod was evicted.", message]);
    // Its controller has made another one.
    await runs("shop/cache");
    // They take the place of what is alerted of containers.
    assert.deepEqual(
      (await shown.alerts()).filter(({ source }) => source === "container"),
      [],
    );

    await shop.say("loop", (pod) => runningStatus(pod, 4));
    await runs("shop/loop");
    await stayAlerted("crash_loop shop/loop", "evicted shop/cache", "oom shop/loop");
    await pass(11 * MINUTE);
    await shown.over("crash_loop", "shop/loop", "observation");
    await shown.over("oom", "shop/loop", "observation");
    await shown.over("evicted", "shop/cache", "observation");
  });

  async function stayAlerted(...expected: string[]): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    assert.deepEqual(
      (await shown.alerted()).filter((each) => !each.startsWith("cronjob")),
      expected,
    );
  }

  it("image_pull: after a minute, until it was pulled", async () => {
    await shop.apply("Deployment", "broken-image", deploymentOf("broken-image"));
    const message = 'Back-off pulling image "broken-image:1"';
    await shop.say("broken-image", () => ({ phase: "Pending", containerStatuses: [waitingStatus("ImagePullBackOff", { message })] }));
    await isShown("shop/broken-image", "ImagePullBackOff");
    await stays("image_pull", "shop/broken-image");
    await pass(MINUTE);
    const raised = await shown.raised("image_pull", "shop/broken-image");
    assert.deepEqual([raised.severity, raised.cause], ["critical", message]);
    await shop.say("broken-image", (pod) => runningStatus(pod));
    await shown.over("image_pull", "shop/broken-image", "observation");
  });

  it("unschedulable: in the words of the scheduler, until there is a node that takes it", async () => {
    await shop.apply("Deployment", "huge", deploymentOf("huge", { resources: { requests: { cpu: "1000" } } }));
    await isShown("shop/huge", "Insufficient cpu");
    await pass(MINUTE);
    const raised = await shown.raised("unschedulable", "shop/huge");
    assert.equal(raised.message, "No node takes a pod of shop/huge.");
    assert.match(String(raised.cause), /^0\/2 nodes are available: 2 Insufficient cpu\.$/);
    const large = await cluster.addNode("node-large", { cpu: "2000" });
    await shown.over("unschedulable", "shop/huge", "observation");
    await runs("shop/huge");
    await shop.kubectl("delete", "deployment", "huge");
    await until(async () => (await shown.workload("shop/huge")) === undefined, SEEN);
    await large.remove();
  });

  it("rollout_stalled: past its deadline, until it comes in whole; what the rollout explains is not alerted", async () => {
    await shop.apply("Deployment", "broken-rollout", deploymentOf("broken-rollout", { progressDeadlineSeconds: 3 }));
    const raised = await shown.raised("rollout_stalled", "shop/broken-rollout");
    assert.equal(raised.message, "The rollout of shop/broken-rollout makes no progress.");
    assert.equal((await shown.workload("shop/broken-rollout"))?.rollout?.reason, "ProgressDeadlineExceeded");
    await shop.say("broken-rollout", (pod) => runningStatus(pod));
    await shown.over("rollout_stalled", "shop/broken-rollout", "observation");
    await runs("shop/broken-rollout");
  });

  it("replica_unhealthy: after five minutes, until all are ready", async () => {
    await shop.apply("Deployment", "web", deploymentOf("web", { replicas: 2 }));
    await runs("shop/web");
    const notReady = [{ type: "Ready", status: "False" }];
    await shop.say(
      "web",
      (pod) => ({ ...runningStatus(pod), conditions: notReady, containerStatuses: [{ ...firstContainer(pod), ready: false }] }),
      { count: 2 },
    );
    await until(async () => (await shown.workload("shop/web"))?.ready === 0, SEEN);
    await pass(4 * MINUTE);
    await stays("replica_unhealthy", "shop/web");
    await pass(MINUTE);
    const raised = await shown.raised("replica_unhealthy", "shop/web");
    assert.deepEqual([raised.severity, raised.message], ["critical", "shop/web has 0 of 2 pods ready."]);
    await shop.say("web", (pod) => runningStatus(pod), { count: 2 });
    await shown.over("replica_unhealthy", "shop/web", "observation");
  });

  function firstContainer(pod: Parameters<typeof runningStatus>[0]): object {
    const { containerStatuses } = runningStatus(pod) as { containerStatuses: object[] };
    return containerStatuses[0] ?? {};
  }

  it("job_failed: of a job until it is removed, of a CronJob until a run succeeds", async () => {
    const template = (name: string) => podTemplate(name, { pod: { restartPolicy: "Never" } });
    await shop.apply("Job", "broken-import", { backoffLimit: 0, template: template("broken-import") });
    const failed = { phase: "Failed", containerStatuses: [endedStatus(3, "Error")] };
    await shop.say("broken-import", () => failed);
    const raised = await shown.raised("job_failed", "shop/broken-import");
    assert.match(raised.message, /^The job shop\/broken-import failed: BackoffLimitExceeded/);
    await shop.kubectl("delete", "job", "broken-import");
    await shown.over("job_failed", "shop/broken-import", "removal");

    const jobTemplate = { spec: { backoffLimit: 0, template: template("broken-sync") } };
    await shop.apply("CronJob", "broken-sync", { schedule: "0 0 1 1 *", jobTemplate });
    await shop.kubectl("create", "job", "--from=cronjob/broken-sync", "broken-sync-1");
    await shop.say("broken-sync", () => failed);
    const ofRun = await shown.raised("job_failed", "shop/broken-sync");
    assert.match(ofRun.message, /^The last run of shop\/broken-sync failed/);
    await shop.kubectl("create", "job", "--from=cronjob/broken-sync", "broken-sync-2");
    await shop.say(
      "broken-sync",
      (pod) =>
        pod.metadata.name.startsWith("broken-sync-2") ? { phase: "Succeeded", containerStatuses: [endedStatus(0, "Completed")] } : failed,
      { count: 2 },
    );
    await shown.over("job_failed", "shop/broken-sync", "observation");
  });

  it("cronjob_missed: of a run that its controller could not begin, until it did", async () => {
    const raised = await shown.raised("cronjob_missed", "nightly/report");
    assert.match(raised.message, /^nightly\/report missed its run of /);
    await until(async () => new Date() > new Date(String(/run of (\S+Z)/.exec(raised.message)?.[1])), {
      withinMs: 90_000,
      what: "the minute of the run",
    });
    await nightly.kubectl("delete", "resourcequota", "no-jobs");
    await shown.over("cronjob_missed", "nightly/report", "observation");
    assert.ok((await shown.workload("nightly/report"))?.cron_job?.last_scheduled_at);
  });

  it("node_pressure: as the node says", async () => {
    await nodes[0]?.condition("DiskPressure", "True");
    const raised = await shown.raised("node_pressure", "node-a");
    assert.equal(raised.message, "The node node-a reports DiskPressure.");
    await nodes[0]?.condition("DiskPressure", "False");
    await shown.over("node_pressure", "node-a", "observation");
  });

  it("node_not_ready: of one that falls silent, which holds back what it explains", async () => {
    const apart = { maxSkew: 1, topologyKey: "kubernetes.io/hostname", whenUnsatisfiable: "DoNotSchedule" };
    const template = podTemplate("pair", {
      pod: { topologySpreadConstraints: [{ ...apart, labelSelector: { matchLabels: { app: "pair" } } }] },
    });
    await shop.apply("Deployment", "pair", { ...deploymentOf("pair", { replicas: 2 }), template });
    await runs("shop/pair");
    nodes[1]?.silence();
    await until(async () => (await shown.workload("shop/pair"))?.ready === 1, SEEN);
    await pass(MINUTE);
    const raised = await shown.raised("node_not_ready", "node-b");
    assert.deepEqual([raised.severity, raised.message], ["critical", "The node node-b does not report any more."]);
    await pass(5 * MINUTE);
    const held = await shown.raised("replica_unhealthy", "shop/pair");
    await until(async () => (await shown.alert("replica_unhealthy", "shop/pair"))?.suppressed_by === "dependency", {
      ...SEEN,
      what: `${held.message} to be held back`,
    });
    await nodes[1]?.wake();
    await shown.over("node_not_ready", "node-b", "observation");
    await shop.say("pair", (pod) => runningStatus(pod), { count: 2 });
    await shown.over("replica_unhealthy", "shop/pair", "observation");
  });

  it("certificate_expiring: of a Secret, until it was renewed", async () => {
    const folder = join(cluster.folder, "secrets");
    await mkdir(folder);
    const authority = createAuthority(folder);
    const issue = async (days: number): Promise<void> => {
      const [from, end] = [new Date(Date.now() - DAY_MS), new Date(Date.now() + days * DAY_MS)];
      const { certFile, keyFile } = await authority.issue({ name: "shop.test", from, until: end, extensions: [] });
      const made = await shop.kubectl(
        "create",
        "secret",
        "tls",
        "front",
        `--cert=${certFile}`,
        `--key=${keyFile}`,
        "--dry-run=client",
        "-o=json",
      );
      await cluster.apply(made);
    };
    await issue(5);
    const raised = await shown.raised("certificate_expiring", "shop/front");
    assert.equal(raised.severity, "warning");
    await issue(60);
    await shown.over("certificate_expiring", "shop/front", "observation");
    await issue(2);
    assert.equal((await shown.raised("certificate_expiring", "shop/front")).severity, "critical");
    await shop.kubectl("delete", "secret", "front");
    await shown.over("certificate_expiring", "shop/front", "removal");
  });

  it("api_unreachable: while the API server is away nothing is gone, and no other alert is over", async () => {
    await nodes[0]?.condition("MemoryPressure", "True");
    await shown.raised("node_pressure", "node-a");
    const [workloads, alerted] = [await shown.names(), await shown.alerted()];
    const rows = (await shown.rows()).map(({ name }) => name).toSorted();
    await cluster.apiServer.end("SIGKILL");
    await until(async () => (await shown.cluster())?.observed === false, SEEN);
    await pass(MINUTE);
    const raised = await shown.raised("api_unreachable", "Kubernetes");
    assert.equal(raised.severity, "critical");
    assert.match(String(raised.cause), /^The Kubernetes API at https:\/\/127\.0\.0\.1:\d+ cannot be used: /);
    await until(async () => !(await shown.runtime()).connected, SEEN);
    await pass(20 * MINUTE);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    assert.deepEqual(await shown.names(), workloads);
    assert.deepEqual((await shown.rows()).map(({ name }) => name).toSorted(), rows);
    assert.deepEqual(await shown.alerted(), ["api_unreachable Kubernetes", ...alerted].toSorted());

    await cluster.restartApiServer();
    await shown.over("api_unreachable", "Kubernetes", "observation");
    await until(async () => (await shown.runtime()).connected, SEEN);
    assert.deepEqual(await shown.names(), workloads);
    assert.ok(await shown.alert("node_pressure", "node-a"));
    await nodes[0]?.condition("MemoryPressure", "False");
    await shown.over("node_pressure", "node-a", "observation");
  });

  /** Once, at the beginning of the minute that begins next, so that the controller has seen it by then. */
  function inAMinute(): string {
    const at = new Date(Date.now() + 70_000);
    return `${at.getUTCMinutes()} ${at.getUTCHours()} ${at.getUTCDate()} ${at.getUTCMonth() + 1} *`;
  }
};

storyOnBothDatabases("alerts of a cluster of Kubernetes", story);
