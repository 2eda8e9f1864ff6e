import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { callTool, checkTools } from "../../../test/support/tools.ts";
import { until } from "../../../test/support/until.ts";
import { createMemoryRegistries, flaw, memoryReaders, startUpdates, type WatchedUpdates } from "../../../test/support/updates.ts";
import { systemClock } from "../../platform/clock.ts";
import { isServiceError } from "../../platform/errors.ts";
import { silentLog } from "../../platform/log.ts";
import type { Database } from "../../storage/database.ts";
import { openSqlite } from "../../storage/sqlite.ts";

const ALL = ["cve_enrichment", "risk_scoring", "changelog"];

interface Short {
  container_id: number;
  container_name: string;
  cves: { counts: Record<string, number> } | null;
  risk_score: number | null;
}

describe("the tool of updates", () => {
  const clock = createFakeClock();
  const granted = [...ALL];
  let database: Database;
  let watched: WatchedUpdates;

  const call = (args: Record<string, unknown> = {}) => callTool(watched.updates.tools(), "get_updates", args);
  const names = async (args: Record<string, unknown> = {}): Promise<string[]> =>
    ((await call(args))["updates"] as Short[]).map(({ container_name: name }) => name);

  before(async () => {
    database = openSqlite({ path: `${temporaryFolder()}/tools.db`, clock: systemClock, log: silentLog });
    await database.start();
    const memory = createMemoryRegistries();
    const pushed = (name: string, ...versions: string[]) => {
      const [first] = versions.map((version) =>
        memory.push(`docker.io/library/${name}:${version}`, {
          content: `${name} ${version}`,
          labels: { "org.opencontainers.image.source": `https://git.example/${name}` },
        }),
      );
      const config = first?.platforms[0]?.configDigest ?? null;
      return { image: `${name}:${versions[0]}`, imageDigest: first?.digest ?? null, imageId: config, imagePlatform: "linux/amd64" };
    };
    const web = pushed("web", "1.0.0", "2.0.0");
    const api = pushed("api", "1.0.0", "1.0.1");
    memory.packages.set(web.imageId ?? "", [
      flaw("CVE-LOW", "low"),
      ...Array.from({ length: 60 }, (_, each) => flaw(`CVE-${each}`, "critical")),
    ]);
    memory.packages.set(api.imageId ?? "", []);
    const readers = memoryReaders(memory, clock);
    const notes = { title: "Two", url: "https://git.example/web/2", publishedAt: null, text: "Long notes.", version: "2.0.0" };
    const breaking = Array.from({ length: 30 }, (_, index) => `Option ${index} is gone.`);
    readers.changelogs = { between: async () => ({ entries: [{ ...notes, breaking }], url: null, note: null }) };
    watched = await startUpdates({ database, clock, memory, granted, imageReaders: async () => readers });
    await watched.show(
      { externalId: "web", name: "web", ...web },
      { externalId: "api", name: "api", ...api },
      { externalId: "local", name: "local", image: "made-here:1" },
    );
    await clock.advance(31_000);
    await until(() => watched.published("update.scan_completed").length === 1);
    await until(async () => ((await call({ container_id: watched.idOf("api") }))["updates"] as Short[])[0]?.cves != null);
    await until(async () => (await call({ container_id: watched.idOf("web") }))["vulnerabilities"] !== null);
  });
  after(async () => {
    await watched.stop();
    await database.stop();
  });

  it("is declared", () => checkTools(watched.updates.tools(), { elsewhere: ["list_containers"] }));

  it("lists the most urgent first, and sums up", async () => {
    const answer = await call();
    assert.deepEqual(await names(), ["web", "api", "local"]);
    assert.partialDeepStrictEqual((answer["updates"] as Short[])[0], {
      container_id: watched.idOf("web"),
      status: "available",
      update_type: "major",
      current_tag: "1.0.0",
      available_tag: "2.0.0",
      cves: { known: true, counts: { critical: 60, low: 1 } },
    });
    assert.partialDeepStrictEqual(answer["summary"], {
      scanning: false,
      last_scan_at: "2026-03-01T12:00:30.000Z",
      counts: { major: 1, patch: 1, unknown: 1 },
      cve_counts: { critical: 60, low: 1 },
    });
    assert.deepEqual([answer["detail"], answer["vulnerabilities"], answer["edition_required"]], [null, null, []]);
  });

  it("shows everything about one container", async () => {
    const answer = await call({ container_id: watched.idOf("web") });
    const detail = answer["detail"] as {
      update_command: { text: string };
      rollback_command: { text: string };
      breaking: { text: string }[];
      risk_parts: { points: number }[];
    };
    assert.match(detail.update_command.text, /web:2\.0\.0/);
    assert.match(detail.rollback_command.text, /web@sha256:/);
    assert.deepEqual([detail.breaking.length, detail.breaking[0]?.text], [20, "Option 0 is gone."]);
    assert.equal(
      detail.risk_parts.reduce((sum, { points }) => sum + points, 0),
      (answer["updates"] as Short[])[0]?.risk_score,
    );
    assert.partialDeepStrictEqual(detail, { source_url: "https://git.example/web", comparison: null });
    assert.deepEqual([answer["summary"], answer["total"], (answer["vulnerabilities"] as unknown[]).length], [null, 61, 25]);
    const rest = await call({ container_id: watched.idOf("web"), limit: 100, cursor: answer["next_cursor"] });
    const last = (rest["vulnerabilities"] as { id: string; severity: string }[]).at(-1);
    assert.deepEqual([rest["next_cursor"], last?.id, last?.severity], [null, "CVE-LOW", "low"]);
  });

  const filters: [args: Record<string, unknown>, expected: string[]][] = [
    [{ status: "unknown" }, ["local"]],
    [{ update_type: "patch" }, ["api"]],
    [{ search: "MADE" }, ["local"]],
    [{ sort: "name" }, ["api", "local", "web"]],
    [{ sort: "fixed", order: "desc", limit: 2 }, ["web", "api"]],
    [{ sort: "name", order: "desc", limit: 1, cursor: "after-1" }, ["local"]],
    [{ agent_id: "local", limit: 1 }, ["web"]],
    [{ agent_id: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff" }, []],
    [{ limit: 2, cursor: "after-1" }, ["api", "local"]],
  ];
  for (const [args, expected] of filters) {
    it(`lists by ${JSON.stringify(args)}`, async () => assert.deepEqual(await names(args), expected));
  }

  it("sums up one host", async () => {
    const { summary } = await call({ agent_id: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff" });
    assert.partialDeepStrictEqual(summary, { counts: { major: 0, patch: 0, unknown: 0 } });
  });

  it("says what the edition does not grant", async () => {
    granted.length = 0;
    try {
      for (const args of [{}, { container_id: watched.idOf("web") }]) {
        const answer = await call(args);
        assert.deepEqual(answer["edition_required"], ALL);
        assert.partialDeepStrictEqual((answer["updates"] as Short[])[0], { cves: null, risk_score: null });
        assert.equal(answer["vulnerabilities"], null);
        if (answer["detail"] !== null)
          assert.partialDeepStrictEqual(answer["detail"], { risk_parts: null, breaking: [], changelog_url: null });
      }
      granted.push("risk_scoring");
      assert.deepEqual((await call())["edition_required"], ["cve_enrichment", "changelog"]);
    } finally {
      granted.splice(0, granted.length, ...ALL);
    }
  });

  it("says what is wrong with a question", async () => {
    const rows: [args: Record<string, unknown>, code: "not_found" | "invalid_request" | "unusable_values"][] = [
      [{ container_id: 4711 }, "not_found"],
      [{ container_id: watched.idOf("web"), status: "available" }, "invalid_request"],
      [{ container_id: watched.idOf("web"), agent_id: "local" }, "invalid_request"],
      [{ container_id: watched.idOf("web"), sort: "name" }, "invalid_request"],
      [{ cursor: "x" }, "invalid_request"],
      [{ order: "asc" }, "unusable_values"],
    ];
    for (const [args, code] of rows) await assert.rejects(call(args), (error) => isServiceError(error, code), JSON.stringify(args));
    for (const args of [{ status: "new" }, { update_type: "huge" }, { update_type: null }, { limit: 101 }, { x: 1 }, { sort: "x" }])
      await assert.rejects(call(args), { name: "ZodError" }, JSON.stringify(args));
  });
});
