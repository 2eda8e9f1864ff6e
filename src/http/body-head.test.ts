import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { z } from "zod";
import { createTestServer } from "../../test/support/http-server.ts";
import { runProgram } from "../../test/support/job-programs.ts";
import { temporaryFolder } from "../../test/support/program.ts";
import { route } from "./route.ts";
import { bodyHead } from "./schemas.ts";
import type { HttpServer } from "./server.ts";

const MOST_BYTES = 100_000;

describe("a route that takes the beginning of any body", () => {
  let server: HttpServer;
  let port: number;
  before(async () => {
    server = createTestServer({
      config: { maxBodyBytes: MOST_BYTES },
      routes: [
        route({
          method: "POST",
          path: "/head",
          summary: "Shows what it got",
          tag: "Test",
          access: "open",
          body: bodyHead,
          bodyHeadBytes: 10,
          responses: { 200: z.object({ head: z.string().nullable() }) },
          handle: ({ body }) => ({ head: body?.toString("latin1") ?? null }),
        }),
      ],
    });
    ({ port } = await server.start());
  });
  after(() => server.stop());

  /** What comes back for these pieces, and when the connection is closed. Pieces may never end. */
  function send(head: string, pieces: Iterable<string> = []): Promise<string> {
    return new Promise((resolve) => {
      const socket = connect(port, "127.0.0.1");
      let text = "";
      socket.on("data", (chunk: Buffer) => void (text += chunk.toString("latin1")));
      socket.on("error", () => undefined);
      socket.on("close", () => resolve(text));
      socket.write(`POST /head HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${head}\r\n\r\n`);
      const rest = pieces[Symbol.iterator]();
      const next = (): void => {
        for (;;) {
          const { done, value } = rest.next();
          if (done === true || socket.destroyed) return;
          if (!socket.write(value)) return void socket.once("drain", next);
        }
      };
      next();
    });
  }

  function* endless(piece: string): Generator<string> {
    for (;;) yield piece;
  }

  const types: [what: string, header: string][] = [
    ["no type", ""],
    ["JSON that is none", "Content-Type: application/json\r\n"],
    ["a form", "Content-Type: application/x-www-form-urlencoded\r\n"],
    ["a type that cannot be read", "Content-Type: ;;garbage\r\n"],
  ];
  for (const [what, header] of types) {
    it(`keeps its first bytes: ${what}`, async () => {
      const answer = await send(`${header}Connection: close\r\nContent-Length: 15`, ["{ 23456789abcde"]);
      assert.match(answer, /^HTTP\/1\.1 200 /);
      assert.match(answer, /\{"head":"\{ 23456789"\}$/);
    });
  }

  it("has none of an empty body", async () => {
    assert.match(await send("Connection: close\r\nContent-Length: 0"), /\{"head":null\}$/);
  });

  it("reads over the rest of a body within the limit, and the connection serves on", async () => {
    const second = "POST /head HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno";
    const answer = await send(`Content-Length: ${MOST_BYTES}`, ["x".repeat(MOST_BYTES), second]);
    assert.deepEqual(answer.match(/\{"head":"[^"]*"\}/g), ['{"head":"xxxxxxxxxx"}', '{"head":"no"}']);
  });

  for (const [what, head, pieces] of [
    ["with a length", "Content-Length: 1000000000", endless("x".repeat(65_536))],
    ["in chunks", "Transfer-Encoding: chunked", endless(`10000\r\n${"x".repeat(65_536)}\r\n`)],
  ] as const) {
    it(`answers a body without end ${what}, and closes the connection`, { timeout: 120_000 }, async () => {
      const answer = await send(head, pieces);
      assert.match(answer, /^HTTP\/1\.1 200 /);
      assert.match(answer, /connection: close/i);
      assert.match(answer, /\{"head":"x{10}"\}$/);
    });
  }

  it("a client that looks for an answer only once it is done writing finds it", { timeout: 120_000 }, async () => {
    const file = join(temporaryFolder(), "body");
    writeFileSync(file, "x".repeat(100 * MOST_BYTES));
    assert.equal(await runProgram("wget", ["-q", "-t", "1", "-O", "/dev/null", `--post-file=${file}`, `http://127.0.0.1:${port}/head`]), 0);
  });

  it("has nothing to say to a body that breaks off", async () => {
    const socket = connect(port, "127.0.0.1");
    socket.write("POST /head HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\nbegun");
    await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
    assert.match(await send("Connection: close\r\nContent-Length: 2", ["ok"]), /"ok"/, "and serves on");
  });
});
