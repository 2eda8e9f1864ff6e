import assert from "node:assert/strict";
import { PassThrough, Readable } from "node:stream";
import { afterEach, beforeEach, describe, it } from "node:test";
import { z } from "zod";
import { createFakeClock, type FakeClock } from "../../../../test/support/fake-clock.ts";
import { until } from "../../../../test/support/until.ts";
import { ServiceError } from "../../../platform/errors.ts";
import { createLimiter } from "../../../platform/queues.ts";
import { silentLog } from "../../../platform/log.ts";
import type { ApiRefusal } from "./client.ts";
import { createReflector, type Reflector } from "./reflector.ts";

const PODS = { group: "", version: "v1", kind: "Pod", plural: "pods", namespaced: true };
const podSchema = z.object({ metadata: z.object({ uid: z.string(), name: z.string() }) });

type Query = Readonly<Record<string, string>>;
interface Asked {
  path: string;
  query: Query;
}

const pod = (name: string, version = "1") => ({ metadata: { uid: name, name, resourceVersion: version } });
const listOf = (resourceVersion: string, names: readonly string[], more?: string): Readable =>
  Readable.from([
    Buffer.from(
      JSON.stringify({
        kind: "PodList",
        apiVersion: "v1",
        metadata: { resourceVersion, continue: more ?? "" },
        items: names.map((name) => pod(name)),
      }),
    ),
  ]);
const refusal = (status: number, message = "no"): ApiRefusal => ({ status, reason: null, message });

describe("what is held of a kind of objects", () => {
  let clock: FakeClock;
  let asked: Asked[];
  /** What the API server answers to lists; the watch is always taken. */
  let lists: (asked: Asked) => Readable | ApiRefusal;
  let watches: PassThrough[];
  let watchAnswer: ApiRefusal | undefined;
  let reflector: Reflector<string>;
  beforeEach(() => {
    clock = createFakeClock();
    asked = [];
    watches = [];
    watchAnswer = undefined;
    lists = () => listOf("10", ["a", "b"]);
  });
  afterEach(() => reflector.stop());

  function start(namespaces: readonly string[] | null = null): void {
    reflector = createReflector({
      client: {
        address: "https://api.test",
        async stream(path, { query = {}, signal }) {
          const question = { path, query: query as Query };
          asked.push(question);
          if (query["watch"] !== "true") {
            const answer = lists(question);
            return answer instanceof Readable ? { body: answer } : { refused: answer };
          }
          if (watchAnswer !== undefined) return { refused: watchAnswer };
          const body = new PassThrough();
          signal.addEventListener("abort", () => body.destroy(new ServiceError("runtime_unavailable", "closed")), { once: true });
          watches.push(body);
          return { body };
        },
      },
      resource: PODS,
      schema: podSchema,
      keep: ({ metadata }) => metadata.name,
      idOf: ({ metadata }) => metadata.uid,
      namespaces,
      limitLists: createLimiter(3),
      onChange: () => undefined,
      onState: () => undefined,
      clock,
      log: silentLog,
    });
    reflector.start();
  }

  const say = (type: string, object: object): void => void watches.at(-1)?.write(`${JSON.stringify({ type, object })}\n`);
  const held = (): string => [...reflector.items().values()].toSorted().join(" ");
  const becomes = (expected: string): Promise<unknown> => until(() => held() === expected, { what: `${expected}, not ${held()}` });
  const watching = (count: number): Promise<unknown> => until(() => watches.length === count, { what: `${count} watches` });
  const lastVersion = (): string | undefined => asked.at(-1)?.query["resourceVersion"];
  /** Turns the clock until something is so. */
  async function later(isSo: () => boolean, withinMs = 60_000): Promise<void> {
    for (let passed = 0; passed < withinMs && !isSo(); passed += 250) await clock.advance(250);
    assert.ok(isSo());
  }

  it("is listed, and then follows what is added, changed and removed", async () => {
    start();
    await watching(1);
    assert.deepEqual([held(), lastVersion(), reflector.state()], ["a b", "10", { status: "watching", reason: null, isListed: true }]);
    say("ADDED", pod("c", "11"));
    await becomes("a b c");
    say("MODIFIED", { metadata: { uid: "c", name: "c2", resourceVersion: "12" } });
    await becomes("a b c2");
    say("DELETED", pod("a", "13"));
    await becomes("b c2");
  });

  it("is read in pages, of which none is missing", async () => {
    lists = ({ query }) => (query["continue"] === undefined ? listOf("10", ["a"], "next") : listOf("10", ["b", "c"]));
    start();
    await watching(1);
    assert.equal(held(), "a b c");
    assert.deepEqual(
      asked.slice(0, 2).map(({ query }) => [query["limit"], query["continue"]]),
      [
        ["500", undefined],
        ["500", "next"],
      ],
    );
  });

  it("is read in few lists at once, and one that is held up is waited for only shortly", async () => {
    const silent: Readable[] = [];
    lists = ({ path }) => {
      if (path.includes("/silent")) {
        silent.push(new PassThrough());
        return silent.at(-1) ?? refusal(500);
      }
      return listOf("10", [path.includes("/shop") ? "web" : "db"]);
    };
    try {
      start(["silent-1", "silent-2", "silent-3", "shop", "stock"]);
      await until(() => silent.length === 3);
      await clock.advance(4_000);
      assert.deepEqual([asked.length, held()], [3, ""]);
      await clock.advance(2_000);
      await becomes("db web");
    } finally {
      for (const each of silent) each.destroy(new ServiceError("runtime_unavailable", "closed"));
    }
  });

  it("is watched from the last version when a watch ends, also that of a bookmark, and not listed again", async () => {
    start();
    await watching(1);
    say("BOOKMARK", { metadata: { resourceVersion: "99" } });
    say("ADDED", pod("c", "100"));
    await becomes("a b c");
    watches.at(-1)?.end();
    await later(() => watches.length === 2);
    assert.equal(lastVersion(), "100");
    assert.equal(asked.filter(({ query }) => query["watch"] !== "true").length, 1);
  });

  for (const [how, end] of [
    ["says so in the watch", () => say("ERROR", { code: 410, reason: "Expired", message: "too old resource version" })],
    [
      "refuses the watch",
      () => {
        watchAnswer = refusal(410);
        watches.at(-1)?.end();
      },
    ],
    ["was set back to an earlier time", () => say("BOOKMARK", { metadata: { resourceVersion: "5" } })],
  ] as const)
    it(`is listed again when the API server ${how}, and what went meanwhile is gone`, async () => {
      start();
      await watching(1);
      lists = () => {
        watchAnswer = undefined;
        return listOf("50", ["b", "d"]);
      };
      end();
      await later(() => watches.length === 2);
      assert.deepEqual([held(), lastVersion()], ["b d", "50"]);
    });

  it("is listed without pages when reading them took longer than the API server remembers", async () => {
    lists = ({ query }) =>
      query["continue"] !== undefined
        ? refusal(410)
        : query["limit"] === undefined
          ? listOf("20", ["a", "b"])
          : listOf("10", ["a"], "next");
    start();
    await later(() => watches.length === 1);
    assert.deepEqual([held(), lastVersion()], ["a b", "20"]);
  });

  for (const status of [429, 500, 503])
    it(`stays as it was while the API server answers ${status}, says so, and is right again after it`, async () => {
      start();
      await watching(1);
      watchAnswer = refusal(status, "slow down");
      watches.at(-1)?.end();
      await later(() => reflector.state().status === "unreachable");
      assert.match(reflector.state().reason ?? "", new RegExp(`cannot list pods: "slow down" \\(status ${status}\\)`));
      assert.equal(held(), "a b");
      watchAnswer = undefined;
      await later(() => reflector.state().status === "watching");
      assert.deepEqual(reflector.state(), { status: "watching", reason: null, isListed: true });
    });

  for (const [status, state, reason] of [
    [403, "refused", /Allow list and watch of pods with a ClusterRole/],
    [401, "refused", /does not accept the credentials/],
    [404, "absent", /has no pods/],
  ] as const)
    it(`is ${state} by ${status}, and asked for again`, async () => {
      lists = () => refusal(status);
      start();
      await until(() => reflector.state().status === state);
      assert.match(reflector.state().reason ?? "", reason);
      lists = () => listOf("10", ["a"]);
      await later(() => reflector.state().status === "watching");
      assert.equal(held(), "a");
    });

  it("keeps the objects of each namespace apart, and is complete when all were listed", async () => {
    lists = ({ path }) => (path.includes("/shop/") ? listOf("10", ["shop-a"]) : refusal(403));
    start(["shop", "mail"]);
    await becomes("shop-a");
    assert.deepEqual([reflector.state().status, reflector.state().isListed], ["refused", false]);
    assert.match(reflector.state().reason ?? "", /a Role and a RoleBinding in the namespace mail/);
    lists = ({ path }) => listOf("20", path.includes("/shop/") ? ["shop-b"] : ["mail-a"]);
    await later(() => reflector.state().status === "watching");
    assert.deepEqual([held(), reflector.state().isListed], ["mail-a shop-a", true]);
  });

  it("leaves out an object that it does not understand, counts it, and keeps what was known of it", async () => {
    start();
    await watching(1);
    say("ADDED", { metadata: { uid: "x" } });
    say("ADDED", pod("c", "11"));
    await becomes("a b c");
    assert.equal(reflector.skipped(), 1);
    say("MODIFIED", { metadata: { uid: "a", resourceVersion: "12" } });
    say("DELETED", pod("c", "13"));
    await becomes("a b");
  });
});
