import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { createTestServer } from "../../test/support/http-server.ts";

const bootstrap = `document.documentElement.dataset.theme = localStorage.theme ?? "system";`;
const index = `<!doctype html><script>${bootstrap}</script><script type="module" src="/assets/app-1a2b.js"></script>`;
const code = "console.log('app');".repeat(50);

const folder = mkdtempSync(join(tmpdir(), "binnacle-web-"));
const webRoot = join(folder, "web");
mkdirSync(join(webRoot, "assets"), { recursive: true });
writeFileSync(join(folder, "secret.txt"), "secret");
writeFileSync(join(webRoot, "index.html"), index);
writeFileSync(join(webRoot, "manifest.webmanifest"), '{"name":"Binnacle"}');
writeFileSync(join(webRoot, "assets", "app-1a2b.js"), code);
writeFileSync(join(webRoot, "assets", "app-1a2b.js.br"), brotliCompressSync(code));
writeFileSync(join(webRoot, "assets", "app-1a2b.js.gz"), gzipSync(code));
symlinkSync(join(folder, "secret.txt"), join(webRoot, "link.txt"));
after(() => rmSync(folder, { recursive: true }));

describe("the built web app", () => {
  const server = createTestServer({ webRoot });
  const get = (url: string, headers: Record<string, string> = {}) => server.fastify.inject({ url, headers });
  const html = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

  it("is one page for every address that a browser navigates to", async () => {
    for (const [url, headers] of [
      ["/", {}],
      ["/containers/7", html],
      ["/settings?tab=about", html],
      ["/status-page", html],
    ] as const) {
      const page = await get(url, headers);
      assert.deepEqual([page.statusCode, page.body, page.headers["cache-control"]], [200, index, "no-cache"], url);
      assert.equal(page.headers["content-type"], "text/html; charset=utf-8");
    }
  });

  it("is not given for the program's own addresses, nor to programs", async () => {
    for (const url of ["/api/v1/nothing", "/api", "/ping/", "/status", "/mcp", "/oauth/x", "/assets/old.js", "/.well-known/x", "/login"]) {
      assert.equal((await get(url, html)).statusCode, 404, url);
    }
    assert.equal((await get("/containers/7", { accept: "*/*" })).statusCode, 404);
    assert.equal((await server.fastify.inject({ method: "POST", url: "/containers", headers: html })).statusCode, 404);
  });

  it("may run its inline script, and no other", async () => {
    const hash = createHash("sha256").update(bootstrap).digest("base64");
    const { headers } = await get("/api/v1/nothing");
    assert.ok(String(headers["content-security-policy"]).includes(`; script-src 'self' 'sha256-${hash}'; `));
  });

  it("has hashed files, kept for ever and sent compressed", async () => {
    const plain = await get("/assets/app-1a2b.js");
    assert.deepEqual([plain.body, plain.headers["cache-control"]], [code, "public, max-age=31536000, immutable"]);
    assert.equal(plain.headers["content-type"], "text/javascript; charset=utf-8");
    const negotiated = async (accepted: string) => {
      const { headers, rawPayload } = await get("/assets/app-1a2b.js", { "accept-encoding": accepted });
      assert.equal(headers["vary"], "Accept-Encoding");
      assert.equal(headers["content-length"], String(rawPayload.length));
      return headers["content-encoding"];
    };
    assert.equal(await negotiated("gzip, deflate, br, zstd"), "br");
    assert.equal(await negotiated("gzip, br;q=0"), "gzip");
    assert.equal(await negotiated("identity"), undefined);
    assert.equal(await negotiated("brotli, x-br"), undefined);
  });

  it("keeps both reasons to vary", async () => {
    const listed = createTestServer({ webRoot, config: { corsOrigins: ["https://app.example"] } });
    assert.equal((await listed.fastify.inject({ url: "/assets/app-1a2b.js" })).headers["vary"], "Origin, Accept-Encoding");
  });

  it("answers 304 for what the browser has", async () => {
    const { headers } = await get("/manifest.webmanifest");
    assert.equal(headers["content-type"], "application/manifest+json");
    const again = await get("/manifest.webmanifest", { "if-none-match": String(headers["etag"]) });
    assert.deepEqual([again.statusCode, again.body], [304, ""]);
  });

  it("is all that can be reached", async () => {
    const outside = [
      "/../secret.txt",
      "/..%2fsecret.txt",
      "/assets/../../secret.txt",
      "/assets/..%5c..%5csecret.txt",
      "//etc/passwd",
      "/link.txt",
      "/%00",
      "/assets/",
      "/assets/app-1a2b.js.br",
    ];
    for (const url of outside) assert.equal((await get(url)).statusCode, 404, url);
  });

  it("answers HEAD", async () => {
    const { statusCode, headers, body } = await server.fastify.inject({ method: "HEAD", url: "/" });
    assert.deepEqual([statusCode, headers["content-length"], body], [200, String(index.length), ""]);
  });
});

describe("without a built web app", () => {
  it("a page says how to build it", async () => {
    for (const root of [undefined, join(folder, "nowhere")]) {
      const server = createTestServer(root === undefined ? {} : { webRoot: root });
      const { statusCode, body } = await server.fastify.inject({ url: "/" });
      assert.equal(statusCode, 503);
      assert.match(body, /npm run build/);
    }
  });
});
