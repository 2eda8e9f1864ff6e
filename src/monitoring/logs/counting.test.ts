import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { sighting } from "../../../test/support/sightings.ts";
import { HOUR_MS } from "../../contract/time.ts";
import type { Event } from "../../events.ts";
import { createBus } from "../../platform/bus.ts";
import { silentLog } from "../../platform/log.ts";
import { createScheduler } from "../../platform/scheduler.ts";
import type { LogLine } from "../../runtimes/runtime.ts";
import { createContainers } from "../containers/index.ts";
import { type LogSearchResult, logSearchResult } from "./answers.ts";
import type { LogSearchQuery } from "./api.ts";
import { createLogs, createLogStore, type Logs } from "./index.ts";

const NOON = new Date("2026-03-01T12:00:00Z");
const LINES = 8000;
const NAMES = ["web", "db"];
/** Longer than lines are counted though the page has its lines. */
const LONG_MS = 600;

/** A line of every half second before noon, by turns of two containers. */
const timeOf = (index: number): number => NOON.getTime() - (LINES - index) * 500;

onBothDatabases((databases) => {
  let folder: string;
  let clock: FakeClock;
  let logs: Logs;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "binnacle-logs-"));
    const database = await databases.create();
    clock = createFakeClock(NOON);
    const scheduler = createScheduler(clock, silentLog);
    const logSource = {
      logs(): AsyncIterable<LogLine[]> {
        throw new Error("asked for a log that is stored");
      },
    };
    const store = createLogStore({ folder, retentionMs: 24 * HOUR_MS, maxBytes: 2 ** 30, clock, log: silentLog });
    const bus = createBus<Event>(silentLog);
    const containers = createContainers({ database, bus, clock, scheduler, log: silentLog, logSource });
    await containers.start();
    await containers.observe(null, [
      { kind: "container.inventory", observedAt: NOON, containers: NAMES.map((name) => sighting({ externalId: name, name })) },
    ]);
    await store.open();
    for (let index = 0; index < LINES; index += 1) {
      const container = containers.present.find(null, NAMES[index % 2] ?? "");
      assert.ok(container !== undefined);
      const text = `line ${index} ${createHash("sha512").update(String(index)).digest("hex")}`;
      await store.add(container, [{ timestamp: new Date(timeOf(index)), stream: "stdout", text }], new AbortController().signal);
    }
    logs = createLogs({ containers, logSource, store, clock, scheduler, log: silentLog });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Takes so long, by the clock, as if the machine were slow. */
  async function search(query: Partial<LogSearchQuery>, tookMs: number): Promise<LogSearchResult> {
    const answer = logs.search({ q: "line", limit: 100, order: "newest", ...query }, new AbortController().signal);
    clock.stall(tookMs);
    return logSearchResult.strict().parse(await answer);
  }
  const numbersOf = ({ lines }: LogSearchResult): number[] => lines.map(({ text }) => Number(/^line (\d+)/.exec(text)?.[1]));
  const countOf = ({ histogram: { buckets } }: LogSearchResult): number => buckets.reduce((sum, { none }) => sum + none, 0);

  it("counts all lines while there is time", async () => {
    const found = await search({}, 0);
    assert.deepEqual([countOf(found), found.histogram.counted_to, found.searched.lines], [LINES, null, LINES]);
  });

  for (const order of ["newest", "oldest"] as const)
    it(`ends a search of the ${order} lines when its page is whole, and says up to where lines are counted`, async () => {
      const found = await search({ order }, LONG_MS);
      const first =
        order === "newest" ? Array.from({ length: 100 }, (_, at) => LINES - 1 - at) : Array.from({ length: 100 }, (_, at) => at);
      assert.deepEqual(numbersOf(found), first);
      assert.deepEqual([found.is_complete, found.searched.containers], [true, 2]);
      assert.ok(found.searched.lines < LINES && countOf(found) < LINES, `${found.searched.lines} lines`);
      const countedTo = Date.parse(found.histogram.counted_to ?? "");
      const lengthMs = found.histogram.bucket_seconds * 1000;
      const whole = found.histogram.buckets.filter(({ timestamp }) =>
        order === "newest" ? Date.parse(timestamp) > countedTo : Date.parse(timestamp) + lengthMs <= countedTo,
      );
      assert.ok(whole.length > 0 && whole.length >= found.histogram.buckets.length - 1);
      const isIn = (fromMs: number, index: number): boolean => timeOf(index) >= fromMs && timeOf(index) < fromMs + lengthMs;
      for (const { timestamp, none } of whole) {
        const expected = Array.from({ length: LINES }, (_, index) => index).filter((index) => isIn(Date.parse(timestamp), index)).length;
        assert.equal(none, expected, timestamp);
      }
    });

  it("answers every line once, page by page, in both orders", async () => {
    for (const order of ["newest", "oldest"] as const) {
      const numbers: number[] = [];
      let cursor: string | undefined;
      do {
        const page = await search({ order, limit: 1000, cursor }, LONG_MS);
        numbers.push(...numbersOf(page));
        cursor = page.next_cursor ?? undefined;
      } while (cursor !== undefined && numbers.length <= LINES);
      const all = Array.from({ length: LINES }, (_, index) => index);
      assert.deepEqual(numbers, order === "newest" ? all.toReversed() : all);
    }
  });

  it("counts on a page the lines of that page and of those that follow", async () => {
    const { next_cursor: cursor } = await search({ limit: 1000 }, 0);
    const second = await search({ limit: 1000, cursor: cursor ?? "" }, 0);
    assert.equal(countOf(second), LINES - 1000);
  });

  it("searches on for a text of which there are fewer lines than a page has", async () => {
    const found = await search({ q: "line 17 " }, LONG_MS);
    assert.deepEqual([numbersOf(found), found.histogram.counted_to, found.is_complete], [[17], null, true]);
  });
});
