import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type DeclaredRoutes, declaredRoutes } from "../../../test/support/declared-routes.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { createTestServer } from "../../../test/support/http-server.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { until } from "../../../test/support/until.ts";
import { createMemoryRegistries, flaw, startUpdates, type WatchedUpdates } from "../../../test/support/updates.ts";
import type { HttpServer } from "../../http/server.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import type { Database } from "../../storage/database.ts";
import { openSqlite } from "../../storage/sqlite.ts";
import { SORT_KEYS } from "./api.ts";
import { MOST_VULNERABILITIES } from "./enrichment.ts";

const PATH = "/api/v1/updates";

describe("the routes of updates", () => {
  let database: Database;
  let watched: WatchedUpdates;
  let server: HttpServer;
  let routes: DeclaredRoutes;

  before(async () => {
    database = openSqlite({ path: `${temporaryFolder()}/routes.db`, clock: systemClock, log: silentLog });
    await database.start();
    const memory = createMemoryRegistries();
    const old = memory.push("docker.io/library/web:1.0.0", { content: "old" });
    memory.push("docker.io/library/web:1.1.0", {
      content: "new",
      labels: { "org.opencontainers.image.source": "https://git.example/web" },
    });
    memory.packages.set(
      old.platforms[0]?.configDigest ?? "",
      Array.from({ length: 600 }, (_, index) => flaw(`CVE-${index}`, "high")),
    );
    watched = await startUpdates({ database, clock: createFakeClock(), memory, granted: ["cve_enrichment", "risk_scoring", "changelog"] });
    const facts = {
      image: "web:1.0.0",
      imageDigest: old.digest,
      imageId: old.platforms[0]?.configDigest ?? null,
      imagePlatform: "linux/amd64",
    };
    await watched.show({ externalId: "web", name: "web", ...facts }, { externalId: "cache", name: "cache", image: "cache" });
    server = createTestServer({ routes: watched.updates.routes });
    routes = declaredRoutes(server, watched.updates.routes);
  });
  after(async () => {
    await watched.stop();
    await server.stop();
    await database.stop();
  });

  const code = (body: Record<string, unknown>): string => (body["error"] as { code: string }).code;

  it("answer as they declare", async () => {
    assert.equal((await routes.check("GET", PATH, { status: "unknown" }))["total"], 2);
    const begun = await routes.check("POST", `${PATH}/scan`);
    const again = await routes.ask("POST", `${PATH}/scan`);
    assert.deepEqual([again.status, code(again.body)], [409, "scan_in_progress"]);
    await until(() => watched.published("update.scan_completed").length === 1);
    const ended = await routes.ask("GET", `${PATH}/scan/${String(begun["scan_id"])}`);
    assert.deepEqual([ended.status, ended.body["status"], ended.body["trigger"]], [200, "completed", "manual"]);
    await until(async () => (await routes.ask("GET", `${PATH}/container/1`)).body["cves"] !== null);

    const list = (await routes.check("GET", PATH, { search: "WEB", update_type: "minor", agent_id: "local" })) as {
      updates: { cves: { vulnerabilities: unknown[] } }[];
    };
    assert.equal(list.updates[0]?.cves.vulnerabilities.length, 5);
    for (const sort of SORT_KEYS) assert.equal((await routes.check("GET", PATH, { sort, order: "desc" }))["total"], 2);
    const one = (await routes.ask("GET", `${PATH}/container/1`)).body as {
      cves: { vulnerabilities: unknown[]; counts: { high: number } };
      changelog: object;
      update_command: { text: string };
    };
    assert.deepEqual([one.cves.vulnerabilities.length, one.cves.counts.high], [MOST_VULNERABILITIES, 600]);
    assert.notEqual(one.changelog, null);
    assert.match(one.update_command.text, /web:1\.1\.0/);
    assert.equal(((await routes.check("GET", `${PATH}/summary`))["counts"] as { minor: number }).minor, 1);
    assert.equal(((await routes.check("GET", `${PATH}/dry-run`))["images"] as unknown[]).length, 2);

    const made = await routes.check("POST", `${PATH}/exclusions`, {}, { image: "web*" });
    assert.equal(made["matches"], 1);
    const twice = await routes.ask("POST", `${PATH}/exclusions`, { image: "web*" });
    assert.deepEqual([twice.status, code(twice.body)], [409, "duplicate_name"]);
    assert.equal((await routes.check("GET", `${PATH}/exclusions`))["total"], 1);
    assert.equal((await routes.ask("DELETE", `${PATH}/exclusions/${Number(made["id"])}`)).status, 204);
    assert.equal((await routes.ask("DELETE", `${PATH}/exclusions/${Number(made["id"])}`)).status, 404);

    const pinned = await routes.ask("POST", `${PATH}/pin/1`, { reason: " later " });
    assert.deepEqual([pinned.status, pinned.body["reason"], pinned.body["tag"]], [201, "later", "1.0.0"]);
    assert.equal((await routes.ask("POST", `${PATH}/pin/1`)).status, 200);
    assert.equal((await routes.ask("DELETE", `${PATH}/pin/1`)).status, 204);
    assert.equal((await routes.ask("DELETE", `${PATH}/pin/1`)).status, 404);
  });

  it("refuse what is not there, and what is not understood", async () => {
    for (const url of ["container/4711", "scan/6f9619ff-8b86-4d01-b42d-00cf4fc964ff"])
      assert.equal((await routes.ask("GET", `${PATH}/${url}`)).status, 404, url);
    assert.equal((await routes.ask("POST", `${PATH}/pin/4711`, {})).status, 404);
    for (const url of [
      "?status=new",
      "?sort=colour",
      "?sort=name&order=down",
      "?update_type=huge",
      "?limit=0",
      "?agent_id=x",
      "/container/x",
      "/scan/x",
      "/summary?x=1",
    ])
      assert.equal((await routes.ask("GET", `${PATH}${url}`)).status, 400, url);
    for (const body of [{ image: "" }, { image: "<b>" }, { image: "x".repeat(256) }, {}, { image: "a", why: "b" }])
      assert.equal((await routes.ask("POST", `${PATH}/exclusions`, body)).status, 400, JSON.stringify(body).slice(0, 40));
    assert.equal((await routes.ask("POST", `${PATH}/pin/1`, { reason: "x".repeat(501) })).status, 400);
  });
});
