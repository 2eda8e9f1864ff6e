/** The expressions that labels give to let tags in or keep them out. */
import { RE2JS } from "re2js";
import type { UpdateSettings } from "../../../observations.ts";
import { cleanName } from "../../../platform/text.ts";

/** Enough for any list of tags, and too little for a program that is slow. */
const MAX_PATTERN = 500;
const SHOWN_PATTERN = 60;

export interface TagPatterns {
  /** All tags are let in. */
  none: boolean;
  /** In linear time, whatever the expression. */
  admits(tag: string): boolean;
}

/** Reads both expressions; a sentence when one is none. */
export function readPatterns({ tagInclude, tagExclude }: UpdateSettings): TagPatterns | { error: string } {
  const include = compile("service.update.tag-include", tagInclude);
  if (typeof include === "string") return { error: include };
  const exclude = compile("service.update.tag-exclude", tagExclude);
  if (typeof exclude === "string") return { error: exclude };
  return {
    none: include === undefined && exclude === undefined,
    admits: (tag) => include?.test(tag) !== false && exclude?.test(tag) !== true,
  };
}

function compile(label: string, pattern: string | null): RE2JS | string | undefined {
  if (pattern === null) return undefined;
  if (pattern.length > MAX_PATTERN) return `The label ${label} is longer than ${MAX_PATTERN} characters: ${shown(pattern)}`;
  try {
    return RE2JS.compile(pattern);
  } catch {
    return `The label ${label} is not a regular expression in the syntax of RE2: ${shown(pattern)}`;
  }
}

function shown(pattern: string): string {
  return cleanName(pattern, SHOWN_PATTERN);
}
