import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MINUTE_MS } from "../../contract/time.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { swarmNode, swarmService, swarmTask, swarmTopology } from "../../../test/support/swarm-topology.ts";
import { AGENT, watchSwarms } from "../../../test/support/watched-swarms.ts";
import { isServiceError } from "../../platform/errors.ts";
import { serviceQuery } from "./api.ts";

const NOON = new Date("2026-03-01T12:00:00Z");

onBothDatabases((databases) => {
  const w = watchSwarms(databases);
  const { restart, show, showTopology, lasts, become, stay } = w;

  it("alerts replicas that are missing for five minutes, and resolves by seeing them alone", async () => {
    const short = {
      topology: swarmTopology({ tasks: [swarmTask({ state: "failed", desiredState: "shutdown", error: "task: non-zero exit (1)" })] }),
    };
    await show(short);
    await lasts(4 * MINUTE_MS, short);
    await stay([]);
    await lasts(MINUTE_MS, short);
    await become(["replica_unhealthy web critical"]);
    assert.equal(w.server.alerting.active()[0]?.cause, "task: non-zero exit (1)");

    // Nothing comes any more, then a restart: not seen is not well.
    await w.clock.advance(10 * MINUTE_MS);
    await become(["replica_unhealthy web critical"]);
    await restart();
    await become(["replica_unhealthy web critical"]);
    await show({ standing: "no_quorum", topology: null, reason: "no leader" });
    await become(["replica_unhealthy web critical"]);
    await show(short);
    await become(["replica_unhealthy web critical"]);

    await show({});
    await become([]);
  });

  it("ends the alerts of a service that was removed, and says so", async () => {
    const short = { topology: swarmTopology({ tasks: [] }) };
    await show(short);
    await lasts(5 * MINUTE_MS, short);
    await become(["replica_unhealthy web critical"]);
    await showTopology({ services: [], tasks: [] });
    await become([]);
    const resolved = w.server.events.findLast(({ type }) => type === "alert.resolved");
    assert.match(JSON.stringify(resolved), /"by":"removal"/);
  });

  it("alerts tasks that fail again and again, until ten minutes passed without a failure", async () => {
    const failed = (number: number) =>
      swarmTask({ id: `f${number}`, state: "failed", desiredState: "shutdown", error: "task: non-zero exit (1)", since: w.clock.now() });
    const tasks = [swarmTask()];
    for (let number = 1; number <= 3; number += 1) {
      tasks.push(failed(number));
      await stay([]);
      await w.clock.advance(5_000);
      await showTopology({ tasks });
    }
    await become(["crash_loop web warning"]);
    // The engine forgets, we do not.
    await lasts(9 * MINUTE_MS, {});
    await become(["crash_loop web warning"]);
    await lasts(2 * MINUTE_MS, {});
    await become([]);
  });

  describe("an update", () => {
    const rollout = (state: NonNullable<ReturnType<typeof swarmService>["rollout"]>["state"], message = "", startedAt = NOON) => ({
      services: [swarmService({ rollout: { state, message, startedAt, completedAt: null } })],
    });

    it("that is rolled back is alerted until one comes through", async () => {
      await showTopology(rollout("updating"));
      await showTopology(rollout("rollback_started", "update rolled back due to failure or early termination of task x"));
      await become(["update_rollback web warning"]);
      await showTopology(rollout("rollback_completed", "rollback completed"));
      await become(["update_rollback web warning"]);
      await restart();
      await showTopology(rollout("rollback_completed", "rollback completed"));
      await become(["update_rollback web warning"]);
      await showTopology(rollout("updating", "", w.clock.now()));
      await become(["update_rollback web warning"]);
      await showTopology(rollout("completed", "update completed", w.clock.now()));
      await become([]);
    });

    it("that somebody rolled back is no failure", async () => {
      await showTopology({});
      await showTopology(rollout("rollback_started", "manually requested rollback"));
      await showTopology(rollout("rollback_completed", "rollback completed"));
      await stay([]);
    });

    it("that is paused is alerted until it continues", async () => {
      await showTopology(rollout("paused", "update paused due to failure or early termination of task x"));
      await become(["update_paused web warning"]);
      await showTopology(rollout("updating"));
      await become([]);
    });
  });

  it("alerts a node that is down, which holds back what hangs on it", async () => {
    const nodes = [
      swarmNode(1),
      swarmNode(2),
      swarmNode(3, { role: "worker", manager: null, state: "down", message: "heartbeat failure" }),
    ];
    const down = { topology: swarmTopology({ nodes, tasks: [swarmTask({ nodeId: "n3" })] }) };
    await show(down);
    await stay([]);
    await lasts(MINUTE_MS, down);
    await become(["node_down node-3 critical"]);
    await lasts(5 * MINUTE_MS, down);
    await become(["node_down node-3 critical", "replica_unhealthy web critical"]);
    const held = w.server.alerting.active().find(({ event }) => event === "replica_unhealthy");
    assert.equal(held?.suppressedBy, "dependency");
    await show({});
    await become([]);
  });

  it("alerts tasks that are left on a drained node", async () => {
    // It asks its tasks to end at once; one that does not is still there.
    const nodes = [swarmNode(1, { availability: "drain" }), swarmNode(2)];
    const left = swarmTask({ id: "left", desiredState: "shutdown" });
    const drained = { topology: swarmTopology({ nodes, tasks: [left, swarmTask({ nodeId: "n2" })] }) };
    await show(drained);
    await lasts(2 * MINUTE_MS, drained);
    await become(["node_drained_with_tasks node-1 warning"]);
    await show({ topology: swarmTopology({ nodes, tasks: [{ ...left, state: "shutdown" }, swarmTask({ nodeId: "n2" })] }) });
    await become([]);
  });

  it("alerts managers that are not reachable, and a quorum that is lost", async () => {
    const unreachable = { leader: false, reachability: "unreachable" } as const;
    const degraded = { topology: swarmTopology({ nodes: [swarmNode(1), swarmNode(2), swarmNode(3, { manager: unreachable })] }) };
    await show(degraded);
    await stay([]);
    await lasts(MINUTE_MS, degraded);
    await become(["quorum_degraded Swarm warning"]);
    const lost = { standing: "no_quorum", topology: null, reason: "The swarm has no leader." } as const;
    await show(lost);
    await lasts(MINUTE_MS, lost);
    await become(["quorum_degraded Swarm critical"]);
    const { clusters, services } = w.server.swarm.service.services(serviceQuery.parse({}));
    assert.deepEqual([clusters[0]?.observed, clusters[0]?.reason, services.length], [false, "The swarm has no leader.", 1]);
    await show({});
    await become([]);
  });

  it("says nothing of a service that is to be ignored", async () => {
    const settings = { ...swarmService().settings, ignored: true };
    const short = { topology: swarmTopology({ services: [swarmService({ settings })], tasks: [] }) };
    await show(short);
    await lasts(6 * MINUTE_MS, short);
    await stay([]);
  });

  describe("several managers", () => {
    it("are one cluster, in which the leader's word holds", async () => {
      await show({ nodeId: "n2", leader: false }, AGENT);
      await show({});
      const { clusters } = w.server.swarm.service.services(serviceQuery.parse({}));
      assert.deepEqual(
        clusters.map(({ id, agent_id }) => [id, agent_id]),
        [["c1", null]],
      );

      // The leader is gone, and the other one leads: no alert comes of that, and what it says holds at once.
      const nodes = [
        swarmNode(1, { manager: { leader: false, reachability: "reachable" } }),
        swarmNode(2, { manager: { leader: true, reachability: "reachable" } }),
      ];
      await show({ nodeId: "n2", topology: swarmTopology({ nodes, services: [] }) }, AGENT);
      const after = w.server.swarm.service.services(serviceQuery.parse({}));
      assert.deepEqual([after.clusters[0]?.agent_id, after.total], [AGENT, 0]);
      await stay([]);
    });

    it("continue with another within 15 seconds when the leader's host is cut off from us, and the swarm knows nothing of it", async () => {
      const nodes = [
        swarmNode(1, { manager: { leader: false, reachability: "reachable" } }),
        swarmNode(2, { manager: { leader: true, reachability: "reachable" } }),
      ];
      const [before, after] = [{ topology: swarmTopology({ nodes }) }, { topology: swarmTopology({ nodes, services: [] }) }];
      const speaker = (): string | null | undefined => w.server.swarm.service.services(serviceQuery.parse({})).clusters[0]?.agent_id;
      await show(before);
      await show({ ...before, nodeId: "n2", leader: true }, AGENT);
      assert.equal(speaker(), AGENT);
      await w.clock.advance(10_000);
      await show(after);
      assert.equal(speaker(), AGENT, "it is waited for");
      await w.clock.advance(5_000);
      await show(after);
      const { clusters, total } = w.server.swarm.service.services(serviceQuery.parse({}));
      assert.deepEqual([clusters[0]?.agent_id, clusters[0]?.observed, total], [null, true, 0]);
      await show({ ...after, nodeId: "n2", leader: true }, AGENT);
      assert.equal(speaker(), AGENT);
      await stay([]);
    });
  });

  const refused = (text: RegExp) => (error: unknown) => isServiceError(error, "conflict") && text.test(error.message);

  it("says what to do where there is no swarm, and why it is not seen", async () => {
    const ask = () => w.server.swarm.service.services(serviceQuery.parse({}));
    assert.throws(ask, refused(/no engine of a watched host is a manager/));
    await show({ standing: "inactive", clusterId: null, nodeId: null, topology: null, reason: "Start one with `docker swarm init`." });
    assert.throws(ask, refused(/docker swarm init/));
    await show({ standing: "worker", clusterId: null, topology: null, reason: "This engine is a worker." });
    assert.throws(ask, refused(/is a worker/));
    await show({ standing: "locked", clusterId: null, nodeId: null, topology: null, reason: "The swarm is locked." });
    assert.throws(ask, refused(/is locked/));
    await show({ clusterId: null, nodeId: null });
    assert.throws(ask, refused(/GET \/info is denied/));
    assert.deepEqual(
      w.server.events.flatMap(({ type, data }) => (type === "swarm.status_changed" ? [data.standing] : [])),
      ["worker", "locked", "manager"],
    );
  });

  it("keeps what it showed when it is locked or does not report, and calls nothing gone", async () => {
    await show({});
    await show({ standing: "locked", clusterId: null, nodeId: null, topology: null, reason: "The swarm is locked." });
    const locked = w.server.swarm.service.services(serviceQuery.parse({}));
    assert.deepEqual([locked.total, locked.clusters[0]?.observed, locked.clusters[0]?.reason], [1, false, "The swarm is locked."]);
    await show({});
    await w.clock.advance(2 * MINUTE_MS);
    const silent = w.server.swarm.service.services(serviceQuery.parse({}));
    assert.deepEqual([silent.total, silent.clusters[0]?.observed], [1, false]);
    assert.equal(
      w.server.events.some(({ type }) => type === "swarm.service_removed"),
      false,
    );
  });

  it("forgets a swarm that its last engine has left, with its alerts", async () => {
    const paused = { state: "paused", message: "", startedAt: NOON, completedAt: null } as const;
    await showTopology({ services: [swarmService({ rollout: paused })] });
    await become(["update_paused web warning"]);
    await show({ standing: "inactive", clusterId: null, nodeId: null, topology: null, reason: "Start one with `docker swarm init`." });
    await become([]);
    assert.throws(() => w.server.swarm.service.services(serviceQuery.parse({})), refused(/docker swarm init/));
  });

  it("raises alerts again about another manager when the agent that showed them is deleted", async () => {
    const paused = { state: "paused", message: "", startedAt: NOON, completedAt: null } as const;
    const topology = swarmTopology({
      services: [swarmService({ rollout: paused })],
      nodes: [
        swarmNode(1, { manager: { leader: false, reachability: "reachable" } }),
        swarmNode(2, { manager: { leader: true, reachability: "reachable" } }),
      ],
    });
    await show({ topology });
    await show({ topology, nodeId: "n2" }, AGENT);
    await become(["update_paused web warning"]);
    await w.server.removal.remove(AGENT, (purge) => w.database.tables<object>().write((unit) => purge(unit)));
    await show({ topology });
    await become(["update_paused web warning"]);
    assert.equal(w.server.alerting.active().find(({ source }) => source === "swarm")?.agentId, null);
  });

  it("publishes what changed, and nothing where nothing did", async () => {
    await show({});
    const before = w.server.events.length;
    await show({});
    assert.equal(w.server.events.slice(before).filter(({ type }) => type.startsWith("swarm.")).length, 0);
    await showTopology({
      tasks: [swarmTask({ state: "failed", error: "boom" })],
      nodes: [swarmNode(1, { availability: "drain" }), swarmNode(2)],
    });
    assert.deepEqual(
      w.server.events.slice(before).flatMap(({ type }) => (type.startsWith("swarm.") ? [type] : [])),
      ["swarm.service_updated", "swarm.tasks_changed", "swarm.node_updated", "swarm.node_removed"],
    );
  });
});
