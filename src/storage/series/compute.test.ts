import assert from "node:assert/strict";
import { test } from "node:test";
import { HOUR_MS } from "../../contract/time.ts";
import { fc } from "../../../test/support/seed.ts";
import { packBundle, unpackBundle } from "./bundle.ts";
import { CorruptBytes } from "./envelope.ts";
import { compute, type FiguresResult, type Grid, type Job, mergeGrids, type Part, type ResultOf, type SealResult } from "./compute.ts";
import { DETAIL, HOURS, MINUTES, slotsOf, startOf } from "./rollup.ts";

const DAY = Date.UTC(2026, 2, 1);
const PLACE = 3;

function run<Kind extends Job>(job: Kind): ResultOf<Kind> {
  return compute(job) as ResultOf<Kind>;
}

function grid(value: (slot: number) => number): Grid {
  return [Float64Array.from({ length: slotsOf(DETAIL) }, (_, slot) => value(slot))];
}

function sealed(hourMs: number, grids: Grid[], kept: Partial<SealResult> = {}): SealResult {
  return run({
    kind: "seal",
    hourMs,
    kept: { detail: kept.detail, minutes: kept.minutes, hours: kept.hours },
    columnCount: 1,
    places: [PLACE],
    generations: grids.flat(),
  });
}

function figures(parts: Part[], range: { fromMs: number; toMs: number; stepMs: number }): FiguresResult {
  return run({ kind: "figures", place: PLACE, columnCount: 1, ...range, parts });
}

const part = (level: Part["level"], startMs: number, row: Uint8Array | undefined, grids: Grid[] = []): Part => ({
  level,
  startMs,
  row: level === "detail" ? undefined : row,
  fresh: level === "detail" ? [{ hourMs: startMs, detail: row, grids }] : [],
});

test("every level answers what the samples say, exactly", () => {
  const sample = fc.oneof({ weight: 5, arbitrary: fc.nat(100_000) }, { weight: 1, arbitrary: fc.constant(Number.NaN) });
  const hour = fc.array(sample, { minLength: 360, maxLength: 360 });
  fc.assert(
    fc.property(hour, fc.integer({ min: 0, max: 23 }), (samples, hourOfDay) => {
      const hourMs = DAY + hourOfDay * HOUR_MS;
      const rows = sealed(hourMs, [[Float64Array.from(samples)]]);
      const cases: [Part["level"], number, Uint8Array][] = [
        ["detail", 10_000, rows.detail],
        ["detail", 30_000, rows.detail],
        ["minutes", 120_000, rows.minutes],
        ["minutes", 900_000, rows.minutes],
        ["hours", HOUR_MS, rows.hours],
      ];
      for (const [level, stepMs, row] of cases) {
        const startMs = startOf(hourMs, level === "hours" ? HOURS : DETAIL);
        const { figures: answer, corrupt } = figures([part(level, startMs, row)], { fromMs: hourMs, toMs: hourMs + HOUR_MS, stepMs });
        assert.deepEqual(corrupt, []);
        const perStep = stepMs / DETAIL.stepMs;
        for (let step = 0; step < 360 / perStep; step += 1) {
          const present = samples.slice(step * perStep, (step + 1) * perStep).filter((each) => !Number.isNaN(each));
          assert.equal(answer[0]?.count[step], present.length, `${level} ${stepMs} count`);
          assert.equal(
            answer[0]?.sum[step],
            present.reduce((sum, each) => sum + each, 0),
            `${level} ${stepMs} sum`,
          );
          assert.equal(answer[0]?.max[step], present.length === 0 ? Number.NaN : Math.max(...present), `${level} ${stepMs} max`);
          assert.equal(answer[0]?.min[step], present.length === 0 ? Number.NaN : Math.min(...present), `${level} ${stepMs} min`);
        }
      }
    }),
    { numRuns: 40 },
  );
});

test("what is sealed again changes nothing, and what comes late lands in its place", () => {
  const early = grid((slot) => (slot < 100 ? slot : Number.NaN));
  const late = grid((slot) => (slot >= 50 && slot < 200 ? 7 : Number.NaN));
  const first = sealed(DAY, [early]);
  assert.deepEqual(sealed(DAY, [early], first), { ...first, corrupt: [] });

  const both = sealed(DAY, [late], first);
  assert.deepEqual(both, sealed(DAY, [early, late]));
  const { figures: answer } = figures([part("detail", DAY, both.detail)], { fromMs: DAY, toMs: DAY + HOUR_MS, stepMs: 10_000 });
  assert.equal(answer[0]?.sum[60], 60);
  assert.equal(answer[0]?.sum[150], 7);
  assert.equal(answer[0]?.count[250], 0);
});

test("the hours of a day share a row", () => {
  const nine = sealed(DAY + 9 * HOUR_MS, [grid(() => 9)]);
  const ten = sealed(DAY + 10 * HOUR_MS, [grid(() => 10)], { hours: nine.hours });
  const { figures: answer } = figures([part("hours", DAY, ten.hours)], { fromMs: DAY, toMs: DAY + 24 * HOUR_MS, stepMs: HOUR_MS });
  assert.deepEqual(
    [...(answer[0]?.sum ?? [])].filter((sum) => sum > 0),
    [9 * 360, 10 * 360],
  );
});

test("minutes whose detail is gone outlive what comes late", () => {
  const whole = sealed(DAY, [grid(() => 5)]);
  const late = sealed(DAY, [grid((slot) => (slot === 0 ? 1 : Number.NaN))], { minutes: whole.minutes, hours: whole.hours });
  const { figures: answer } = figures([part("minutes", DAY, late.minutes)], { fromMs: DAY, toMs: DAY + HOUR_MS, stepMs: MINUTES.stepMs });
  assert.ok(answer[0]?.sum.every((sum) => sum === 30));
});

test("what is not sealed yet is put to the rollups, whether their detail is still there or not", () => {
  const hourMs = DAY + 2 * HOUR_MS;
  const rows = sealed(hourMs, [grid((slot) => (slot < 180 ? 5 : Number.NaN))]);
  const late = [grid((slot) => (slot === 0 ? 99 : slot === 200 ? 7 : Number.NaN))];
  for (const [level, startMs, row, step] of [
    ["minutes", hourMs, rows.minutes, MINUTES.stepMs],
    ["hours", DAY, rows.hours, HOUR_MS],
  ] as const) {
    for (const detail of [rows.detail, undefined]) {
      const { figures: answer } = figures([{ level, startMs, row, fresh: [{ hourMs, detail, grids: late }] }], {
        fromMs: hourMs,
        toMs: hourMs + HOUR_MS,
        stepMs: step,
      });
      const total = answer[0]?.sum.reduce((sum, each) => sum + each, 0);
      const complete = detail !== undefined || level === "minutes";
      assert.equal(total, complete ? 180 * 5 + 7 : 180 * 5, `${level} ${detail === undefined ? "without" : "with"} detail`);
    }
  }
});

test("other series of a bundle stay as they are", () => {
  const first = sealed(DAY, [grid(() => 5)]);
  const other = run({ kind: "seal", hourMs: DAY, kept: first, columnCount: 1, places: [0], generations: grid(() => 1) });
  assert.deepEqual(unpackBundle(other.detail).get(PLACE), unpackBundle(first.detail).get(PLACE));
  assert.equal(unpackBundle(other.minutes).size, 2);
});

test("corrupt chunks are named and left out, the others are read", () => {
  const rows = sealed(DAY, [grid(() => 5)]);
  const torn = rows.detail.slice();
  torn[torn.length - 1] = (torn.at(-1) ?? 0) ^ 1;
  const fresh = grid((slot) => (slot === 9 ? 3 : Number.NaN));
  const { figures: answer, corrupt } = figures([part("detail", DAY, torn, [fresh]), part("detail", DAY + HOUR_MS, rows.detail)], {
    fromMs: DAY,
    toMs: DAY + 2 * HOUR_MS,
    stepMs: HOUR_MS,
  });
  assert.deepEqual([...(answer[0]?.sum ?? [])], [3, 1800]);
  assert.match(corrupt.join(), /detail of 2026-03-01T00:00:00.000Z: the checksum does not match/);

  const healed = sealed(DAY, [grid(() => 4)], { detail: torn });
  assert.match(healed.corrupt.join(), /detail: the checksum does not match/);
  assert.deepEqual(healed.detail, sealed(DAY, [grid(() => 4)]).detail);
});

test("of grids of the same span the earlier ones win, moment by moment", () => {
  assert.deepEqual(mergeGrids([[Float64Array.of(1, Number.NaN)], [Float64Array.of(2, 3)]]), [Float64Array.of(1, 3)]);
  assert.equal(mergeGrids([]), undefined);
});

test("a bundle gives back its chunks, and knows whether it was changed", () => {
  const chunks = new Map([
    [0, Uint8Array.of(1, 2, 3)],
    [7, new Uint8Array(0)],
  ]);
  const bytes = packBundle(chunks, { compress: true });
  assert.deepEqual(unpackBundle(bytes), chunks);
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = bytes.slice();
    changed[at] = (changed[at] ?? 0) ^ 4;
    assert.throws(() => unpackBundle(changed), CorruptBytes, `byte ${at}`);
  }
});
