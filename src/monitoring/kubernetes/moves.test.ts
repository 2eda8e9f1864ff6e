import assert from "node:assert/strict";
import { it } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { checkedObservation, labelled } from "../../../test/support/endpoints.ts";
import { nothing, objects, sighting } from "../../../test/support/kubernetes-topology.ts";
import { until } from "../../../test/support/until.ts";
import { AGENT, OTHER_AGENT, watchClusters } from "../../../test/support/watched-clusters.ts";
import { labelEndpointKey } from "../../observations.ts";

const LABEL = "service.endpoint.http";

/** The rows of a cluster's workloads are those of the cluster, whichever of its agents watches it. */
onBothDatabases((databases) => {
  const w = watchClusters(databases);
  const { restart, see, show, showRows } = w;

  const standsBy = (agentId: string): Promise<void> =>
    see(sighting({ standing: "standby", reason: "Another agent watches.", isComplete: false, objects: nothing() }), agentId);
  async function watches(agentId: string | null, facts: Parameters<typeof showRows>[0][number] = {}): Promise<void> {
    await showRows([facts], agentId);
    await show({}, agentId);
  }
  const rows = (): unknown[] =>
    [null, AGENT, OTHER_AGENT].flatMap((host) =>
      w.server.containers.present.ofHost(host).map(({ id, agentId, state, generation }) => [id, agentId, state, generation]),
    );
  /** Some are saved in the background. */
  async function become(expected: unknown[]): Promise<void> {
    await until(() => isDeepStrictEqual(rows(), expected), { withinMs: 5_000, everyMs: 5 }).catch(() => undefined);
    assert.deepEqual(rows(), expected);
  }
  const passes = (seconds: number): Promise<void> => w.clock.advance(seconds * 1000);

  it("continue with the agent that takes over, with their settings, history and endpoints", async () => {
    const facts = { endpoints: [labelled()], labels: { [LABEL]: "http://web.test/health" } };
    await watches(AGENT, facts);
    const { id = 0, firstSeenAt } = w.server.containers.present.find(AGENT, "w-web") ?? {};
    await w.server.resources.service.setThresholds(id, { cpu_threshold: 70, memory_threshold: null, debounce_seconds: 60 });
    await w.server.see(AGENT, checkedObservation(labelEndpointKey("w-web", LABEL), w.clock.now()));
    const endpoints = () => [...w.server.endpoints.present()].map((each) => [each.id, each.agentId, each.container?.id, each.state.status]);
    const [[endpoint] = []] = endpoints();
    await passes(30);
    await watches(OTHER_AGENT, facts);
    assert.equal(rows().length, 2);
    await passes(6);
    await become([[id, OTHER_AGENT, "running", 1]]);
    await until(() => endpoints().length === 1);
    await until(() => endpoints()[0]?.[1] === OTHER_AGENT);
    assert.deepEqual(endpoints(), [[endpoint, OTHER_AGENT, id, "up"]]);
    assert.deepEqual(w.server.containers.present.get(id)?.firstSeenAt, firstSeenAt);
    const { transitions } = await w.server.containers.service.transitions(id, { limit: 10, offset: 0 });
    assert.deepEqual(
      transitions.map(({ new_state }) => new_state),
      ["running"],
    );
    assert.equal((await w.server.resources.service.thresholds(id)).cpu_threshold, 70);
    const updates = w.server.events.flatMap(({ type, data }) => (type === "container.updated" ? [[data.id, data.agent_id]] : []));
    assert.deepEqual(updates.at(-1), [id, OTHER_AGENT]);

    // The first one is back, and stands by.
    await showRows([], AGENT);
    await standsBy(AGENT);
    await passes(6);
    await become([[id, OTHER_AGENT, "running", 1]]);
    await restart();
    await become([[id, OTHER_AGENT, "running", 1]]);
  });

  it("continue though the agent that stands by now reported first that it shows nothing", async () => {
    await watches(AGENT);
    const id = w.server.containers.present.find(AGENT, "w-web")?.id;
    await showRows([], AGENT);
    await standsBy(AGENT);
    await watches(OTHER_AGENT);
    await passes(6);
    await become([[id, OTHER_AGENT, "running", 1]]);
  });

  it("continue after our restart with the agent that reports then", async () => {
    await watches(AGENT);
    const id = w.server.containers.present.find(AGENT, "w-web")?.id;
    await restart();
    await watches(OTHER_AGENT);
    await passes(6);
    assert.equal(rows().length, 2, "the first one may still report");
    for (let passed = 0; passed < 60; passed += 15) {
      await passes(15);
      await w.change({}, { agentId: OTHER_AGENT });
    }
    await become([[id, OTHER_AGENT, "running", 1]]);
  });

  it("stay with each of two hosts that watch one cluster, as long as both do", async () => {
    await watches(AGENT);
    await watches(null);
    for (let passed = 0; passed < 60; passed += 15) {
      await passes(15);
      await w.change({}, { agentId: AGENT });
      await w.change({});
    }
    assert.equal(rows().length, 2);
  });

  it("keep the older row when the host that came later falls silent", async () => {
    await watches(AGENT);
    await watches(null);
    const before = rows();
    for (let passed = 0; passed < 45; passed += 15) {
      await passes(15);
      await w.change({}, { agentId: AGENT });
    }
    await passes(6);
    assert.deepEqual(rows(), before);
  });

  it("stay with a host that falls silent when one of another cluster shows them", async () => {
    await watches(AGENT);
    const id = w.server.containers.present.find(AGENT, "w-web")?.id;
    await showRows([{}], OTHER_AGENT);
    await see(sighting({ clusterId: "c2", objects: objects({}) }), OTHER_AGENT);
    for (let passed = 0; passed < 90; passed += 15) {
      await passes(15);
      await see(sighting({ clusterId: "c2", objects: objects({}) }), OTHER_AGENT);
    }
    assert.equal(w.server.containers.present.find(AGENT, "w-web")?.id, id);
    assert.equal(rows().length, 2);
  });

  it("stay while nobody else watches", async () => {
    await watches(AGENT);
    await watches(OTHER_AGENT, { externalId: "w-other", name: "shop/other" });
    const before = rows();
    await passes(120);
    assert.deepEqual(rows(), before);
  });
});
