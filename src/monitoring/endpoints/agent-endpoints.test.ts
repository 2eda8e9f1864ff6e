import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { body, checkedObservation, failure, httpCheck, labelled, success } from "../../../test/support/endpoints.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { type OpenedHosts, openHosts } from "../../../test/support/hosts.ts";
import { defaultSettings, sighting } from "../../../test/support/sightings.ts";
import type { Event } from "../../events.ts";
import { type CheckResult, type ContainerSighting, labelEndpointKey, type Observation, standaloneEndpointKey } from "../../observations.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { Database } from "../../storage/database.ts";

const A = "0b9c54a0-0000-4000-8000-00000000000a";
const NOON = new Date("2026-03-01T12:00:00Z");
const LABEL = "service.endpoint.http";
const KEY = labelEndpointKey(sighting().externalId, LABEL);

onBothDatabases((databases) => {
  let database: Database;
  let clock: FakeClock;
  let hosts: OpenedHosts;

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock(NOON);
    hosts = await openHosts({ database, clock });
  });
  afterEach(() => hosts.stop());

  const after = (seconds: number): Date => new Date(NOON.getTime() + seconds * 1000);
  /** As it arrives: of an agent by its stream, of this host from its collectors. */
  const observe = async (agentId: string | null, ...observations: Observation[]): Promise<void> => {
    if (agentId !== null) return hosts.intake.live(agentId, observations);
    for (const feature of [hosts.containers, hosts.endpoints, hosts.certificates]) await feature.observe(null, observations);
  };
  const web = (facts: Partial<ContainerSighting> = {}): ContainerSighting => sighting({ endpoints: [labelled(LABEL)], ...facts });
  const show = (agentId: string | null, ...containers: ContainerSighting[]): Promise<void> =>
    observe(agentId, { kind: "container.inventory", observedAt: clock.now(), containers });
  const checked = async (agentId: string | null, result: Partial<CheckResult> = {}, key = KEY): Promise<void> => {
    await clock.advance(30_000);
    await observe(agentId, checkedObservation(key, clock.now(), result));
  };
  const list = (query = {}) => hosts.endpoints.service.list({ inactive: false, ...query }).endpoints;
  const ofHost = (agentId: string | null) => list({ agent_id: agentId ?? "local" })[0] ?? assert.fail("it has no endpoint");
  const restart = async (): Promise<void> => {
    await hosts.stop();
    hosts = await openHosts({ database, clock });
  };

  it("are there before their first result", async () => {
    await show(A, web());
    assert.partialDeepStrictEqual(ofHost(A), { agent_id: A, source: "label", status: "unknown", last_check_at: null });
    assert.deepEqual(
      hosts.events.map(({ type }) => type).filter((type) => type.startsWith("endpoint.")),
      ["endpoint.created"],
    );
    await checked(A);
    assert.partialDeepStrictEqual(ofHost(A), { status: "up", last_check_at: after(30).toISOString() });
  });

  it("become what local ones become by the same checks, in state, counters, history, figures and alerts", async () => {
    const results = [success, success, failure, failure, failure, failure, success, success, { ...failure, observed: false }, success];
    const becomes = async (agentId: string | null) => {
      clock = createFakeClock(NOON);
      await hosts.stop();
      database = await databases.create();
      hosts = await openHosts({ database, clock });
      await show(agentId, web());
      for (const result of results) await checked(agentId, result);
      const { id } = ofHost(agentId);
      const { service } = hosts.endpoints;
      return {
        record: { ...ofHost(agentId), agent_id: null },
        detail: { ...(await service.detail(id)), agent_id: null },
        checks: await service.checks(id, { limit: 50, offset: 0 }),
        daily: await service.dailyUptime(id, 7),
        times: await service.responseTimes(id, "24h"),
        announced: hosts.endpoints.announce().length,
        events: hosts.events.filter(isOfEndpoint).map(({ type, data }) => ({ type, data: { ...data, agent_id: null } })),
      };
    };
    const [local, remote] = [await becomes(null), await becomes(A)];
    assert.deepEqual(remote, local);
    const types = remote.events.map(({ type }) => type);
    assert.deepEqual([types.includes("endpoint.alert"), types.includes("endpoint.recovery")], [true, true]);
    assert.equal(remote.checks.total, results.length);
  });

  it("are never probed by the server, also after a restart of it", async () => {
    await show(null, web());
    await show(A, web({ externalId: "of-agent", endpoints: [labelled(LABEL, httpCheck({ target: "https://agent.test/" }))] }));
    await checked(A, success, labelEndpointKey("of-agent", LABEL));
    await clock.advance(120_000);
    assert.deepEqual([[...hosts.looked.probed], [...hosts.looked.scanned]], [[KEY], []]);
    await restart();
    await show(A, web({ externalId: "of-agent", endpoints: [labelled(LABEL, httpCheck({ target: "https://agent.test/" }))] }));
    await clock.advance(120_000);
    assert.deepEqual([[...hosts.looked.probed], [...hosts.looked.scanned]], [[], []]);
    const [endpoint] = list({ agent_id: A });
    assert.partialDeepStrictEqual(endpoint, { status: "up" });
    const { service } = hosts.endpoints;
    await assert.rejects(
      service.checkNow(endpoint?.id ?? 0),
      (error) => isServiceError(error, "conflict") && /its own host checks it/.test(error.message),
    );
    await service.setPaused(endpoint?.id ?? 0, true);
    await service.setPaused(endpoint?.id ?? 0, false);
    assert.deepEqual([...hosts.looked.probed], []);
  });

  it("continue after a restart of the server, from where they were", async () => {
    await show(A, web());
    for (let count = 0; count < 3; count += 1) await checked(A, failure);
    assert.deepEqual([ofHost(A).status, hosts.endpoints.announce().length], ["down", 1]);
    await restart();
    assert.deepEqual([ofHost(A).status, hosts.endpoints.announce().length], ["down", 1]);
    // Its stream begins with its containers.
    await show(A, web());
    await checked(A, failure);
    assert.partialDeepStrictEqual(ofHost(A), { status: "down", consecutive_failures: 4 });
    assert.deepEqual(
      hosts.events.filter(({ type }) => type === "endpoint.alert"),
      [],
    );
    await checked(A);
    await checked(A);
    assert.equal(ofHost(A).status, "up");
    assert.partialDeepStrictEqual(
      hosts.events.filter(({ type }) => type === "endpoint.recovery"),
      [{ data: { agent_id: A } }],
    );
  });

  it("take no results while their container does not run, is ignored or gone, or while they are paused", async () => {
    const { ignored: _, ...rest } = defaultSettings;
    const cases: [what: string, containers: ContainerSighting[]][] = [
      ["stopped", [web({ state: "exited", exitCode: 1 })]],
      ["ignored", [web({ settings: { ...rest, ignored: true } })]],
      ["gone", []],
    ];
    for (const [what, containers] of cases) {
      await show(A, web());
      await checked(A);
      assert.equal(ofHost(A).status, "up", what);
      await clock.advance(1_000);
      await show(A, ...containers);
      await checked(A, failure);
      const [endpoint] = hosts.endpoints.present();
      assert.ok(endpoint === undefined || (endpoint.state.status === "unknown" && endpoint.state.consecutiveFailures === 0), what);
      await clock.advance(1_000);
    }
    await show(A, web());
    await checked(A);
    await hosts.endpoints.service.setPaused(ofHost(A).id, true);
    await checked(A, failure);
    assert.partialDeepStrictEqual(ofHost(A), { consecutive_failures: 0, paused: true });
  });

  it("are only its own", async () => {
    await show(null, web());
    const standalone = await hosts.endpoints.service.create(body({ target: "http://web.test/" }));
    for (const key of [KEY, standaloneEndpointKey(standalone.id), `nobody/${LABEL}`]) await checked(A, failure, key);
    for (const { last_check_at } of list()) assert.equal(last_check_at, null);
  });
});

function isOfEndpoint({ type }: Event): boolean {
  return type.startsWith("endpoint.");
}
