import type { LogLevel } from "../../contract/log-level.ts";
import { withoutColours } from "../../platform/text.ts";
import { cutLine, type Containers, type SavedContainer } from "../containers/index.ts";
import type { LogPatternQuery } from "./api.ts";
import type { LogPattern, LogPatternResult } from "./answers.ts";
import type { LogReader } from "./reading.ts";
import { wantedOf } from "./search.ts";

export interface LogPatterns {
  /** Folds the lines that a search finds into patterns. Throws as the search. */
  patterns(query: LogPatternQuery, signal: AbortSignal): Promise<LogPatternResult>;
}

/** Of all containers together. */
const MOST_PATTERNS = 3_000;
const MOST_CONTAINERS_SHOWN = 20;
const EXAMPLE_CHARACTERS = 500;
/** Containers in one place whose images are compared, newest first. */
const MOST_GENERATIONS = 100;

export function createLogPatterns({ reader, containers }: { reader: LogReader; containers: Pick<Containers, "service"> }): LogPatterns {
  return {
    async patterns(query, signal) {
      const table = createPatternTable(MOST_PATTERNS);
      /** Of each container the oldest line that was read. */
      const firstRead = new Map<number, number>();
      const read = await reader.read(query, wantedOf({ ...query, order: "newest" }), {
        signal,
        visit({ containerId, atMs, level, readLine }) {
          firstRead.set(containerId, Math.min(atMs, firstRead.get(containerId) ?? atMs));
          table.add({ containerId, atMs, level, text: readLine().text });
        },
      });
      const { patterns, otherLines } = table.read();
      const changes = await imageChanges([...read.containers.values()], firstRead, containers.service);
      const folded = [...Map.groupBy(patterns, ({ pattern }) => pattern).values()].map((same) =>
        patternRecord(same, read.containers, changes),
      );
      const shown = folded.toSorted((one, other) => Number(other.is_new === true) - Number(one.is_new === true) || other.lines - one.lines);
      return { patterns: shown.slice(0, query.limit), patterns_total: shown.length, other_lines: otherLines, ...read.report };
    },
  };
}

/** When the image of containers changed last, of those of which lines from before it were read. */
async function imageChanges(
  containers: readonly SavedContainer[],
  firstRead: ReadonlyMap<number, number>,
  service: Pick<Containers["service"], "generations">,
): Promise<Map<number, number>> {
  const changes = new Map<number, number>();
  for (const { id, createdAt } of containers) {
    const firstMs = firstRead.get(id);
    // Nothing was read from before the container that is there now.
    if (firstMs === undefined || createdAt === null || firstMs >= createdAt.getTime()) continue;
    const { generations } = await service.generations(id, { limit: MOST_GENERATIONS, offset: 0 });
    const [newest] = generations;
    const other = generations.findIndex(({ image, image_digest: digest }) => image !== newest?.image || digest !== newest.image_digest);
    const changedAt = other === -1 ? null : (generations[other - 1]?.created_at ?? null);
    if (changedAt !== null && firstMs < Date.parse(changedAt)) changes.set(id, Date.parse(changedAt));
  }
  return changes;
}

function patternRecord(
  same: readonly CountedPattern[],
  containers: ReadonlyMap<number, SavedContainer>,
  changes: ReadonlyMap<number, number>,
): LogPattern {
  const byLines = same.toSorted((one, other) => other.lines - one.lines);
  const newest = same.reduce((one, other) => (other.lastMs > one.lastMs ? other : one));
  const news = byLines.map(({ containerId, firstMs }) => {
    const changedMs = changes.get(containerId);
    return changedMs === undefined ? null : firstMs >= changedMs;
  });
  return {
    pattern: newest.pattern,
    level: newest.level,
    lines: same.reduce((sum, { lines }) => sum + lines, 0),
    first_at: timeOf(Math.min(...same.map(({ firstMs }) => firstMs))),
    last_at: timeOf(newest.lastMs),
    example: cutLine(newest.example, EXAMPLE_CHARACTERS),
    is_new: news.includes(true) || (news.includes(false) ? false : null),
    containers: byLines.slice(0, MOST_CONTAINERS_SHOWN).flatMap(({ containerId, lines }, index) => {
      const container = containers.get(containerId);
      const changedMs = changes.get(containerId);
      if (container === undefined) return [];
      return {
        ...{ container_id: containerId, container_name: container.name, agent_id: container.agentId, lines },
        ...{ is_new: news[index] ?? null, image_changed_at: changedMs === undefined ? null : new Date(changedMs).toISOString() },
      };
    }),
    containers_total: same.length,
  };
}

/** Null: the runtime did not say when. */
function timeOf(ms: number): string | null {
  return ms === 0 ? null : new Date(ms).toISOString();
}

/** The lines of one container that have one pattern. */
interface CountedPattern {
  containerId: number;
  pattern: string;
  /** Of the line that is shown. */
  level: LogLevel | null;
  lines: number;
  firstMs: number;
  lastMs: number;
  /** The newest of them. */
  example: string;
}

interface PatternTable {
  add(line: { containerId: number; atMs: number; level: LogLevel | null; text: string }): void;
  read(): {
    patterns: CountedPattern[];
    /** Lines whose patterns were dropped, since there were too many. */
    otherLines: number;
  };
}

/** Counts patterns, and keeps so many of them that have most lines. */
export function createPatternTable(most: number): PatternTable {
  const counted = new Map<string, CountedPattern>();
  let otherLines = 0;

  /** Room for as many again: so it is made rarely. */
  function dropRare(): void {
    const rare = [...counted].toSorted(([, one], [, other]) => other.lines - one.lines).slice(most);
    for (const [key, { lines }] of rare) {
      otherLines += lines;
      counted.delete(key);
    }
  }

  return {
    add({ containerId, atMs, level, text }) {
      const plain = withoutColours(text);
      const pattern = patternOf(plain);
      const key = `${containerId} ${pattern}`;
      const known = counted.get(key);
      if (known === undefined) {
        const example = plain.slice(0, EXAMPLE_CHARACTERS);
        counted.set(key, { containerId, pattern, level, lines: 1, firstMs: atMs, lastMs: atMs, example });
        if (counted.size >= 2 * most) dropRare();
        return;
      }
      known.lines += 1;
      known.firstMs = Math.min(known.firstMs, atMs);
      if (atMs < known.lastMs) return;
      known.lastMs = atMs;
      known.level = level;
      known.example = plain.slice(0, EXAMPLE_CHARACTERS);
    },
    read() {
      dropRare();
      return { patterns: [...counted.values()], otherLines };
    },
  };
}

/**
 * What differs from line to line: times, ids, addresses and numbers. Each alternative is found from where it stands alone, so a long line costs no more than
 * its length.
 */
const VARIABLE = new RegExp(
  [
    String.raw`(?<time>\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?|\b\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\b)`,
    String.raw`(?<uuid>\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b)`,
    String.raw`(?<address>\b\d{1,3}(?:\.\d{1,3}){3}\b(?::\d{1,5}\b)?)`,
    String.raw`(?<long>(?<![\w+/])[\w+/]{40,}={0,2})`,
    String.raw`(?<hex>\b(?:0x)?[\da-f]{8,128}\b)`,
    String.raw`(?<number>\d+(?:[.,]\d+)*)`,
  ].join("|"),
  "gi",
);

/** The text of a line that is compared. */
const LONGEST_TEXT = 400;

/** What a line without colours has in common with those that say the same about other things. */
export function patternOf(plain: string): string {
  const text = plain.length > LONGEST_TEXT ? plain.slice(0, LONGEST_TEXT) : plain;
  return text.replace(VARIABLE, (found, ...groups: (string | undefined)[]) => {
    const [time, uuid, address, long, hex] = groups;
    if (time !== undefined) return "<time>";
    if (uuid !== undefined) return "<id>";
    if (address !== undefined) return "<address>";
    if (long !== undefined) return isId(found) ? "<id>" : found;
    if (hex === undefined) return "<number>";
    // Words of the letters a to f are words.
    return /^\d+$/.test(hex) ? "<number>" : /\d/.test(hex) ? "<id>" : found;
  });
}

/** A long name is none, and neither is a path, unless its letters are as mixed as those of Base64. */
function isId(long: string): boolean {
  return /\d/.test(long) && (!long.includes("/") || (/[A-Z]/.test(long) && /[a-z]/.test(long)));
}
