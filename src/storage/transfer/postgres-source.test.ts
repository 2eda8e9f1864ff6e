import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { createPostgresDatabase, sharedPostgres } from "../../../test/support/databases.ts";
import { startTcpProxy, type TcpProxy } from "../../../test/support/tcp-proxy.ts";
import { type Clock, systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import { openPostgres } from "../postgres.ts";
import { MIGRATIONS } from "../migrate.ts";
import { openPostgresSource, type PostgresPlace } from "./postgres-source.ts";
import { openPostgresTarget } from "./postgres-target.ts";

interface Reached {
  proxy: TcpProxy;
  place: PostgresPlace & { clock: Clock };
}

/** A database through a line that can be frozen. */
async function reach(context: TestContext): Promise<Reached> {
  const server = await sharedPostgres();
  context.after(server.stop);
  const url = await createPostgresDatabase(server.url);
  const database = openPostgres({ url, redactedUrl: url, clock: systemClock, log: silentLog });
  await database.start();
  await database.stop();
  const proxy = await startTcpProxy({ port: Number(new URL(url).port) });
  context.after(proxy.stop);
  const through = new URL(url);
  through.port = String(proxy.port);
  return { proxy, place: { url: through.href, redactedUrl: url, statementMs: 1_000, clock: systemClock } };
}

test("replacing a PostgreSQL that became silent fails in time, and leaves it", { timeout: 30_000 }, async (context) => {
  const { proxy, place } = await reach(context);
  const target = await openPostgresTarget(place);
  proxy.freeze();
  await assert.rejects(target.begin({ migrations: MIGRATIONS, resume: false }), { name: "StartError", message: /did not answer in time/ });
  await target.close();
});

for (const statement of ["server_version_num", "pg_try_advisory_lock", "current_schema() AS schema"])
  test(`a PostgreSQL that is silent at ${statement} is not waited for`, { timeout: 30_000 }, async (context) => {
    const { proxy, place } = await reach(context);
    proxy.freezeAt(statement);
    await assert.rejects(openPostgresTarget(place), { name: "StartError", message: /did not answer in time/ });
  });

test("reading a PostgreSQL that became silent fails in time, also alone", { timeout: 30_000 }, async (context) => {
  const { proxy, place } = await reach(context);
  const source = await openPostgresSource({ ...place, alone: true });
  proxy.freeze();
  const read = async (): Promise<void> => {
    for await (const { rows } of source.read()) assert.ok(rows);
  };
  await assert.rejects(read, /cannot be read: Query read timeout/);
  await source.close();
});
