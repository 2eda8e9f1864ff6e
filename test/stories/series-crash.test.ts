import assert from "node:assert/strict";
import { it } from "node:test";
import { HOUR_MS, MINUTE_MS } from "../../src/contract/time.ts";
import { silentLog } from "../../src/platform/log.ts";
import { createScheduler } from "../../src/platform/scheduler.ts";
import type { SeriesFigures, SeriesStore } from "../../src/storage/series/index.ts";
import { storyOnBothDatabases } from "../support/story-databases.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { IDS, inUnits, openKnownSeries, RETENTION, unitsAt } from "../support/known-series.ts";
import { createLogCapture } from "../support/log-capture.ts";
import { openPlace, placeOf } from "../support/place.ts";
import { repetitions } from "../support/repetitions.ts";
import { chanceOf } from "../support/seed.ts";
import type { Place, Work } from "../support/series-writer.ts";
import { createWriterProcesses, type Life, type Moment } from "../support/writer-process.ts";

const KILLS = repetitions({ gate: 10, long: 200 });
const LOOK_EVERY = 5;
const PHASES = ["append", "seal", "forget", "drop"];
const TICK_MS = 10_000;
const LEVELS = [
  { stepMs: TICK_MS, keptMs: RETENTION.detailMs },
  { stepMs: MINUTE_MS, keptMs: RETENTION.minutesMs },
  { stepMs: HOUR_MS, keptMs: RETENTION.hoursMs },
];
/** Every other kill is aimed at work that a blind one would seldom meet. */
const AIMS: readonly Moment["work"][] = ["any", "seal", "any", "forget", "any", "drop", "any", "append"];

/** A writer of series is killed again and again, in the middle of whatever it does; what it reported as kept is there afterwards, once. */
function story(databaseEnv: () => Promise<Record<string, string>>): void {
  it(`loses, doubles and invents nothing when killed ${KILLS} times in appends, seals, rollups and drops`, async (context) => {
    const chance = chanceOf(context);
    const processes = createWriterProcesses();
    context.after(processes.stop);
    const where = placeOf(await databaseEnv());
    /** What was sent, and whether it must be there; undefined while nobody knows. */
    const sent = new Map<number, boolean | undefined>();
    const met = new Map<string, number>();
    let nowMs = Date.UTC(2026, 2, 1, 12);
    const lacking = (): string[] => PHASES.filter((phase) => !met.has(phase));
    // A kill that is aimed at rare work may still miss it.
    for (let kill = 1; kill <= KILLS || (lacking().length > 0 && kill <= 5 * KILLS); kill += 1) {
      const recent = [...sent].filter(([atMs]) => atMs > nowMs - RETENTION.detailMs);
      const again = [...recent.filter(([, kept]) => kept !== true), ...recent.slice(-3)].slice(-20).map(([atMs]) => atMs);
      const work = AIMS[kill % AIMS.length] ?? "any";
      const life = await processes.live(
        { place: where, nowMs, again, seed: chance.below(2 ** 32) },
        { work, delayMs: chance.below(work === "any" ? 200 : 3) },
      );
      for (const atMs of life.sent) if (sent.get(atMs) !== true) sent.set(atMs, undefined);
      for (const atMs of life.kept) sent.set(atMs, true);
      nowMs = life.nowMs + TICK_MS;
      const phase = phaseOf(life);
      met.set(phase, (met.get(phase) ?? 0) + 1);
      if (kill % LOOK_EVERY !== 0) continue;
      await look(where, nowMs, async (series) => {
        await settle(series, sent, nowMs);
        for (let looked = 0; looked < 5; looked += 1) await holds(series, { id: 1 + chance.below(IDS.length), nowMs, sent, kill });
      });
    }
    await look(where, nowMs, async (series) => {
      await settle(series, sent, nowMs);
      for (const id of IDS) await holds(series, { id, nowMs, sent, kill: KILLS });
    });
    const phases = [...met].map(([phase, count]) => `${phase} ${count}`).join(", ");
    const unknown = [...sent.values()].filter((kept) => kept === undefined).length;
    context.diagnostic(`killed in: ${phases}; ${sent.size} ticks, what became of ${unknown} is unknown`);
    assert.deepEqual(lacking(), [], "no kill met these");
  });
}

/** The work that was under way; the rarest first. */
function phaseOf({ underWay }: Life): string {
  const rare: readonly Work[] = ["drop", "forget", "seal", "append", "task"];
  const found = rare.find((work) => underWay.has(work)) ?? "rest";
  return found === "task" ? "between the writes of a task" : found;
}

/** Opens what the writer left behind. */
async function look(place: Place, nowMs: number, see: (series: SeriesStore) => Promise<void>): Promise<void> {
  const database = openPlace(place);
  await database.start();
  const clock = createFakeClock(new Date(nowMs));
  const capture = createLogCapture();
  const series = openKnownSeries({ database, clock, scheduler: createScheduler(clock, silentLog), log: capture.log });
  try {
    await series.start();
    await see(series);
    assert.equal(capture.text(), "", "nothing is corrupt");
  } finally {
    await series.stop();
    await database.stop();
  }
}

/**
 * Finds out about ticks that were sent and not acknowledged: wholly there or not at all, and from now on they must stay so. Of those that are past
 * their detail nobody will know.
 */
async function settle(series: SeriesStore, sent: Map<number, boolean | undefined>, nowMs: number): Promise<void> {
  for (const [atMs, kept] of sent) {
    if (kept !== undefined || atMs < nowMs - RETENTION.detailMs) continue;
    const id = IDS.find((each) => unitsAt(each, atMs) !== undefined) ?? 0;
    const [, memory] = await series.read({ id, fromMs: atMs, toMs: atMs + TICK_MS, stepMs: TICK_MS });
    sent.set(atMs, !Number.isNaN(memory?.mean[0]));
  }
}

/** Holds all that is kept of a series against what was sent. */
async function holds(
  series: SeriesStore,
  { id, nowMs, sent, kill }: { id: number; nowMs: number; sent: ReadonlyMap<number, boolean | undefined>; kill: number },
): Promise<void> {
  for (const { stepMs, keptMs } of LEVELS) {
    const fromMs = Math.ceil((nowMs - keptMs) / stepMs) * stepMs;
    const toMs = Math.ceil(nowMs / stepMs) * stepMs;
    const figures = await series.read({ id, fromMs, toMs, stepMs });
    const bySteps = Map.groupBy(sent, ([atMs]) => Math.floor((atMs - fromMs) / stepMs));
    for (let step = 0; step < (toMs - fromMs) / stepMs; step += 1) {
      const ticks = bySteps.get(step) ?? [];
      if (ticks.some(([, kept]) => kept === undefined)) continue;
      const rows = ticks.filter(([, kept]) => kept).map(([atMs]) => unitsAt(id, atMs) ?? []);
      const [found, wanted] = [figuresAt(figures, step), truthOf(rows)];
      if (found.every((value, index) => isSame(value, wanted[index] ?? Number.NaN))) continue;
      const at = new Date(fromMs + step * stepMs).toISOString();
      assert.deepEqual(
        found,
        wanted,
        `after kill ${kill}, at ${new Date(nowMs).toISOString()}: series ${id}, ${stepMs / 1000} s from ${at}, of which was sent ${JSON.stringify(ticks)}`,
      );
    }
  }
}

/** Mean, minimum and maximum of each column. */
function figuresAt(figures: readonly SeriesFigures[], step: number): number[] {
  return figures.flatMap(({ mean, min, max }, column) => [mean, min, max].map((values) => inUnits(column, values[step] ?? Number.NaN)));
}

function truthOf(rows: readonly number[][]): number[] {
  return [0, 1, 2].flatMap((column) => {
    const values = rows.map((row) => row[column] ?? Number.NaN).filter((value) => !Number.isNaN(value));
    if (values.length === 0) return [Number.NaN, Number.NaN, Number.NaN];
    return [values.reduce((sum, value) => sum + value, 0) / values.length, Math.min(...values), Math.max(...values)];
  });
}

/** But for what floating point loses. */
function isSame(a: number, b: number): boolean {
  return Object.is(a, b) || Math.abs(a - b) <= Math.abs(b) * 1e-9;
}

storyOnBothDatabases("a writer of series that is killed", story);
