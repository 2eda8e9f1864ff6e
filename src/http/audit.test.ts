import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { createMemoryLog, createTestServer } from "../../test/support/http-server.ts";
import { until } from "../../test/support/until.ts";
import { ServiceError } from "../platform/errors.ts";
import type { AuditedOperation } from "./audit.ts";
import { changedFields, shortRecord } from "./audited-entity.ts";
import { Answer, route } from "./route.ts";
import { pathId } from "./schemas.ts";

const adminToken = "correct-horse-battery";

/** A server of jobs, which can be made, changed and deleted. */
function open({ fails = false, needsToken = true } = {}) {
  const jobs = new Map<number, { id: number; name: string; every: number; uuid: string; settings: Record<string, string> }>();
  const find = (id: number) => {
    const job = jobs.get(id);
    if (job === undefined) throw new ServiceError("not_found", `There is no job ${id}.`);
    return job;
  };
  const about = { summary: "", tag: "", access: "admin", path: "/api/v1/jobs" } as const;
  const one = { ...about, path: "/api/v1/jobs/{id}", params: z.strictObject({ id: pathId }) };
  const body = z.strictObject({ name: z.string(), every: z.number().optional() });
  const routes = [
    route({ ...one, method: "GET", responses: { 200: z.unknown() }, handle: ({ params }) => ({ job: find(params.id), runs: [] }) }),
    route({
      ...about,
      method: "POST",
      body,
      responses: { 201: z.unknown() },
      handle({ body: given }) {
        const job = { id: jobs.size + 1, name: given.name, every: 60, uuid: "f81d4fae", settings: { password: "hunter2hunter2" } };
        jobs.set(job.id, job);
        return new Answer(201, { ...job, secret: "whsec_0123456789", curl: "curl -H whsec_0123456789" });
      },
    }),
    route({
      ...one,
      method: "PUT",
      body: body.partial(),
      responses: { 200: z.unknown() },
      handle({ params, body: { name, every } }) {
        const job = { ...find(params.id), ...(name !== undefined && { name }), ...(every !== undefined && { every }) };
        jobs.set(job.id, job);
        return job;
      },
    }),
    route({ ...one, method: "DELETE", responses: { 204: "" }, handle: ({ params }) => void jobs.delete(find(params.id).id) }),
    route({ ...one, path: `${one.path}/test`, method: "POST", responses: { 200: z.unknown() }, handle: () => ({ delivered: true }) }),
    route({
      ...about,
      path: `${about.path}/preview`,
      method: "POST",
      unaudited: "changes nothing",
      responses: { 200: z.unknown() },
      handle: () => ({}),
    }),
  ];
  const kept: AuditedOperation[] = [];
  const log = createMemoryLog();
  const clock = createFakeClock();
  const server = createTestServer({
    routes,
    clock,
    log,
    config: needsToken ? { adminToken } : {},
    audit: {
      async record(operation) {
        if (fails) throw new ServiceError("storage_unavailable", "The database is gone.");
        kept.push(operation);
      },
    },
  });
  const send = (method: "POST" | "PUT" | "DELETE", url: string, payload?: object, authorization = `Bearer ${adminToken}`) =>
    server.fastify.inject({ method, url, headers: { authorization }, ...(payload && { payload }) });
  return { kept, log, clock, server, send };
}

describe("the audit of routes", () => {
  it("keeps who did what to what, with what differs", async () => {
    const { kept, send } = open();
    await send("POST", "/api/v1/jobs", { name: "nightly" });
    await send("PUT", "/api/v1/jobs/1", { every: 90 });
    await send("POST", "/api/v1/jobs/1/test");
    await send("POST", "/api/v1/jobs/preview");
    await send("DELETE", "/api/v1/jobs/1");
    const shared = { actor: { kind: "admin_token", name: null }, address: "127.0.0.1", outcome: "done", error: null };
    const entity = { type: "job", id: "1", name: "nightly" };
    const made = { name: "nightly", every: 60, uuid: "***", settings: '{"password":"***"}' };
    assert.deepEqual(kept, [
      { ...shared, operation: "post_api_v1_jobs", entity, before: null, after: { ...made, secret: "***", curl: "***" } },
      { ...shared, operation: "put_api_v1_jobs_id", entity, before: { every: 60 }, after: { every: 90 } },
      { ...shared, operation: "post_api_v1_jobs_id_test", entity, before: null, after: { delivered: true } },
      { ...shared, operation: "delete_api_v1_jobs_id", entity, before: { ...made, every: 90 }, after: null },
    ]);
  });

  it("keeps what was refused, and why", async () => {
    const { kept, send, server } = open();
    await send("PUT", "/api/v1/jobs/7", {});
    await send("POST", "/api/v1/jobs", { nam: "x" });
    await send("DELETE", "/api/v1/jobs/1", undefined, "Bearer wrong");
    const form = { "content-type": "application/x-www-form-urlencoded" };
    await server.fastify.inject({ method: "POST", url: "/login", payload: "token=wrong-too", headers: form });
    await until(() => kept.length === 4);
    assert.deepEqual(
      kept.map(({ actor, operation, outcome, error, entity }) => [actor.kind, operation, outcome, error, entity?.id]),
      [
        ["admin_token", "put_api_v1_jobs_id", "refused", "not_found", "7"],
        ["admin_token", "post_api_v1_jobs", "refused", "validation_failed", null],
        ["anyone", "delete_api_v1_jobs_id", "refused", "unauthorized", "1"],
        ["anyone", "post_login", "refused", "unauthorized", null],
      ],
    );
    assert.doesNotMatch(JSON.stringify(kept), /wrong/);
  });

  it("names sessions, and keeps that they began and ended", async () => {
    const { kept, server } = open();
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const login = await server.fastify.inject({ method: "POST", url: "/login", payload: `token=${adminToken}`, headers: form });
    const cookie = String(login.headers["set-cookie"]).split(";")[0] ?? "";
    await server.fastify.inject({ method: "POST", url: "/api/v1/jobs", payload: { name: "a" }, headers: { cookie } });
    await server.fastify.inject({ method: "POST", url: "/logout", headers: { cookie } });
    const name = cookie.split("=")[1]?.slice(0, 8);
    assert.deepEqual(
      kept.map(({ actor, operation }) => [actor, operation]),
      [
        [{ kind: "session", name }, "post_login"],
        [{ kind: "session", name }, "post_api_v1_jobs"],
        [{ kind: "session", name }, "post_logout"],
      ],
    );
    assert.doesNotMatch(JSON.stringify(kept), new RegExp(adminToken));
  });

  it("keeps only so many refusals of strangers", async () => {
    const { kept, server } = open();
    for (let count = 0; count < 60; count += 1) await server.fastify.inject({ method: "DELETE", url: "/api/v1/jobs/1" });
    assert.equal(kept.length, 20);
  });

  it("keeps only so many refusals of strangers who give a wrong Host, and where they came from", async () => {
    const { kept, server } = open();
    const ask = { method: "DELETE", url: "/api/v1/jobs/1", headers: { host: "evil.example" } } as const;
    for (let count = 0; count < 60; count += 1) assert.equal((await server.fastify.inject(ask)).statusCode, 421);
    assert.deepEqual([kept.length, kept[0]?.address], [20, "127.0.0.1"]);
  });

  it("keeps only so many of a wrong Host where nobody needs a token too", async () => {
    const { kept, server } = open({ needsToken: false });
    const ask = { method: "DELETE", url: "/api/v1/jobs/1", headers: { host: "evil.example" } } as const;
    for (let count = 0; count < 60; count += 1) assert.equal((await server.fastify.inject(ask)).statusCode, 421);
    assert.equal(kept.length, 20);
  });

  it("keeps only so many refusals of strangers whose address is too long", async () => {
    const { kept, server } = open();
    const url = `/api/v1/jobs/1?${"x".repeat(10_000)}`;
    for (let count = 0; count < 60; count += 1) assert.equal((await server.fastify.inject({ method: "DELETE", url })).statusCode, 400);
    assert.equal(kept.length, 20);
  });

  it("answers all the same when an entry cannot be kept, and writes it to the log", async () => {
    const { log, send } = open({ fails: true });
    assert.equal((await send("POST", "/api/v1/jobs", { name: "nightly" })).statusCode, 201);
    const line = log.lines.find(({ message }) => message === "audit entry not kept");
    assert.deepEqual([line?.level, line?.fields["operation"]], ["error", "post_api_v1_jobs"]);
  });

  it("shows what the caller of a record calls it, and hides other keys", () => {
    const record = { id: 1, key: "shop.example", target: "https://shop.example/", api_key: "0123456789", settings: { key: "abcdef" } };
    assert.deepEqual(shortRecord(record), {
      key: "shop.example",
      target: "https://shop.example/",
      api_key: "***",
      settings: '{"key":"***"}',
    });
  });

  it("hides people's addresses, also where an error repeats them", () => {
    const last_error = "The mail server refused Ada@example.com (550).";
    assert.deepEqual(shortRecord({ id: 1, email: "ada@Example.com", last_error, status: "confirmed" }), {
      email: "***",
      last_error: "***",
      status: "confirmed",
    });
    assert.deepEqual(shortRecord({ id: 1, email: "a@b.co", last_error: "It refused a@b.co." }), { email: "***", last_error: "***" });
    const channel = {
      id: 1,
      name: "On call",
      url: "mailto:grace@example.com,ada@example.com",
      last_error,
      settings: { to: "mailto:a@b.co" },
    };
    assert.deepEqual(shortRecord(channel), { name: "On call", url: "***", last_error: "***", settings: '{"to":"***"}' });
    assert.deepEqual(changedFields(channel, { ...channel, name: "Nights", url: "mailto:grace@example.com" }), {
      before: { name: "On call" },
      after: { name: "Nights" },
    });
  });
});

describe("the audit of an operation that is answered before it ends", () => {
  function openSlow() {
    const kept: AuditedOperation[] = [];
    const ends: PromiseWithResolvers<unknown>[] = [];
    const clock = createFakeClock();
    const slow = route({
      summary: "",
      tag: "",
      access: "admin",
      method: "POST",
      path: "/api/v1/jobs",
      responses: { 200: z.unknown() },
      handle() {
        const end = Promise.withResolvers<unknown>();
        ends.push(end);
        return end.promise;
      },
    });
    const server = createTestServer({ routes: [slow], clock, audit: { record: async (...operations) => void kept.push(...operations) } });
    return { kept, ends, clock, post: () => server.fastify.inject({ method: "POST", url: "/api/v1/jobs" }) };
  }

  for (const [what, conclude, expected] of [
    ["done late", (end) => end.resolve({ id: 1 }), ["done", null]],
    ["refused late", (end) => end.reject(new ServiceError("conflict", "There is one.")), ["refused", "conflict"]],
    ["ended by the abort", (end) => end.reject(new DOMException("Aborted", "AbortError")), ["refused", "request_timeout"]],
  ] as [string, (end: PromiseWithResolvers<unknown>) => void, unknown[]][])
    it(`has one entry when it is ${what}`, async () => {
      const { kept, ends, clock, post } = openSlow();
      const answered = post();
      await until(() => ends.length === 1);
      await clock.advance(10_000);
      const answer = await answered;
      assert.equal(answer.statusCode, 503);
      assert.match(answer.body, /request_timeout.*may still be made/);
      assert.deepEqual(kept, []);
      for (const end of ends) conclude(end);
      await until(() => kept.length > 0);
      assert.deepEqual(
        kept.map(({ outcome, error }) => [outcome, error]),
        [expected],
      );
    });

  it("has the entry of a refusal in time", async () => {
    const { kept, ends, post } = openSlow();
    const answered = post();
    await until(() => ends.length === 1);
    ends[0]?.reject(new ServiceError("request_timeout", "The check takes longer than a request may."));
    assert.equal((await answered).statusCode, 503);
    await until(() => kept.length > 0);
    assert.equal(kept[0]?.error, "request_timeout");
  });
});
