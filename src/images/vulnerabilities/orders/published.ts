import { compare as comparePep440, valid } from "@renovatebot/pep440";
import { parse } from "semver";

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
