import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { QueryClient } from "@tanstack/react-query";
import { alertsQuery } from "./alert-queries.ts";
import { certificateChecksQuery } from "./certificate-queries.ts";
import { checksQuery } from "./endpoint-queries.ts";
import { logLinesQuery, logPatternsQuery } from "./logs.ts";
import { clockAheadMs, correctServerClock, serverNow } from "./server-clock.ts";

const MINUTE_MS = 60_000;
const NOW = Date.parse("2026-03-04T12:00:00.000Z");
const says = (atMs: number): boolean => correctServerClock(new Date(atMs).toISOString());

beforeEach(() => mock.timers.enable({ apis: ["Date"], now: NOW }));
afterEach(() => {
  says(NOW);
  mock.timers.reset();
  mock.restoreAll();
});

test("a clock that is a second off is left as it is, and a correction too while answers only take longer or shorter", () => {
  assert.deepEqual([says(NOW - 1500), serverNow()], [false, NOW]);
  assert.deepEqual([says(NOW - 20 * MINUTE_MS), serverNow()], [true, NOW - 20 * MINUTE_MS]);
  assert.deepEqual([says(NOW - 20 * MINUTE_MS - 300), clockAheadMs()], [false, 20 * MINUTE_MS]);
  assert.deepEqual([says(NOW), serverNow()], [true, NOW]);
});

test("periods end now by the server's clock, on a device whose clock is ahead", async () => {
  says(NOW - 20 * MINUTE_MS);
  const asked: string[] = [];
  mock.method(globalThis, "fetch", (url: string) => {
    asked.push(new URL(url, "http://binnacle").searchParams.get("since") ?? "");
    return Promise.resolve(Response.json({}));
  });
  const client = new QueryClient();
  const lastMs = 15 * MINUTE_MS;
  await client.fetchInfiniteQuery(logLinesQuery({ lastMs }));
  await client.fetchQuery(logPatternsQuery({ lastMs }));
  await client.fetchInfiniteQuery(alertsQuery({ lastMs }));
  await client.fetchInfiniteQuery(checksQuery(1));
  await client.fetchInfiniteQuery(certificateChecksQuery(1));
  client.clear();
  assert.deepEqual(
    asked.slice(0, 3),
    Array.from({ length: 3 }, () => "2026-03-04T11:25:00.000Z"),
  );
  assert.ok(
    asked.slice(3).every((since) => since.endsWith("T11:40:00.000Z")),
    asked.join(),
  );
});
