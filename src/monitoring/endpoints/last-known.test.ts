import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { checkedObservation, failure, labelled, startEndpoints, type CheckedEndpoints } from "../../../test/support/endpoints.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { sighting } from "../../../test/support/sightings.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { callTool } from "../../../test/support/tools.ts";
import { labelEndpointKey, standaloneEndpointKey } from "../../observations.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import type { Database } from "../../storage/database.ts";
import { openSqlite } from "../../storage/sqlite.ts";
import type { EndpointList } from "./answers.ts";

const AGENT = "0b9c54a0-0000-4000-8000-000000000000";
const EXTERNAL = ["b", "c"].map((letter) => letter.repeat(64));

describe("an endpoint that is only the last known to be up", () => {
  const clock = createFakeClock(new Date("2026-03-01T12:00:00Z"));
  const lost = new Set<string | null>();
  let database: Database;
  let checked: CheckedEndpoints;

  before(async () => {
    database = openSqlite({ path: `${temporaryFolder()}/last-known.db`, clock: systemClock, log: silentLog });
    await database.start();
    checked = await startEndpoints({ database, clock, isHostLost: (agentId) => lost.has(agentId) });
    const [far, broken] = EXTERNAL.map((externalId) => sighting({ externalId, name: externalId[0] ?? "", endpoints: [labelled()] }));
    assert.ok(far !== undefined && broken !== undefined);
    await checked.see(AGENT, { kind: "container.inventory", observedAt: clock.now(), containers: [far, broken] });
    const key = (externalId = "") => labelEndpointKey(externalId, "service.endpoint.http");
    await checked.see(AGENT, checkedObservation(key(EXTERNAL[0]), clock.now()));
    for (let time = 0; time < 3; time += 1) {
      await clock.advance(1_000);
      await checked.see(AGENT, checkedObservation(key(EXTERNAL[1]), clock.now(), failure));
    }
    const { id } = await checked.create({ name: "near", target: "http://near.test/" });
    await checked.checked(standaloneEndpointKey(id));
  });
  after(async () => {
    await checked.stop();
    await database.stop();
  });

  /** By the API and by the tool, which agree. */
  async function listed(status?: string): Promise<{ counts: EndpointList["counts"]; names: string[] }> {
    const query = { inactive: false, ...(status !== undefined && { status }) } as Parameters<CheckedEndpoints["list"]>[0];
    const api = checked.endpoints.service.list({ inactive: false, ...query });
    const tool = (await callTool(
      checked.endpoints.tools(),
      "list_endpoints",
      status === undefined ? {} : { status },
    )) as unknown as EndpointList;
    const names = ({ endpoints }: EndpointList): string[] => endpoints.map(({ name }) => name).toSorted();
    assert.deepEqual([tool.counts, names(tool)], [api.counts, names(api)]);
    return { counts: api.counts, names: names(api) };
  }

  it("is unknown in filters and counts while its host is disconnected; one that was down stays down", async () => {
    assert.deepEqual((await listed()).counts, { up: 2, down: 1, degraded: 0, unknown: 0 });
    lost.add(AGENT);
    assert.deepEqual((await listed()).counts, { up: 1, down: 1, degraded: 0, unknown: 1 });
    assert.deepEqual((await listed("up")).names, ["near"]);
    assert.equal((await listed("unknown")).names.length, 1);
    assert.equal((await listed("down")).names.length, 1);
    lost.clear();
    assert.equal((await listed("up")).names.length, 2);
  });

  it("is so too when its checks have seen nothing for five minutes", async () => {
    const [near] = checked.list({ search: "near" });
    const key = standaloneEndpointKey(near?.id ?? 0);
    const unseen = { ...failure, observed: false, error: "No network." };
    await clock.advance(299_000);
    await checked.checked(key, unseen);
    assert.equal((await listed("up")).names.length, 2);
    await clock.advance(1_000);
    await checked.checked(key, unseen);
    assert.deepEqual([(await listed("unknown")).names, (await listed()).counts.up], [["near"], 1]);
    await clock.advance(1_000);
    await checked.checked(key);
    assert.equal((await listed()).counts.up, 2);
  });
});
