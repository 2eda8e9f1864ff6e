import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { Browser, Locator, Page } from "playwright-core";
import type { ActiveAlerts, AlertList } from "../../src/alerting/alerts/answers.ts";
import type { NodeList, NodeRecord, ServiceList, ServiceRecord, TaskList, TaskRecord } from "../../src/monitoring/swarm/answers.ts";
import { openPage, startBrowser } from "../support/browser.ts";
import { storyOnBothDatabases } from "../support/story-databases.ts";
import { BUSYBOX } from "../support/images.ts";
import { type Program, startProgram } from "../support/program.ts";
import { startSwarm, type TestSwarm } from "../support/swarm.ts";
import type { SecondHost } from "../support/two-hosts.ts";
import { until } from "../support/until.ts";

/** Binnacle shows a change of a swarm within two seconds; the engines themselves may take much longer. */
const SEEN = { withinMs: 60_000, everyMs: 100 };
/** A leader that comes back may cost the others an election or two more, each of which waits for connections that were given up. */
const ELECTED = { withinMs: 240_000, everyMs: 100 };

/** Watched from a manager that does not lead at first, so that it keeps watching when the leader is gone. */
const story = (databaseEnv: () => Promise<Record<string, string>>): void => {
  let swarm: TestSwarm;
  let program: Program;
  let browser: Browser;
  let pages: { services: Page; nodes: Page };
  /** What came on a page, and how long after the engine reported it. */
  const followed: { what: string; ms: number }[] = [];

  before(async () => {
    swarm = await startSwarm(3, 1);
    program = await startProgram({ env: { ...(await databaseEnv()), SERVICE_DOCKER_HOST: host(1).engine.host } });
    await until(async () => (await fetch(`${program.url}/api/v1/swarm/services`)).status === 200, SEEN);
    browser = await startBrowser();
    const open = async (path: string): Promise<Page> => {
      const { page } = await openPage(browser);
      await page.goto(`${program.url}${path}`);
      return page;
    };
    pages = { services: await open("/swarm"), nodes: await open("/swarm/nodes") };
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
    await swarm?.stop();
  });

  function host(number: number): SecondHost {
    const found = swarm.hosts[number];
    assert.ok(found);
    return found;
  }
  const docker = (...args: string[]): Promise<string> => host(1).engine.docker(...args);
  const create = (name: string, ...args: string[]): Promise<string> =>
    docker("service", "create", "-d", "--no-resolve-image", "--restart-delay", "1s", "--name", name, ...args);
  const service = async (name: string): Promise<ServiceRecord | undefined> =>
    (await program.get<ServiceList>("/api/v1/swarm/services")).services.find((each) => each.name === name);
  const nodes = async (): Promise<NodeRecord[]> => (await program.get<NodeList>("/api/v1/swarm/nodes")).nodes;
  const node = async (name: string): Promise<NodeRecord | undefined> => (await nodes()).find(({ hostname }) => hostname === name);
  const tasks = async (name: string): Promise<TaskRecord[]> =>
    (await program.get<TaskList>("/api/v1/swarm/tasks?current=true")).tasks.filter((each) => each.service_name === name);
  const alerts = async (): Promise<string[]> =>
    (await program.get<ActiveAlerts>("/api/v1/alerts/active")).alerts
      .filter(({ source }) => source === "swarm")
      .map(({ event, entity_name: name }) => `${event} ${name}`);
  const alerted = (alert: string): Promise<unknown> => until(async () => (await alerts()).includes(alert), { ...SEEN, what: alert });
  const over = (alert: string, bound = SEEN): Promise<unknown> =>
    until(async () => !(await alerts()).includes(alert), { ...bound, what: `the end of ${alert}` });
  const serviceRow = (name: string): Locator =>
    pages.services.getByRole("row").filter({ has: pages.services.getByRole("link", { name, exact: true }) });
  const nodeRow = (name: string): Locator => pages.nodes.getByRole("row").filter({ hasText: name });
  /** Waits for what the engine says, then for what the page shows of it, and remembers how long that took. */
  async function follows(
    what: string,
    engineSays: () => Promise<boolean>,
    shown: Locator,
    { bound = SEEN, isGone = false } = {},
  ): Promise<void> {
    await until(engineSays, { ...bound, everyMs: 20, what: `${what}, by the engine` });
    const startedMs = performance.now();
    await shown.first().waitFor({ state: isGone ? "detached" : "visible", timeout: 20_000 });
    followed.push({ what, ms: Math.round(performance.now() - startedMs) });
  }
  const replicas = async (name: string): Promise<string> =>
    docker("service", "ls", "--filter", `name=${name}`, "--format", "{{.Replicas}}");
  const followsReplicas = (name: string, count: number): Promise<void> =>
    follows(
      `${name} with ${count} tasks`,
      async () => (await replicas(name)) === `${count}/${count}`,
      serviceRow(name).getByText(`${count} / ${count}`),
    );
  const nodeSays = (name: string, field: string, value: string) => async (): Promise<boolean> =>
    (await docker("node", "inspect", "-f", `{{.${field}}}`, name).catch(() => "")) === value;
  const runs = (name: string, count: number): Promise<unknown> =>
    until(
      async () => {
        const found = await service(name);
        return found?.state === "running" && found.running === count;
      },
      { ...SEEN, what: `${name} with ${count} tasks` },
    );

  it("shows a service that is deployed and scaled, over its nodes", async () => {
    await create(
      "shop_web",
      "--label",
      "com.docker.stack.namespace=shop",
      "--replicas",
      "2",
      ...["--update-failure-action", "rollback"],
      ...["--update-monitor", "2s"],
      BUSYBOX,
    );
    await followsReplicas("shop_web", 2);
    await docker("service", "scale", "-d", "shop_web=4");
    await followsReplicas("shop_web", 4);
    await runs("shop_web", 4);
    assert.deepEqual((await tasks("shop_web")).map(({ node_name: name }) => name).toSorted(), ["node-1", "node-2", "node-3", "node-4"]);
    assert.deepEqual(
      (await nodes()).map(({ hostname, role, leader, watched }) => [hostname, role, leader, watched]),
      [
        ["node-1", "manager", true, false],
        ["node-2", "manager", false, true],
        ["node-3", "manager", false, false],
        ["node-4", "worker", false, false],
      ],
    );
  });

  it("alerts an update to a bad image that is rolled back, and what the engine says of it", async () => {
    await docker("service", "update", "-d", "--no-resolve-image", "--image", "binnacle-test/none:1", "shop_web");
    const rolledBack = async (): Promise<boolean> =>
      (await docker("service", "inspect", "-f", "{{.UpdateStatus.State}}", "shop_web")).startsWith("rollback");
    await follows("a rollback", rolledBack, serviceRow("shop_web").getByText(/^(Rolling back|Update rolled back)/));
    await alerted("update_rollback shop_web");
    await until(async () => (await service("shop_web"))?.rollout?.state === "rollback_completed", SEEN);
    assert.match((await service("shop_web"))?.last_error ?? "", /No such image/);
    await runs("shop_web", 4);
    assert.deepEqual(await alerts(), ["update_rollback shop_web"]);
    await docker("service", "update", "-d", "--no-resolve-image", "--force", "shop_web");
    await over("update_rollback shop_web");
  });

  it("alerts a task that ends again and again", async () => {
    await create("loop", BUSYBOX, "false");
    const failures = async (): Promise<number> =>
      (await docker("service", "ps", "--filter", "desired-state=shutdown", "-q", "loop")).split("\n").length;
    await follows("a crash loop", async () => (await failures()) >= 3, serviceRow("loop").getByText(/^Crash-looping/));
    await alerted("crash_loop loop");
    assert.match((await service("loop"))?.last_error ?? "", /non-zero exit \(1\)/);
    await docker("service", "rm", "loop");
    await follows("a service that was removed", async () => (await replicas("loop")) === "", serviceRow("loop"), { isGone: true });
    await over("crash_loop loop");
  });

  it("alerts a worker that is cut off, and resolves it when it is back", async () => {
    await host(3).unplug();
    await follows("a node that is down", nodeSays("node-4", "Status.State", "down"), nodeRow("node-4").getByText("Down"));
    await alerted("node_down node-4");
    assert.equal((await node("node-4"))?.state, "down");
    // Its tasks move to the others.
    await runs("shop_web", 4);
    await host(3).plug();
    await follows("a node that is back", nodeSays("node-4", "Status.State", "ready"), nodeRow("node-4").getByText("Ready"));
    await over("node_down node-4");
  });

  it("shows a drained node that its tasks leave", async () => {
    await docker("node", "update", "--availability", "drain", "node-4");
    await follows("a drained node", nodeSays("node-4", "Spec.Availability", "drain"), nodeRow("node-4").getByText("Drained"));
    await until(async () => (await node("node-4"))?.availability === "drain" && (await node("node-4"))?.tasks === 0, SEEN);
    await runs("shop_web", 4);
    await docker("node", "update", "--availability", "active", "node-4");
    await until(async () => (await node("node-4"))?.availability === "active", SEEN);
  });

  it("keeps watching when the leader is killed, and reports what is lost", async () => {
    await host(0).killEngine();
    const leads = async (): Promise<string> =>
      docker("node", "ls", "--format", '{{if eq .ManagerStatus "Leader"}}{{.Hostname}}{{end}}').catch(() => "");
    const isTakenOver = async (): Promise<boolean> => ["node-2", "node-3"].includes((await leads()).trim());
    await follows(
      "another leader",
      isTakenOver,
      pages.nodes
        .getByRole("row")
        .filter({ hasText: /node-[23]/ })
        .getByText("Leader"),
      { bound: ELECTED },
    );
    await alerted("quorum_degraded Swarm");
    await alerted("node_down node-1");
    await runs("shop_web", 4);
    await host(0).startEngine();
    await over("quorum_degraded Swarm", ELECTED);
    await over("node_down node-1", ELECTED);
  });

  it("takes a stack that is removed away", async () => {
    await docker("service", "rm", "shop_web");
    await follows("a stack that was removed", async () => (await replicas("shop_web")) === "", serviceRow("shop_web"), { isGone: true });
  });

  it("has all of it in the history of alerts, each with its end", async () => {
    const { alerts: all } = await program.get<AlertList>("/api/v1/alerts?source=swarm&limit=100");
    const ends = new Map(all.map(({ event, entity_name: name, status }) => [`${event} ${name}`, status]));
    const expected = ["update_rollback shop_web", "crash_loop loop", "node_down node-4", "node_down node-1", "quorum_degraded Swarm"];
    assert.deepEqual(
      expected.map((alert) => `${alert}: ${ends.get(alert)}`),
      expected.map((alert) => `${alert}: resolved`),
    );
  });

  it("was on the page within two seconds each time", (t) => {
    for (const { what, ms } of followed) t.diagnostic(`${what}: on the page ${ms} ms after the engine reported it`);
    assert.deepEqual(
      followed.filter(({ ms }) => ms > 2_000),
      [],
    );
  });

  it("says that the quorum is lost, and calls nothing gone", async () => {
    await create("lone", BUSYBOX);
    await runs("lone", 1);
    await host(0).unplug();
    await host(2).unplug();
    await until(async () => (await program.get<ServiceList>("/api/v1/swarm/services")).clusters[0]?.observed === false, {
      ...SEEN,
      withinMs: 120_000,
      what: "a cluster that is not observed",
    });
    const { services, clusters } = await program.get<ServiceList>("/api/v1/swarm/services");
    assert.deepEqual(
      services.map(({ name }) => name),
      ["lone"],
    );
    assert.match(clusters[0]?.reason ?? "", /no leader: too few of its managers/);
    assert.equal((await program.get<{ connected: boolean }>("/api/v1/runtime/status")).connected, true);
    await serviceRow("lone").getByText("Last known: Running").waitFor();
    await host(0).plug();
    await host(2).plug();
    await until(async () => (await program.get<ServiceList>("/api/v1/swarm/services")).clusters[0]?.observed === true, {
      ...ELECTED,
      what: "a cluster that is observed again",
    });
    assert.equal((await service("lone"))?.name, "lone");
  });
};

storyOnBothDatabases("a swarm of four engines, three of them managers", story);
