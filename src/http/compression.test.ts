import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { z } from "zod";
import { createTestServer } from "../../test/support/http-server.ts";
import { Answer, type Route, route } from "./route.ts";

const about = { method: "GET", summary: "a thing", tag: "Things", access: "open" } as const;
const things = { things: Array.from({ length: 200 }, (_, id) => ({ id, name: `thing ${id}` })) };
const cached = Buffer.from(JSON.stringify(things));

const routes: Route[] = [
  route({ ...about, path: "/things", responses: { 200: z.unknown() }, handle: () => things }),
  route({ ...about, path: "/small", responses: { 200: z.unknown() }, handle: () => ({ small: true }) }),
  route({ ...about, path: "/cached", responses: { 200: z.unknown() }, handle: () => cached }),
  route({
    ...about,
    path: "/tagged",
    responses: { 200: "text/plain" },
    handle: () => new Answer(200, "word ".repeat(400), { etag: '"one"', "content-type": "text/plain" }),
  }),
  route({
    ...about,
    path: "/picture",
    responses: { 200: "image/png" },
    handle: () => new Answer(200, Buffer.alloc(4096), { "content-type": "image/png" }),
  }),
];
const { fastify } = createTestServer({ routes });

function ask(url: string, accepted?: string, method: "GET" | "HEAD" = "GET") {
  return fastify.inject({ method, url, headers: accepted === undefined ? {} : { "accept-encoding": accepted } });
}

describe("answers", () => {
  const encodings = [
    { accepted: "gzip, deflate, br, zstd", encoding: "zstd", read: zstdDecompressSync },
    { accepted: "gzip, deflate, br", encoding: "br", read: brotliDecompressSync },
    { accepted: "zstd;q=0, br;q=0, gzip", encoding: "gzip", read: gunzipSync },
  ];
  for (const { accepted, encoding, read } of encodings)
    it(`are compressed for who says ${accepted}`, async () => {
      const { headers, rawPayload } = await ask("/things", accepted);
      assert.equal(headers["content-encoding"], encoding);
      assert.equal(headers["content-length"], String(rawPayload.length));
      assert.match(String(headers["vary"]), /Accept-Encoding/);
      assert.ok(rawPayload.length < 2000, `${rawPayload.length} of ${JSON.stringify(things).length} bytes`);
      assert.deepEqual(JSON.parse(read(rawPayload).toString()), things);
    });

  it("stand as they are for who takes none, and say that it depends", async () => {
    for (const accepted of [undefined, "identity", "deflate"]) {
      const { headers, body } = await ask("/things", accepted);
      assert.equal(headers["content-encoding"], undefined);
      assert.match(String(headers["vary"]), /Accept-Encoding/);
      assert.deepEqual(JSON.parse(body), things);
    }
  });

  it("below a kilobyte and those that are no text stay as they are", async () => {
    for (const url of ["/small", "/picture"]) assert.equal((await ask(url, "zstd, br, gzip")).headers["content-encoding"], undefined, url);
  });

  it("have the same headers for HEAD, without a body", async () => {
    const [got, head] = [await ask("/things", "gzip"), await ask("/things", "gzip", "HEAD")];
    for (const name of ["content-encoding", "content-length", "vary"]) assert.equal(head.headers[name], got.headers[name], name);
    assert.equal(head.rawPayload.length, 0);
  });

  it("keep a tag that holds for both forms", async () => {
    assert.equal((await ask("/tagged")).headers["etag"], '"one"');
    assert.equal((await ask("/tagged", "br")).headers["etag"], 'W/"one"');
  });

  it("that are kept in memory are compressed once", async () => {
    const first = await ask("/cached", "br");
    assert.deepEqual(brotliDecompressSync(first.rawPayload), cached);
    // Only bytes that were compressed again would show this.
    cached.fill(" ");
    assert.deepEqual((await ask("/cached", "br")).rawPayload, first.rawPayload);
  });
});
