import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { afterEach, beforeEach, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import { createOutbound, type Outbound } from "../../platform/outbound.ts";
import type { Database } from "../../storage/database.ts";
import { createChangelogs } from "./index.ts";

const signal = new AbortController().signal;
const DAY_MS = 86_400_000;

/** A forge on loopback that answers as the test says, and remembers what it was asked. */
interface Forge {
  port: number;
  asked: { url: string; headers: IncomingMessage["headers"] }[];
  answer(url: URL, response: ServerResponse): void;
  server: Server;
}

const releaseJson = (tag_name: string, body = "", facts = {}) => ({
  tag_name,
  name: `Release ${tag_name}`,
  body,
  draft: false,
  prerelease: false,
  html_url: `https://git.example/o/r/releases/${tag_name}`,
  published_at: "2026-01-02T03:04:05Z",
  ...facts,
});
const json = (response: ServerResponse, body: unknown, headers = {}, status = 200): void =>
  void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));

onBothDatabases((databases) => {
  let database: Database;
  let clock: FakeClock;
  let forge: Forge;
  let outbound: Outbound;

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock();
    const asked: Forge["asked"] = [];
    const server = createServer((request, response) => {
      asked.push({ url: request.url ?? "", headers: request.headers });
      forge.answer(new URL(request.url ?? "", "http://forge"), response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    forge = {
      port: typeof address === "object" && address !== null ? address.port : 0,
      asked,
      server,
      answer: (_, r) => json(r, {}, {}, 404),
    };
    outbound = createOutbound({
      allowPrivate: false,
      privateHosts: [{ host: "127.0.0.1", port: forge.port, plain: true }],
      clock: systemClock,
    });
  });
  afterEach(async () => {
    outbound.stop();
    forge.server.closeAllConnections();
    await new Promise((resolve) => forge.server.close(resolve));
  });

  const make = (options: { token?: string; githubApi?: string } = {}) =>
    createChangelogs({ outbound, token: options.token, database, clock, log: silentLog, ...options });
  const source = (): string => `http://127.0.0.1:${forge.port}/o/r`;
  const between = (changelogs = make(), sourceUrl: string | null = source(), currentTag: string | null = "1.0.0", availableTag = "1.2.0") =>
    changelogs.between({ sourceUrl, currentTag, availableTag }, signal);

  it("reads the releases of a Gitea, once", async () => {
    forge.answer = (_, response) =>
      json(response, [
        releaseJson("v1.3.0"),
        releaseJson("v1.2.0", "## Breaking\n- The port is 81.\n<!-- x -->", { html_url: "javascript:alert(1)" }),
        releaseJson("v1.1.0", "Fine\u202e.", { draft: true }),
        releaseJson("v1.1.5", "Fine\u202e."),
        { tag_name: 7 },
        releaseJson("v1.0.0"),
      ]);
    const changelogs = make();
    const found = await between(changelogs);
    assert.deepEqual(found, {
      entries: [
        {
          version: "v1.2.0",
          title: "Release v1.2.0",
          url: null,
          publishedAt: "2026-01-02T03:04:05.000Z",
          text: "## Breaking\n- The port is 81.",
          breaking: ["The port is 81."],
        },
        {
          version: "v1.1.5",
          title: "Release v1.1.5",
          url: "https://git.example/o/r/releases/v1.1.5",
          publishedAt: "2026-01-02T03:04:05.000Z",
          text: "Fine.",
          breaking: [],
        },
      ],
      url: `${source()}/compare/v1.0.0...v1.2.0`,
      note: null,
    });
    assert.deepEqual(
      forge.asked.map(({ url }) => url),
      ["/api/v1/repos/o/r/releases?limit=50&page=1"],
    );
    assert.deepEqual(await Promise.all([between(changelogs), between(make())]), [found, found]);
    assert.equal(forge.asked.length, 1, "from the cache, after a restart too");
  });

  it("finds out that a host is a GitLab", async () => {
    forge.answer = (url, response) => {
      if (!url.pathname.startsWith("/api/v4/")) return json(response, { error: "404" }, {}, 404);
      return json(response, [
        {
          tag_name: "v1.2.0",
          name: "Two",
          description: "It **works**",
          released_at: "2026-01-01T00:00:00Z",
          _links: { self: "https://g/x" },
        },
        { tag_name: "v1.1.0", name: null, description: null, released_at: "x" },
        { tag_name: "v9.9.9", upcoming_release: true },
      ]);
    };
    const changelogs = make();
    const found = await between(changelogs, `${source()}/deep/-/tree/main`);
    assert.deepEqual(
      found?.entries.map(({ version, title, url, publishedAt }) => [version, title, url, publishedAt]),
      [
        ["v1.2.0", "Two", "https://g/x", "2026-01-01T00:00:00.000Z"],
        ["v1.1.0", "v1.1.0", null, null],
      ],
    );
    assert.equal(found?.url, `${source()}/deep/-/releases`);
    assert.equal(forge.asked[1]?.url, "/api/v4/projects/o%2Fr%2Fdeep/releases?per_page=50&page=1");
    await between(changelogs, `${source()}/other`);
    assert.equal(forge.asked.length, 3, "the second time it is known what it is");
  });

  it("asks each kind of forge for the type that it answers in, as some refuse any other", async () => {
    forge.answer = ({ pathname }, response) => {
      const type = pathname.startsWith("/api/") ? "application/json" : "application/vnd.github+json";
      if (forge.asked.at(-1)?.headers.accept !== type) return json(response, {}, {}, 406);
      if (pathname === "/api/v1/repos/o/lab/releases") return json(response, {}, {}, 404);
      return json(response, [releaseJson("v1.2.0")]);
    };
    const githubApi = `http://127.0.0.1:${forge.port}`;
    const addresses = [source(), `http://127.0.0.1:${forge.port}/o/lab`, "https://github.com/o/r"];
    for (const address of addresses) {
      const found = await between(make({ githubApi }), address);
      assert.deepEqual([found?.entries.length, found?.note], [1, null], address);
    }
    assert.deepEqual(
      forge.asked.map(({ url }) => url.split("?")[0]),
      ["/api/v1/repos/o/r/releases", "/api/v1/repos/o/lab/releases", "/api/v4/projects/o%2Flab/releases", "/repos/o/r/releases"],
    );
  });

  it("asks GitHub with the token, page after page, and only as far as it matters", async () => {
    forge.answer = (url, response) => {
      const page = Number(url.searchParams.get("page"));
      const releases = Array.from({ length: 50 }, (_, index) => releaseJson(`v1.${400 - (page - 1) * 50 - index}.0`));
      json(response, releases, { etag: `W/"${page}"` });
    };
    const githubApi = `http://127.0.0.1:${forge.port}`;
    const found = await between(make({ token: "ghp_secret", githubApi }), "https://github.com/o/r", "1.340.0", "1.360.0");
    assert.equal(found?.entries.length, 20);
    assert.equal(found?.url, "https://github.com/o/r/compare/v1.340.0...v1.360.0");
    assert.deepEqual(
      forge.asked.map(({ url, headers }) => [url, headers.authorization]),
      [1, 2, 3].map((page) => [`/repos/o/r/releases?per_page=50&page=${page}`, "Bearer ghp_secret"]),
    );
    const all = await between(make({ githubApi }), "https://github.com/o/r", "1.0.0", "1.400.0");
    assert.deepEqual([all?.entries.length, forge.asked.length], [50, 8]);
    assert.match(all?.note ?? "", /newest 50 of 250 versions.*newest releases of the repository were read/);
    await between(make({ token: "ghp_secret", githubApi: "https://api.github.com" }));
    assert.equal(forge.asked.at(-1)?.headers.authorization, undefined, "no other host sees the token");
  });

  it("asks again after a week by the ETag, and sooner where nothing was found", async () => {
    let releases = [releaseJson("v1.2.0", "One")];
    forge.answer = (_, response) => {
      if (forge.asked.at(-1)?.headers["if-none-match"] === '"a"') return void response.writeHead(304).end();
      return json(response, releases, { etag: '"a"' });
    };
    const changelogs = make();
    const found = await between(changelogs);
    clock.jump(new Date(clock.now().getTime() + 6 * DAY_MS));
    await between(changelogs);
    assert.equal(forge.asked.length, 1);
    clock.jump(new Date(clock.now().getTime() + 2 * DAY_MS));
    assert.deepEqual(await between(changelogs), found);
    await between(changelogs);
    assert.equal(forge.asked.length, 2);
    releases = [];
    const none = await between(changelogs, source(), "1.2.0", "1.3.0");
    assert.deepEqual([none?.entries, none?.note], [[], "o/r publishes no releases."]);
    clock.jump(new Date(clock.now().getTime() + 2 * DAY_MS));
    await between(changelogs, source(), "1.2.0", "1.3.0");
    assert.equal(forge.asked.length, 4);
    clock.jump(new Date(clock.now().getTime() + 15 * DAY_MS));
    await changelogs.prune(signal);
    await between(changelogs);
    assert.equal(forge.asked.at(-1)?.headers["if-none-match"], undefined, "what is old is forgotten");
  });

  it("leaves a host alone that has had enough, and keeps what it knew", async () => {
    const changelogs = make();
    forge.answer = (_, response) => json(response, [releaseJson("v1.2.0", "One")]);
    const found = await between(changelogs);
    clock.jump(new Date(clock.now().getTime() + 8 * DAY_MS));
    const reset = String(Math.floor(clock.now().getTime() / 1000) + 600);
    forge.answer = (_, response) => json(response, {}, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset }, 403);
    assert.deepEqual(await between(changelogs), found);
    const refused = await between(changelogs, source(), "1.2.0", "1.3.0");
    assert.match(refused?.note ?? "", /could not be read: 127\.0\.0\.1:\d+ allows no more requests before 12:10 UTC/);
    assert.equal(forge.asked.length, 2, "it is not asked while it rests");
    clock.jump(new Date(clock.now().getTime() + 601_000));
    forge.answer = (_, response) => json(response, [releaseJson("v1.3.0", "Two")]);
    assert.equal((await between(changelogs, source(), "1.2.0", "1.3.0"))?.entries.length, 1);
  });

  it("asks a forge in trouble again soon, less often each time, and after six times daily", async () => {
    const changelogs = make();
    const MINUTE_MS = 60_000;
    const later = (ms: number): void => clock.jump(new Date(clock.now().getTime() + ms));
    forge.answer = (_, response) => json(response, {}, {}, 502);
    assert.equal((await between(changelogs))?.isPassing, true);
    const rested = await between(changelogs);
    assert.match(rested?.note ?? "", /answered 502 when asked for the releases\. It is not asked again before 12:05 UTC/);
    assert.deepEqual([rested?.isPassing, forge.asked.length], [true, 1]);
    await between(changelogs, `${source()}2`);
    assert.equal(forge.asked.length, 2, "another repository of the same host is asked");
    for (const [index, minutes] of [5, 10, 20, 30, 30].entries()) {
      later(minutes * MINUTE_MS - 1000);
      await between(changelogs);
      assert.equal(forge.asked.length, 2 + index, `not before ${minutes} minutes`);
      later(1000);
      assert.equal((await between(changelogs))?.isPassing, index === 4 ? undefined : true);
      assert.equal(forge.asked.length, 3 + index, `after ${minutes} minutes`);
    }
    later(23 * 60 * MINUTE_MS);
    await between(changelogs);
    assert.equal(forge.asked.length, 7, "the sixth failure is remembered for a day");
    forge.answer = (_, response) => json(response, [releaseJson("v1.2.0", "One")]);
    later(60 * MINUTE_MS);
    assert.equal((await between(changelogs))?.entries.length, 1);
    forge.answer = (_, response) => json(response, {}, {}, 503);
    assert.equal((await between(changelogs, source(), "1.2.0", "1.3.0"))?.isPassing, true, "an answer ends the count");
  });

  it("asks no other repository of a host that cannot be reached, and remembers for a day what time does not mend", async () => {
    const changelogs = make();
    forge.answer = (_, response) => void response.destroy();
    for (const name of ["", "2"]) assert.equal((await between(changelogs, `${source()}${name}`))?.isPassing, true);
    assert.equal(forge.asked.length, 1);
    clock.jump(new Date(clock.now().getTime() + DAY_MS / 24));
    for (const status of [404, 410, 401]) {
      forge.answer = (_, response) => json(response, {}, {}, status);
      assert.equal((await between(changelogs, `${source()}${status}`))?.isPassing, undefined);
      const before: number = forge.asked.length;
      clock.jump(new Date(clock.now().getTime() + DAY_MS / 2));
      await between(changelogs, `${source()}${status}`);
      assert.equal(forge.asked.length, before);
    }
  });

  it("says what is wrong with what it got, and never fails", async () => {
    const answers: [string, Forge["answer"], RegExp][] = [
      ["1", (_, response) => void response.writeHead(200, { "content-type": "text/html" }).end("<html>"), /could not be found/],
      ["2", (_, response) => json(response, { message: "no" }, {}, 500), /answered 500/],
      ["3", (_, response) => void response.destroy(), /without an answer/],
      ["4", (_, response) => void response.writeHead(200).end(`[${"1,".repeat(5 * 1024 * 1024)}1]`), /longer than/],
      ["5", (_, response) => void response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(), /not allowed/],
      ["6", (_, response) => json(response, [{}, 1, null, releaseJson(""), releaseJson("x".repeat(5000))]), /None of the releases/],
    ];
    for (const [name, answer, note] of answers) {
      forge.answer = answer;
      const found = await between(make(), `${source()}${name}`);
      assert.deepEqual(found?.entries, []);
      assert.match(found?.note ?? "", note);
      assert.equal(found?.url, `${source()}${name}/releases`);
    }
    const before = forge.asked.length;
    assert.equal(await between(make(), "javascript:alert(1)"), undefined);
    assert.equal(await between(make(), null), undefined);
    assert.match((await between(make(), "https://192.168.0.1/o/r"))?.note ?? "", /private/);
    assert.match((await between(make(), "http://git.lan/o/r"))?.note ?? "", /https/);
    assert.match((await between(make(), source(), "latest", "latest"))?.note ?? "", /tag stays the same/);
    assert.equal(forge.asked.length, before);
    await assert.rejects(
      make().between({ sourceUrl: `${source()}9`, currentTag: "1", availableTag: "2" }, AbortSignal.abort(new Error("enough"))),
      /enough/,
    );
  });
});
