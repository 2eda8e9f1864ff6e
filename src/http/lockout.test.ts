import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { createMemoryLog, createTestServer } from "../../test/support/http-server.ts";
import { createLockout } from "./lockout.ts";
import { route } from "./route.ts";

const adminToken = "correct-horse-battery";
const things = route({
  method: "GET",
  path: "/api/v1/things",
  summary: "",
  tag: "",
  access: "admin",
  responses: { 200: z.unknown() },
  handle: () => ({}),
});

function open() {
  const clock = createFakeClock();
  const log = createMemoryLog();
  const trustedProxies = { includes: (address: string) => address === "127.0.0.1" };
  const server = createTestServer({ routes: [things], clock, log, config: { adminToken, trustedProxies } });
  const ask = (address: string, headers: Record<string, string>) =>
    server.fastify.inject({ url: "/api/v1/things", headers: { "x-forwarded-for": address, ...headers } });
  return {
    clock,
    log,
    ask,
    bearer: (token: string, address = "192.0.2.1") => ask(address, { authorization: `Bearer ${token}` }),
    login: (token: string, address = "192.0.2.1") =>
      server.fastify.inject({
        method: "POST",
        url: "/login",
        payload: new URLSearchParams({ token }).toString(),
        headers: { "content-type": "application/x-www-form-urlencoded", "x-forwarded-for": address },
      }),
    warnings: () => log.lines.filter(({ level }) => level === "warn"),
    metrics: async () =>
      (await server.fastify.inject({ url: "/metrics", headers: { authorization: `Bearer ${adminToken}` } })).body
        .split("\n")
        .filter((line) => /^binnacle_(wrong_admin|admin_lock)/.test(line)),
  };
}

describe("wrong admin tokens", () => {
  it("are logged with address and count, and counted, and never written down", async () => {
    const { bearer, login, warnings, metrics, log } = open();
    await bearer("guess-number-one");
    await login("guess-number-two");
    assert.deepEqual(
      warnings().map(({ message, fields }) => [message, fields["address"], fields["attempts"], fields["source"]]),
      [
        ["wrong admin token", "192.0.2.1", 1, "bearer"],
        ["wrong admin token", "192.0.2.1", 2, "login"],
      ],
    );
    assert.doesNotMatch(JSON.stringify(log.lines), /guess-number/);
    assert.deepEqual(await metrics(), [
      'binnacle_wrong_admin_tokens_total{source="bearer"} 1',
      'binnacle_wrong_admin_tokens_total{source="login"} 1',
      'binnacle_wrong_admin_tokens_total{source="consent"} 0',
      "binnacle_admin_lockouts_total 0",
    ]);
  });

  it("are each logged where one is another than those before, however often one was repeated", async () => {
    const { bearer, warnings } = open();
    for (const token of ["outdated", "outdated", "outdated", "guess-a", "outdated", "guess-b", "guess-c"]) await bearer(token);
    assert.deepEqual(
      warnings().map(({ fields }) => [fields["attempts"], fields["different"]]),
      [
        [1, 1],
        [2, 1],
        [4, 2],
        [6, 3],
        [7, 4],
      ],
    );
  });

  it("lock their address out for a wait that grows with each, and no other behind the same proxy", async () => {
    const { clock, bearer, login, metrics, warnings } = open();
    for (let guess = 1; guess <= 10; guess += 1) assert.equal((await bearer(`guess ${guess}`.replace(" ", "-"))).statusCode, 401);
    const locked = await bearer("guess-11");
    assert.deepEqual([locked.statusCode, locked.headers["retry-after"], locked.json().error.code], [429, "60", "rate_limited"]);
    const form = await login("guess-12");
    assert.deepEqual([form.statusCode, form.headers["retry-after"]], [429, "60"]);
    assert.match(form.body, /role="alert">Too many wrong admin tokens/);
    assert.equal((await bearer(adminToken)).statusCode, 429, "nothing is compared meanwhile");
    assert.equal((await bearer(adminToken, "192.0.2.2")).statusCode, 200, "another client of the proxy");
    assert.equal(warnings().at(-1)?.fields["wait_seconds"], 60);

    const waits = [];
    for (let guess = 13; guess < 21; guess += 1) {
      const before = Number((await bearer("early")).headers["retry-after"] ?? 0);
      await clock.advance(before * 1000);
      assert.equal((await bearer(`guess-${guess}`)).statusCode, 401);
      waits.push(Number((await bearer("early")).headers["retry-after"]));
    }
    assert.deepEqual(waits, [120, 240, 480, 960, 1920, 3600, 3600, 3600]);
    await clock.advance(3_600_000);
    assert.equal((await bearer(adminToken)).statusCode, 200);
    assert.equal((await bearer("guess-1")).statusCode, 401, "a right one was sent, and what was before it is forgotten");
    assert.ok((await metrics()).includes("binnacle_admin_lockouts_total 9"));
  });

  it("leave sessions of the same address alone", async () => {
    const { ask, bearer, login } = open();
    const cookie = String((await login(adminToken)).headers["set-cookie"]).split(";")[0] ?? "";
    for (let guess = 1; guess <= 10; guess += 1) await bearer(`guess-${guess}`);
    assert.equal((await ask("192.0.2.1", { cookie })).statusCode, 200);
    assert.equal((await bearer(adminToken)).statusCode, 429);
  });

  it("that are one and the same are no guesses: a program with an outdated token locks nobody out", async () => {
    const { clock, bearer, warnings } = open();
    for (let time = 0; time < 100; time += 1) {
      assert.equal((await bearer("the-token-of-last-year")).statusCode, 401);
      await clock.advance(15_000);
    }
    assert.equal((await bearer(adminToken)).statusCode, 200);
    assert.deepEqual(
      warnings().map(({ fields }) => fields["attempts"]),
      [1, 2, 4, 8, 16, 32, 64],
    );
  });
});

describe("the lock-out", () => {
  it("takes a /64 for one address and remembers so many", () => {
    const lockout = createLockout({ clock: createFakeClock(), most: 3 });
    for (let guess = 1; guess <= 10; guess += 1) lockout.refuse(`2001:db8::${guess}`, `guess ${guess}`);
    assert.deepEqual([lockout.secondsLeft("2001:db8::ffff"), lockout.secondsLeft("2001:db8:0:1::1")], [60, 0]);
    for (const address of ["192.0.2.1", "192.0.2.2"]) lockout.refuse(address, "x");
    assert.equal(lockout.secondsLeft("2001:db8::1"), 60);
    lockout.refuse("192.0.2.3", "x");
    assert.equal(lockout.secondsLeft("2001:db8::1"), 0);
  });

  it("forgets an address a day after its last wrong token", async () => {
    const clock = createFakeClock();
    const lockout = createLockout({ clock });
    for (let guess = 1; guess <= 9; guess += 1) lockout.refuse("192.0.2.1", `guess ${guess}`);
    await clock.advance(86_400_000);
    assert.equal(lockout.refuse("192.0.2.1", "guess 10").guesses, 1);
  });
});
