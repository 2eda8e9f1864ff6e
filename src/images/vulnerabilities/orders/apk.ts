import { compareDigits, compareText } from "./order.ts";

/** In the order of a version: a part that comes later is less than one that comes earlier, where all before is equal. */
const KINDS = ["first", "number", "letter", "suffix", "suffix number", "hash", "revision", "end"] as const;

interface Token {
  kind: (typeof KINDS)[number];
  text: string;
}

const BEFORE_RELEASE = ["alpha", "beta", "pre", "rc"];
const SUFFIXES = [...BEFORE_RELEASE, "cvs", "svn", "git", "hg", "p"];

const SHAPE = /^(\d+)((?:\.\d+)*)([a-z]?)((?:_(?:alpha|beta|pre|rc|cvs|svn|git|hg|p)\d*)*)(?:~([0-9a-f]+))?(?:-r(\d+))?$/;

/** The order of Alpine and its kin: `1.2.3a_rc1~hash-r4`. Source: apk-tools, doc/apk-package.5 and src/version.c. */
export function compareApk(a: string, b: string): number | undefined {
  const left = tokensOf(a);
  const right = tokensOf(b);
  if (left === undefined || right === undefined) return undefined;
  for (let index = 0; ; index += 1) {
    const one = left[index] ?? END;
    const other = right[index] ?? END;
    if (one.kind !== other.kind) return compareKinds(one, other);
    if (one.kind === "end") return 0;
    const difference = compareTokens(one, other);
    if (difference !== 0) return difference;
  }
}

const END: Token = { kind: "end", text: "" };

function tokensOf(text: string): Token[] | undefined {
  const found = SHAPE.exec(text);
  if (found === null) return undefined;
  const [, first = "", numbers = "", letter = "", suffixes = "", hash, revision] = found;
  const tokens: Token[] = [{ kind: "first", text: first }];
  for (const number of numbers.split(".").slice(1)) tokens.push({ kind: "number", text: number });
  if (letter !== "") tokens.push({ kind: "letter", text: letter });
  for (const suffix of suffixes.split("_").slice(1)) {
    const name = suffix.replace(/\d+$/, "");
    tokens.push({ kind: "suffix", text: name });
    if (name !== suffix) tokens.push({ kind: "suffix number", text: suffix.slice(name.length) });
  }
  if (hash !== undefined) tokens.push({ kind: "hash", text: hash });
  if (revision !== undefined) tokens.push({ kind: "revision", text: revision });
  return tokens;
}

function compareTokens(a: Token, b: Token): number {
  if (a.kind === "suffix") return SUFFIXES.indexOf(a.text) - SUFFIXES.indexOf(b.text);
  if (a.kind === "letter" || a.kind === "hash") return compareText(a.text, b.text);
  // As fractions are: 1.05 is before 1.1.
  if (a.kind === "number" && (a.text.startsWith("0") || b.text.startsWith("0"))) return compareText(a.text, b.text);
  return compareDigits(a.text, b.text);
}

/** The longer one is newer, unless it continues with what comes before a release. */
function compareKinds(a: Token, b: Token): number {
  if (a.kind === "suffix" && BEFORE_RELEASE.includes(a.text)) return -1;
  if (b.kind === "suffix" && BEFORE_RELEASE.includes(b.text)) return 1;
  return KINDS.indexOf(b.kind) - KINDS.indexOf(a.kind);
}
