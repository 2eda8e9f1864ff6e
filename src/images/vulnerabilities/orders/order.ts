import { compare as comparePep440, valid } from "@renovatebot/pep440";
import { parse } from "semver";

/** How versions of an ecosystem follow each other: below 0 when the first is older; undefined when one of them is no version there. */
export type VersionOrder = (a: string, b: string) => number | undefined;

/** Two numbers written in digits, of any length. */
export function compareDigits(a: string, b: string): number {
  const left = a.replace(/^0+/, "");
  const right = b.replace(/^0+/, "");
  return left.length - right.length || compareText(left, right);
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** The order of semantic versions, with or without the `v` of Go, missing parts taken for 0. Source: SemVer 2.0.0, section 11. */
export function compareSemver(a: string, b: string): number | undefined {
  const left = parse(completed(a));
  const right = parse(completed(b));
  // Build metadata does not count.
  return left === null || right === null ? undefined : left.compare(right);
}

/** The order of Python packages. Source: PEP 440. */
export function comparePython(a: string, b: string): number | undefined {
  return valid(a) === null || valid(b) === null ? undefined : comparePep440(a, b);
}

/** `v1`, `1.2` and the like, as databases of SEMVER ranges write them. */
function completed(text: string): string {
  const found = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?((?:[-+].*)?)$/.exec(text);
  if (found === null) return text;
  const [, major = "", minor = "0", patch = "0", rest = ""] = found;
  return `${major}.${minor}.${patch}${rest}`;
}
