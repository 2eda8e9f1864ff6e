import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, describe, it } from "node:test";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { until } from "../../../test/support/until.ts";
import { type Clock, systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import { createOutbound, type Outbound } from "../../platform/outbound.ts";
import { type Repository, RegistryError } from "../image.ts";
import type { Registries } from "./index.ts";
import { createRegistries, type Keychain, plainHttpOf } from "./index.ts";

const { signal } = new AbortController();
const MANIFEST = "application/vnd.docker.distribution.manifest.v2+json";
const LIST = "application/vnd.docker.distribution.manifest.list.v2+json";
const AMD64 = { os: "linux", architecture: "amd64", variant: null };
const NOBODY: Keychain = { find: async () => ({ credentials: undefined, note: "without credentials" }) };
const SOMEBODY: Keychain = {
  find: async () => ({ credentials: { kind: "password", username: "u", password: "pw" }, note: "with some" }),
};

const digest = (text: string): string => `sha256:${createHash("sha256").update(text).digest("hex")}`;
const image = JSON.stringify({ schemaVersion: 2, mediaType: MANIFEST, config: { digest: digest("{}") }, layers: [] });

interface Nasty {
  repository: Repository;
  /** `METHOD path`, of the repository. */
  asked: string[];
  requests: IncomingMessage[];
  open(): number;
}
const stops: (() => void)[] = [];
const outbounds: Outbound[] = [];

async function nasty(answer: (request: IncomingMessage, response: ServerResponse, index: number) => void): Promise<Nasty> {
  let open = 0;
  const server = createServer((request, response) => {
    request.resume();
    found.asked.push(`${request.method} ${request.url?.replace("/v2/a/b/", "")}`);
    answer(request, response, found.requests.push(request) - 1);
  });
  server.on("connection", (socket) => {
    open += 1;
    socket.once("close", () => (open -= 1));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stops.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const registry = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const found: Nasty = { repository: { registry, repository: "a/b" }, asked: [], requests: [], open: () => open };
  return found;
}

/** Which may ask that registry over plain http, and no other private host. */
function client(
  { repository }: Nasty,
  { keychain = NOBODY, clock = systemClock }: { keychain?: Keychain; clock?: Clock } = {},
): Registries {
  const port = Number(repository.registry.split(":")[1]);
  const privateHosts = [{ host: "127.0.0.1", port, plain: true }];
  const outbound = createOutbound({ allowPrivate: false, privateHosts, clock });
  outbounds.push(outbound);
  return createRegistries({ outbound, keychain, plainHttp: plainHttpOf(privateHosts), clock, log: silentLog });
}

async function fault(attempt: Promise<unknown>): Promise<RegistryError> {
  const error = await attempt.then(
    () => assert.fail("it was answered"),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof RegistryError)) throw error;
  assert.ok(error.message.length < 400 && !error.message.includes("\n"), error.message);
  return error;
}

after(() => {
  for (const outbound of outbounds) outbound.stop();
  for (const stop of stops) stop();
});

describe("a registry", () => {
  it("that answers 401 for ever is asked twice", async () => {
    const server = await nasty((request, response) => {
      if (request.url?.startsWith("/token") === true) response.end('{"token":"t"}');
      else response.writeHead(401, { "www-authenticate": `Bearer realm="http://${server.repository.registry}/token"` }).end();
    });
    assert.equal((await fault(client(server).digestOf(server.repository, { tag: "1" }, signal))).reason, "unauthorized");
    assert.equal(server.asked.filter((line) => line.startsWith("HEAD")).length, 2);
    assert.equal(server.asked.length, 3);
  });

  it("that hangs is given up, and not asked by each image in turn", async () => {
    const server = await nasty(() => undefined);
    const clock = createFakeClock();
    const registries = client(server, { clock });
    const faults = Array.from({ length: 10 }, (_, index) => fault(registries.digestOf(server.repository, { tag: `${index}` }, signal)));
    for (let asked = 2; asked <= 4; asked += 2) {
      await until(() => server.asked.length === asked, { what: `${asked} questions` });
      await clock.advance(15_000);
    }
    for (const each of await Promise.all(faults)) assert.equal(each.reason, "timeout");
    assert.equal(server.asked.length, 4);
    await clock.advance(61_000);
    const later = fault(registries.digestOf(server.repository, { tag: "x" }, signal));
    await until(() => server.asked.length === 5);
    await clock.advance(15_000);
    await later;
  });

  it("is left when nobody wants to know any more, with the reason of who went", async () => {
    const server = await nasty(() => undefined);
    const registries = client(server);
    const going = new AbortController();
    const attempts = Array.from({ length: 4 }, () => registries.digestOf(server.repository, { tag: "1" }, going.signal));
    const outcomes = Promise.allSettled(attempts);
    await until(() => server.asked.length === 2);
    going.abort(new Error("the scan ends"));
    for (const outcome of await outcomes) assert.match(String(outcome.status === "rejected" && outcome.reason), /the scan ends/);
    await until(() => server.open() === 0);
  });

  it("is asked two things at a time", async () => {
    let now = 0;
    let most = 0;
    const server = await nasty((_, response) => {
      most = Math.max(most, ++now);
      setTimeout(() => {
        now -= 1;
        response.writeHead(200, { "docker-content-digest": digest("x") }).end();
      }, 10);
    });
    const registries = client(server);
    await Promise.all(Array.from({ length: 20 }, (_, index) => registries.digestOf(server.repository, { tag: `${index}` }, signal)));
    assert.deepEqual([most, server.asked.length], [2, 20]);
  });

  it("that wants to be left alone for long is, and everybody gets the error at once", async () => {
    const server = await nasty((_, response) => response.writeHead(429, { "retry-after": "600" }).end());
    const clock = createFakeClock();
    const registries = client(server, { clock });
    const first = await fault(registries.digestOf(server.repository, { tag: "1" }, signal));
    assert.deepEqual(
      [first.reason, first.message],
      ["rate_limited", `${server.repository.registry} wants no more questions for now, for 600 s.`],
    );
    for (let count = 0; count < 20; count += 1) await fault(registries.tags(server.repository, signal));
    assert.equal(server.asked.length, 1);
    await clock.advance(600_000);
    await fault(registries.tags(server.repository, signal));
    assert.equal(server.asked.length, 2);
  });

  it("that wants a moment gets it, once", async () => {
    const server = await nasty((_, response, index) => {
      if (index === 0) response.writeHead(429, { "retry-after": "1" }).end();
      else response.writeHead(200, { "docker-content-digest": digest("x") }).end();
    });
    assert.equal(await client(server).digestOf(server.repository, { tag: "1" }, signal), digest("x"));
    const never = await nasty((_, response) => response.writeHead(429, { "retry-after": "0" }).end());
    assert.equal((await fault(client(never).digestOf(never.repository, { tag: "1" }, signal))).reason, "rate_limited");
    assert.equal(never.asked.length, 2);
  });

  it("that has answered its last question says so, and is believed", async () => {
    const server = await nasty((_, response) => {
      response.writeHead(200, { "docker-content-digest": digest("x"), "ratelimit-remaining": "0;w=21600", "ratelimit-reset": "300" }).end();
    });
    const registries = client(server);
    await registries.digestOf(server.repository, { tag: "1" }, signal);
    assert.equal((await fault(registries.digestOf(server.repository, { tag: "2" }, signal))).reason, "rate_limited");
    assert.equal(server.asked.length, 1);
  });

  for (const [status, reason] of [
    [403, "unauthorized"],
    [404, "not_found"],
    [418, "refused"],
    [500, "unavailable"],
    [503, "unavailable"],
  ] as const)
    it(`that answers ${status} is ${reason}`, async () => {
      const server = await nasty((_, response) => response.writeHead(status).end("<html>no"));
      assert.equal((await fault(client(server).tags(server.repository, signal))).reason, reason);
      assert.equal((await fault(client(server).digestOf(server.repository, { tag: "1" }, signal))).reason, reason);
    });
});

describe("a manifest", () => {
  const manifests = (type: string, body: string, headers: Record<string, string> = {}): Promise<Nasty> =>
    nasty((request, response) => {
      if (request.method === "HEAD") response.writeHead(405).end();
      else response.writeHead(200, { "content-type": type, ...headers }).end(body);
    });
  const cases: [what: string, type: string, body: string, reason: string, message: RegExp][] = [
    ["that is a page", "text/html; charset=utf-8", "<html></html>", "malformed", /answered with "text\/html" when asked/],
    ["that is a page and says otherwise", MANIFEST, "<!doctype html><html>", "malformed", /is a web page/],
    ["that is no JSON", MANIFEST, "{", "malformed", /is not JSON/],
    ["that lacks what it must have", MANIFEST, "{}", "malformed", /does not look as it must at "config"/],
    ["with a digest that is none", MANIFEST, image.replace("sha256:", "md5:"), "malformed", /at "config.digest"/],
    ["of schema 1", "application/vnd.docker.distribution.manifest.v1+prettyjws", "{}", "refused", /schema 1, which Docker gave up/],
    ["of schema 1 under another name", "application/json", '{"schemaVersion":1,"fsLayers":[]}', "refused", /schema 1/],
    ["that is two things", MANIFEST, image.replace("{", '{"manifests":[],'), "malformed", /a list and an image at once/],
    ["that is null", MANIFEST, "null", "malformed", /does not look/],
    ["with a prototype", MANIFEST, '{"__proto__":{"config":1}}', "malformed", /does not look/],
  ];
  for (const [what, type, body, reason, message] of cases)
    it(`${what} is ${reason}`, async () => {
      const server = await manifests(type, body);
      const error = await fault(client(server).image(server.repository, { tag: "1" }, AMD64, signal));
      assert.equal(error.reason, reason);
      assert.match(error.message, message);
    });

  it("of another digest than it says, or than was asked for, is malformed", async () => {
    const server = await manifests(MANIFEST, image, { "docker-content-digest": digest("other") });
    assert.match((await fault(client(server).digestOf(server.repository, { tag: "1" }, signal))).message, /not the one of its digest/);
    assert.match(
      (await fault(client(server).image(server.repository, { digest: digest("other") }, AMD64, signal))).message,
      /not the one of its digest/,
    );
    const liar = await nasty((_, response) => response.writeHead(200, { "docker-content-digest": digest("other") }).end());
    assert.match((await fault(client(liar).digestOf(liar.repository, { digest: digest("mine") }, signal))).message, /another digest/);
  });

  it("of a gigabyte is not read", async () => {
    for (const isLengthStated of [true, false]) {
      const server = await nasty((request, response) => {
        if (request.method === "HEAD") return response.writeHead(200).end();
        response.writeHead(200, { "content-type": MANIFEST, ...(isLengthStated ? { "content-length": "1000000000" } : {}) });
        const piece = Buffer.alloc(65_536, 32);
        const more = (): void => {
          while (!response.destroyed && response.write(piece));
        };
        response.on("drain", more);
        return more();
      });
      assert.equal((await fault(client(server).digestOf(server.repository, { tag: "1" }, signal))).reason, "too_large");
      await until(() => server.open() === 0);
    }
  });

  it("whose digest only its body shows is asked for with a condition the next time", async () => {
    const server = await nasty((request, response) => {
      if (request.method === "HEAD") response.writeHead(200).end();
      else if (request.headers["if-none-match"] === '"7"') response.writeHead(304).end();
      else response.writeHead(200, { "content-type": MANIFEST, etag: '"7"' }).end(image);
    });
    const registries = client(server);
    for (let count = 0; count < 3; count += 1)
      assert.equal(await registries.digestOf(server.repository, { tag: "1" }, signal), digest(image));
    assert.deepEqual(server.asked, ["HEAD manifests/1", "GET manifests/1", "GET manifests/1", "GET manifests/1"]);
    assert.equal(server.requests[3]?.headers["if-none-match"], '"7"');
  });

  it("that is a list of itself ends", async () => {
    const list = JSON.stringify({ manifests: [{ digest: digest("self"), platform: { os: "linux", architecture: "amd64" } }] });
    const server = await manifests(LIST, list);
    assert.equal((await fault(client(server).image(server.repository, { tag: "1" }, AMD64, signal))).reason, "malformed");
    const lists = new Map<string, string>();
    let inner = image;
    for (let depth = 0; depth < 4; depth += 1) {
      lists.set(digest(inner), inner);
      inner = JSON.stringify({ manifests: [{ digest: digest(inner) }] });
    }
    const deep = await nasty((request, response) => {
      const name = request.url?.split("/").at(-1) ?? "";
      if (request.method === "HEAD") response.writeHead(405).end();
      else response.writeHead(200, { "content-type": "application/json" }).end(lists.get(name) ?? inner);
    });
    assert.match((await fault(client(deep).image(deep.repository, { tag: "1" }, AMD64, signal))).message, /leads to lists alone/);
  });
});

describe("tokens and addresses", () => {
  it("leave credentials out of what leads to another host, and of plain http that is not allowed", async () => {
    const inward = await nasty((_, response) => response.end('{"token":"t"}'));
    for (const to of [
      `http://${inward.repository.registry}/token`,
      "http://169.254.169.254/token",
      "https://10.0.0.1/token",
      "file:///etc/passwd",
      "nonsense",
    ]) {
      const server = await nasty((_, response) => response.writeHead(401, { "www-authenticate": `Bearer realm="${to}"` }).end());
      for (const keychain of [NOBODY, SOMEBODY]) {
        const error = await fault(client(server, { keychain }).digestOf(server.repository, { tag: "1" }, signal));
        assert.ok(["refused", "unreachable", "malformed"].includes(error.reason), error.message);
      }
    }
    assert.equal(inward.asked.length, 0);
  });

  it("are not followed to a private address, nor is a blob", async () => {
    const inward = await nasty((_, response) => response.end("secret"));
    const server = await nasty((_, response) => response.writeHead(307, { location: `http://${inward.repository.registry}/x` }).end());
    assert.equal((await fault(client(server).tags(server.repository, signal))).reason, "refused");
    assert.equal((await fault(client(server).blob(server.repository, digest("x"), { maxBytes: 10, signal }))).reason, "refused");
    assert.equal(inward.asked.length, 0);
  });

  for (const [what, body, reason] of [
    ["too long", `{"token":"${"t".repeat(70_000)}"}`, "too_large"],
    ["of two lines", '{"token":"a\\r\\nx-evil: 1"}', "malformed"],
    ["missing", "{}", "malformed"],
    ["a page", "<html>", "malformed"],
  ] as const)
    it(`are refused when the token is ${what}`, async () => {
      const server = await nasty((request, response) => {
        if (request.url?.startsWith("/token") === true) response.end(body);
        else response.writeHead(401, { "www-authenticate": `Bearer realm="http://${server.repository.registry}/token"` }).end();
      });
      assert.equal((await fault(client(server).digestOf(server.repository, { tag: "1" }, signal))).reason, reason);
    });
});

describe("a blob", () => {
  const read = async (server: Nasty, maxBytes = 1000): Promise<Buffer> =>
    Buffer.concat(await (await client(server).blob(server.repository, digest("right"), { maxBytes, signal })).toArray());

  it("that is not what its digest says fails at its end", async () => {
    assert.match((await fault(read(await nasty((_, response) => response.end("wrong"))))).message, /is not what its digest says/);
    assert.equal((await read(await nasty((_, response) => response.end("right")))).toString(), "right");
  });

  it("that has too many bytes, breaks off or is given up closes its connection", async () => {
    const flood = await nasty((_, response) => {
      response.write("x".repeat(900));
      setTimeout(() => response.write("y".repeat(900)), 5);
    });
    assert.equal((await fault(read(flood))).reason, "too_large");
    const torn = await nasty((_, response) => {
      response.writeHead(200, { "content-length": "500" }).write("x");
      setTimeout(() => response.destroy(), 20);
    });
    assert.equal((await fault(read(torn))).reason, "unreachable");
    const stuck = await nasty((_, response) => void response.write("x"));
    const going = new AbortController();
    const stream = await client(stuck).blob(stuck.repository, digest("x"), { maxBytes: 10, signal: going.signal });
    const failed = assert.rejects(stream.toArray(), /enough/);
    going.abort(new Error("enough"));
    await failed;
    const unread = await client(stuck).blob(stuck.repository, digest("x"), { maxBytes: 10, signal });
    unread.destroy();
    await until(() => flood.open() + stuck.open() === 0);
  });
});
