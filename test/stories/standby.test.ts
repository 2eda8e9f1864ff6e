import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import pg from "pg";
import type { Readiness } from "../../src/app/meta/answers.ts";
import { createPostgresDatabase, sharedPostgres } from "../support/databases.ts";
import { type Program, startProgram } from "../support/program.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { until } from "../support/until.ts";

const HEARTBEAT = { "content-type": "application/json" };

describe("two servers on one PostgreSQL", () => {
  let server: Awaited<ReturnType<typeof sharedPostgres>>;
  let admin: pg.Client;
  let env: Record<string, string>;
  const programs: Program[] = [];

  before(async () => {
    server = await sharedPostgres();
    const url = await createPostgresDatabase(server.url);
    env = { SERVICE_DATABASE_URL: url };
    admin = new pg.Client({ connectionString: url });
    await admin.connect();
  });

  after(async () => {
    for (const program of programs) await program.kill();
    await admin.end();
    await server.stop();
  });

  async function start(variables = env): Promise<Program> {
    const program = await startProgram({ env: variables });
    programs.push(program);
    return program;
  }

  const ready = async ({ url }: Program): Promise<Readiness & { code: number }> => {
    const answer = await fetch(`${url}/api/v1/ready`);
    return { ...((await answer.json()) as Readiness), code: answer.status };
  };
  const isReady = async (program: Program): Promise<boolean> => (await ready(program).catch(() => undefined))?.code === 200;

  const addHeartbeat = ({ url }: Program, name: string): Promise<Response> =>
    fetch(`${url}/api/v1/heartbeats`, { method: "POST", headers: HEARTBEAT, body: JSON.stringify({ name, interval_seconds: 3600 }) });

  async function names(program: Program): Promise<string[]> {
    const { heartbeats } = await program.get<{ heartbeats: { name: string }[] }>("/api/v1/heartbeats");
    return heartbeats.map(({ name }) => name).toSorted();
  }

  const pidOfLock = async (): Promise<number | undefined> =>
    (
      await admin.query<{ pid: number }>(
        `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = 701926540
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      )
    ).rows[0]?.pid;

  const isWaitedFor = async (): Promise<boolean> =>
    (
      await admin.query(
        `SELECT 1 FROM pg_locks WHERE NOT granted
         AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())`,
      )
    ).rows.length > 0;

  it("the second stands by, says so, and takes over when the first is killed", async () => {
    const first = await start();
    await until(() => isReady(first));
    assert.equal((await addHeartbeat(first, "one")).status, 201);
    const second = await start();

    const { code, status, reason, storage } = await ready(second);
    assert.deepEqual([code, status, storage], [503, "standby", { connected: true, error: null }]);
    assert.match(reason ?? "", /Another server has the database/);
    assert.equal((await fetch(`${second.url}/api/v1/health`)).status, 200);
    assert.match(second.log(), /another server has the database: standing by/);
    for (const [path, method] of [
      ["/api/v1/heartbeats", "GET"],
      ["/api/v1/heartbeats", "POST"],
      ["/ping/0b9c54a0-0000-4000-8000-00000000000a", "GET"],
      ["/status", "GET"],
      ["/metrics", "GET"],
      ["/api/v1/session", "GET"],
      ["/api/v1/openapi.json", "GET"],
    ] as const) {
      const answer = await fetch(second.url + path, { method });
      const body = (await answer.json()) as { error: { code: string } };
      assert.deepEqual([answer.status, body.error.code], [503, "standby"], path);
    }
    const page = await fetch(`${second.url}/containers`, { headers: { accept: "text/html" } });
    assert.deepEqual([page.status, page.headers.get("content-type")], [503, "text/html; charset=utf-8"]);
    assert.match(await page.text(), /Another server has the database/);
    assert.equal(await isReady(first), true);

    await first.kill();
    await until(() => isReady(second), { everyMs: 50 });
    assert.deepEqual(await names(second), ["one"]);
    assert.equal((await addHeartbeat(second, "two")).status, 201);
    assert.equal(await second.stop(), 0);
  });

  it("keeps running when only the connection of its lock was cut, and nobody took over", async () => {
    const only = await start();
    await until(() => isReady(only));
    const pid = await until(pidOfLock);
    await admin.query("SELECT pg_terminate_backend($1)", [pid]);
    await until(async () => /database lost/.test(only.log()));
    await until(() => isReady(only), { everyMs: 50 });
    assert.notEqual(await pidOfLock(), pid);
    assert.equal((await addHeartbeat(only, "three")).status, 201);
    assert.equal(await only.stop(), 0);
  });

  it("writes nothing once another has taken over, and ends", async () => {
    const first = await start();
    await until(() => isReady(first));
    // As after a cut of the network that PostgreSQL noticed and the first server did not: its writing connection is still there.
    // The row stays locked until the request waits for it, so that none of its writes in the background notices first and closes the connection.
    await admin.query("BEGIN");
    await admin.query("UPDATE leader SET holder = 'another'");
    const refused = addHeartbeat(first, "never");
    await until(isWaitedFor);
    assert.equal((await fetch(`${first.url}/api/v1/health`)).status, 200);
    await admin.query("COMMIT");
    assert.equal((await refused).status, 503);
    const { exitCode } = await until(async () => (first.process.exitCode === null ? undefined : { exitCode: first.process.exitCode }));
    assert.equal(exitCode, 1);
    assert.match(first.log(), /another server has taken the database over/);
    const second = await start();
    await until(() => isReady(second));
    assert.ok(!(await names(second)).includes("never"));
    assert.equal(await second.stop(), 0);
  });

  it("leader and standby end in time while PostgreSQL does not answer", async (context) => {
    const url = new URL(await createPostgresDatabase(server.url));
    const proxy = await startTcpProxy({ port: Number(url.port) });
    context.after(proxy.stop);
    url.port = String(proxy.port);
    const silent = { SERVICE_DATABASE_URL: url.href, SERVICE_SHUTDOWN_SECONDS: "2" };
    const first = await start(silent);
    await until(() => isReady(first));
    const second = await start(silent);
    assert.equal((await ready(second)).status, "standby");
    proxy.freeze();
    for (const program of [first, second]) {
      program.process.kill("SIGTERM");
      await until(() => program.process.exitCode !== null, { withinMs: 10_000, what: program.log });
      assert.equal(program.process.exitCode, 1);
    }
  });

  it("a standby ends on request", async () => {
    const first = await start();
    await until(() => isReady(first));
    const second = await start();
    assert.equal((await ready(second)).status, "standby");
    assert.equal(await second.stop(), 0);
    assert.equal(await isReady(first), true);
    assert.equal(await first.stop(), 0);
  });
});
