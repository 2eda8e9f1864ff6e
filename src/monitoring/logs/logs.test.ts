import assert from "node:assert/strict";
import { beforeEach, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { defaultSettings, sighting } from "../../../test/support/sightings.ts";
import { callTool, checkTools } from "../../../test/support/tools.ts";
import type { Event } from "../../events.ts";
import type { ContainerSighting } from "../../observations.ts";
import { createBus } from "../../platform/bus.ts";
import { isServiceError, ServiceError } from "../../platform/errors.ts";
import { silentLog } from "../../platform/log.ts";
import { createScheduler } from "../../platform/scheduler.ts";
import type { LogLine, LogOptions } from "../../runtimes/runtime.ts";
import { type Containers, createContainers } from "../containers/index.ts";
import type { LogPatternQuery, LogSearchQuery } from "./api.ts";
import { logPatternResult, logSearchResult } from "./answers.ts";
import { createLogs, type Logs } from "./index.ts";
import { eachAlone } from "../../../test/support/log-batches.ts";

const AGENT = "0b9c54a0-0000-4000-8000-000000000000";
const SHOP = { name: "shop", source: "compose" } as const;
const NOON = new Date("2026-03-01T12:00:00Z");
const after = (seconds: number): Date => new Date(NOON.getTime() + seconds * 1000);
const line = (seconds: number, text: string, stream: LogLine["stream"] = "stdout"): LogLine => ({
  timestamp: after(seconds),
  stream,
  text,
});

const NONE = { error: 0, warn: 0, info: 0, debug: 0, none: 0 };

type Source = (options: LogOptions) => AsyncIterable<LogLine>;

onBothDatabases((databases) => {
  let clock: FakeClock;
  let containers: Containers;
  let logs: Logs;
  let sources: Map<string, LogLine[] | Source>;
  let asked: { externalId: string; options: LogOptions }[];
  let underWay: number;
  let mostUnderWay: number;

  beforeEach(async () => {
    const database = await databases.create();
    clock = createFakeClock(NOON);
    sources = new Map();
    asked = [];
    underWay = mostUnderWay = 0;
    const logSource = {
      async *logs(_agentId: string | null, externalId: string, options: LogOptions): AsyncIterable<LogLine[]> {
        asked.push({ externalId, options });
        mostUnderWay = Math.max(mostUnderWay, (underWay += 1));
        try {
          const source = sources.get(externalId) ?? [];
          if (typeof source === "function") yield* eachAlone(source(options));
          else yield source.slice(-options.tail);
        } finally {
          underWay -= 1;
        }
      },
    };
    const bus = createBus<Event>(silentLog);
    const scheduler = createScheduler(clock, silentLog);
    containers = createContainers({ database, bus, clock, scheduler, log: silentLog, logSource });
    await containers.start();
    logs = createLogs({ containers, logSource, store: undefined, clock, scheduler, log: silentLog });
  });

  const show = (agentId: string | null, seconds: number, ...seen: Partial<ContainerSighting>[]): Promise<void> =>
    containers.observe(agentId, [{ kind: "container.inventory", observedAt: after(seconds), containers: seen.map(sighting) }]);
  const idOf = (externalId: string, agentId: string | null = null): number => containers.present.find(agentId, externalId)?.id ?? 0;
  const search = async (query: Partial<LogSearchQuery> = {}, signal = new AbortController().signal) =>
    logSearchResult.strict().parse(await logs.search({ limit: 100, order: "newest", ...query }, signal));
  const texts = async (query?: Partial<LogSearchQuery>): Promise<string[]> => (await search(query)).lines.map(({ text }) => text);

  /** Two in the shop, one of them elsewhere, one alone, one that is ignored. */
  async function showShop(): Promise<void> {
    await show(
      null,
      0,
      { externalId: "web", name: "web", project: SHOP },
      { externalId: "db", name: "db" },
      { externalId: "hidden", name: "hidden", settings: { ...defaultSettings, ignored: true } },
    );
    await show(AGENT, 0, { externalId: "far", name: "far", project: SHOP });
    sources.set("web", [line(1, "GET / 200"), line(4, "ERROR no answer from db")]);
    sources.set("db", [line(2, "LOG:  ready"), line(3, "FATAL:  too many connections", "stderr")]);
    sources.set("far", [line(5, "error of another host")]);
    sources.set("hidden", [line(6, "error that nobody asked for")]);
  }

  it("searches the logs of all containers, newest first", async () => {
    await showShop();
    const { lines, ...rest } = await search();
    assert.deepEqual(
      lines.map(({ container_name: name, text }) => `${name}: ${text}`),
      [
        "far: error of another host",
        "web: ERROR no answer from db",
        "db: FATAL:  too many connections",
        "db: LOG:  ready",
        "web: GET / 200",
      ],
    );
    assert.deepEqual(lines[2], {
      container_id: idOf("db"),
      container_name: "db",
      group: "Ungrouped",
      agent_id: null,
      timestamp: after(3).toISOString(),
      stream: "stderr",
      level: "error",
      text: "FATAL:  too many connections",
      is_cut: false,
    });
    assert.equal(lines[0]?.agent_id, AGENT);
    assert.deepEqual(rest, {
      next_cursor: null,
      histogram: {
        counted_to: null,
        bucket_seconds: 1,
        buckets: [
          { ...NONE, timestamp: after(1).toISOString(), none: 1 },
          { ...NONE, timestamp: after(2).toISOString(), info: 1 },
          { ...NONE, timestamp: after(3).toISOString(), error: 1 },
          { ...NONE, timestamp: after(4).toISOString(), error: 1 },
          { ...NONE, timestamp: after(5).toISOString(), error: 1 },
        ],
      },
      searched: { containers: 3, lines: 5, characters: 92 },
      is_complete: true,
      gaps: [],
      gaps_total: 0,
    });
  });

  it("narrows by text, level, time, container, group and host", async () => {
    await showShop();
    assert.deepEqual(await texts({ q: "error" }), ["error of another host", "ERROR no answer from db"]);
    assert.deepEqual(await texts({ level: "error", agent_id: "local" }), ["ERROR no answer from db", "FATAL:  too many connections"]);
    assert.deepEqual(await texts({ since: after(2).toISOString(), until: after(4).toISOString() }), [
      "FATAL:  too many connections",
      "LOG:  ready",
    ]);
    assert.deepEqual(asked.at(-1)?.options.since, after(2));
    assert.deepEqual(await texts({ container_id: idOf("db") }), ["FATAL:  too many connections", "LOG:  ready"]);
    assert.deepEqual(await texts({ group: "shop" }), ["error of another host", "ERROR no answer from db", "GET / 200"]);
    assert.deepEqual(await texts({ group: "shop", agent_id: AGENT }), ["error of another host"]);
    assert.deepEqual(await texts({ container_id: idOf("db"), group: "shop" }), []);
    assert.deepEqual(await texts({ container_id: idOf("hidden") }), ["error that nobody asked for"]);
  });

  it("narrows by the fields of JSON and logfmt lines", async () => {
    await showShop();
    sources.set("web", [
      line(1, '{"level":"error","status":503,"msg":"no answer"}'),
      line(2, '{"level":"error","status":404}'),
      line(3, '{"level":"error","status":5'),
      line(4, 'level=error status=500 msg="bad gateway"'),
    ]);
    assert.deepEqual(await texts({ fields: "level=error status>=500" }), [
      'level=error status=500 msg="bad gateway"',
      '{"level":"error","status":503,"msg":"no answer"}',
    ]);
    assert.deepEqual(await texts({ fields: 'msg~"No answer"', q: "503" }), ['{"level":"error","status":503,"msg":"no answer"}']);
    await assert.rejects(
      texts({ fields: "level=error status>>500" }),
      (error) =>
        isServiceError(error, "unusable_values") &&
        /fields: At character 13: expected a condition such as .*, not "status>>500"/.test(error.message),
    );
    const { lines } = await callTool(logs.tools(), "search_logs", { fields: "status=404" });
    assert.equal((lines as unknown[]).length, 1);
    await assert.rejects(callTool(logs.tools(), "search_logs", { fields: "status" }), (error) => isServiceError(error, "unusable_values"));
  });

  it("folds lines into patterns, and knows what is new since the image changed", async () => {
    await showShop();
    sources.set("web", [line(1, "GET /a 200 in 5 ms"), line(4, "GET /a 404 in 7 ms"), line(5, "ERROR no answer from 10.0.0.7:80")]);
    sources.set("far", [line(2, "GET /a 200 in 9 ms")]);
    const fold = async (query: Partial<LogPatternQuery> = {}) =>
      logPatternResult.strict().parse(await logs.patterns({ limit: 100, ...query }, new AbortController().signal));
    const { patterns, ...rest } = await fold({ group: "shop" });
    assert.deepEqual(patterns[0], {
      ...{ pattern: "GET /a <number> in <number> ms", level: null, lines: 3, example: "GET /a 404 in 7 ms", is_new: null },
      ...{ first_at: after(1).toISOString(), last_at: after(4).toISOString(), containers_total: 2 },
      containers: [
        { container_id: idOf("web"), container_name: "web", agent_id: null, lines: 2, is_new: null, image_changed_at: null },
        { container_id: idOf("far", AGENT), container_name: "far", agent_id: AGENT, lines: 1, is_new: null, image_changed_at: null },
      ],
    });
    assert.deepEqual(
      patterns.map(({ pattern, lines, level }) => [pattern, lines, level]),
      [
        ["GET /a <number> in <number> ms", 3, null],
        ["ERROR no answer from <address>", 1, "error"],
      ],
    );
    assert.deepEqual([rest.patterns_total, rest.other_lines, rest.searched.lines, rest.is_complete], [2, 0, 4, true]);
    assert.deepEqual([(await fold({ limit: 1 })).patterns.length, (await fold({ fields: "a=1" })).patterns_total], [1, 0]);

    const made = (externalId: string, seconds: number, image: string): Partial<ContainerSighting> => ({
      ...{ externalId, name: "api", image, createdAt: after(seconds), startedAt: after(seconds) },
    });
    await show(null, 10, made("one", 10, "shop/api:1"));
    await show(null, 20, made("two", 20, "shop/api:2"));
    await show(null, 30, made("three", 30, "shop/api:2"));
    sources.set("three", [line(11, "took 5 ms"), line(12, "old 1"), line(25, "took 9 ms"), line(26, "panic 7"), line(31, "panic 8")]);
    const changed = await fold({ container_id: idOf("three") });
    assert.deepEqual(
      changed.patterns.map(({ pattern, is_new: isNew }) => [pattern, isNew]),
      [
        ["panic <number>", true],
        ["took <number> ms", false],
        ["old <number>", false],
      ],
    );
    assert.equal(changed.patterns[0]?.containers[0]?.image_changed_at, after(20).toISOString());
    const young = await fold({ container_id: idOf("three"), since: after(22).toISOString() });
    assert.deepEqual(new Set(young.patterns.map(({ is_new: isNew }) => isNew)), new Set([null]));
    const { patterns: answered } = await callTool(logs.tools(), "get_log_patterns", { container_id: idOf("three"), limit: 1 });
    assert.deepEqual(
      (answered as { pattern: string; is_new: boolean }[]).map(({ pattern, is_new: isNew }) => [pattern, isNew]),
      [["panic <number>", true]],
    );
  });

  it("continues where a page ended, each line once, also where lines have one time and more come", async () => {
    await show(null, 0, { externalId: "web", name: "web" }, { externalId: "db", name: "db" });
    sources.set(
      "web",
      Array.from({ length: 7 }, (_, index) => line(index < 5 ? 1 : 2, `web ${index}`)),
    );
    sources.set(
      "db",
      Array.from({ length: 4 }, (_, index) => line(1, `db ${index}`)),
    );
    const all = await texts();
    assert.equal(all.length, 11);
    assert.deepEqual(await texts({ order: "oldest" }), all.toReversed());
    assert.deepEqual(await texts({ order: "oldest", limit: 3 }), all.toReversed().slice(0, 3));
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await search({ limit: 2, cursor });
      paged.push(...page.lines.map(({ text }) => text));
      cursor = page.next_cursor ?? undefined;
      (sources.get("web") as LogLine[]).push(line(9, "newer"));
    } while (cursor !== undefined && paged.length < 50);
    assert.deepEqual(paged, all);
    await assert.rejects(search({ cursor: "bm8" }), { code: "unusable_values" });
  });

  it("says which logs it did not search, or not wholly, and why", async () => {
    await showShop();
    sources.set(
      "web",
      Array.from({ length: 12_000 }, (_, index) => line(index, `line ${index}`)),
    );
    sources.set("db", () => {
      throw new ServiceError("conflict", "This container keeps no log.");
    });
    sources.set("far", () => {
      throw new Error("a defect with a secret in it");
    });
    const { is_complete: isComplete, gaps, searched } = await search();
    assert.equal(isComplete, false);
    assert.deepEqual(
      gaps.map(({ container_name: name, reason, message, searched_since: since }) => [name, reason, message, since]).toSorted(),
      [
        ["db", "unreadable", "This container keeps no log.", null],
        ["far", "unreadable", "The log could not be read.", null],
        ["web", "older_lines", "Only the last 10,000 lines were searched.", after(2000).toISOString()],
      ],
    );
    assert.deepEqual([searched.containers, searched.lines], [1, 10_000]);
  });

  it("answers in time with what was read, and lets go of a log that does not come", async () => {
    await showShop();
    let released = false;
    sources.set("db", async function* hang({ signal }) {
      yield line(1, "the first line");
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      released = true;
    });
    // This one does not even react to its signal.
    sources.set("far", async function* deaf() {
      await new Promise(() => undefined);
      yield line(1, "never");
    });
    const answer = search();
    await new Promise((resolve) => setTimeout(resolve, 50));
    await clock.advance(7_000);
    const { lines, gaps } = await answer;
    assert.deepEqual(
      lines.map(({ text }) => text),
      ["ERROR no answer from db", "the first line", "GET / 200"],
    );
    assert.deepEqual(gaps.map(({ container_name: name, reason }) => `${name} ${reason}`).toSorted(), ["db out_of_time", "far out_of_time"]);
    assert.equal(released, true);
  });

  it("reads no more than so much text", async () => {
    const many = Array.from({ length: 20 }, (_, index) => ({ externalId: `c${index}`, name: `c${index}` }));
    await show(null, 0, ...many);
    const text = "x".repeat(60_000);
    for (const { externalId } of many)
      sources.set(externalId, async function* fill() {
        for (let index = 0; index < 200; index += 1) yield line(index, text);
      });
    const { searched, gaps, lines } = await search({ limit: 1 });
    assert.ok(searched.characters < 64_100_000, String(searched.characters));
    assert.ok(gaps.length > 5 && gaps.every(({ reason }) => reason === "too_much_text"));
    assert.deepEqual([lines[0]?.is_cut, (lines[0]?.text.length ?? 0) <= 4_000], [true, true]);
  });

  it("reads a few logs of a host at once, and runs a few searches", async () => {
    await show(null, 0, ...Array.from({ length: 30 }, (_, index) => ({ externalId: `c${index}`, name: `c${index}` })));
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    for (let index = 0; index < 30; index += 1)
      sources.set(`c${index}`, async function* wait() {
        await gate;
        yield line(index, `c${index}`);
      });
    const running = [1, 2, 3, 4].map(() => search());
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(mostUnderWay, 12);
    await assert.rejects(search(), { code: "rate_limited" });
    release();
    assert.deepEqual(
      (await Promise.all(running)).map(({ lines }) => lines.length),
      [30, 30, 30, 30],
    );
    assert.equal((await search()).lines.length, 30);
  });

  it("does not ask for logs that cannot hold what is looked for", async () => {
    await show(
      null,
      100,
      { externalId: "ended", name: "ended", state: "exited", startedAt: after(10), finishedAt: after(20), exitCode: 1 },
      { externalId: "new", name: "new", createdAt: after(90), startedAt: after(90) },
    );
    const askedFor = async (query: Partial<LogSearchQuery>): Promise<string[]> => {
      asked = [];
      assert.equal((await search(query)).is_complete, true);
      return asked.map(({ externalId }) => externalId).toSorted();
    };
    assert.deepEqual(await askedFor({}), ["ended", "new"]);
    assert.deepEqual(await askedFor({ since: after(30).toISOString() }), ["new"]);
    assert.deepEqual(await askedFor({ until: after(30).toISOString() }), ["ended"]);
  });

  it("knows containers that are gone, and that never were", async () => {
    await showShop();
    const id = idOf("db");
    await show(null, 10, { externalId: "web", name: "web", project: SHOP });
    await clock.advance(11 * 60_000);
    await show(null, 700, { externalId: "web", name: "web", project: SHOP });
    await assert.rejects(search({ container_id: id }), { code: "not_found", message: /was removed/ });
    await assert.rejects(search({ container_id: 4711 }), { code: "not_found" });
  });

  it("search_logs answers assistants, with bounds and without private keys", async () => {
    await checkTools(logs.tools(), { elsewhere: ["list_containers"] });
    await showShop();
    const found = await callTool(logs.tools(), "search_logs", { search: "error", group: "shop", limit: 1 });
    assert.deepEqual(
      (found["lines"] as { text: string }[]).map(({ text }) => text),
      ["error of another host"],
    );
    const next = await callTool(logs.tools(), "search_logs", { search: "error", group: "shop", limit: 1, cursor: found["next_cursor"] });
    assert.deepEqual(
      (next["lines"] as { text: string }[]).map(({ text }) => text),
      ["ERROR no answer from db"],
    );
    const body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
    sources.set(
      "web",
      ["loading", "-----BEGIN PRIVATE KEY-----", body, "abc", "-----END PRIVATE KEY-----", "word ".repeat(900)].map((text) =>
        line(7, text),
      ),
    );
    const { lines } = (await callTool(logs.tools(), "search_logs", { container_id: idOf("web") })) as {
      lines: { text: string; is_cut: boolean }[];
    };
    const [long, ...others] = lines;
    assert.deepEqual([long?.is_cut, (long?.text.length ?? 0) <= 1_000], [true, true]);
    assert.deepEqual(
      others.map(({ text }) => text),
      ["***", "***", "***", "***", "loading"],
    );
    for (const args of [{ limit: 101 }, { since: "yesterday" }, { search: "" }, { level: "loud" }])
      await assert.rejects(callTool(logs.tools(), "search_logs", args), { name: "ZodError" });
  });
});
