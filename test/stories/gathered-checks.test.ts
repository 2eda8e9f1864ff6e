import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { it } from "node:test";
import type { EndpointList } from "../../src/monitoring/endpoints/answers.ts";
import { listen } from "../support/event-source.ts";
import { startProgram } from "../support/program.ts";
import { until } from "../support/until.ts";

const ENDPOINTS = 60;
const INTERVAL_SECONDS = 5;
const LISTENED_MS = 10_000;
/** What arrives closer together was published together. */
const APART_MS = 20;

it("publishes checks that show what is known about once a second, in the program as it is built", async (t) => {
  const target = createServer((_request, response) => response.end("ok")).listen(0, "127.0.0.1");
  t.after(() => void target.close());
  await until(() => target.listening);
  // Typed as a text for servers of a path.
  const { port } = target.address() as AddressInfo;
  const program = await startProgram({ env: { SERVICE_DOCKER_HOST: "unix:///nonexistent.sock" } });
  t.after(() => program.stop());
  const endpoints = Array.from({ length: ENDPOINTS }, (_, index) => ({
    ...{ key: `check-${index}`, type: "http", name: `check-${index}`, interval_seconds: INTERVAL_SECONDS },
    target: `http://127.0.0.1:${port}/${index}`,
  }));
  const body = JSON.stringify({ endpoints });
  const made = await fetch(`${program.url}/api/v1/endpoints:bulk`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body,
  });
  assert.equal(made.status, 200, await made.text());
  const isUp = async (): Promise<boolean> =>
    (await program.get<EndpointList>("/api/v1/endpoints?limit=500")).endpoints.every(({ status }) => status === "up");
  await until(isUp, { withinMs: 30_000, everyMs: 200, what: "all to be up" });

  const live = await listen(`${program.url}/api/v1/containers/events?types=endpoint.check_result`);
  t.after(() => live.close());
  await sleep(LISTENED_MS);
  const arrived = live.events.filter(({ type }) => type === "endpoint.check_result").map(({ receivedMs }) => receivedMs);
  const times = arrived.filter((atMs, index) => atMs - (arrived[index - 1] ?? -Infinity) > APART_MS).length;
  t.diagnostic(`${arrived.length} checks were published in ${times} goes`);
  assert.ok(arrived.length >= ENDPOINTS, `${arrived.length} checks`);
  assert.ok(times < arrived.length / 3, `${arrived.length} checks in ${times} goes`);
});
