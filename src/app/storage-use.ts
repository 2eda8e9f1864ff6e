import { DAY_MS } from "../contract/time.ts";
import type { Database } from "../storage/database.ts";
import type { Budget } from "../storage/budget/index.ts";
import type { KindOfBytes } from "../storage/series/index.ts";
import type { StorageUse } from "./meta/answers.ts";

export interface StorageUseParts {
  database: Pick<Database, "capabilities">;
  budget: Pick<Budget, "use">;
  /** SERVICE_MAX_DB_BYTES. */
  limitBytes: number | undefined;
  backups(): StorageUse["backups"];
}

/** What the database holds, and by what a day brings, what it will. Throws `storage_unavailable`. */
export async function storageUseOf({ database, budget, limitBytes, backups }: StorageUseParts): Promise<StorageUse> {
  const { kinds, isEstimated } = await budget.use();
  const bytes = sumOf(kinds.map((kind) => kind.bytes));
  const perDay = kinds.every(({ kind, bytesPerDay }) => kind !== "detail" || bytesPerDay !== null)
    ? sumOf(kinds.map(({ bytesPerDay }) => bytesPerDay ?? 0))
    : null;
  const oldest = kinds.flatMap(({ oldest: at }) => at ?? []).toSorted((a, b) => a.getTime() - b.getTime())[0];
  return {
    engine: database.capabilities.engine,
    bytes: Math.round(bytes),
    limit_bytes: limitBytes ?? null,
    measured: isEstimated ? "estimated" : "exact",
    kinds: kinds.map((kind) => ({
      kind: kind.kind,
      bytes: Math.round(kind.bytes),
      oldest: kind.oldest?.toISOString() ?? null,
      kept_seconds: kind.keptMs === null ? null : kind.keptMs / 1000,
    })),
    growth_bytes_per_day: perDay === null ? null : Math.round(perDay),
    forecast: {
      bytes: perDay === null ? null : Math.round(sumOf(kinds.map(fullBytes))),
      days_until_limit: limitBytes === undefined || perDay === null ? null : daysUntil(limitBytes - bytes, kinds),
    },
    oldest: oldest?.toISOString() ?? null,
    backups: backups(),
  };
}

/** Once everything is kept as long as it may be. */
function fullBytes({ bytes, bytesPerDay, keptMs }: KindOfBytes): number {
  return bytesPerDay === null || keptMs === null ? bytes : Math.max(bytes, (bytesPerDay * keptMs) / DAY_MS);
}

/** How long until so much has been added; each kind grows until it is as old as it may be. Null when that is never. */
function daysUntil(room: number, kinds: readonly KindOfBytes[]): number | null {
  const growing = kinds
    .map((kind) => ({ perDay: kind.bytesPerDay ?? 0, days: daysOfGrowth(kind) }))
    .filter(({ perDay, days }) => perDay > 0 && days > 0)
    .toSorted((a, b) => a.days - b.days);
  let left = room;
  let passed = 0;
  let rate = sumOf(growing.map(({ perDay }) => perDay));
  for (const { perDay, days } of growing) {
    if (left <= rate * (days - passed)) return round(passed + Math.max(0, left) / rate);
    left -= rate * (days - passed);
    passed = days;
    rate -= perDay;
  }
  return left <= 0 ? round(passed) : null;
}

function daysOfGrowth(kind: KindOfBytes): number {
  return kind.bytesPerDay === null || kind.bytesPerDay <= 0 ? 0 : (fullBytes(kind) - kind.bytes) / kind.bytesPerDay;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function round(days: number): number {
  return Math.round(days * 10) / 10;
}
