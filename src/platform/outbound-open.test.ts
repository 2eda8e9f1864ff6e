import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { failure, openOutboundWorld, type OutboundWorld, portOf } from "../../test/support/outbound-world.ts";
import { until } from "../../test/support/until.ts";
import { readBody } from "./outbound-body.ts";
import type { Outbound, OutboundOpenRequest } from "./outbound.ts";

let world: OutboundWorld;
const stops: (() => void)[] = [];

before(async () => {
  world = await openOutboundWorld();
});
after(async () => {
  for (const stop of stops) stop();
  await world.stop();
});

function get(url: string, changes: Partial<OutboundOpenRequest> = {}): OutboundOpenRequest {
  return { url, method: "GET", headers: {}, signal: new AbortController().signal, timeoutMs: 30_000, ...changes };
}

async function serve(listener: RequestListener): Promise<{ url: string; port: number; open(): number }> {
  const server = createServer(listener);
  let open = 0;
  server.on("connection", (socket) => {
    open += 1;
    socket.once("close", () => (open -= 1));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stops.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, open: () => open };
}

describe("opening", () => {
  const lifted = (): Outbound => world.open({ allowPrivate: true });

  it("gives status, headers, the last address and the body", async () => {
    const server = await serve((request, response) => {
      if (request.url === "/a") response.writeHead(307, { location: "/b" }).end("elsewhere");
      else response.writeHead(201, { "x-kind": "test" }).end("héllo");
    });
    const opened = await lifted().open(get(`${server.url}/a`));
    assert.deepEqual([opened.status, opened.url, opened.headers["x-kind"]], [201, `${server.url}/b`, "test"]);
    assert.equal((await readBody(opened, 100)).toString(), "héllo");
  });

  it("keeps the connection when the body was read to its end", async () => {
    const receiver = await world.receive({ manner: { kind: "accept", body: "x".repeat(500_000) } });
    const outbound = lifted();
    for (let count = 0; count < 5; count += 1)
      assert.equal((await readBody(await outbound.open(get(receiver.url)), 1_000_000)).length, 500_000);
    assert.ok(receiver.connections() < 5, `${receiver.connections()} connections`);
  });

  it("answers HEAD without a body", async () => {
    const server = await serve((_, response) => response.writeHead(200, { "content-length": "5000" }).end());
    const opened = await lifted().open(get(server.url, { method: "HEAD" }));
    assert.deepEqual([opened.headers["content-length"], await opened.body.toArray()], ["5000", []]);
  });

  it("reads no more than a bound, whether the length is stated or not, and closes the connection", async () => {
    for (const length of [true, false]) {
      const server = await serve((_, response) => {
        response.writeHead(200, length ? { "content-length": "50000000" } : {});
        response.end(Buffer.alloc(50_000_000));
      });
      const opened = await lifted().open(get(server.url));
      const error = await failure(readBody(opened, 100_000));
      assert.equal(error.reason, "too_large");
      await until(() => server.open() === 0, { what: "the connection to be closed" });
    }
  });

  it("fails when nothing more comes, when it takes too long as a whole, when it breaks off and when it is aborted", async () => {
    const drip = await world.receive({ manner: { kind: "drip" } });
    const stuck = await serve((_, response) => void response.writeHead(200).write("begun"));
    const torn = await serve((_, response) => {
      response.writeHead(200, { "content-length": "100" }).write("begun");
      setTimeout(() => response.destroy(), 20);
    });
    const reading = async (url: string, changes: Partial<OutboundOpenRequest>): Promise<string> => {
      const opened = await lifted().open(get(url, changes));
      return (await failure(readBody(opened, 1000))).message;
    };
    assert.equal(await reading(stuck.url, { idleMs: 50 }), "127.0.0.1 did not send the rest of its answer in time.");
    assert.equal(await reading(drip.url, { wholeMs: 100 }), "127.0.0.1 did not send the rest of its answer in time.");
    assert.equal(await reading(torn.url, {}), "127.0.0.1 closed the connection in the middle of its answer.");
    const breaking = new AbortController();
    const opened = await lifted().open(get(stuck.url, { signal: breaking.signal }));
    const broken = failure(readBody(opened, 1000));
    breaking.abort();
    assert.equal((await broken).reason, "aborted");
    await until(() => stuck.open() === 0, { what: "the connections to be closed" });
  });

  it("does not hold a slow reader against the server", async () => {
    const server = await serve((_, response) => response.writeHead(200).end(Buffer.alloc(3_000_000, 1)));
    const clock = createFakeClock();
    const { body } = await world.open({ allowPrivate: true, clock }).open(get(server.url, { idleMs: 60 }));
    let bytes = 0;
    for await (const piece of body as AsyncIterable<Buffer>) {
      if (bytes === 0) {
        await until(() => body.readableLength >= body.readableHighWaterMark, { what: "nothing more to be asked for" });
        await clock.advance(150);
      }
      bytes += piece.length;
    }
    assert.equal(bytes, 3_000_000);
  });

  it("drops credentials on a redirect to another origin, and sends no body there", async () => {
    const goal = await world.secureReceiver();
    const receiver = await world.secureReceiver({ kind: "redirect", to: `https://other.example:${portOf(goal)}/goal` });
    const url = `https://hook.example:${portOf(receiver)}/`;
    const outbound = world.guarded();
    await readBody(await outbound.open(get(url, { headers: { authorization: "Basic secret", accept: "text/x" } })), 1000);
    assert.deepEqual([goal.received[0]?.headers["authorization"], goal.received[0]?.headers.accept], [undefined, "text/x"]);
    const error = await failure(outbound.open(get(url, { method: "POST", body: "refresh_token=secret" })));
    assert.equal(error.message, "hook.example redirects what was sent to another host.");
    assert.equal(goal.received.length, 1);
  });
});

describe("hosts that may be private", () => {
  const reach = (outbound: Outbound, url: string): Promise<number> =>
    outbound.open(get(url)).then(({ status, body }) => (body.destroy(), status));

  it("are reached as their entry says, and no others", async () => {
    const plain = await serve((_, response) => response.end("ok"));
    const other = await serve((_, response) => response.end("ok"));
    const outbound = world.open({
      privateHosts: [{ host: "127.0.0.1", port: plain.port, plain: true }],
      resolve: async () => ["127.0.0.1"],
    });
    assert.equal(await reach(outbound, plain.url), 200);
    assert.equal((await failure(reach(outbound, other.url))).reason, "https_required");
    assert.equal((await failure(reach(outbound, `https://127.0.0.1:${other.port}`))).reason, "private_address_refused");
    assert.equal((await failure(reach(outbound, `https://registry.example:${plain.port}`))).reason, "private_address_refused");
    assert.equal(other.open(), 0);
  });

  it("are asked over https alone without http://, by name, with any port", async () => {
    const secure = await world.secureReceiver();
    const outbound = world.open({
      trust: world.trust,
      privateHosts: [{ host: "hook.example", port: undefined, plain: false }],
      resolve: async () => ["127.0.0.1"],
    });
    assert.equal(await reach(outbound, `https://hook.example:${portOf(secure)}/`), 200);
    assert.equal((await failure(reach(outbound, `http://hook.example:${portOf(secure)}/`))).reason, "https_required");
    assert.equal((await failure(reach(outbound, `https://other.example:${portOf(secure)}/`))).reason, "private_address_refused");
  });

  it("may not send on to others", async () => {
    const inward = await serve((_, response) => response.end("secret"));
    const plain = await serve((_, response) => response.writeHead(302, { location: inward.url }).end());
    const outbound = world.open({ privateHosts: [{ host: "127.0.0.1", port: plain.port, plain: true }] });
    assert.equal((await failure(reach(outbound, plain.url))).reason, "https_required");
    assert.equal(inward.open(), 0);
  });
});
