import type { CheckRecord } from "../../endpoints/answers.ts";

/** An endpoint of a container, as far as two of them can be the same one. */
export interface Asked {
  id: number;
  labelKey: string | null;
  target: string;
}

/** What the checks of endpoints showed in a stretch of time. */
export interface Answers {
  checks: number;
  failures: number;
  answers: number;
  /** Of each endpoint that answered. */
  medians: readonly number[];
}

/**
 * Which endpoints of the containers before are which of those after: with a new container the labels make new ones, so several can be the same. What
 * only one side has is left out, since it would make a difference that the image did not.
 */
export function pairsOf(before: readonly Asked[], after: readonly Asked[]): { before: number[]; after: number[] }[] {
  const left = Map.groupBy(before, nameOf);
  return [...Map.groupBy(after, nameOf)].flatMap(([name, group]) => {
    const targets = new Set(group.map(({ target }) => target));
    const same = left.has(name) ? name : [...left].find(([, others]) => others.some(({ target }) => targets.has(target)))?.[0];
    const found = same === undefined ? undefined : left.get(same);
    if (same === undefined || found === undefined) return [];
    left.delete(same);
    return [{ before: found.map(({ id }) => id), after: group.map(({ id }) => id) }];
  });
}

function nameOf({ labelKey, target }: Asked): string {
  return labelKey ?? target;
}

/** What checks of one endpoint come to, under whichever ids; those of a host without a network say nothing. */
export function answersOf(checks: readonly Pick<CheckRecord, "success" | "observed" | "response_time_ms">[]): Answers {
  const seen = checks.filter(({ observed }) => observed);
  const times = seen.flatMap(({ success, response_time_ms: time }) => (success && time !== null ? [time] : [])).sort((a, b) => a - b);
  return {
    checks: seen.length,
    failures: seen.filter(({ success }) => !success).length,
    answers: times.length,
    medians: times.length === 0 ? [] : [medianOf(times)],
  };
}

export function sumOf(all: readonly Answers[]): Answers {
  const total = (of: (each: Answers) => number): number => all.reduce((sum, each) => sum + of(each), 0);
  return {
    checks: total(({ checks }) => checks),
    failures: total(({ failures }) => failures),
    answers: total(({ answers }) => answers),
    medians: all.flatMap(({ medians }) => medians),
  };
}

/** Of numbers in order, at least one. */
function medianOf(sorted: readonly number[]): number {
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? 0)) / 2;
}
