import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { port, startSecurity, type WatchedSecurity } from "../../../test/support/security.ts";
import { sighting } from "../../../test/support/sightings.ts";
import { callTool, checkTools } from "../../../test/support/tools.ts";
import { systemClock } from "../../platform/clock.ts";
import { isServiceError } from "../../platform/errors.ts";
import { silentLog } from "../../platform/log.ts";
import type { Database } from "../../storage/database.ts";
import { openSqlite } from "../../storage/sqlite.ts";

const AGENT = randomUUID();

describe("the tool of security", () => {
  const clock = createFakeClock();
  let isGranted = true;
  let database: Database;
  let watched: WatchedSecurity;

  const call = (args: Record<string, unknown> = {}) => callTool(watched.security.tools(), "get_security_insights", args);
  /** `web privileged_container`. */
  const found = async (args: Record<string, unknown> = {}): Promise<string[]> =>
    ((await call(args))["insights"] as { container_name: string; type: string; finding_key: string }[]).map(
      ({ container_name: name, type, finding_key: key }) => [name, type, key].filter((text) => text !== "").join(" "),
    );

  before(async () => {
    database = openSqlite({ path: `${temporaryFolder()}/tools.db`, clock: systemClock, log: silentLog });
    await database.start();
    watched = await startSecurity({ database, clock, grants: () => isGranted });
    await watched.show(
      { externalId: "web", name: "web", ports: [port(80)], privileged: true },
      { externalId: "job", name: "job", state: "exited", privileged: true },
    );
    const far = sighting({ externalId: "far", name: "far", networkMode: "host" });
    await watched.see(AGENT, { kind: "container.inventory", observedAt: clock.now(), containers: [far] });
    await watched.security.acknowledgments.create({
      container_id: watched.idOf("web"),
      finding_type: "port_exposed_all_interfaces",
      finding_key: "80/tcp",
      acknowledged_by: "Ada",
      reason: "It is the front door.",
    });
  });
  after(async () => {
    await watched.stop();
    await database.stop();
  });

  it("is declared", () => checkTools(watched.security.tools(), { elsewhere: ["list_containers", "get_updates"] }));

  it("shows what is found, why it matters and what to do, with the posture", async () => {
    const answer = await call();
    const [first] = answer["insights"] as Record<string, unknown>[];
    assert.partialDeepStrictEqual(first, {
      container_name: "web",
      type: "privileged_container",
      severity: "critical",
      acknowledged_by: null,
    });
    assert.match(String(first?.["why"]), /root on the host/);
    assert.match(String(first?.["fix"]), /Remove privileged/);
    assert.partialDeepStrictEqual(answer["counts"], { acknowledged: 1, containers_assessed: 2, containers_affected: 2 });
    const posture = answer["posture"] as { score: number; grade: string; next_steps: { container_name: string; remedy: string }[] };
    const overall = await watched.security.postures.overall({ agent_id: undefined, days: 1 });
    assert.deepEqual([posture.score, posture.grade], [overall.score, overall.grade]);
    assert.partialDeepStrictEqual(posture.next_steps[0], { container_name: "web", remedy: "drop_privileged" });
    assert.deepEqual([answer["edition_required"], answer["not_assessed"]], [[], null]);
  });

  const web = "web privileged_container";
  const door = "web port_exposed_all_interfaces 80/tcp";
  const far = "far host_network_mode";
  const filters: [args: Record<string, unknown>, expected: string[]][] = [
    [{}, [web, far]],
    [{ active_only: false }, [web, door, far]],
    [{ severity: "high" }, [far]],
    [{ type: "privileged_container" }, [web]],
    [{ sort: "name" }, [far, web]],
    [{ sort: "severity", order: "desc", limit: 1, cursor: "after-1" }, [web]],
    [{ agent_id: AGENT }, [far]],
    [{ agent_id: "local" }, [web]],
    [{ limit: 1 }, [web]],
    [{ limit: 1, cursor: "after-1" }, [far]],
    [{ container_id: 1 }, [web]],
    [{ container_id: 1, active_only: false, limit: 1, cursor: "after-1" }, [door]],
    [{ container_id: 1, active_only: false, type: "port_exposed_all_interfaces" }, [door]],
    [{ container_id: 1, active_only: false, severity: "medium" }, []],
  ];
  for (const [args, expected] of filters) {
    it(`finds by ${JSON.stringify(args)}`, async () => assert.deepEqual(await found(args), expected));
  }

  it("names who acknowledged, and why", async () => {
    const { insights } = await call({ active_only: false, type: "port_exposed_all_interfaces" });
    assert.partialDeepStrictEqual((insights as object[])[0], { acknowledged_by: "Ada", acknowledged_because: "It is the front door." });
  });

  it("shows how one container stands, and why another is not assessed", async () => {
    const one = await call({ container_id: watched.idOf("web") });
    assert.partialDeepStrictEqual(one["counts"], {
      open: { critical: 1, high: 0 },
      acknowledged: 1,
      containers_assessed: 1,
      containers_affected: 1,
    });
    const detail = await watched.security.postures.ofContainer(watched.idOf("web"));
    assert.equal((one["posture"] as { score: number }).score, detail.score);
    const idle = await call({ container_id: watched.idOf("job") });
    assert.match(String(idle["not_assessed"]), /does not run/);
    assert.partialDeepStrictEqual(idle["counts"], { containers_assessed: 0, containers_affected: 0 });
    assert.partialDeepStrictEqual(idle["posture"], { score: null, grade: null });
  });

  it("leaves the posture out where the edition does not grant it", async () => {
    isGranted = false;
    try {
      for (const args of [{}, { container_id: watched.idOf("web") }]) {
        const answer = await call(args);
        assert.deepEqual([answer["posture"], answer["edition_required"]], [null, ["security_posture"]]);
        assert.ok((answer["insights"] as unknown[]).length > 0);
      }
    } finally {
      isGranted = true;
    }
  });

  it("says what is wrong with a question", async () => {
    const rows: [args: Record<string, unknown>, code: "not_found" | "invalid_request" | "unusable_values"][] = [
      [{ container_id: 4711 }, "not_found"],
      [{ container_id: watched.idOf("web"), agent_id: "local" }, "invalid_request"],
      [{ container_id: watched.idOf("web"), sort: "name" }, "invalid_request"],
      [{ order: "asc" }, "unusable_values"],
      [{ cursor: "x" }, "invalid_request"],
    ];
    for (const [args, code] of rows) await assert.rejects(call(args), (error) => isServiceError(error, code), JSON.stringify(args));
    for (const args of [{ severity: "low" }, { type: "all" }, { active_only: "yes" }, { days: 3 }, { sort: "x" }])
      await assert.rejects(call(args), { name: "ZodError" }, JSON.stringify(args));
  });
});
