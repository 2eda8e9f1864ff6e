/** The expressions that labels give to let tags in or keep them out. */
import { RE2JS } from "re2js";
import type { UpdateSettings } from "../../observations.ts";
import { cleanName } from "../../platform/text.ts";

/** Enough for any list of tags. */
const MAX_PATTERN = 500;
/** Of about so many instructions a program is made, and asked about a tag, within a few milliseconds. */
const MAX_SIZE = 2500;
/** Instructions of a program that take as long as one plain comparison of tags, at worst. */
const SIZE_OF_STEP = 6;
const STEPS_OF_EXPRESSION = 100;
/** So many expressions are kept as compiled. */
const KEPT = 200;
const SHOWN_PATTERN = 60;

export interface TagPatterns {
  /** All tags are let in. */
  none: boolean;
  /** How much time one question takes, in plain comparisons of tags: it grows with the expressions. */
  steps: number;
  /** In linear time, whatever the expression. */
  admits(tag: string): boolean;
}

/** Reads both expressions; a sentence when one is none. */
export type ReadPatterns = (settings: Pick<UpdateSettings, "tagInclude" | "tagExclude">) => TagPatterns | { error: string };

/** Reads expressions, each once: the latest are kept as compiled. */
export function createPatternReader(): ReadPatterns {
  const kept = new Map<string, RE2JS | string>();

  function read(label: string, pattern: string | null): RE2JS | string | undefined {
    if (pattern === null) return undefined;
    const key = `${label} ${pattern}`;
    const known = kept.get(key) ?? compile(label, pattern);
    kept.delete(key);
    // What is too long is not kept: it costs nothing to refuse.
    if (pattern.length <= MAX_PATTERN) kept.set(key, known);
    const [oldest] = kept.keys();
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
    return known;
  }

  return ({ tagInclude, tagExclude }) => {
    const include = read("service.update.tag-include", tagInclude);
    if (typeof include === "string") return { error: include };
    const exclude = read("service.update.tag-exclude", tagExclude);
    if (typeof exclude === "string") return { error: exclude };
    return {
      steps: STEPS_OF_EXPRESSION + [include, exclude].reduce((size, each) => size + (each?.programSize() ?? 0), 0) / SIZE_OF_STEP,
      none: include === undefined && exclude === undefined,
      admits: (tag) => include?.test(tag) !== false && exclude?.test(tag) !== true,
    };
  };
}

function compile(label: string, pattern: string): RE2JS | string {
  if (pattern.length > MAX_PATTERN) return `The label ${label} is longer than ${MAX_PATTERN} characters: ${shown(pattern)}`;
  if (expressionSize(pattern) > MAX_SIZE)
    return `The label ${label} makes too large a program, since its repetitions multiply; repeat less: ${shown(pattern)}`;
  try {
    return RE2JS.compile(pattern);
  } catch {
    return `The label ${label} is not a regular expression in the syntax of RE2: ${shown(pattern)}`;
  }
}

function shown(pattern: string): string {
  return cleanName(pattern, SHOWN_PATTERN);
}

/** A token of an expression: an escape with its braces, a class, the start of a group, a repetition, or a character. */
const TOKEN =
  /\\Q(?<quoted>[^]*?)(?:\\E|$)|(?<escape>\\(?:[pPx]\{[^}]*\}?|[pP][^]|[^]))|(?<class>\[\^?\]?(?:\\[^]|\[:\^?\w*:\]|[^\]\\])*\]?)|(?<open>\((?:\?(?:P?<\w*>|[imsU-]*:?))?)|(?<close>\))|\{(?<least>\d+)(?<range>,(?<most>\d*))?\}|(?<sign>[*+?|])|(?<character>[^])/gu;

/** A Unicode class has hundreds of ranges, which cost time when they are read. */
const CLASS_SIZE = 4;

interface Group {
  size: number;
  /** Of what a repetition repeats. */
  last: number;
}

/**
 * At most so many instructions, about, are in the program that RE2 makes of an expression: repetitions multiply what they repeat. Takes time
 * linear in the expression, and never throws; for what is no expression it answers some number.
 */
export function expressionSize(expression: string): number {
  const outer: Group[] = [];
  let group: Group = { size: 2, last: 0 };
  const add = (size: number): void => {
    group.last = size;
    group.size += size;
  };
  for (const { groups: token = {} } of expression.matchAll(TOKEN)) {
    if (token["open"] !== undefined) {
      outer.push(group);
      group = { size: 2, last: 0 };
    } else if (token["close"] !== undefined) {
      const { size } = group;
      group = outer.pop() ?? { size: 2, last: 0 };
      add(size);
    } else if (token["least"] !== undefined) {
      const times = Math.max(Number(token["least"]) + (token["range"] === "," ? 1 : 0), Number(token["most"] ?? 0), 1);
      const { last } = group;
      group.size -= last;
      add((last + 1) * times);
    } else if (token["quoted"] !== undefined) {
      group.size += token["quoted"].length;
      group.last = 1;
    } else if (token["sign"] !== undefined) {
      group.size += 1;
      group.last += 1;
    } else add(token["class"] === undefined && token["escape"] === undefined ? 1 : CLASS_SIZE);
  }
  return outer.reduce((size, each) => size + each.size, group.size);
}
