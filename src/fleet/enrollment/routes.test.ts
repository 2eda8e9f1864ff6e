import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type DeclaredRoutes, declaredRoutes } from "../../../test/support/declared-routes.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { registration, startFleet, type TestFleet } from "../../../test/support/fleet.ts";
import { createTestServer } from "../../../test/support/http-server.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { parseTrustedProxies } from "../../config/trusted-proxies.ts";
import { requireCapability } from "../../editions/edition.ts";
import type { HttpServer } from "../../http/server.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import type { Database } from "../../storage/database.ts";
import { openSqlite } from "../../storage/sqlite.ts";
import { createdToken } from "./answers.ts";

const FINGERPRINT = `sha256:${"0f".repeat(32)}`;
const PATH = "/api/v1/agents/enrollment-tokens";

describe("the routes of enrollment", () => {
  let database: Database;
  let fleet: TestFleet;
  let server: HttpServer;
  let routes: DeclaredRoutes;

  before(async () => {
    database = openSqlite({ path: `${temporaryFolder()}/routes.db`, clock: systemClock, log: silentLog });
    await database.start();
    const trustedProxies = parseTrustedProxies("10.0.0.0/8");
    fleet = await startFleet({ database, clock: createFakeClock(), trustedProxies, fingerprint: () => FINGERPRINT });
    const all = [...fleet.agents.routes, ...fleet.enrollment.routes];
    server = createTestServer({
      routes: all,
      config: { listen: { host: "0.0.0.0", port: 0 }, trustedProxies, allowedHosts: ["monitor.example.org"] },
    });
    routes = declaredRoutes(server, all);
  });
  after(async () => {
    await fleet.stop();
    await server.stop();
    await database.stop();
  });

  /** As a proxy or a browser asks. */
  async function create({ headers, from = "192.0.2.1" }: { headers: Record<string, string>; from?: string }) {
    const answer = await server.fastify.inject({
      method: "POST",
      url: PATH,
      remoteAddress: from,
      headers: { "content-type": "application/json", ...headers },
      payload: "{}",
    });
    assert.equal(answer.statusCode, 201);
    assert.equal(answer.headers["cache-control"], "no-store");
    return createdToken.parse(answer.json());
  }

  it("answer as they declare", async () => {
    const made = createdToken.parse(await routes.check("POST", PATH, {}, { ttl_hours: 2, label: "Ark" }));
    assert.match(made.token, /^svc_enr_[a-z2-7]{52}$/);
    assert.deepEqual([made.label, made.status, made.token_prefix], ["Ark", "open", `${made.token.slice(0, 14)}…`]);
    assert.equal(Date.parse(made.expires_at) - Date.parse(made.created_at), 2 * 3_600_000);
    assert.deepEqual(Object.keys(made.install_templates), ["standalone", "docker_run", "docker_compose", "kubernetes"]);
    for (const [name, text] of Object.entries(made.install_templates)) assert.equal(text.includes(made.token), name !== "standalone", name);
    const { agentId } = await fleet.enrollment.register(registration({ token: made.token }));
    const one = await routes.check("GET", `${PATH}/{id}`, { id: made.id });
    assert.deepEqual([one["status"], one["agent_id"], "token" in one], ["consumed", agentId, false]);
    assert.equal((await routes.check("GET", PATH, { limit: 1 }))["total"], 1);
    await routes.check("DELETE", `${PATH}/{id}`, { id: made.id });
    for (const method of ["GET", "DELETE"] as const) assert.equal((await routes.ask(method, `${PATH}/${made.id}`)).status, 404);
    assert.equal((await routes.ask("GET", `/api/v1/agents/${agentId}`)).status, 200);
  });

  it("live a day unless another lifetime is asked for", async () => {
    const made = createdToken.parse(await routes.check("POST", PATH, {}, {}));
    assert.equal(Date.parse(made.expires_at) - Date.parse(made.created_at), 24 * 3_600_000);
    assert.equal(made.label, null);
  });

  it("name the host that was asked for, and warn of one that looks local", async () => {
    const made = await create({ headers: { host: "monitor.example.org" } });
    assert.deepEqual([made.server_url, made.warnings], ["grpcs://monitor.example.org:443", undefined]);
    assert.match(
      made.install_templates.docker_run,
      /--server=grpcs:\/\/monitor\.example\.org:443 --server-fingerprint=sha256:(?:0f){32}\n$/,
    );
    const local = await create({ headers: { host: "192.168.1.2:8080" } });
    assert.deepEqual(local.warnings, ["public_url_appears_local"]);
  });

  it("believe only a trusted proxy, which shows its own certificate", async () => {
    const headers = { host: "10.0.0.5:8080", "x-forwarded-host": "hosts.example.org", "x-forwarded-proto": "grpc" };
    const trusted = await create({ headers, from: "10.9.9.9" });
    assert.deepEqual([trusted.server_url, trusted.warnings], ["grpcs://hosts.example.org:443", ["public_url_plaintext_refused"]]);
    assert.ok(!trusted.install_templates.docker_run.includes("fingerprint"));
    // The address of the client is not that of the peer.
    const other = await create({ headers: { ...headers, "x-forwarded-for": "10.9.9.9" }, from: "192.0.2.1" });
    assert.equal(other.server_url, "grpcs://10.0.0.5:443");
    const behind = await create({ headers: { ...headers, "x-forwarded-for": "192.0.2.1" }, from: "::ffff:10.9.9.9" });
    assert.equal(behind.server_url, "grpcs://hosts.example.org:443");
  });

  const faults: [body: object, path: string][] = [
    [{ ttl_hours: 0 }, "ttl_hours"],
    [{ ttl_hours: 169 }, "ttl_hours"],
    [{ ttl_hours: 1.5 }, "ttl_hours"],
    [{ ttl_hours: "24" }, "ttl_hours"],
    [{ label: "x".repeat(65) }, "label"],
    [{ label: "" }, "label"],
    [{ token: "svc_enr_mine" }, "token"],
  ];
  for (const [given, path] of faults) {
    it(`name ${path} of ${JSON.stringify(given).slice(0, 60)}`, async () => {
      const answer = await routes.ask("POST", PATH, given);
      const { error } = answer.body as { error: { code: string; details: { path: string }[] } };
      assert.deepEqual([answer.status, error.code, error.details.map((fault) => fault.path)], [400, "validation_failed", [path]]);
    });
  }

  it("refuse what is no id, and bad paging", async () => {
    for (const url of ["/x", "/0123456789ABCDEF", "?limit=0", "?status=open"])
      assert.equal((await routes.ask("GET", `${PATH}${url}`)).status, 400, url);
  });

  it("are all gated", async () => {
    const gated = createTestServer({ routes: fleet.enrollment.routes, gate: (capability) => requireCapability("community", capability) });
    try {
      const asked = declaredRoutes(gated, fleet.enrollment.routes);
      for (const { method, path } of fleet.enrollment.routes) {
        const { status, body } = await asked.ask(method, path.replace("{id}", "0123456789abcdef"));
        assert.deepEqual([status, (body["error"] as { code: string }).code], [403, "EDITION_REQUIRED"], `${method} ${path}`);
      }
    } finally {
      await gated.stop();
    }
  });
});
