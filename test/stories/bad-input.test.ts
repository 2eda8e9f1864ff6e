import assert from "node:assert/strict";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { RuntimeStatusRecord } from "../../src/app/meta/answers.ts";
import { type Program, startProgram, temporaryFolder } from "../support/program.ts";
import { until } from "../support/until.ts";

describe("what a stranger sends", () => {
  let program: Program & { port: number };
  before(async () => {
    program = await startProgram({ env: { SERVICE_DOCKER_HOST: "unix:///nowhere/docker.sock" } });
  });
  after(() => program?.stop());

  /** Sends a request line as it stands: fetch would tidy it up. */
  function raw(method: string, path: string, body = "", announced = Buffer.byteLength(body)): Promise<{ status: number; text: string }> {
    return new Promise((resolve) => {
      const socket = connect(program.port, "127.0.0.1");
      const chunks: Buffer[] = [];
      socket.on("data", (chunk: Buffer) => chunks.push(chunk));
      // A reset while we still write is an answer too: "close" follows.
      socket.on("error", () => undefined);
      socket.on("close", () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: Number(text.slice(9, 12)), text });
      });
      socket.write(
        `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${program.port}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${announced}\r\n\r\n`,
      );
      socket.write(body);
    });
  }

  const cases: [what: string, method: string, path: string, body: string | undefined, status: number, code: string][] = [
    ["an id that climbs", "GET", "/api/v1/containers/../../etc/passwd", undefined, 404, "not_found"],
    ["an id that climbs, encoded", "GET", "/api/v1/containers/..%2f..%2fetc%2fpasswd", undefined, 400, "invalid_request"],
    ["an id of the runtime's", "GET", `/api/v1/containers/${"a".repeat(64)}`, undefined, 400, "invalid_request"],
    ["an id that is no integer", "GET", "/api/v1/containers/1.5/transitions", undefined, 400, "invalid_request"],
    ["an id out of range", "GET", "/api/v1/containers/99999999999999999999", undefined, 400, "invalid_request"],
    ["an id that is not there", "GET", "/api/v1/containers/4711/logs", undefined, 404, "not_found"],
    ["a page size out of bounds", "GET", "/api/v1/containers/1/transitions?limit=100000", undefined, 400, "invalid_request"],
    ["a query that is not known", "GET", "/api/v1/containers?stat=running", undefined, 400, "invalid_request"],
    ["an event that does not exist", "GET", "/api/v1/containers/events?types=container.exploded", undefined, 400, "invalid_request"],
    ["a method that is not there", "DELETE", "/api/v1/containers/1", undefined, 405, "method_not_allowed"],
    ["a route that is not there", "GET", "/api/v1/nothing", undefined, 404, "not_found"],
    ["a NUL byte", "GET", "/api/v1/containers?search=%00", undefined, 200, '"total":0'],
    ["a broken escape", "GET", "/api/v1/containers/%zz", undefined, 400, "invalid_request"],
    ["a deep body where none belongs", "POST", "/api/v1/containers", "[".repeat(1_000_000), 405, "method_not_allowed"],
  ];

  it("10 MB announced where nothing belongs are not waited for", async () => {
    const { status, text } = await raw("POST", "/api/v1/containers", "x", 10_000_000);
    assert.equal(status, 405, text.slice(0, 600));
  });

  it("10 MB where nothing belongs do not cost their sender the answer", async () => {
    const { status, text } = await raw("POST", "/api/v1/containers", "x".repeat(10_000_000));
    assert.equal(status, 405, text.slice(0, 600));
  });

  for (const [what, method, path, body, status, code] of cases) {
    it(`${what}: ${status} ${code}`, async () => {
      const answer = await raw(method, path, body);
      assert.equal(answer.status, status, answer.text.slice(0, 600));
      assert.ok(answer.text.includes(code), answer.text.slice(0, 1000));
      assert.equal((await fetch(`${program.url}/api/v1/health`)).status, 200);
    });
  }
});

it("an engine that accepts and says nothing is reported within seconds, with what to do, while all else is served", async () => {
  const socket = join(temporaryFolder(), "silent.sock");
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(socket, resolve));
  const program = await startProgram({ env: { SERVICE_DOCKER_HOST: `unix://${socket}` } });
  try {
    const status = await until(
      async () => {
        const now = await program.get<RuntimeStatusRecord>("/api/v1/runtime/status");
        return now.error === null ? undefined : now;
      },
      { withinMs: 30_000, everyMs: 100 },
    );
    assert.equal(status.connected, false);
    assert.match(status.error ?? "", /silent\.sock/);
    assert.equal((await fetch(`${program.url}/api/v1/containers`)).status, 200);
    assert.equal(await program.stop(), 0);
  } finally {
    await program.kill();
    silent.close();
  }
});
