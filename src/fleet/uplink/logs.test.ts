import assert from "node:assert/strict";
import { test } from "node:test";
import { startIngestServer } from "../../../test/support/ingest-server.ts";
import { until } from "../../../test/support/until.ts";
import { connected, worldOf } from "../../../test/support/uplink.ts";
import { pause, systemClock } from "../../platform/clock.ts";
import { ServiceError } from "../../platform/errors.ts";
import type { LogLine, LogRequest } from "../seams.ts";

test("logs are read, followed and cancelled; a slow stream slows them; the fifth is refused", async (t) => {
  const requests: LogRequest[] = [];
  let given = 0;
  async function* logs(request: LogRequest): AsyncGenerator<LogLine[]> {
    requests.push(request);
    if (request.externalId === "missing") throw new ServiceError("not_found", "There is no such container.");
    for (let index = 0; index < request.tail; index += 1) {
      given += 1;
      yield [{ timestamp: new Date(1000 + index), stream: index % 2 === 0 ? "stdout" : "stderr", text: `line ${index}` }];
    }
    while (request.follow && !request.signal.aborted) {
      given += 1;
      yield [{ timestamp: null, stream: "stdout", text: "x".repeat(10_000) }];
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  const world = await worldOf(t, { logs });
  world.start();
  await connected(world);
  const { server } = world;
  const ask = (id: string, externalId: string, more: { tail?: number; follow?: boolean; sinceMs?: bigint } = {}): void =>
    server.command(id, {
      case: "logs",
      value: { $typeName: "service.agent.v1.LogsCommand", externalId, previous: false, tail: 0, follow: false, ...more },
    });
  const endOf = (id: string) => server.results.find(({ commandId, body }) => commandId === id && body.case !== "logLines")?.body;

  ask("one", "web", { tail: 100, sinceMs: 5000n });
  await until(() => endOf("one"));
  const lines = server.results.flatMap(({ body }) => (body.case === "logLines" ? body.value.lines : []));
  assert.deepEqual([lines.length, lines[99]?.text, lines[99]?.timestampMs, lines[99]?.stream], [100, "line 99", 1099n, 2]);
  assert.equal(requests[0]?.since?.getTime(), 5000);

  ask("none", "missing");
  const failure = await until(() => endOf("none"));
  assert.ok(failure.case === "error" && failure.value.code === "not_found" && failure.value.message === "There is no such container.");

  for (const id of ["a", "b", "c", "d"]) ask(id, "web", { follow: true });
  await until(() => requests.length === 6);
  ask("e", "web", { follow: true });
  const busy = await until(() => endOf("e"));
  assert.ok(busy.case === "error" && busy.value.code === "agent_busy");

  server.pauseReading();
  let before = -1;
  await until(async () => {
    const same = given === before;
    before = given;
    await pause(systemClock, 300);
    return same;
  });
  server.resumeReading();
  await until(() => given > before + 100);

  for (const id of ["a", "b", "c", "d"]) server.command(id, { case: "cancel", value: { $typeName: "service.agent.v1.CancelCommand" } });
  await until(() => ["a", "b", "c", "d"].every((id) => endOf(id)?.case === "end"));
  assert.ok(requests.slice(2).every(({ signal }) => signal.aborted));
  ask("again", "web", { follow: true });
  await until(() => requests.length === 7);
  const { port } = server;
  server.cut();
  await until(() => requests[6]?.signal.aborted);
  world.server = await startIngestServer(undefined, port);
});
