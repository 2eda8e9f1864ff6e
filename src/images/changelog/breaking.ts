import { cleanName } from "../../platform/text.ts";

const MOST_SENTENCES = 20;
const LONGEST_SENTENCE = 300;
const MOST_LINES = 2000;
/** No sentence needs more of a line. */
const LONGEST_LINE = 2000;

/** Headings under which everything breaks something. */
const BREAKING_HEADING =
  /\b(?:breaking|backwards?[- ]incompatib\w+|incompatible changes?|removed|removals?|migration required|action required|manual (?:steps|action|intervention)s?)\b/i;
/** What a heading or a list says when there is nothing. */
const NOTHING = /^(?:\[?breaking\]?|none|nothing|n\/?a|no|-|—|tba|tbd)\.?$/i;
const NEGATED =
  /\b(?:no|not|non|without|isn't|aren't|zero|avoid\w*|prevent\w*|fix(?:e[sd]|ing)?)\b[^.;]{0,30}\b(?:breaking|breaks?|backwards?[- ]incompat|migration)/i;
/** What was wrong before and is right now. */
const FIX = /^(?:(?:bug ?)?fix(?:e[sd])?|resolve[sd]?|correct(?:s|ed)?|docs?|test|tests|chore|ci|revert(?:s|ed)?)\b(?!\(?[^):\s]*\)?!)/i;
/** `feat(api)!: ...`, of conventional commits. */
const MARKED_COMMIT = /^[a-z]+(?:\([^)]{1,60}\))?!:\s/i;

const THING =
  "(?:options?|flags?|settings?|support|endpoints?|apis?|routes?|commands?|parameters?|arguments?|environment variables?|variables?|config(?:uration)?s?|keys?|fields?|columns?|plugins?|features?|methods?|functions?|headers?|images?|tags?|architectures?|platforms?|drivers?|modules?|extensions?|providers?|backends?|metrics?|labels?|default)";
const PHRASES: readonly RegExp[] = [
  /^(?:⚠️?|:warning:|💥|:boom:)/u,
  /\bBREAKING(?:[ -]CHANGES?)?\b/,
  /\b[Bb]reaking (?:change|api change|for)\b|\bthis (?:is a|will|may|might|can) break(?:ing)?\b/i,
  /\b(?:not|no longer) (?:backwards?|forwards?)[- ]compatible\b|\bbackwards?[- ]incompatible\b|\bincompatible with\b/i,
  /\b(?:manual )?(?:migration|intervention|action|upgrade steps?)s? (?:is|are)? ?(?:required|needed|necessary)\b|\brequires? (?:a |an )?(?:manual )?(?:migration|intervention)\b/i,
  /\b(?:you|users|administrators|operators|it|they|clients|configurations?|plugins?) (?:must|need to|have to|will have to|will need to)\b(?! not)/i,
  /\bmust (?:now|be (?:migrated|updated|changed|renamed|replaced|set|removed|recreated|upgraded|adapted|rewritten))\b/i,
  /\bnow requires?\b|\b(?:is|are) now (?:required|mandatory)\b|\bminimum (?:required |supported )?version\b.{0,60}\b(?:is now|raised|bumped|increased)\b/i,
  /\bno longer (?:be )?(?:supports?|supported|available|accepts?|accepted|allowed?s?|possible|included?s?|ships?|shipped|provided?s?|enabled|works?|reads?|recogni[sz]e[sd]?|published|built|maintained|installed|exposed|uses?)\b/i,
  /\b(?:drop(?:s|ped|ping)?|remove[sd]?|removing|end(?:s|ed)?) (?:of )?(?:the )?support (?:for|of)\b/i,
  new RegExp(`^(?:\\w+(?:\\([^)]*\\))?: )?(?:removed?|removes|dropp?e?d?|drops) .{0,80}\\b${THING}\\b`, "i"),
  new RegExp(`\\b${THING}\\b.{0,60}\\b(?:has|have|was|were|is|are|got) (?:now )?(?:been )?(?:removed|dropped|renamed)\\b`, "i"),
  new RegExp(`\\b(?:has|have|was|were) (?:been )?renamed (?:to|into)\\b`, "i"),
];
/** Removed, but not from what anybody uses. */
const INTERNAL =
  /\b(?:unused|dead|redundant|unnecessary|obsolete (?:code|comment)|duplicate[sd]?|internal|leftover|stale|typo|trailing)\b/i;

/** The sentences of release notes that say that something breaks, in their order. Only what says so plainly is taken: a false alarm teaches not to look. */
export function breakingSentences(markdown: string): string[] {
  const found = new Set<string>();
  /** The depth of the heading under which all is breaking; 0 for none. */
  let under = 0;
  let isCode = false;
  for (const line of markdown.split("\n", MOST_LINES)) {
    if (found.size >= MOST_SENTENCES) break;
    if (/^\s*(?:```|~~~)/.test(line)) {
      isCode = !isCode;
      continue;
    }
    if (isCode || line.trim() === "") continue;
    const heading = headingOf(line);
    if (heading !== undefined) {
      if (under === 0 || heading.depth <= under) under = isBreakingHeading(heading.text) ? heading.depth : 0;
      continue;
    }
    const text = plain(line);
    if (text === "" || NOTHING.test(text)) continue;
    // Under such a heading each item and paragraph counts by its first sentence; what is indented belongs to the one above.
    if (under > 0 && !/^\s{2,}/.test(line) && !NEGATED.test(text)) add(sentencesOf(text)[0]);
    else for (const sentence of sentencesOf(text)) if (saysThatItBreaks(sentence)) add(sentence);
  }
  return [...found];

  function add(sentence: string | undefined): void {
    const shown = sentence === undefined ? "" : cleanName(sentence, LONGEST_SENTENCE);
    if (shown !== "" && found.size < MOST_SENTENCES) found.add(shown);
  }
}

function isBreakingHeading(text: string): boolean {
  return BREAKING_HEADING.test(text) && !NEGATED.test(text) && !FIX.test(text);
}

function saysThatItBreaks(sentence: string): boolean {
  if (MARKED_COMMIT.test(sentence)) return true;
  if (NEGATED.test(sentence) || FIX.test(sentence) || INTERNAL.test(sentence)) return false;
  return PHRASES.some((phrase) => phrase.test(sentence));
}

/** `## Text`, and a line that is nothing but bold text or ends with a colon in it. */
function headingOf(line: string): { depth: number; text: string } | undefined {
  const marked = /^ {0,3}(#{1,6})\s+(.*)$/.exec(line.slice(0, LONGEST_LINE));
  if (marked !== null) return { depth: marked[1]?.length ?? 1, text: plain(withoutClosing(marked[2] ?? "")) };
  const bold = /^\s{0,3}(?:\*\*|__)([^*_]{1,80}?):?(?:\*\*|__):?\s*$/.exec(line);
  return bold === null ? undefined : { depth: 7, text: plain(bold[1] ?? "") };
}

/** Without the marks that close a heading. An expression would look ahead from each space of a line that somebody filled with them. */
function withoutClosing(text: string): string {
  let end = text.trimEnd().length;
  while (text[end - 1] === "#") end -= 1;
  return text.slice(0, end);
}

/** A line without the marks of Markdown, and without who made the change. */
function plain(line: string): string {
  return line
    .slice(0, LONGEST_LINE)
    .replace(/\s+/g, " ")
    .replace(/^\s*(?:>\s?)*(?:[-*+•]\s+|\d+[.)]\s+)?(?:\[[ x]\]\s+)?/i, "")
    .replace(/!?\[([^[\]]*)\]\([^)\s]*(?:\s"[^"]*")?\)/g, "$1")
    .replace(/<\/?[a-z][^>]{0,200}>/gi, "")
    .replace(/(\*\*|__|`)/g, "")
    .replace(/\s+by @\S+ in \S+$/, "")
    .replace(/(?:\s*\((?:#\d+|[0-9a-f]{7,40})(?:,\s*(?:#\d+|[0-9a-f]{7,40}))*\))+\.?$/, "")
    .trim();
}

function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?])\s+(?=[\p{Lu}"'(⚠])/u);
}
