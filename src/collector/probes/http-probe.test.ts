import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { createServer as createRawServer, type Socket } from "node:net";
import { after, afterEach, before, describe, it } from "node:test";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { createBadServers, drip, failure, probe } from "../../../test/support/probe.ts";
import { type Animal, startTlsZoo, type TlsZoo } from "../../../test/support/tls-zoo.ts";
import { until } from "../../../test/support/until.ts";
import { createTrust, type Trust } from "../tls/trust.ts";

const servers = createBadServers();
afterEach(servers.close);

/** The failure of a check whose time is up once the server received it; over TLS where there is something to trust. */
async function failureInTime(answer: (socket: Socket) => void, timeoutMs: number, { trust }: { trust?: Trust } = {}): Promise<string> {
  const clock = createFakeClock();
  const asked = Promise.withResolvers<void>();
  const url = await servers.serveRaw((socket) => {
    answer(socket);
    asked.resolve();
  });
  const failed =
    trust === undefined
      ? failure(probe(url, { timeoutMs, clock }))
      : failure(probe(url.replace("http:", "https:"), { timeoutMs, clock, trust }));
  await asked.promise;
  await clock.advance(timeoutMs);
  return failed;
}

it("bears a mark that no label takes off", async () => {
  const seen: unknown[] = [];
  const url = await servers.serve((request, response) => {
    seen.push(request.headers["x-service-probe"]);
    if (request.url === "/") response.writeHead(302, { location: "/end" });
    response.end();
  });
  assert.equal((await probe(url, { headers: { "X-Service-Probe": "no", "x-service-probe": "" } })).result.success, true);
  assert.deepEqual(seen, ["1", "1"]);
});

describe("one HTTP check", () => {
  it("succeeds with what it learned", async () => {
    const url = await servers.serve((_request, response) => response.end("ok"));
    const { result, address } = await probe(url);
    assert.ok(result.responseTimeMs !== null && result.responseTimeMs > 0);
    assert.deepEqual(
      { ...result, responseTimeMs: 1 },
      {
        success: true,
        observed: true,
        responseTimeMs: 1,
        httpStatus: 200,
        failureClass: null,
        error: null,
        certificate: null,
      },
    );
    assert.equal(address, "127.0.0.1");
  });

  it("sends the configured request", async () => {
    let seen: IncomingMessage | undefined;
    const url = await servers.serve((request, response) => {
      seen = request;
      response.end();
    });
    await probe(`${url}/a b?c=d#e`, { method: "POST", headers: { Host: "shop.example", "X-A": "1", "User-Agent": "me" } });
    assert.equal(`${seen?.method} ${seen?.url}`, "POST /a%20b?c=d");
    const { host, connection, "x-a": own, "user-agent": agent, "content-length": length } = seen?.headers ?? {};
    assert.deepEqual(
      { host, connection, own, agent, length },
      { host: "shop.example", connection: "close", own: "1", agent: "me", length: "0" },
    );
  });

  it("sends credentials of the URL as a header, and never shows them", async () => {
    let authorization: string | undefined;
    const url = await servers.serve((request, response) => {
      authorization = request.headers.authorization;
      response.writeHead(500).end();
    });
    const outcome = probe(url.replace("http://", "http://ann:p%40ss%3A@"));
    assert.equal(await failure(outcome), "http: http://HOST/ answered 500; expected 2xx.");
    assert.equal(Buffer.from(authorization?.slice(6) ?? "", "base64").toString(), "ann:p@ss:");
    await probe(url.replace("http://", "http://ann:p%zz@"), { headers: { Authorization: "Bearer own" } });
    assert.equal(authorization, "Bearer own");
  });

  const statuses: [number, string[], boolean][] = [
    [204, ["2xx"], true],
    [404, ["2xx"], false],
    [404, ["200", "404"], true],
    [302, ["3xx"], true],
    [304, ["2xx", "304"], true],
    [300, ["2xx"], false],
  ];
  for (const [status, expectedStatus, success] of statuses) {
    it(`${success ? "takes" : "refuses"} ${status} when ${expectedStatus.join()} is expected`, async () => {
      const url = await servers.serve((_request, response) => void response.writeHead(status).end());
      const { result } = await probe(url, { expectedStatus });
      assert.deepEqual([result.success, result.httpStatus, result.failureClass], [success, status, success ? null : "http"]);
    });
  }

  const broken: [string, (socket: Socket) => void, string][] = [
    ["hangs", () => undefined, "timeout: HOST accepted the connection and did not answer within 0.3 s."],
    [
      "drips its headers",
      (socket) => drip(socket, "HTTP/1.1 200 OK\r\nX-A: "),
      "timeout: HOST accepted the connection and did not answer within 0.3 s.",
    ],
    ["resets", (socket) => socket.resetAndDestroy(), "http: HOST closed the connection before it answered."],
    ["closes", (socket) => socket.end(), "http: HOST closed the connection before it answered."],
    ["sends garbage", (socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n"), "http: HOST answered with something that is not HTTP."],
    [
      "ends within its headers",
      (socket) => socket.end("HTTP/1.1 200 OK\r\nX-A: 1\r\n"),
      "http: HOST closed the connection before it answered.",
    ],
    ["sends 5 MB of headers", (socket) => flood(socket), "http: HOST sent more than 32 KiB of headers."],
    [
      "switches protocols unasked",
      (socket) => socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"),
      "http: http://HOST/ answered 101; expected 2xx.",
    ],
    [
      "says it continues for ever",
      (socket) => drip(socket, "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n"),
      "timeout: HOST accepted the connection and did not answer within 0.3 s.",
    ],
  ];
  for (const [what, answer, sentence] of broken) {
    it(`says so of a server that ${what}`, async () => {
      if (sentence.startsWith("timeout")) return assert.equal(await failureInTime(answer, 300), sentence);
      const url = await servers.serveRaw(answer);
      assert.equal(await failure(probe(url)), sentence);
    });
  }

  it("says so of a port where nobody listens, and of a name that nobody has", async () => {
    const url = await servers.serve((_request, response) => void response.end());
    servers.close();
    assert.equal(await failure(probe(url)), "connect: HOST refused the connection.");
    assert.equal(await failure(probe("http://no-such-name.invalid/")), "dns: The name no-such-name.invalid was not found.");
  });

  it("does not wait for a body that it does not need", async () => {
    const closed = Promise.withResolvers<void>();
    const url = await servers.serve((_request, response) => {
      response.write("begun");
      response.on("close", () => closed.resolve());
    });
    assert.equal((await probe(url)).result.success, true);
    await closed.promise;
  });

  it("is called off with the signal's reason", async () => {
    const controller = new AbortController();
    const asked = Promise.withResolvers<Socket>();
    const url = await servers.serveRaw(asked.resolve);
    const outcome = probe(url, {}, controller.signal);
    const socket = await asked.promise;
    controller.abort(new Error("no longer"));
    await assert.rejects(outcome, /no longer/);
    await until(() => socket.destroyed || socket.readableEnded || socket.errored);
  });

  it("survives headers that cannot be sent, and lets go of the connection", async () => {
    let open = 0;
    const port = await servers.listen(createRawServer((socket) => ((open += 1), socket.on("close", () => (open -= 1)).resume())));
    assert.match(await failure(probe(`http://127.0.0.1:${port}`, { headers: { "X-A": "hunter2\n" } })), /could not be made/);
    assert.doesNotMatch(await failure(probe(`http://127.0.0.1:${port}`, { headers: { "X-A": "hunter2\n" } })), /hunter2/);
    await until(() => open === 0);
  });
});

describe("a check over TLS", () => {
  let zoo: TlsZoo;
  let trust: Trust;
  before(async () => {
    zoo = await startTlsZoo({
      only: ["good", "expired", "wrongHost", "selfSigned", "missingIntermediate", "forbiddenName", "sha1", "weakKey"],
    });
    trust = createTrust({ extraRootsPem: zoo.rootPem, systemRoots: () => [] });
  });
  after(() => zoo.stop());

  const url = (animal: Animal): string => `https://localhost:${zoo.port(animal)}/`;

  it("reports the certificate", async () => {
    const { result } = await probe(url("good"), { trust });
    assert.equal(result.error, null);
    assert.equal(result.certificate?.trusted, true);
    assert.ok((result.certificate?.expiresAt?.getTime() ?? 0) > Date.now());
  });

  it("is made to addresses too", async () => {
    const { result } = await probe(`https://127.0.0.1:${zoo.port("good")}/`, { trust });
    assert.deepEqual([result.error, result.certificate?.trusted], [null, true]);
  });

  const refused: [Animal, RegExp][] = [
    ["expired", /The certificate "expired" expired on/],
    ["wrongHost", /not for localhost/],
    ["selfSigned", /is self-signed/],
    ["missingIntermediate", /The intermediate certificate is missing/],
    ["forbiddenName", /its chain breaks a rule of its authorities/],
    ["sha1", /is signed with SHA-1/],
    ["weakKey", /has a weak key/],
  ];
  for (const [animal, sentence] of refused) {
    it(`refuses ${animal} before anything is sent, and judges it all the same when it is not to be verified`, async () => {
      const { result } = await probe(url(animal), { trust, headers: { Authorization: "Bearer a" } });
      assert.equal(result.failureClass, "tls");
      assert.match(result.error ?? "", sentence);
      assert.match(result.error ?? "", /^localhost:\d+ is not trusted[.:] .*\.$/);
      assert.equal(result.certificate?.trusted, false);
      assert.ok(result.certificate?.expiresAt instanceof Date);
      const lenient = (await probe(url(animal), { trust, tlsVerify: false })).result;
      assert.equal(lenient.error, null);
      assert.equal(lenient.certificate?.trusted, animal === "sha1" || animal === "weakKey");
    });
  }

  it("says so of a server that does not speak it", async () => {
    const plain = await servers.serve((_request, response) => void response.end());
    assert.equal(await failure(probe(plain.replace("http:", "https:"), { trust })), "tls: HOST does not speak TLS there.");
    const closing = await servers.serveRaw((socket) => socket.destroy());
    assert.equal(
      await failure(probe(closing.replace("http:", "https:"), { trust })),
      "tls: HOST closed the connection during the TLS handshake.",
    );
    assert.equal(await failureInTime(() => undefined, 300, { trust }), "timeout: HOST did not finish the TLS handshake within 0.3 s.");
  });

  it("says when a redirect leads out of it", async () => {
    const plain = await servers.serve((_request, response) => void response.writeHead(500).end());
    const start = `${url("good")}to`;
    assert.equal(
      (await failure(probe(`${start}?${plain}/`, { trust }))).replaceAll(start, "START"),
      "http: http://HOST/, to which START redirects without TLS, answered 500; expected 2xx.",
    );
  });
});

function flood(socket: Socket): void {
  socket.write("HTTP/1.1 200 OK\r\n");
  for (let index = 0; index < 5000; index += 1) socket.write(`X-${index}: ${"y".repeat(1000)}\r\n`);
  socket.write("\r\n");
}
