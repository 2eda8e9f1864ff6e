import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { ActiveAlerts } from "../../src/alerting/alerts/api.ts";
import type { NodeList, NodeRecord, ServiceList, ServiceRecord, TaskList, TaskRecord } from "../../src/monitoring/swarm/api.ts";
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

/** Watched from a manager that does not lead at first, so that it goes on when the leader is gone. */
const story = (databaseEnv: () => Promise<Record<string, string>>): void => {
  let swarm: TestSwarm;
  let program: Program;

  before(async () => {
    swarm = await startSwarm(3, 1);
    program = await startProgram({ env: { ...(await databaseEnv()), SERVICE_DOCKER_HOST: host(1).engine.host } });
    await until(async () => (await fetch(`${program.url}/api/v1/swarm/services`)).status === 200, SEEN);
  });
  after(async () => {
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
    await runs("shop_web", 2);
    await docker("service", "scale", "-d", "shop_web=4");
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
    await alerted("crash_loop loop");
    assert.match((await service("loop"))?.last_error ?? "", /non-zero exit \(1\)/);
    await docker("service", "rm", "loop");
    await over("crash_loop loop");
  });

  it("alerts a worker that is cut off, and resolves it when it is back", async () => {
    await host(3).unplug();
    await alerted("node_down node-4");
    assert.equal((await node("node-4"))?.state, "down");
    // Its tasks move to the others.
    await runs("shop_web", 4);
    await host(3).plug();
    await over("node_down node-4");
  });

  it("shows a drained node that its tasks leave", async () => {
    await docker("node", "update", "--availability", "drain", "node-4");
    await until(async () => (await node("node-4"))?.availability === "drain" && (await node("node-4"))?.tasks === 0, SEEN);
    await runs("shop_web", 4);
    await docker("node", "update", "--availability", "active", "node-4");
    await until(async () => (await node("node-4"))?.availability === "active", SEEN);
  });

  it("goes on when the leader is killed, and says what is lost", async () => {
    const leader = swarm.hosts[0];
    await leader?.unplug();
    await until(async () => (await nodes()).some(({ hostname, leader: leads }) => leads && hostname !== "node-1"), {
      ...ELECTED,
      what: "another leader",
    });
    await alerted("quorum_degraded Swarm");
    await alerted("node_down node-1");
    await leader?.plug();
    await over("quorum_degraded Swarm", ELECTED);
    await over("node_down node-1", ELECTED);
  });

  it("takes a stack that is removed away", async () => {
    await docker("service", "rm", "shop_web");
    await until(async () => (await service("shop_web")) === undefined, SEEN);
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
