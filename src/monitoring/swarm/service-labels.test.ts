import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { checkedObservation, failure, httpCheck, labelled } from "../../../test/support/endpoints.ts";
import { defaultSettings, sighting } from "../../../test/support/sightings.ts";
import { swarmNode, swarmService, swarmSighting, swarmTopology } from "../../../test/support/swarm-topology.ts";
import { until } from "../../../test/support/until.ts";
import { AGENT, OTHER_AGENT, watchSwarms } from "../../../test/support/watched-swarms.ts";
import { type ContainerSighting, labelEndpointKey } from "../../observations.ts";
import { serviceCheckOwner, type SwarmService } from "../../observations/swarm.ts";
import { listQuery as certificateQuery } from "../certificates/api.ts";
import type { EndpointRecord } from "../endpoints/answers.ts";

const LABEL = "service.endpoint.http";
const KEY = labelEndpointKey(serviceCheckOwner("sweb"), LABEL);

onBothDatabases((databases) => {
  const w = watchSwarms(databases);

  function task(number: number, facts: Partial<ContainerSighting> = {}): ContainerSighting {
    const name = `web.${number}.x${number}`;
    return sighting({
      externalId: `c${number}`,
      name,
      labels: { "com.docker.swarm.service.id": "sweb", "com.docker.swarm.service.name": "web", "com.docker.swarm.task.name": name },
      ...facts,
    });
  }
  const list = (agentId: string | null, ...containers: ContainerSighting[]): Promise<void> =>
    w.server.see(agentId, { kind: "container.inventory", observedAt: w.clock.now(), containers });
  const showService = (facts: Partial<SwarmService> = {}): Promise<void> => w.showTopology({ services: [swarmService(facts)] });
  const found = (externalId: string, agentId: string | null = null) => w.server.containers.present.find(agentId, externalId);
  const settled = (): Promise<unknown> => until(() => w.server.intake.queued() === 0);
  const endpoints = (query: object = {}): EndpointRecord[] => w.server.endpoints.service.list({ inactive: false, ...query }).endpoints;

  const grouped = { labels: { "service.group": "shop" }, settings: { ...defaultSettings, group: "shop" } };
  const ignored = { labels: { "service.ignore": "true" }, settings: { ...defaultSettings, ignored: true } };
  const checked = { labels: { [LABEL]: "http://web.test/health" }, endpoints: [labelled()] };

  it("holds for the containers of its tasks on every host, whichever was seen first", async () => {
    await list(null, task(1));
    await showService(grouped);
    await list(AGENT, task(2), sighting({ externalId: "other", name: "other" }));
    // Of this host nothing is known but its containers.
    const silent = task(3);
    await list(OTHER_AGENT, { ...silent, labels: { ...silent.labels, "com.docker.swarm.node.id": "n3" } });
    await settled();
    assert.deepEqual([found("c1")?.group, found("c1")?.groupSource], ["shop", "label"]);
    // Workers are placed by what the manager shows of their nodes.
    await w.join("n2");
    await showService(grouped);
    await settled();
    assert.deepEqual([found("c2", AGENT)?.group, found("other", AGENT)?.group], ["shop", "Ungrouped"]);
    assert.equal(found("c3", OTHER_AGENT)?.group, "shop");
    await list(AGENT, task(4));
    assert.equal(found("c4", AGENT)?.group, "shop");
  });

  it("follows the service: containers change with its labels, without being seen again", async () => {
    await list(null, task(1));
    await showService();
    await showService(ignored);
    await settled();
    assert.equal(found("c1")?.settings.ignored, true);
    await w.clock.advance(1000);
    await showService();
    await settled();
    assert.equal(found("c1")?.settings.ignored, false);
  });

  it("lets a label of the container itself win", async () => {
    await showService(ignored);
    const own = task(1);
    await list(null, { ...own, labels: { ...own.labels, "service.ignore": "false" } });
    assert.equal(found("c1")?.settings.ignored, false);
  });

  it("stays as it was after a restart until a manager shows the service", async () => {
    await showService(ignored);
    await list(null, task(1));
    await w.restart();
    await list(null, task(1));
    assert.equal(found("c1")?.settings.ignored, true);
    await showService(grouped);
    await settled();
    assert.deepEqual([found("c1")?.settings.ignored, found("c1")?.group], [false, "shop"]);
  });

  it("is checked once for the service, not once for each task", async () => {
    await list(null, task(1), task(2));
    await showService(checked);
    const [endpoint, other] = endpoints();
    assert.equal(other, undefined);
    assert.partialDeepStrictEqual(endpoint, {
      ...{ name: "web", source: "label", label_key: LABEL, container_id: null, container_name: null },
      ...{ service_id: "sweb", service_name: "web", target: "http://web.test/health", status_reason: "not_checked_yet" },
    });
    await w.server.see(null, checkedObservation(KEY, w.clock.now()));
    assert.equal(endpoints()[0]?.status, "up");
  });

  it("keeps its history while its tasks come and go, and over a restart", async () => {
    await showService(checked);
    await w.server.see(null, checkedObservation(KEY, w.clock.now()));
    const [before] = endpoints();
    await list(null, task(1));
    await list(null);
    await w.restart();
    assert.partialDeepStrictEqual(endpoints()[0], { id: before?.id, status: "up" });
    await w.clock.advance(30_000);
    await showService(checked);
    await w.server.see(null, checkedObservation(KEY, w.clock.now(), failure));
    assert.partialDeepStrictEqual(endpoints()[0], { id: before?.id, status: "up", consecutive_failures: 1 });
  });

  it("is not checked while the service asks for no task, and over when the label or the service is gone", async () => {
    await showService(checked);
    await showService({ ...checked, replicas: 0 });
    assert.equal(endpoints()[0]?.status_reason, "service_stopped");
    await showService();
    assert.deepEqual([endpoints(), endpoints({ inactive: true })[0]?.status_reason], [[], "label_removed"]);
    await showService(checked);
    assert.equal(endpoints().length, 1);
    await w.showTopology({ services: [], tasks: [] });
    assert.deepEqual(endpoints(), []);
  });

  it("is not over while nobody sees the swarm", async () => {
    await showService(checked);
    await w.show({ standing: "no_quorum", topology: null, reason: "no leader" });
    assert.equal(endpoints().length, 1);
    await w.show({ standing: "inactive", clusterId: null, nodeId: null, topology: null, reason: "left" });
    assert.deepEqual(endpoints(), []);
  });

  describe("a certificate that the labels of a service name", () => {
    const target = { domain: "shop.test", port: 443, serverName: "shop.test" };
    const watched = { labels: { "service.certificate.domain": "shop.test" }, certificates: [target] };
    const services = [swarmService(watched)];
    const certificates = (): string[] =>
      w.server.certificates.service
        .list(certificateQuery.parse({}))
        .certificates.map(({ id, agent_id: host, domain, source }) => `${id} ${domain} ${source} ${host === null ? "here" : "there"}`);
    const nodes = [swarmNode(1), swarmNode(2)];
    const seenBy = (agentId: string | null, nodeId: string, leads: boolean) =>
      w.show({ nodeId, leader: leads, topology: swarmTopology({ nodes, services }) }, agentId);

    it("is watched once for the service, and over with the label or the service", async () => {
      await list(null, task(1), task(2));
      await showService(watched);
      assert.deepEqual(certificates(), ["1 shop.test label here"]);
      await showService();
      assert.deepEqual(certificates(), []);
      await showService(watched);
      assert.equal(certificates().length, 1);
      await w.showTopology({ services: [], tasks: [] });
      assert.deepEqual(certificates(), []);
    });

    it("is kept over a restart, and while nobody sees the swarm", async () => {
      await showService(watched);
      await w.restart();
      await list(null, task(1));
      assert.deepEqual(certificates(), ["1 shop.test label here"]);
      await w.show({ standing: "no_quorum", topology: null, reason: "no leader" });
      assert.deepEqual(certificates(), ["1 shop.test label here"]);
      await showService(watched);
      assert.deepEqual(certificates(), ["1 shop.test label here"]);
      await w.show({ standing: "inactive", clusterId: null, nodeId: null, topology: null, reason: "left" });
      assert.deepEqual(certificates(), []);
    });

    it("stays with one of several managers, whichever leads or is reached first, until that one is none any more", async () => {
      const there = ["1 shop.test label there"];
      await seenBy(AGENT, "n2", true);
      assert.deepEqual(certificates(), there);
      await seenBy(AGENT, "n2", false);
      await seenBy(null, "n1", true);
      assert.deepEqual(certificates(), there);
      await w.restart();
      await seenBy(null, "n1", true);
      assert.deepEqual(certificates(), there);
      await seenBy(AGENT, "n2", false);
      assert.deepEqual(certificates(), there);
      await w.show({ standing: "inactive", clusterId: null, nodeId: null, topology: null, reason: "left" }, AGENT);
      await seenBy(null, "n1", true);
      assert.deepEqual(certificates(), ["2 shop.test label here"]);
    });
  });

  it("is checked by the manager whose word holds, and by another when that is gone", async () => {
    const services = [swarmService(checked)];
    const seenBy = (agentId: string | null, nodeId: string, leader: number) =>
      w.show(
        swarmSighting({
          ...{ nodeId, leader: nodeId === `n${leader}` },
          topology: swarmTopology({
            services,
            nodes: [1, 2, 3].map((number) => swarmNode(number, { manager: { leader: number === leader, reachability: "reachable" } })),
          }),
        }),
        agentId,
      );
    await seenBy(null, "n2", 1);
    await seenBy(AGENT, "n1", 1);
    const [first] = endpoints();
    assert.equal(first?.agent_id, AGENT);
    await w.server.see(null, checkedObservation(KEY, w.clock.now(), failure));
    assert.equal(endpoints()[0]?.consecutive_failures, 0, "a check by another manager does not count");
    await w.server.see(AGENT, checkedObservation(KEY, w.clock.now()));
    assert.equal(endpoints()[0]?.status, "up");

    await w.clock.advance(5_000);
    await seenBy(null, "n2", 2);
    assert.partialDeepStrictEqual(endpoints(), [{ id: first?.id, agent_id: null, status: "up" }]);
    await w.server.see(null, checkedObservation(KEY, w.clock.now(), failure));
    assert.equal(endpoints()[0]?.consecutive_failures, 1);
    // It is stored as of that host.
    await w.restart();
    assert.equal(endpoints()[0]?.agent_id, null);
  });

  it("adds what the manager checked while it was cut off", async () => {
    await w.show({ topology: swarmTopology({ services: [swarmService(checked)] }) }, AGENT);
    const [endpoint] = endpoints();
    assert.ok(endpoint);
    await w.server.intake.replay(AGENT, [checkedObservation(KEY, new Date(w.clock.now().getTime() - 60_000))]);
    const { checks } = await w.server.endpoints.service.checks(endpoint.id, { limit: 10, offset: 0 });
    assert.deepEqual(
      checks.map(({ replayed }) => replayed),
      [true],
    );
  });

  it("keeps credentials of a target out of the database and of what is shown", async () => {
    const check = httpCheck({ target: "http://user:hunter2@web.test/" });
    await showService({ ...checked, endpoints: [labelled(LABEL, check)] });
    assert.equal(endpoints()[0]?.target.includes("hunter2"), false);
    await w.restart();
    assert.equal(JSON.stringify([...w.server.endpoints.present()]).includes("hunter2"), false);
  });
});
