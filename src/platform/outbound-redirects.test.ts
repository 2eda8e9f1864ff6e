import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { failure, openOutboundWorld, type OutboundWorld, portOf, request } from "../../test/support/outbound-world.ts";
import { PRIVATE_HOSTS } from "../../test/support/private-hosts.ts";

let world: OutboundWorld;

before(async () => {
  world = await openOutboundWorld();
});
after(() => world.stop());

describe("redirects", () => {
  for (const [host] of PRIVATE_HOSTS) {
    it(`are not followed to ${host}`, async () => {
      const receiver = await world.secureReceiver({
        kind: "redirect",
        to: encodeURI(`https://${host}/latest/meta-data/secret`).replace("%5B", "[").replace("%5D", "]").replaceAll("%25", "%"),
      });
      const error = await failure(world.guarded().send(request(`https://hook.example:${portOf(receiver)}/`)));
      assert.equal(error.reason, "private_address_refused");
      assert.doesNotMatch(error.message, /secret/);
      await receiver.stop();
    });
  }

  it("are not followed to a name that leads inward", async () => {
    const inward = await world.secureReceiver();
    const receiver = await world.secureReceiver({ kind: "redirect", to: `https://inward.example:${portOf(inward)}/` });
    const error = await failure(
      world.guarded({ "inward.example": ["127.0.0.2"] }).send(request(`https://hook.example:${portOf(receiver)}/`)),
    );
    assert.equal(error.reason, "private_address_refused");
    assert.equal(inward.connections(), 0);
  });

  it("are not followed to http", async () => {
    const plain = await world.receive();
    const receiver = await world.secureReceiver({ kind: "redirect", to: `http://other.example:${portOf(plain)}/` });
    assert.equal((await failure(world.guarded().send(request(`https://hook.example:${portOf(receiver)}/`)))).reason, "https_required");
    assert.equal(plain.connections(), 0);
  });

  it("are not followed from https to http even when http is allowed", async () => {
    const plain = await world.receive();
    const receiver = await world.secureReceiver({ kind: "redirect", to: plain.url });
    const outbound = world.open({ allowPrivate: true, trust: world.trust, resolve: async () => ["127.0.0.1"] });
    assert.equal((await failure(outbound.send(request(`https://hook.example:${portOf(receiver)}/`)))).reason, "https_required");
    assert.equal(plain.connections(), 0);
  });

  for (const status of [301, 302, 307, 308]) {
    it(`send the same again after ${status}, without what another host must not see`, async () => {
      const goal = await world.secureReceiver();
      const receiver = await world.secureReceiver({ kind: "redirect", status, to: `https://other.example:${portOf(goal)}/goal` });
      const headers = { authorization: "Bearer secret", "x-api-key": "secret", "idempotency-key": "7", "content-type": "application/json" };
      const { status: answered } = await world
        .guarded()
        .send(request(`https://hook.example:${portOf(receiver)}/`, { headers, body: '{"a":1}' }));
      assert.equal(answered, 200);
      const [got] = goal.received;
      assert.equal(got?.method, "POST");
      assert.equal(got?.body, '{"a":1}');
      assert.equal(got?.headers["idempotency-key"], "7");
      assert.equal(got?.headers["authorization"], undefined);
      assert.equal(got?.headers["x-api-key"], undefined);
      assert.equal(receiver.received[0]?.headers["authorization"], "Bearer secret");
    });
  }

  it("are followed three times, keeping the headers at the same host", async () => {
    const receiver = await world.secureReceiver((_, index) =>
      index < 3 ? { kind: "redirect", to: `/step-${index}` } : { kind: "accept" },
    );
    const headers = { authorization: "Bearer secret" };
    const url = `https://hook.example:${portOf(receiver)}/`;
    assert.equal((await world.guarded().send(request(url, { headers }))).status, 200);
    assert.equal(receiver.received.at(-1)?.path, "/step-2");
    assert.equal(receiver.received.at(-1)?.headers["authorization"], "Bearer secret");
    receiver.manner = { kind: "redirect", to: "/round" };
    assert.match((await failure(world.guarded().send(request(url)))).message, /redirects more than 3 times/);
  });

  it("that point elsewhere for reading are an answer, not a place to send to", async () => {
    const receiver = await world.secureReceiver({ kind: "redirect", status: 303, to: "/login" });
    assert.equal((await world.guarded().send(request(`https://hook.example:${portOf(receiver)}/`))).status, 303);
    assert.equal(receiver.received.length, 1);
  });

  for (const to of ["//user:pass@other.example/", "ftp://other.example/", "https://", `/${"a".repeat(5000)}`]) {
    it(`are not followed to ${to.slice(0, 30)}`, async () => {
      const receiver = await world.secureReceiver({ kind: "redirect", to });
      const error = await failure(world.guarded().send(request(`https://hook.example:${portOf(receiver)}/`)));
      assert.equal(error.reason, "redirect");
      assert.doesNotMatch(error.message, /:pass|aaaa/);
    });
  }
});
