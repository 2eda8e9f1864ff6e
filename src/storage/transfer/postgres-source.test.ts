import assert from "node:assert/strict";
import { test } from "node:test";
import { createPostgresDatabase, sharedPostgres } from "../../../test/support/databases.ts";
import { startTcpProxy } from "../../../test/support/tcp-proxy.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import { openPostgres } from "../postgres.ts";
import { openPostgresSource } from "./postgres-source.ts";

test("reading a PostgreSQL that became silent fails in time", async (context) => {
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
  const source = await openPostgresSource({ url: through.href, redactedUrl: url, statementMs: 300, clock: systemClock });
  proxy.freeze();
  const read = async (): Promise<void> => {
    for await (const { rows } of source.read()) assert.ok(rows);
  };
  await assert.rejects(read, /cannot be read: Query read timeout/);
  await source.close();
});
