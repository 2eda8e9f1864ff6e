import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { createFakeClock, type FakeClock } from "../../../../test/support/fake-clock.ts";
import { createLogCapture, type LogCapture } from "../../../../test/support/log-capture.ts";
import type { LogLine } from "../../../runtimes/runtime.ts";
import type { Wanted } from "../line.ts";
import { readFieldFilter } from "../../../contract/field-filter.ts";
import { readHeads } from "./chunk.ts";
import { createLogStore, type LogStore } from "./index.ts";

const NOON = new Date("2026-03-01T12:00:00Z");
const HOUR = 3_600_000;
const WEB = { id: 7, firstSeenAt: new Date(NOON.getTime() - HOUR) };
const OTHER = { id: 8, firstSeenAt: WEB.firstSeenAt };
const ANY: Wanted = {
  text: undefined,
  level: undefined,
  conditions: [],
  sinceMs: Number.NEGATIVE_INFINITY,
  untilMs: Number.POSITIVE_INFINITY,
  order: "newest",
};
const never = new AbortController().signal;
const at = (ms: number): Date => new Date(NOON.getTime() + ms);
const line = (ms: number, text: string, stream: LogLine["stream"] = "stdout"): LogLine => ({ timestamp: at(ms), stream, text });
/** Text that compresses badly, so that files become large. */
const noise = (seed: number): string => createHash("sha512").update(String(seed)).digest("hex");

describe("stored logs", () => {
  let folder: string;
  let clock: FakeClock;
  let captured: LogCapture;
  let store: LogStore;

  const reopen = async (limits: { retentionMs?: number; maxBytes?: number } = {}): Promise<LogStore> => {
    const opened = createLogStore({ folder, retentionMs: 24 * HOUR, maxBytes: 2 ** 30, clock, log: captured.log, ...limits });
    await opened.open();
    return opened;
  };
  const add = (lines: readonly LogLine[], owner = WEB): Promise<void> => store.add(owner, lines, never);
  const found = async (wanted: Partial<Wanted> = {}, owner = WEB): Promise<{ text: string; ordinal: number; level: string | null }[]> => {
    const lines: { atMs: number; text: string; ordinal: number; level: string | null }[] = [];
    await store.search(
      [owner],
      { ...ANY, ...wanted },
      {
        signal: never,
        visit: ({ atMs, ordinal, level, readLine }) => void lines.push({ atMs, text: readLine().text, ordinal, level }),
      },
    );
    return lines.toSorted((one, other) => one.atMs - other.atMs || one.ordinal - other.ordinal);
  };
  const texts = async (wanted?: Partial<Wanted>, owner?: typeof WEB): Promise<string[]> =>
    (await found(wanted, owner)).map(({ text }) => text);
  const filesOf = (owner = WEB): string[] =>
    readdirSync(join(folder, readdirSync(folder).find((name) => name.startsWith(`${owner.id}-`)) ?? "")).toSorted();
  const pathOf = (name: string): string => join(folder, `${WEB.id}-${WEB.firstSeenAt.getTime().toString(36)}`, name);

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "binnacle-logs-"));
    clock = createFakeClock(at(60_000));
    captured = createLogCapture();
    store = await reopen();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("are found by text, time and level, in memory, in the file of new lines, and in chunks", async () => {
    const check = async (): Promise<void> => {
      assert.deepEqual(await texts(), ["ready", "WARN slow", "ERROR No Answer", "    at connect (db.js:1)", "héllo ✓ ΣΊΣΥΦΟΣ"]);
      assert.deepEqual(await texts({ text: "no answer" }), ["ERROR No Answer"]);
      assert.deepEqual(await texts({ text: "ΈLLO" }), []);
      assert.deepEqual(await texts({ text: "éLLO ✓" }), ["héllo ✓ ΣΊΣΥΦΟΣ"]);
      assert.deepEqual(await texts({ text: "db" }), ["    at connect (db.js:1)"]);
      assert.deepEqual(await texts({ text: "swer\n    at" }), []);
      assert.deepEqual(await texts({ level: "error" }), ["ERROR No Answer", "    at connect (db.js:1)"]);
      assert.deepEqual(await texts({ level: "warn", untilMs: at(3).getTime() }), ["WARN slow"]);
      assert.deepEqual(await texts({ sinceMs: at(4).getTime() }), ["    at connect (db.js:1)", "héllo ✓ ΣΊΣΥΦΟΣ"]);
      assert.deepEqual(await texts({}, OTHER), []);
    };
    await add([line(1, "ready"), line(2, "WARN slow", "stderr"), line(3, "ERROR No Answer"), line(4, "    at connect (db.js:1)")]);
    await add([line(5, "héllo ✓ ΣΊΣΥΦΟΣ")]);
    await check();
    await store.flush();
    assert.deepEqual(filesOf(), ["tail.log"]);
    store = await reopen();
    await check();
    await clock.advance(4 * HOUR);
    await store.prune();
    assert.equal(filesOf().length, 1);
    assert.match(filesOf()[0] ?? "", /^2-\d+-\d+\.log$/);
    await check();
    store = await reopen();
    await check();
    assert.equal(captured.text(), "");
  });

  it("are found by their fields, also where letters are escaped or coloured", async () => {
    const lines = [
      '{"level":"error","status":503,"path":"/api"}',
      '{"level":"error","status":404}',
      "level=error status=500 path=/",
      "level=error status=500 but no fields",
      '{"l\\u0065vel":"err\\u006fr","status":501}',
      "\u001b[31mlevel=error\u001b[0m status=5\u001b[1m99\u001b[0m",
    ];
    const check = async (): Promise<void> => {
      const find = async (filter: string, text?: string): Promise<number[]> => {
        const conditions = readFieldFilter(filter);
        assert.ok(!("fault" in conditions));
        return (await texts({ conditions, text })).map((each) => lines.indexOf(each));
      };
      assert.deepEqual(await find("level=error status>=500"), [0, 2, 4, 5]);
      assert.deepEqual(await find("status=503"), [0]);
      assert.deepEqual(await find("status=599"), [5]);
      assert.deepEqual(await find("level=ERROR", "api"), [0]);
      assert.deepEqual(await find("path~api"), [0]);
      assert.deepEqual(await find("other=1"), []);
    };
    for (const [index, text] of lines.entries()) await add([line(index, text)]);
    await check();
    await store.flush();
    store = await reopen();
    await clock.advance(4 * HOUR);
    await store.prune();
    assert.match(filesOf()[0] ?? "", /^2-/);
    await check();
  });

  it("find text that colours go through", async () => {
    await add([line(1, "\u001b[31mERR\u001b[0mOR of colours"), line(2, "plain")]);
    await store.prune();
    assert.deepEqual(await texts({ text: "error of" }), ["\u001b[31mERR\u001b[0mOR of colours"]);
  });

  it("distinguish lines of one time over all chunks", async () => {
    await add(Array.from({ length: 9000 }, (_, seed) => line(5, `${seed} ${noise(seed)}`)).slice(0, 3000));
    await add(Array.from({ length: 9000 }, (_, seed) => line(5, `${seed} ${noise(seed)}`)).slice(3000));
    await store.flush();
    const lines = await found();
    assert.equal(lines.length, 9000);
    assert.ok(lines.every(({ text }, index) => text.startsWith(`${index} `)));
    assert.equal(new Set(lines.map(({ ordinal }) => ordinal)).size, 9000);
    store = await reopen();
    assert.deepEqual(await found(), lines);
  });

  it("keep what came late in the order of its time", async () => {
    await add([line(10, "third"), line(1, "first"), line(5, "second")]);
    assert.deepEqual(await texts(), ["first", "second", "third"]);
    await clock.advance(4 * HOUR);
    await store.prune();
    assert.deepEqual(await texts(), ["first", "second", "third"]);
  });

  it("drop a torn end, say so, and continue behind what is whole", async () => {
    await add([line(1, "one")]);
    await store.flush();
    await add([line(2, "two")]);
    await store.flush();
    const whole = readFileSync(pathOf("tail.log"));
    for (const torn of [whole.subarray(0, -3), Buffer.concat([whole.subarray(0, -3), Buffer.alloc(3)])]) {
      writeFileSync(pathOf("tail.log"), torn);
      store = await reopen();
      assert.deepEqual(await texts(), ["one"]);
      assert.match(captured.text(), /the end of a stored log was torn/);
      await add([line(2, "two")]);
      await store.flush();
      captured = createLogCapture();
      store = await reopen();
      assert.deepEqual(await texts(), ["one", "two"]);
      assert.equal(captured.text(), "");
    }
  });

  it("have no line twice when the program is killed between two writes", async () => {
    await add([line(1, "one"), line(2, "two")]);
    await store.flush();
    const tail = readFileSync(pathOf("tail.log"));
    for (let seed = 0; seed < 3000; seed += 1) await add([line(3, `${seed} ${noise(seed)}`)]);
    assert.ok(filesOf().includes("current.log"));
    // As if the file of new lines could not be removed any more.
    writeFileSync(pathOf("tail.log"), tail);
    store = await reopen();
    assert.equal((await texts({ text: "one" })).length, 1);
    assert.equal((await texts({ text: "two" })).length, 1);
  });

  it("have chunks of a bounded size, however much comes at once and also after a time when nothing could be written", async () => {
    const largest = (): number =>
      Math.max(...filesOf().flatMap((name) => readHeads(readFileSync(pathOf(name))).map(({ textBytes }) => textBytes)));
    const long = (ms: number): LogLine => line(ms, noise(ms).repeat(400));
    await add(Array.from({ length: 100 }, (_, ms) => long(ms)));
    await store.flush();
    assert.ok(largest() < 2 ** 19, String(largest()));
    assert.ok((await store.last(WEB, { lines: 1000, text: undefined, since: undefined, signal: never }))?.length === 100);

    const name = pathOf("");
    const away = join(folder, "away");
    renameSync(name, away);
    writeFileSync(name.slice(0, -1), "in its place");
    await add(Array.from({ length: 70 }, (_, ms) => long(1000 + ms)));
    assert.match(captured.text(), /logs cannot be stored/);
    rmSync(name.slice(0, -1));
    renameSync(away, name);
    await store.flush();
    assert.ok(largest() <= 2 ** 20, String(largest()));
    store = await reopen();
    assert.deepEqual(
      (await found()).map(({ text }) => text),
      [...Array(100).keys(), ...Array.from({ length: 70 }, (_, ms) => 1000 + ms)].map((ms) => long(ms).text),
    );
  });

  it("name a chunk that is damaged, and find the others", async () => {
    for (let seed = 0; seed < 6000; seed += 1) await add([line(seed, `${seed} ${noise(seed)}`)]);
    const file = readFileSync(pathOf("current.log"));
    file[2000] = (file[2000] ?? 0) ^ 255;
    writeFileSync(pathOf("current.log"), file);
    const { searched } = await store.search([WEB], { ...ANY, order: "oldest" }, { signal: never, visit: () => undefined });
    assert.equal(searched.get(WEB)?.damaged, 1);
    assert.ok((await texts()).length > 1000);
  });

  it("are found once each while their file is closed", async () => {
    for (let seed = 0; seed < 6000; seed += 1) await add([line(seed, `${seed} ${noise(seed)}`)]);
    await clock.advance(4 * HOUR);
    assert.ok(filesOf().includes("current.log"));
    const [lines] = await Promise.all([texts(), store.prune()]);
    assert.ok(!filesOf().includes("current.log"));
    assert.deepEqual(
      lines.map((text) => Number.parseInt(text, 10)),
      Array.from({ length: 6000 }, (_, seed) => seed),
    );
  });

  for (const order of ["newest", "oldest"] as const)
    it(`of several containers are searched together, the ${order} chunks first, until that is enough`, async () => {
      const count = 48_000;
      for (let first = 0; first < count; first += 300) {
        const seeds = Array.from({ length: 300 }, (_, index) => first + index);
        for (const owner of [WEB, OTHER])
          await add(
            seeds.filter((seed) => (seed % 3 === 0) === (owner === OTHER)).map((seed) => line(seed, noise(seed))),
            owner,
          );
      }
      const visited: number[] = [];
      const boundMs = at(count / 2).getTime();
      const { searched, endedAtMs = 0 } = await store.search(
        [WEB, OTHER],
        { ...ANY, order },
        {
          signal: never,
          visit: ({ atMs }) => void visited.push(atMs),
          isEnough: (nextMs) => (order === "newest" ? nextMs < boundMs : nextMs > boundMs),
        },
      );
      const isWithin = (atMs: number): boolean => (order === "newest" ? atMs > endedAtMs : atMs < endedAtMs);
      const expected = Array.from({ length: count }, (_, seed) => at(seed).getTime()).filter(isWithin);
      assert.ok(expected.length >= count / 2 && visited.length < count, `${expected.length} of ${visited.length}`);
      assert.deepEqual(
        visited.filter(isWithin).toSorted((one, other) => one - other),
        expected,
      );
      assert.equal(new Set(visited).size, visited.length);
      assert.ok([...searched.values()].every(({ left, lines }) => left > 0 && lines > 0));
    });

  it("of others are searched when one cannot be read", async () => {
    for (let seed = 0; seed < 6000; seed += 1) await add([line(seed, noise(seed))]);
    await add([line(1, "of another")], OTHER);
    rmSync(pathOf("current.log"));
    mkdirSync(pathOf("current.log"));
    const visited: string[] = [];
    const visit = ({ readLine }: { readLine(): LogLine }, { id }: { id: number }): void => void visited.push(`${id} ${readLine().text}`);
    const { searched } = await store.search([WEB, OTHER], ANY, { signal: never, visit });
    assert.ok(visited.includes("8 of another"));
    assert.ok(visited.some((text) => text.startsWith("7 ")));
    assert.match(String(searched.get(WEB)?.error), /EISDIR/);
    assert.deepEqual([searched.get(WEB)?.left, searched.get(OTHER)?.error], [0, undefined]);
    await assert.rejects(store.last(WEB, { lines: 10_000, text: undefined, since: undefined, signal: never }), /EISDIR/);
  });

  it("stay within their bytes, the oldest going first over all containers", async () => {
    const maxBytes = 5 * 2 ** 20;
    store = await reopen({ maxBytes });
    for (let first = 0; first < 90_000; first += 1000) {
      const lines = Array.from({ length: 1000 }, (_, index) => line(first + index, noise(first + index)));
      await add(lines, first < 20_000 ? OTHER : WEB);
    }
    await store.flush();
    assert.ok(store.bytes() > maxBytes);
    await store.prune();
    assert.ok(store.bytes() <= maxBytes);
    // Of it the lines are left that were in no file of chunks.
    assert.ok((store.span(OTHER)?.firstMs ?? 0) > at(15_000).getTime());
    assert.equal(store.span(WEB)?.lastMs, at(89_999).getTime());
  });

  it("go when they are older than they are kept", async () => {
    await add([line(0, "old")]);
    await clock.advance(12 * HOUR);
    await add([line(12 * HOUR, "young")]);
    await clock.advance(12 * HOUR);
    assert.deepEqual(await texts(), ["young"]);
    await store.prune();
    await clock.advance(12 * HOUR);
    await store.prune();
    await store.remove(() => false);
    assert.deepEqual(store.ids(), []);
    assert.deepEqual(readdirSync(folder), []);
  });

  it("are not those of another container that got the same id", async () => {
    await add([line(1, "mine")]);
    assert.deepEqual(await texts({}, { ...WEB, firstSeenAt: NOON }), []);
  });

  it("are taken up again without a line twice or lost", async () => {
    const written = [line(1, "a"), line(2, "same"), line(2, "same"), line(2, "same"), line(20_000, "b", "stderr"), line(20_000, "c")];
    await add(written.slice(0, 5));
    await store.flush();
    store = await reopen();
    const point = await store.resumePoint(WEB, never);
    assert.deepEqual(point?.since, at(10_000));
    assert.deepEqual(
      written.slice(4).map((each) => point?.isStored(each)),
      [true, false],
    );
    assert.equal(point?.mayMissLines(), false);
    const rotated = await store.resumePoint(WEB, never);
    assert.equal(rotated?.isStored(line(30_000, "after a rotation")), false);
    assert.equal(rotated?.mayMissLines(), true);
    assert.equal(await store.resumePoint(OTHER, never), undefined);
  });

  it("are compared with less of a log when its last seconds have much text", async () => {
    await add(Array.from({ length: 400 }, (_, seed) => line(seed * 20, `${seed} ${noise(seed).repeat(400)}`)));
    assert.deepEqual((await store.resumePoint(WEB, never))?.since, at(399 * 20 - 1000));
    const whole = await store.resumePoint(WEB, never, at(-5000));
    assert.deepEqual(
      [whole?.since, whole?.isStored(line(0, `0 ${noise(0).repeat(400)}`)), whole?.mayMissLines()],
      [at(-5000), false, false],
    );
  });

  it("are compared from an earlier moment on when it is asked for", async () => {
    await add([line(1000, "a"), line(60_000, "b")]);
    const point = await store.resumePoint(WEB, never, at(500));
    assert.deepEqual([point?.since, point?.isStored(line(1000, "a")), point?.isStored(line(1000, "a"))], [at(500), true, false]);
    assert.deepEqual((await store.resumePoint(WEB, never, at(55_000)))?.since, at(50_000));
  });

  it("leave files alone that are not theirs", async () => {
    appendFileSync(join(folder, "notes.txt"), "mine");
    store = await reopen();
    await store.remove(() => true);
    assert.deepEqual(readdirSync(folder), ["notes.txt"]);
  });
});
