import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { createBadServers, drip, failure, probe } from "../../../test/support/probe.ts";

const servers = createBadServers();
afterEach(servers.close);

describe("the body of a check", () => {
  const text = `${"x".repeat(100_000)}needle-ü${"y".repeat(100)}`;
  const packed: [string, string | undefined, Buffer][] = [
    ["plain", undefined, Buffer.from(text)],
    ["gzip", "gzip", gzipSync(text)],
    ["deflate", "deflate", deflateSync(text)],
    ["brotli", "br", brotliCompressSync(text)],
    ["zstd", "zstd", zstdCompressSync(text)],
    ["twice packed", "br, gzip", gzipSync(brotliCompressSync(text))],
  ];
  for (const [name, encoding, body] of packed) {
    it(`is searched when it is ${name}, across its pieces`, async () => {
      const url = await servers.serve((_request, response) => {
        if (encoding !== undefined) response.setHeader("content-encoding", encoding);
        for (let at = 0; at < body.length; at += 4999) response.write(body.subarray(at, at + 4999));
        response.end();
      });
      assert.equal((await probe(url, { bodyContains: "needle-ü" })).result.error, null);
      assert.equal(
        await failure(probe(url, { bodyContains: "needle-ä" })),
        'assertion: The body of http://HOST/ does not contain "needle-ä".',
      );
    });
  }

  it("is found when the text comes byte by byte", async () => {
    const url = await servers.serveRaw((socket) => {
      socket.setNoDelay().write("HTTP/1.1 200 OK\r\n\r\n");
      const bytes = [..."a needle"];
      const next = (): void => {
        const byte = bytes.shift();
        if (byte !== undefined) socket.write(byte, () => setImmediate(next));
      };
      next();
    });
    assert.equal((await probe(url, { bodyContains: "needle" })).result.success, true);
  });

  it("is read in the character set that it says it has", async () => {
    const url = await servers.serve((_request, response) => {
      response.writeHead(200, { "content-type": "text/html; charset=ISO-8859-1" }).end(Buffer.from("Grüße", "latin1"));
    });
    assert.equal((await probe(url, { bodyContains: "Grüße" })).result.success, true);
  });

  it("is read no further than a MiB, packed or not", async () => {
    const beyond = 'assertion: The first MiB of the body of http://HOST/ does not contain "needle".';
    let written = 0;
    const endless = await servers.serve((_request, response) => {
      const chunk = Buffer.alloc(65_536, "x");
      const more = (): void => {
        while (!response.destroyed && response.write(chunk)) written += chunk.length;
      };
      response.on("drain", more);
      more();
    });
    assert.equal(await failure(probe(endless, { bodyContains: "needle" })), beyond);
    assert.ok(written < 50 * 1024 * 1024);
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024));
    const exploding = await servers.serve((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
    });
    assert.equal(await failure(probe(exploding, { bodyContains: "needle" })), beyond);
    const noise = Buffer.alloc(3 * 1024 * 1024);
    for (let index = 0; index < noise.length; index += 1) noise[index] = Math.imul(index, 2654435761) >>> 24;
    const dense = await servers.serve((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(noise, { level: 0 }));
    });
    assert.equal(await failure(probe(dense, { bodyContains: "needle" })), beyond);
  });

  it("that breaks off, drips or cannot be unpacked is reported so", async () => {
    const breaking = await servers.serveRaw((socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"));
    assert.match(await failure(probe(breaking, { bodyContains: "needle" })), /^http: http:\/\/HOST\/ broke off its answer: /);
    const dripping = await servers.serveRaw((socket) => drip(socket, "HTTP/1.1 200 OK\r\n\r\n"));
    assert.equal(
      await failure(probe(dripping, { bodyContains: "needle", timeoutMs: 2000 })),
      "timeout: HOST did not finish its answer within 2 s.",
    );
    const unpackable = await servers.serve((_request, response) => response.writeHead(200, { "content-encoding": "gzip" }).end("not gzip"));
    assert.match(await failure(probe(unpackable, { bodyContains: "needle" })), /^http: .* broke off its answer: /);
    const strange = await servers.serve((_request, response) => response.writeHead(200, { "content-encoding": "x-odd" }).end("?"));
    assert.match(await failure(probe(strange, { bodyContains: "needle" })), /its body is packed in a way that is not known here/);
  });
});
