import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, describe, it } from "node:test";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { silentLog } from "../../platform/log.ts";
import { createOutbound } from "../../platform/outbound.ts";
import { type Repository, RegistryError } from "../image.ts";
import type { Registries } from "./index.ts";
import { createRegistries, plainHttpOf } from "./index.ts";

const { signal } = new AbortController();
const PRIVATE = [{ host: "127.0.0.1", port: undefined, plain: true }];
const stops: (() => void)[] = [];

after(() => {
  for (const stop of stops) stop();
});

type Page = (query: URLSearchParams, response: ServerResponse, request: IncomingMessage) => void;

async function listing(page: Page): Promise<{ registries: Registries; repository: Repository; asked: string[]; clock: FakeClock }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://x");
    asked.push(url.search);
    page(url.searchParams, response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const clock = createFakeClock();
  const outbound = createOutbound({ allowPrivate: false, privateHosts: PRIVATE, clock });
  stops.push(() => {
    outbound.stop();
    server.close();
    server.closeAllConnections();
  });
  const keychain = { find: async () => ({ credentials: undefined, note: "without credentials" }) };
  const registries = createRegistries({ outbound, keychain, plainHttp: plainHttpOf(PRIVATE), clock, log: silentLog });
  return { registries, repository: { registry: `127.0.0.1:${(server.address() as AddressInfo).port}`, repository: "a/b" }, asked, clock };
}

const numbered = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `v${String(from + index).padStart(6, "0")}`);
const reply = (response: ServerResponse, tags: readonly string[] | null, headers: Record<string, string> = {}): void =>
  void response.writeHead(200, { "content-type": "application/json", ...headers }).end(JSON.stringify({ name: "a/b", tags }));
const link = (last: string): Record<string, string> => ({ link: `</v2/a/b/tags/list?last=${last}&n=1000>; rel="next"` });

/** So many tags, by link or for those who ask by `last`. */
function pages(total: number, { links = true, size = 1000 } = {}): Page {
  return (query, response) => {
    const from = Number(query.get("last")?.slice(1) ?? -1) + 1;
    const tags = numbered(from, Math.min(size, total - from));
    reply(response, tags, links && from + size < total ? link(tags.at(-1) ?? "") : {});
  };
}

describe("tags", () => {
  for (const links of [true, false])
    it(`are read page by page, ${links ? "by link" : "by the last"}`, async () => {
      const { registries, repository, asked } = await listing(pages(2500, { links }));
      const { tags, complete } = await registries.tags(repository, signal);
      assert.deepEqual([tags, complete], [numbered(0, 2500), true]);
      assert.deepEqual(
        asked.map((query) => new URLSearchParams(query).get("last")),
        [null, "v000999", "v001999"],
      );
    });

  it("of exactly a page, and of a registry that knows no pages, end", async () => {
    const exact = await listing(pages(1000, { links: false }));
    assert.deepEqual([(await exact.registries.tags(exact.repository, signal)).tags.length, exact.asked.length], [1000, 2]);
    const same = await listing((_, response) => reply(response, numbered(0, 1000)));
    const { tags, complete } = await same.registries.tags(same.repository, signal);
    assert.deepEqual([tags.length, complete, same.asked.length], [1000, true, 2]);
    const all = await listing((_, response) => reply(response, numbered(0, 50_000)));
    const once = await all.registries.tags(all.repository, signal);
    assert.deepEqual([once.tags.length, once.complete, all.asked.length], [50_000, true, 1]);
    const none = await listing((_, response) => reply(response, null));
    assert.deepEqual(await none.registries.tags(none.repository, signal), { tags: [], complete: true });
  });

  it("are bounded in number and in pages, and marked as incomplete", async () => {
    const many = await listing(pages(90_000));
    const { tags, complete } = await many.registries.tags(many.repository, signal);
    assert.deepEqual([tags.length, complete, many.asked.length], [60_000, false, 60]);
    const small = await listing(pages(5000, { size: 10 }));
    const few = await small.registries.tags(small.repository, signal);
    assert.deepEqual([few.tags.length, few.complete, small.asked.length], [1000, false, 100]);
  });

  it("leave out names that are none, and repetitions", async () => {
    const { registries, repository } = await listing((_, response) =>
      reply(response, ["1.0", "<script>", "a b", "", "-x", "1.0", "ok_", "é", "x".repeat(129), "../etc"]),
    );
    assert.deepEqual((await registries.tags(repository, signal)).tags, ["1.0", "ok_"]);
  });

  it("are asked for with a condition where the registry gives one", async () => {
    let etag = '"1"';
    let tags = ["1.0"];
    const { registries, repository, asked } = await listing((_, response, request) => {
      if (request.headers["if-none-match"] === etag) response.writeHead(304).end();
      else reply(response, tags, { etag });
    });
    for (let count = 0; count < 3; count += 1) assert.deepEqual((await registries.tags(repository, signal)).tags, ["1.0"]);
    assert.equal(asked.length, 3);
    etag = '"2"';
    tags = ["1.0", "1.1"];
    assert.deepEqual((await registries.tags(repository, signal)).tags, ["1.0", "1.1"]);
    assert.deepEqual((await registries.tags(repository, signal)).tags, ["1.0", "1.1"]);
  });

  it("whose listing broke off continue where it stopped, unless that was long ago", async () => {
    let refusing = true;
    const full = pages(4500);
    const { registries, repository, asked, clock } = await listing((query, response, request) => {
      if (refusing && query.get("last") === "v001999") response.writeHead(429, { "retry-after": "30" }).end();
      else full(query, response, request);
    });
    await assert.rejects(registries.tags(repository, signal), (error) => error instanceof RegistryError && error.reason === "rate_limited");
    assert.equal(asked.length, 3);
    refusing = false;
    await clock.advance(31_000);
    assert.deepEqual((await registries.tags(repository, signal)).tags, numbered(0, 4500));
    assert.equal(asked.length, 6);
    refusing = true;
    await assert.rejects(registries.tags(repository, signal));
    refusing = false;
    asked.length = 0;
    await clock.advance(3 * 3_600_000);
    assert.equal((await registries.tags(repository, signal)).tags.length, 4500);
    assert.equal(asked.length, 5);
  });

  it("are asked for without a number of a registry that refuses it", async () => {
    const { registries, repository, asked } = await listing((query, response) => {
      if (query.has("n")) response.writeHead(400).end("{}");
      else reply(response, ["1"]);
    });
    assert.deepEqual((await registries.tags(repository, signal)).tags, ["1"]);
    assert.deepEqual(asked, ["?n=1000", ""]);
  });

  it("are refused when their pages lead elsewhere or in a circle, or are none", async () => {
    const cases: [page: Page, reason: string][] = [
      [(_, response) => reply(response, ["1"], { link: '<https://evil.example/v2/a/b/tags/list>; rel="next"' }), "refused"],
      [(query, response) => reply(response, [query.get("last") ?? "0", "x"], link(query.get("last") === "a" ? "b" : "a")), "malformed"],
      [(_, response) => void response.writeHead(200, { "content-type": "text/html" }).end("<html>"), "malformed"],
      [(_, response) => void response.writeHead(200).end('{"tags":[1]}'), "malformed"],
      [(_, response) => reply(response, ["x".repeat(5_000_000)]), "too_large"],
    ];
    for (const [page, reason] of cases) {
      const { registries, repository } = await listing(page);
      await assert.rejects(registries.tags(repository, signal), (error) => error instanceof RegistryError && error.reason === reason);
    }
  });
});
