import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { failure, openOutboundWorld, type OutboundWorld, portOf, request } from "../../test/support/outbound-world.ts";
import { PRIVATE_HOSTS } from "../../test/support/private-hosts.ts";
import { isServiceError } from "./errors.ts";
import { refusalOf } from "./outbound-url.ts";
import type { Outbound, OutboundRequest } from "./outbound.ts";

let world: OutboundWorld;

before(async () => {
  world = await openOutboundWorld();
});
after(() => world.stop());

/** Every address a resolver may answer with that leads inward. */
const PRIVATE_ADDRESSES = [...new Set(PRIVATE_HOSTS.map(([host]) => new URL(`https://${host}/`).hostname.replace(/^\[|\]$/g, "")))].filter(
  (host) => !host.includes("localhost"),
);

describe("saving an address", () => {
  for (const [host] of PRIVATE_HOSTS) {
    it(`refuses ${host}`, async () => {
      await assert.rejects(world.open({}).check(`https://${host}/hook`), (error) => isServiceError(error, "private_address_refused"));
    });
  }

  it("refuses a name when one of its addresses leads inward", async () => {
    const outbound = world.open({ resolve: async () => ["93.184.216.34", "10.0.0.5"] });
    await assert.rejects(outbound.check("https://mixed.example/secret"), (error) => {
      assert.ok(isServiceError(error, "private_address_refused"));
      assert.match(error.message, /mixed\.example leads to 10\.0\.0\.5, which is a private address/);
      const reason = "mixed.example leads to 10.0.0.5, which is a private address; --allow-private-webhooks permits it";
      assert.deepEqual(error.details, [{ path: "url", message: reason }]);
      return true;
    });
  });

  it("notes a name that cannot be looked up, and continues", async () => {
    const notes: string[] = [];
    const outbound = world.open({ resolve: () => Promise.reject(Object.assign(new Error("no"), { code: "ENOTFOUND" })) });
    assert.equal((await outbound.check("https://later.example/x", (note) => notes.push(note))).hostname, "later.example");
    assert.deepEqual(notes, ["The name later.example cannot be looked up."]);
  });

  it("asks for https", async () => {
    await assert.rejects(world.open({}).check("http://example.com/"), (error) => isServiceError(error, "https_required"));
  });

  it("lets everything pass when that is lifted", async () => {
    await world.open({ allowPrivate: true }).check("http://127.0.0.1:1234/");
  });
});

describe("connecting", () => {
  for (const address of PRIVATE_ADDRESSES) {
    it(`refuses a name that leads to ${address}, alone or beside a public one`, async () => {
      for (const answer of [[address], ["93.184.216.34", address]]) {
        const error = await failure(world.open({ resolve: async () => answer }).send(request("https://rebound.example/secret")));
        assert.equal(error.reason, "private_address_refused");
        assert.doesNotMatch(error.message, /secret/);
      }
    });
  }

  it("refuses a name that was public when it was saved and is private now", async () => {
    const inward = await world.receive();
    const answers = [["93.184.216.34"], ["127.0.0.1"]];
    const outbound = world.open({ resolve: async () => answers.shift() ?? [] });
    const url = await outbound.check(`https://rebound.example:${portOf(inward)}/`);
    assert.equal((await failure(outbound.send(request(url.href)))).reason, "private_address_refused");
    assert.equal(inward.connections(), 0);
  });

  it("refuses loopback servers by their addresses, and http", async () => {
    const inward = await world.receive();
    assert.equal((await failure(world.open({}).send(request(inward.url)))).reason, "https_required");
    assert.equal((await failure(world.open({}).send(request(inward.url.replace("http:", "https:"))))).reason, "private_address_refused");
    assert.equal((await failure(world.open({}).send(request(`https://localhost:${portOf(inward)}/`)))).reason, "private_address_refused");
    assert.equal(inward.connections(), 0);
  });

  it("connects to the address that was checked, whatever the name leads to a moment later", async () => {
    const receiver = await world.secureReceiver();
    let asked = 0;
    const outbound = world.guarded();
    const rebinding = world.open({
      trust: world.trust,
      resolve: async () => (asked++ === 0 ? ["127.0.0.1"] : ["10.0.0.1"]),
      refusalFor: (address) => (address === "127.0.0.1" ? undefined : refusalOf(address)),
    });
    for (const each of [outbound, rebinding])
      assert.equal((await each.send(request(`https://hook.example:${portOf(receiver)}/`))).status, 200);
    assert.equal(asked, 1);
    assert.equal(receiver.received.length, 2);
  });

  it("trusts the given authorities alone, and the right host", async () => {
    const receiver = await world.secureReceiver();
    const url = `https://hook.example:${portOf(receiver)}/`;
    const stranger = world.open({ resolve: async () => ["127.0.0.1"], refusalFor: () => undefined });
    assert.match(
      (await failure(stranger.send(request(url)))).message,
      /hook\.example is not trusted: its certificate leads to an authority/,
    );
    const misled = world.guarded({ "third.example": ["127.0.0.1"] });
    assert.match(
      (await failure(misled.send(request(`https://third.example:${portOf(receiver)}/`)))).message,
      /certificate is for another host/,
    );
    assert.equal(receiver.received.length, 0);
  });
});

describe("sending", () => {
  const lifted = (): Outbound => world.open({ allowPrivate: true });

  it("answers the status and what Retry-After asks for", async () => {
    const receiver = await world.receive({ manner: { kind: "too_many", retryAfter: "7" } });
    assert.deepEqual(
      await lifted()
        .send(request(receiver.url))
        .then(({ status, retryAfterMs }) => ({ status, retryAfterMs })),
      { status: 429, retryAfterMs: 7000 },
    );
  });

  it("keeps the connection for the next", async () => {
    const receiver = await world.receive();
    const outbound = lifted();
    for (let count = 0; count < 5; count += 1) await outbound.send(request(receiver.url));
    assert.equal(receiver.received.length, 5);
    assert.ok(receiver.connections() < 5, `${receiver.connections()} connections`);
  });

  it("sends again, once, when a kept connection was closed meanwhile", async () => {
    const receiver = await world.receive();
    const outbound = lifted();
    await outbound.send(request(receiver.url));
    receiver.manner = (_, index) => (index === 1 ? { kind: "close" } : { kind: "accept" });
    assert.equal((await outbound.send(request(receiver.url))).status, 200);
    assert.equal(receiver.received.length, 3);
  });

  it("reads no more of an answer than a bound, and does not wait for its end", async () => {
    const flood = await world.receive({ manner: { kind: "flood", bytes: 50_000_000 } });
    const drip = await world.receive({ manner: { kind: "drip" } });
    const outbound = lifted();
    assert.equal((await outbound.send(request(flood.url))).status, 200);
    assert.equal((await outbound.send(request(drip.url))).status, 200);
  });

  it("says in a sentence what went wrong", async () => {
    const closing = await world.receive({ manner: { kind: "close" } });
    const hanging = await world.receive({ manner: { kind: "hang" } });
    const gone = await world.receive();
    await gone.stop();
    const say = async (url: string, changes: Partial<OutboundRequest> = {}): Promise<string> =>
      (await failure(lifted().send(request(`${url}/secret`, changes)))).message;
    assert.equal(await say(closing.url), "127.0.0.1 closed the connection without an answer.");
    assert.equal(await say(gone.url), "127.0.0.1 refused the connection.");
    assert.equal(await say(hanging.url, { timeoutMs: 50 }), "127.0.0.1 did not answer within 1 s.");
    assert.equal(await say("https://127.0.0.1:9"), "127.0.0.1 refused the connection.");
    const breaking = new AbortController();
    const broken = failure(lifted().send(request(hanging.url, { signal: breaking.signal })));
    await hanging.got(2);
    breaking.abort();
    assert.equal((await broken).reason, "aborted");
    assert.equal((await failure(lifted().send(request(hanging.url, { signal: breaking.signal })))).reason, "aborted");
    const nowhere = world.open({ allowPrivate: true, resolve: async () => [] });
    assert.equal((await failure(nowhere.send(request("http://nowhere.example/")))).message, "The name nowhere.example was not found.");
    const silent = world.open({ allowPrivate: true, resolve: () => new Promise(() => undefined) });
    assert.equal((await failure(silent.send(request("http://silent.example/", { timeoutMs: 50 })))).reason, "timeout");
  });
});
